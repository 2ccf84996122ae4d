/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A CPU that is monitored, and its context.
 */
#ifndef PFMON_CPU_H
#define PFMON_CPU_H

#include <stdbool.h>
#include <stdint.h>

#include "cpus.h"

struct session;

/**
 * struct cpu - one CPU that is monitored
 * @number: its number
 * @place: where it is
 * @fd: its context; -1 none now
 * @context: place of the context in the sampling's order
 * @offline: it went offline; its counts end there
 * @start: when counting began
 * @end: when it ended
 * @counts: counts, one an event, as of the last time they were read
 * @before: the same at the last interval
 * @carried: what contexts of the CPU before this one counted
 */
struct cpu {
	unsigned int number;
	struct cpu_place place;
	int fd;
	unsigned int context;
	bool offline;
	uint64_t start;
	uint64_t end;
	uint64_t *counts;
	uint64_t *before;
	uint64_t *carried;
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

/* A CPU went offline.  Its context stays, to be read. */
void cpu_lose(struct cpu *cpu);

/* It came online. */
int cpu_regain(struct session *session, struct cpu *cpu);

#endif
