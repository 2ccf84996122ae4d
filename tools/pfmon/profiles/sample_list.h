/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lists of single samples.
 */
#ifndef PFMON_PROFILES_SAMPLE_LIST_H
#define PFMON_PROFILES_SAMPLE_LIST_H

#include <stdio.h>

struct sampling;

/* Each returns 0, or -1 after a message. */
int print_compact(FILE *out, struct sampling *sampling);
int print_detailed(FILE *out, struct sampling *sampling);
int print_perf_script(FILE *out, struct sampling *sampling);

#endif
