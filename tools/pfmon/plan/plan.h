/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The plan of a session: the events that are counted, and on which CPUs.
 */
#ifndef PFMON_PLAN_PLAN_H
#define PFMON_PLAN_PLAN_H

#include "base/cpu_list.h"
#include "events/event_list.h"

struct machine;
struct metric_plan;
struct options;

/**
 * struct plan_part - what the CPUs of one type count
 * @cpus: the CPUs; not used if all CPUs count the same
 * @list: the same as --cpu-list takes them
 * @metrics: how metrics are counted; NULL if there are none
 * @events: the events
 */
struct plan_part {
	struct cpu_list cpus;
	char list[256];
	struct metric_plan *metrics;
	struct events events;
};

/**
 * struct plan - what the command line means on this machine
 * @options: the command line
 * @parts: one; or one for each type of CPUs, if these have different metrics
 * @count: elements of @parts
 */
struct plan {
	const struct options *options;
	struct plan_part *parts;
	unsigned int count;
};

/*
 * Finds the metrics that the options ask for, of each type of CPUs.  No registers are needed, so
 * that a wrong name is told where nothing can be counted, too.  Returns 0, or -1 after a message, as
 * for a kind of output that has no place for types; plan_free() is needed in both cases.
 */
int plan_begin(struct plan *plan, const struct options *options,
	       struct machine *machine);

/* Finds the events, and assigns them to registers.  Returns 0, or -1 after a message. */
int plan_make(struct plan *plan, const struct machine *machine);

void plan_free(struct plan *plan);

#endif
