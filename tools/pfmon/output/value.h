/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts and times as text output writes them.
 */
#ifndef PFMON_OUTPUT_VALUE_H
#define PFMON_OUTPUT_VALUE_H

#include <stdint.h>
#include <stdio.h>

struct count;
struct options;
struct session;

/* At most 20 digits, separators and a mark. */
#define PRINT_COUNT_ROOM 32

/* A count as the command line wants it; with a mark when it is no exact one. */
const char *print_value_text(const struct options *options,
			     const struct count *count, char *text);

/*
 * How far an estimate is off at most, or that a count is a lower bound, and which
 * part of the time it is from.
 */
void print_trust(FILE *out, const struct count *count);

/* --show-time */
void print_times(FILE *out, const struct session *session);

#endif
