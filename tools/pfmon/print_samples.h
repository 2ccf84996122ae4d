/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What was sampled, in its various forms.
 */
#ifndef PFMON_PRINT_SAMPLES_H
#define PFMON_PRINT_SAMPLES_H

#include <stdbool.h>
#include <stdio.h>

struct sampling;

/* Whether lines that begin with '#' may stand before them. */
bool print_has_comments(const struct sampling *sampling);

/* Each returns 0, or -1 after saying what failed. */
int print_samples(FILE *out, struct sampling *sampling);

int print_profile(FILE *out, struct sampling *sampling);	/* inst-hist, callstack */
int print_compact(FILE *out, struct sampling *sampling);
int print_detailed(FILE *out, struct sampling *sampling);
int print_raw(FILE *out, struct sampling *sampling);
int print_perf_script(FILE *out, struct sampling *sampling);
int print_folded(FILE *out, struct sampling *sampling);
int print_speedscope(FILE *out, struct sampling *sampling);
int print_pprof(FILE *out, struct sampling *sampling);

/* What is missing: samples, per cent of all, and warnings on standard error. */
uint64_t print_missing(const struct sampling *sampling);
double print_loss_percent(const struct sampling *sampling);
void print_losses(const struct sampling *sampling);

#endif
