/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers in units that people read.
 */
#ifndef PFMON_BASE_UNITS_H
#define PFMON_BASE_UNITS_H

#include <stdint.h>

/*
 * Divides a number by 1000 until it has three digits before the point, at most @steps times; what
 * rounds to 1000.000 has four.  Returns how often.
 */
unsigned int units_shorten(double *number, unsigned int steps);

#define UNITS_TIME_ROOM 32

/* Writes nanoseconds in the unit that fits: "12.345 ms". */
const char *units_time(uint64_t ns, char *text);

#endif
