/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events to count and the registers that count them.
 */
#ifndef PFMON_EVENTS_EVENT_LIST_H
#define PFMON_EVENTS_EVENT_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <perfmon/perfmon.h>

/**
 * struct trigger - an event that ends the turn of its set
 * @count: occurrences after which it does
 * @index: its place in the set's assignment
 */
struct trigger {
	uint64_t count;
	unsigned int index;
};

#define TRIGGERS_MAX 16

/**
 * struct event_set - events that are counted at the same time
 * @list: number of the -e that it is of
 * @assignment: registers and their values
 * @events: place of each of them in events.list
 * @count: elements of @events; the triggers follow them in @assignment
 * @timeout: nanoseconds after which its turn ends; 0 when triggers end it
 * @jitter: see struct pfm_set_desc
 * @triggers: what ends its turn
 * @num_triggers: elements of @triggers
 */
struct event_set {
	unsigned int list;
	struct pfm_assignment assignment;
	size_t *events;
	size_t count;
	uint64_t timeout;
	uint64_t jitter;
	struct trigger triggers[TRIGGERS_MAX];
	unsigned int num_triggers;
};

/**
 * struct event - one event of the command line
 * @name: as it was given
 * @canonical: table, event, unit masks and levels in full
 * @code: what selects it in the PMU; hardware events only
 * @plm: PFM_PLM_* that it counts at; hardware events only
 * @pmd: register that counts it
 * @line: number of the -e that it is of
 * @group: events of one group are counted at the same time
 * @set: event set that it is counted in
 * @always: it counts all the time, whatever set is active
 * @hardware: takes one of the processor's counters
 * @implemented: PFM_IMPLEMENTED_*; hardware events only
 * @gauge: a level of the machine, not a count
 */
struct event {
	char *name;
	const char *canonical;
	uint64_t code;
	uint32_t plm;
	uint16_t pmd;
	unsigned int line;
	unsigned int group;
	unsigned int set;
	bool always;
	bool hardware;
	int implemented;
	bool gauge;
};

/**
 * struct events - the events of a session
 * @list: in command line order
 * @count: elements of @list
 * @parsed: the library's view of them
 * @sets: those that are counted together
 * @num_sets: elements of @sets, 1 at least
 * @multiplexed: the sets share the counters in turn.  Otherwise the context has
 *	only one of them
 * @no_idle: no set counts the idle task
 * @run: which one it is, the number of the run of the command
 */
struct events {
	struct event *list;
	size_t count;
	struct pfm_event *parsed;
	struct event_set *sets;
	unsigned int num_sets;
	bool multiplexed;
	bool no_idle;
	unsigned int run;
};

/* Whether a context has nothing to do for them: gauges need no counting. */
bool events_need_nothing(const struct events *events);

#define EVENT_LEVELS_ROOM 8

/* Levels in the form that event strings take: "uk". */
const char *event_levels(uint32_t plm, char *text);

#endif
