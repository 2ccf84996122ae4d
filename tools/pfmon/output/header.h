/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The header of --with-header: where and how the results were made.
 */
#ifndef PFMON_OUTPUT_HEADER_H
#define PFMON_OUTPUT_HEADER_H

#include <stdio.h>

struct json;
struct outcome;

/* Prints the header as lines that begin with '#'. */
void header_print(FILE *out, const struct outcome *outcome);
/* Writes the member "header". */
void header_write(struct json *json, const struct outcome *outcome);

#endif
