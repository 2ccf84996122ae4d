/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The metrics that a user asked for.
 */
#ifndef PFMON_METRICS_SELECTION_H
#define PFMON_METRICS_SELECTION_H

#include <stdbool.h>

struct metric;
struct metric_model;

/**
 * struct metric_unit - metrics that are counted at the same time if possible, and are
 *	printed together
 * @name: the group's name or, of a single metric, its own
 * @title: for people
 * @group: it is a group
 * @tree: the metrics are nodes of the top-down tree, in its order
 * @metrics: the metrics
 * @count: elements of @metrics
 * @first: place of the first one among the metrics of all units
 */
struct metric_unit {
	const char *name;
	const char *title;
	bool group;
	bool tree;
	const struct metric **metrics;
	unsigned int count;
	unsigned int first;
};

/**
 * struct metric_selection - all that was asked for
 * @model: the model; not freed with the selection
 * @units: in the order of output
 * @count: elements of @units
 * @room: elements that fit in @units
 * @num_metrics: metrics of all units
 */
struct metric_selection {
	const struct metric_model *model;
	struct metric_unit *units;
	unsigned int count;
	size_t room;
	unsigned int num_metrics;
};

/*
 * Each adds to a selection that is zero except for its model, and returns 0, or -1 after a
 * message.  A metric that is already selected is not added again.
 *
 * selection_names() adds metrics and groups of a list with commas.  selection_topdown()
 * adds the top-down tree down to @level, and where that is above 1 the groups that Arm's
 * method examines next.  selection_all() adds all groups.
 */
int selection_names(struct metric_selection *selection, const char *list);
int selection_topdown(struct metric_selection *selection, unsigned int level);
int selection_all(struct metric_selection *selection);

bool selection_has(const struct metric_selection *selection,
		   const struct metric *metric);

/* The metric with this number, below @num_metrics. */
const struct metric *selection_metric(const struct metric_selection *selection,
				      unsigned int number);

void selection_free(struct metric_selection *selection);

#endif
