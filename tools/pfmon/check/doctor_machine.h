/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The checks of --doctor that are about kernel and modules.
 */
#ifndef PFMON_CHECK_DOCTOR_MACHINE_H
#define PFMON_CHECK_DOCTOR_MACHINE_H

struct findings;
struct machine;

/* Also reads the registers, if the kernel tells them. */
void doctor_check_machine(struct findings *findings, struct machine *machine);

#endif
