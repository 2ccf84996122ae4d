/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Words as a shell reads them.
 */
#ifndef PFMON_BASE_SHELL_WORD_H
#define PFMON_BASE_SHELL_WORD_H

#include <stdio.h>

/* Prints a word quoted for a shell, on one line. */
void shell_word_print(FILE *out, const char *word);

#endif
