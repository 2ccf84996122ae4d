/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The samples, in any of their formats.
 */
#ifndef PFMON_PROFILES_SAMPLES_H
#define PFMON_PROFILES_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct sampling;

/* True if comment lines (beginning with '#') may precede them. */
bool print_has_comments(const struct sampling *sampling);

/*
 * True if the samples begin with what was left out.  Lists of samples do so with their header
 * only: without it they are nothing but samples.
 */
bool print_tells_levels(const struct sampling *sampling);

/* Returns 0, or -1 after a message. */
int print_samples(FILE *out, struct sampling *sampling);

#endif
