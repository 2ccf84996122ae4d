/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which events have to be counted for metrics, and in which event sets.
 */
#ifndef PFMON_METRICS_METRIC_PLAN_H
#define PFMON_METRICS_METRIC_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "metrics/selection.h"

struct cpu_list;
struct machine;
struct metric_model;
struct options;
struct pfm_reg_map;

/* Stands for an event that is not counted for a metric. */
#define PLAN_NOT_COUNTED ((size_t)-1)

/**
 * struct metric_plan - how metrics are counted
 * @model: the metrics of the processor
 * @selection: those that were asked for
 * @first_event: place of the first event that is counted for metrics; those before it were
 *	given by -e
 * @places: for each metric of the selection and each event of the model the place of that
 *	event in struct events, or PLAN_NOT_COUNTED
 * @why: for each event of the model why it cannot be counted here; NULL if it can
 * @lists: for each event set its events, as -e takes them
 * @num_lists: elements of @lists
 */
struct metric_plan {
	struct metric_model *model;
	struct metric_selection selection;
	size_t first_event;
	size_t *places;
	char **why;
	char **lists;
	unsigned int num_lists;
};

/*
 * Finds the metrics that the options ask for, of @cpus, or if that is NULL of the CPUs that the options
 * name.  No registers are needed, so that a wrong name is told where nothing can be counted, too.
 * Returns 0, or -1 after a message; *@plan has to be freed in both cases.
 */
int metric_plan_begin(struct metric_plan **plan, const struct options *options,
		      struct machine *machine, const struct cpu_list *cpus);

/*
 * Finds out how they are counted, and tells which cannot be counted in one set.  Returns 0, or -1
 * after a message.
 */
int metric_plan_make(struct metric_plan *plan, const struct options *options,
		     const struct pfm_reg_map *map);

/* Number of the lists of events, which follow those of -e.  @plan may be NULL. */
unsigned int metric_plan_num_lists(const struct metric_plan *plan);

/* True if the plan has several sets, and has said so. */
bool metric_plan_tells(const struct metric_plan *plan);

/* True if an event is counted for metrics only.  @plan may be NULL. */
bool metric_plan_owns(const struct metric_plan *plan, size_t event);

/* @plan may be NULL. */
void metric_plan_free(struct metric_plan *plan);

#endif
