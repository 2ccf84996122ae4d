/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The top-down tree of metrics.
 */
#ifndef PFMON_METRICS_TREE_H
#define PFMON_METRICS_TREE_H

#include <stdbool.h>
#include <stdio.h>

struct json;
struct metric;
struct metric_selection;
struct metric_value;

/* dominant.c */

/* More levels than any tree has. */
#define TREE_LEVELS_MAX 16

/**
 * struct dominant - the path from the root to where most of the time went
 * @path: its nodes, from level 1 on
 * @length: elements of @path; 0 if no node has a value
 */
struct dominant {
	const struct metric *path[TREE_LEVELS_MAX];
	unsigned int length;
};

/* Finds the path: at each level the node with the largest value. */
void dominant_find(struct dominant *dominant,
		   const struct metric_selection *selection,
		   const struct metric_value *values);

/* tree_sum.c */

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
