/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A measurement of CPUs, whatever runs on them: --system-wide.
 */
#ifndef PFMON_SESSION_SYSTEM_WIDE_H
#define PFMON_SESSION_SYSTEM_WIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpu_list.h"
#include "base/cpu_list.h"
#include "session/topology.h"

/**
 * struct cpu - one CPU that is monitored
 * @number: its number
 * @place: where it is
 * @fd: its context; -1 none now
 * @context: place of the context in the sampling's order
 * @offlines: times that it went offline meanwhile
 * @offline_ns: time that it was, when nothing was counted there
 * @start: when counting began
 * @end: when it ended
 * @counts: a vector as sets.h describes it, as of the last time it was read
 * @before: the same at the last interval
 */
struct cpu {
	unsigned int number;
	struct cpu_place place;
	int fd;
	unsigned int context;
	uint64_t offlines;
	uint64_t offline_ns;
	uint64_t start;
	uint64_t end;
	uint64_t *counts;
	uint64_t *before;
};

/**
 * struct system - state and outcome, beside those of the session
 * @list: the CPUs, by number
 * @count: elements of @list
 * @refused: CPUs that came online and could not be monitored
 * @started: counting has begun
 * @stopped: it has ended
 * @next_interval: when to print the next interval; 0 never
 * @interval: number of the last interval that was printed
 * @interval_start: when that ended
 * @missed: intervals that were printed together with the next
 * @hotplug_at: when to look for CPUs that came online; 0 never
 * @peek_at: when to look for samples; 0 never
 * @names_at: when to read names again
 */
struct system {
	struct cpu *list;
	size_t count;
	struct cpu_list refused;
	bool started;
	bool stopped;
	uint64_t next_interval;
	uint64_t interval;
	uint64_t interval_start;
	uint64_t missed;
	uint64_t hotplug_at;
	uint64_t peek_at;
	uint64_t names_at;
};

/* A CPU that is monitored no more. */
void cpu_free(struct cpu *cpu);

/* NULL is accepted. */
void system_free(struct system *system);

#endif
