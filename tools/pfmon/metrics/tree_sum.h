/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether the shares of level 1 of a top-down tree add up to 100 %.  Each slot has one of their
 * fates, so other sums mean that counts are wrong: of events that the processor does not have,
 * or of runs that differ.
 */
#ifndef PFMON_METRICS_TREE_SUM_H
#define PFMON_METRICS_TREE_SUM_H

#include <stdbool.h>
#include <stdio.h>

struct json;
struct metric_selection;
struct metric_value;

/**
 * struct tree_sum - a sum of shares
 * @value: the sum, in per cent
 * @error: sum of the bounds of estimates
 * @nodes: shares that were added
 * @partial: a share is missing, or nobody knows how far it is off: nothing follows from the sum
 */
struct tree_sum {
	double value;
	double error;
	unsigned int nodes;
	bool partial;
};

/* True if the sum is not 100 % whatever the bounds and the rounding of shares. */
bool tree_sum_is_off(const struct tree_sum *sum);

/* The sum of level 1, if all of it was selected; otherwise no shares. */
void tree_sum_find(struct tree_sum *sum,
		   const struct metric_selection *selection,
		   const struct metric_value *values);

/* Says what a sum that is off means. */
void tree_sum_print(FILE *out, double sum);

/* Writes the member "topdown_sum", if there is a sum. */
void tree_sum_json(struct json *json, const struct metric_selection *selection,
		   const struct metric_value *values);

#endif
