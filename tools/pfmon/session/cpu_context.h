/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A CPU that is monitored, and its context.
 */
#ifndef PFMON_SESSION_CPU_CONTEXT_H
#define PFMON_SESSION_CPU_CONTEXT_H

struct cpu;
struct events;
struct options;
struct pfm_regmap;
struct session;

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

/* Events that a CPU cannot count are told. */
int cpu_check_events(const struct events *events, const struct options *options,
		     const struct pfm_regmap *map);

#endif
