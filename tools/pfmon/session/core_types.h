/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CPUs of different types, such as those of big.LITTLE: each type has metrics of its own, and so
 * events of its own.
 */
#ifndef PFMON_SESSION_CORE_TYPES_H
#define PFMON_SESSION_CORE_TYPES_H

struct events;
struct plan_part;
struct session;

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
		    const struct plan_part *part);
void core_types_end_view(struct session *view);

#endif
