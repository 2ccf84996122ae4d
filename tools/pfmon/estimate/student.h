/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Student's t distribution.
 */
#ifndef PFMON_ESTIMATE_STUDENT_H
#define PFMON_ESTIMATE_STUDENT_H

/* Chance that a value is as far from 0 as @t, or farther.  @freedom: degrees of freedom, over 0. */
double student_chance(double t, double freedom);

/* The value that is reached, to one side or the other, with this chance: over 0 and under 1. */
double student_limit(double chance, double freedom);

#endif
