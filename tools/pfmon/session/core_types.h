/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CPUs of different types, such as those of big.LITTLE: each type has metrics of its own, and so
 * events of its own.
 */
#ifndef PFMON_SESSION_CORE_TYPES_H
#define PFMON_SESSION_CORE_TYPES_H

#include "base/cpu_list.h"
#include "events/event_list.h"
#include "options/options.h"

struct session;

/**
 * struct core_type - the CPUs of a type
 * @cpus: the CPUs
 * @list: the same as --cpu-list takes them
 * @options: the command line, for these CPUs
 * @events: what they count
 */
struct core_type {
	struct cpu_list cpus;
	char list[256];
	struct options options;
	struct events events;
};

/**
 * struct core_types - the types of the CPUs that are monitored
 * @list: at least two
 * @count: elements of @list
 */
struct core_types {
	struct core_type *list;
	unsigned int count;
};

/*
 * What a CPU of a system-wide session counts.  NULL if its type is not known, as it was offline
 * before.
 */
const struct events *core_types_events(const struct session *session,
				       unsigned int cpu);

/*
 * Makes a session of the CPUs of one type, with their sums, to print it.  It shares everything
 * else with @session.  Returns 0, or -1 after a message; core_types_end_view() frees what is its
 * own.
 */
int core_types_view(struct session *view, const struct session *session,
		    const struct core_type *type);
void core_types_end_view(struct session *view);

#endif
