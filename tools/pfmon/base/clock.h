/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Times: the clock, and lengths of time on the command line.
 */
#ifndef PFMON_BASE_CLOCK_H
#define PFMON_BASE_CLOCK_H

#include <stdint.h>

/* clock.c */

#define NS_PER_S 1000000000ULL

/* CLOCK_MONOTONIC, in nanoseconds. */
uint64_t clock_now(void);

/* duration.c */

/* Seconds, or a number with a unit; fractions allowed.  0, or -1. */
int duration_parse(const char *text, uint64_t *ns);

#endif
