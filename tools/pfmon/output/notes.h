/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Notes on counts: where they were made, and what is wrong with them.
 */
#ifndef PFMON_OUTPUT_NOTES_H
#define PFMON_OUTPUT_NOTES_H

#include <stdio.h>

struct json;
struct outcome;

/* header.c */

/* Prints the header as lines that begin with '#'. */
void header_print(FILE *out, const struct outcome *outcome);
/* Writes the member "header". */
void header_write(struct json *json, const struct outcome *outcome);

/* warnings.c */

void print_warnings(const struct outcome *outcome);

#endif
