/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples and time that are missing in a profile.
 */
#ifndef PFMON_PROFILES_LOSSES_H
#define PFMON_PROFILES_LOSSES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct sampling;

/**
 * struct due - number of samples that were due
 * @missing: how many of @all were not taken
 * @all: number of all
 * @mark: prefix of both numbers: "" if they are exact, "~" for estimates, "at least " for
 *	lower bounds
 */
struct due {
	uint64_t missing;
	uint64_t all;
	const char *mark;
};

void print_due(const struct sampling *sampling, struct due *due);

#define PRINT_LOSS_ROOM 160

/* Writes the share of missing samples: "20.00%", with the mark. */
const char *print_loss_percent(const struct sampling *sampling, char *text);
/* Writes "lost: 25 of 125 samples", with the marks. */
const char *print_lost(const struct sampling *sampling, char *text);
/*
 * Writes what is known about time without counting: "paused: ...".  Returns NULL
 * if there was none.
 */
const char *print_paused(const struct sampling *sampling, char *text);

/*
 * Prints both as lines that begin with "# "; with @all also if nothing is
 * missing.
 */
void print_loss_comments(FILE *out, const struct sampling *sampling, bool all);

/* Prints warnings on standard error. */
void print_losses(const struct sampling *sampling);

#endif
