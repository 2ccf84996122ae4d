/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts, titles and times as text output writes them.
 */
#ifndef PFMON_OUTPUT_VALUE_H
#define PFMON_OUTPUT_VALUE_H

#include <stdint.h>
#include <stdio.h>

#include "base/colour.h"

struct count;
struct options;
struct result;
struct row;
struct session;

/* Room for 20 digits, separators and a mark. */
#define PRINT_COUNT_ROOM 32

/*
 * Writes a count in the format of the command line, with a mark if it is not
 * exact.
 */
const char *print_value_text(const struct options *options,
			     const struct count *count, char *text);

/*
 * Prints the error bound of an estimate, or that a count is a lower bound, and
 * the share of the time that it comes from.
 */
void print_trust(FILE *out, const struct count *count);

/* The colour of a count: the same says its mark, or the text in its place. */
enum colour value_colour(const struct count *count);

/* Room for the title of a row. */
#define PRINT_TITLE_ROOM 320

/* The CPUs or the cgroup of a row; the title of all tasks or CPUs is "TOTAL". */
const char *print_title_text(const struct row *row, char *text);

/*
 * A path may contain line breaks and other control characters: escape them, so that it stays on its
 * line.
 */
void print_path(FILE *out, const char *path);

/*
 * Prints the program of a result on one line, whatever its path contains, and its process and
 * thread, or of how many tasks it is the sum.
 */
void print_program(FILE *out, const struct result *result);

/* Prints the times of --show-time. */
void print_times(FILE *out, const struct session *session);

#endif
