/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Words as other programs read them.
 */
#ifndef PFMON_BASE_QUOTING_H
#define PFMON_BASE_QUOTING_H

#include <stdio.h>

/* csv_field.c */

/* Prints a field, in quotes if it needs them. */
void csv_field_print(FILE *out, const char *text);

/* The same between separators that are no commas. */
void csv_field_print_between(FILE *out, const char *text,
			     const char *separator);

/* shell_word.c */

/* Prints a word quoted for a shell, on one line. */
void shell_word_print(FILE *out, const char *word);

#endif
