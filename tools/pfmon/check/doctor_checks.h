/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The checks of --doctor.
 */
#ifndef PFMON_CHECK_DOCTOR_CHECKS_H
#define PFMON_CHECK_DOCTOR_CHECKS_H

#include "check/findings.h"

struct findings;
struct machine;

/* doctor_machine.c */

/* Also reads the registers, if the kernel tells them. */
void doctor_check_machine(struct findings *findings, struct machine *machine);

/* doctor_device.c */

/* @container: name of the container that pfmon runs in; NULL if none. */
void doctor_check_device(struct findings *findings, const char *container);

/* doctor_count.c */

/*
 * Adds no finding where nothing can be counted, as where the registers were not read; that is the
 * finding of another check.
 */
void doctor_check_count(struct findings *findings,
			const struct machine *machine);

/* doctor_barred.c */

/* Adds no finding if no CPU is barred. */
void doctor_check_barred(struct findings *findings);

/* doctor_ibs.c */

/* Adds no finding where the processor is not AMD's. */
void doctor_check_ibs(struct findings *findings);

/* doctor_rights.c */

void doctor_check_rights(struct findings *findings);

#endif
