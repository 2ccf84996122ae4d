/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A CPU that is monitored, and its context.
 */
#ifndef PFMON_SESSION_CPU_CONTEXT_H
#define PFMON_SESSION_CPU_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "session/topology.h"

struct events;
struct options;
struct pfm_regmap;
struct session;

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

/* Each returns 0, or -1 after saying what failed. */

/* The CPUs of the command line become those of the session. */
int cpu_choose(struct session *session);

/* One CPU more. */
int cpu_add(struct session *session, unsigned int number);

/* Puts contexts on all of them. */
int cpu_load_all(struct session *session);

int cpu_start(struct session *session, struct cpu *cpu);

/* Reads the counts of all CPUs now. */
int cpu_read_all(struct session *session);

/* A CPU that came online first while the session goes on. */
int cpu_join(struct session *session, struct cpu *cpu);

void cpu_free(struct cpu *cpu);

/* Events that a CPU cannot count are told. */
int cpu_check_events(const struct events *events, const struct options *options,
		     const struct pfm_regmap *map);

#endif
