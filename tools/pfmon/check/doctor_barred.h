/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Check of --doctor for CPUs whose PMU has less than the others'.
 */
#ifndef PFMON_CHECK_DOCTOR_BARRED_H
#define PFMON_CHECK_DOCTOR_BARRED_H

struct findings;

void doctor_check_barred(struct findings *findings);

#endif
