/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The CPUs of a system-wide session.
 */
#ifndef PFMON_SESSION_SYSTEM_WIDE_H
#define PFMON_SESSION_SYSTEM_WIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpu_list.h"
#include "session/cgroup_list.h"
#include "session/topology.h"

struct counts;
struct events;
struct results;

/**
 * struct cpu - a monitored CPU, or a cgroup on it
 * @number: its number
 * @cgroup: whose tasks alone are monitored on it; NULL for all tasks
 * @place: its core, socket and node
 * @events: what is counted on it
 * @fd: descriptor of its context; -1 if none
 * @context: number of its context in the order of sampling_attach()
 * @offlines: number of times that it went offline during the session
 * @offline_ns: time that it was offline and counted nothing
 * @start: time when counting began, later by the time that others had the counters
 * @end: time when counting ended: of the session, or when somebody took the counters
 * @counts: counts when it was last read
 * @before: counts at the last interval
 * @interval: counts in the last whole interval
 */
struct cpu {
	unsigned int number;
	const struct cgroup *cgroup;
	struct cpu_place place;
	const struct events *events;
	int fd;
	unsigned int context;
	uint64_t offlines;
	uint64_t offline_ns;
	uint64_t start;
	uint64_t end;
	struct counts *counts;
	struct counts *before;
	struct counts *interval;
};

/**
 * struct system - state of a system-wide session
 * @list: CPUs by number, and their cgroups by path
 * @count: elements of @list
 * @room: elements that fit in @list
 * @cgroups: what @list counts of each CPU; none for all that runs there
 * @refused: CPUs that came online and could not be monitored
 * @started: counting has begun
 * @start: time when it did
 * @intervals: number of whole intervals that were printed
 * @stopped: counting has ended
 * @hotplug_at: when to look for CPUs that came online; 0 for never
 * @peek_at: when to read samples; 0 for never
 * @again_at: when to try to count again where counters were taken; 0 for never
 * @names_at: when to read names of tasks again
 */
struct system {
	struct cpu *list;
	size_t count;
	size_t room;
	struct cgroup_list cgroups;
	struct cpu_list refused;
	bool started;
	uint64_t start;
	uint64_t intervals;
	bool stopped;
	uint64_t hotplug_at;
	uint64_t peek_at;
	uint64_t again_at;
	uint64_t names_at;
};

/* True if two are of the same core, socket, node or cgroup. */
bool cpu_together(const struct cpu *a, const struct cpu *b,
		  enum topology topology);

/* Ends monitoring of a CPU. */
void cpu_free(struct cpu *cpu);

/* Adds up the counts of the CPUs that count the events of the results. */
void system_sum_up(const struct system *system, struct results *results);

/* @system may be NULL. */
void system_free(struct system *system);

#endif
