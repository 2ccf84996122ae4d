/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Durations on the command line.
 */
#ifndef PFMON_BASE_DURATION_H
#define PFMON_BASE_DURATION_H

#include <stdint.h>

/* Seconds, or a number with a unit; fractions allowed.  0, or -1. */
int duration_parse(const char *text, uint64_t *ns);

#endif
