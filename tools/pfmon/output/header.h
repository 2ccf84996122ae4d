/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What --with-header puts before the results: where and how they were made.
 */
#ifndef PFMON_OUTPUT_HEADER_H
#define PFMON_OUTPUT_HEADER_H

#include <stdio.h>

struct json;
struct session;

/* Lines that begin with '#'. */
void header_print(FILE *out, const struct session *session);
/* A word as a shell would want it, on one line whatever is in it. */
void header_print_word(FILE *out, const char *word);
/* Member "header". */
void header_write(struct json *json, const struct session *session);

#endif
