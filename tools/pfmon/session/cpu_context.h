/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The contexts of CPUs, and the events of each.
 */
#ifndef PFMON_SESSION_CPU_CONTEXT_H
#define PFMON_SESSION_CPU_CONTEXT_H

struct cpu;
struct events;
struct options;
struct pfm_reg_map;
struct session;

/* Each returns 0, or -1 after a message. */

/* Adds the CPUs of the command line to the session. */
int cpu_choose(struct session *session);

/* Adds a CPU to the session. */
int cpu_add(struct session *session, unsigned int number);

/* Loads a context on each CPU of the session. */
int cpu_load_all(struct session *session);

int cpu_start(struct cpu *cpu);

/*
 * Counts on a CPU whose counters somebody had taken; counts go on where they were.  Returns 0, or
 * -errno without a message: -EBUSY while they are not free.
 */
int cpu_again(struct cpu *cpu);

/* Reads the current counts of all CPUs. */
int cpu_read_all(struct session *session);

/*
 * Starts monitoring a CPU that came online for the first time during the session.
 */
int cpu_join(struct session *session, struct cpu *cpu);

/* Reports events that a CPU cannot count. */
int cpu_check_events(const struct events *events, const struct options *options,
		     const struct pfm_reg_map *map);

/* core_types.c */

/*
 * The events that a CPU of a system-wide session counts.  NULL if its type is not known: it was
 * offline before.
 */
const struct events *core_types_events(const struct session *session,
				       unsigned int cpu);

#endif
