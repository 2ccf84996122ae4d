/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Results as a JSON document.
 */
#ifndef PFMON_OUTPUT_JSON_H
#define PFMON_OUTPUT_JSON_H

#include <stdio.h>

struct outcome;

void print_json(FILE *out, const struct outcome *outcome);

#endif
