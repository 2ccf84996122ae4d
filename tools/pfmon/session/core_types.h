/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CPUs of different types, such as those of big.LITTLE: each type has metrics of its own, and so
 * events of its own.
 */
#ifndef PFMON_SESSION_CORE_TYPES_H
#define PFMON_SESSION_CORE_TYPES_H

struct events;
struct session;

/*
 * The events that a CPU of a system-wide session counts.  NULL if its type is not known: it was offline
 * before.
 */
const struct events *core_types_events(const struct session *session,
				       unsigned int cpu);

#endif
