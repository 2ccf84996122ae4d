/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Results as text.
 */
#ifndef PFMON_OUTPUT_TEXT_H
#define PFMON_OUTPUT_TEXT_H

#include <stdio.h>

struct outcome;

void print_text(FILE *out, const struct outcome *outcome);

#endif
