/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples and time that are missing.
 */
#ifndef PFMON_OUTPUT_LOSSES_H
#define PFMON_OUTPUT_LOSSES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct sampling;

/**
 * struct due - samples that were due
 * @missing: of @all, those that were not taken
 * @all: how many there were
 * @mark: what stands before both: "" they are exact, "~" estimates, "at least "
 *	lower bounds
 */
struct due {
	uint64_t missing;
	uint64_t all;
	const char *mark;
};

void print_due(const struct sampling *sampling, struct due *due);

#define PRINT_LOSS_ROOM 160

/* "20.00%", with the mark. */
const char *print_loss_percent(const struct sampling *sampling, char *text);
/* "lost: 25 of 125 samples", with the marks. */
const char *print_lost(const struct sampling *sampling, char *text);
/* "paused: ..." what is known of time without counting; NULL there was none. */
const char *print_paused(const struct sampling *sampling, char *text);

/* Both as lines that begin with "# "; with @all also when nothing is missing. */
void print_loss_comments(FILE *out, const struct sampling *sampling, bool all);

/* Warnings on standard error. */
void print_losses(const struct sampling *sampling);

#endif
