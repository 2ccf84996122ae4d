/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What was sampled, in its various forms.
 */
#ifndef PFMON_OUTPUT_SAMPLES_H
#define PFMON_OUTPUT_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct sampling;

/* Whether lines that begin with '#' may stand before them. */
bool print_has_comments(const struct sampling *sampling);

/* 0, or -1 after saying what failed. */
int print_samples(FILE *out, struct sampling *sampling);

#endif
