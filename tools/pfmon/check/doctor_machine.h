/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The checks of --doctor that are about kernel and modules.
 */
#ifndef PFMON_CHECK_DOCTOR_MACHINE_H
#define PFMON_CHECK_DOCTOR_MACHINE_H

struct findings;

void doctor_check_machine(struct findings *findings);

#endif
