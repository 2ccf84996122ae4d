/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The dominant path of a top-down tree.
 */
#ifndef PFMON_METRICS_DOMINANT_H
#define PFMON_METRICS_DOMINANT_H

struct metric;
struct metric_selection;
struct metric_value;

/* More levels than any tree has. */
#define TREE_LEVELS_MAX 16

/**
 * struct dominant - the path from the root to where most of the time went
 * @path: its nodes, from level 1 on
 * @length: elements of @path; 0 no node has a value
 */
struct dominant {
	const struct metric *path[TREE_LEVELS_MAX];
	unsigned int length;
};

/* Finds the path: at each level the node with the largest value. */
void dominant_find(struct dominant *dominant,
		   const struct metric_selection *selection,
		   const struct metric_value *values);

#endif
