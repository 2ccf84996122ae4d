/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Distributes the events of metrics over event sets.
 */
#ifndef PFMON_METRICS_METRIC_SETS_H
#define PFMON_METRICS_METRIC_SETS_H

#include <stdbool.h>

struct metric_selection;
struct pfm_event;
struct pfm_reg_map;

/**
 * struct metric_set - an event set for metrics
 * @events: places in the model of its events
 * @count: elements of @events
 */
struct metric_set {
	unsigned int *events;
	unsigned int count;
};

/* Set of an event that is not counted. */
#define METRIC_SET_NONE (-1)

/**
 * struct metric_sets - the distribution
 * @map: the registers
 * @selection: the metrics
 * @parsed: the events of the model in the library's form
 * @usable: for each event of the model, true if it can be counted
 * @sets: the sets
 * @count: elements of @sets
 * @room: elements that fit in @sets
 * @where: for each metric of the selection and each event of the model the number of the
 *	set that counts it, or METRIC_SET_NONE
 */
struct metric_sets {
	const struct pfm_reg_map *map;
	const struct metric_selection *selection;
	const struct pfm_event *parsed;
	const bool *usable;
	struct metric_set *sets;
	unsigned int count;
	size_t room;
	int *where;
};

/*
 * Fills in @sets, @count and @where, and says which groups and metrics need more than one
 * set.  Returns 0, or -1 after a message.
 */
int metric_sets_distribute(struct metric_sets *sets);

/* Forgets sets none of whose events can be counted. */
void metric_sets_empty(struct metric_sets *sets);

void metric_sets_free(struct metric_sets *sets);

#endif
