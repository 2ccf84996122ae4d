/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Check that a count is right: of a loop whose number of instructions is known.
 */
#ifndef PFMON_CHECK_DOCTOR_COUNT_H
#define PFMON_CHECK_DOCTOR_COUNT_H

struct findings;
struct machine;

/*
 * Adds no finding where nothing can be counted, as where the registers were not read; that is the
 * finding of another check.
 */
void doctor_check_count(struct findings *findings,
			const struct machine *machine);

#endif
