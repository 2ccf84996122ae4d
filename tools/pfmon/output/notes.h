/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is said about counts: where they were made, how far they can be trusted, what is wrong.
 */
#ifndef PFMON_OUTPUT_NOTES_H
#define PFMON_OUTPUT_NOTES_H

#include <stdio.h>

struct count;
struct counts_of;
struct json;
struct outcome;

/* header.c */

/* Prints the header as lines that begin with '#'. */
void header_print(FILE *out, const struct outcome *outcome);
/* Writes the member "header". */
void header_write(struct json *json, const struct outcome *outcome);

/* remarks.c */

/*
 * Prints whether the processor has the event, how far its count can be trusted, and what can be
 * derived from it, with @pad spaces before; nothing if there is nothing to say.  @counts are those
 * of the same row.
 */
void remarks_print(FILE *out, const struct counts_of *counts, size_t event,
		   const struct count *count, int pad);

/* warnings.c */

void print_warnings(const struct outcome *outcome);

#endif
