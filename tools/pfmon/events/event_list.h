/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events to count, and their sets and registers.
 */
#ifndef PFMON_EVENTS_EVENT_LIST_H
#define PFMON_EVENTS_EVENT_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <perfmon/perfmon.h>

/**
 * struct trigger - an event that ends the time slice of its set
 * @count: occurrences after which it ends the time slice
 * @index: its place in the assignment of the set
 */
struct trigger {
	uint64_t count;
	unsigned int index;
};

#define TRIGGERS_MAX 16

/**
 * struct event_set - events that are counted at the same time
 * @list: number of the -e that it comes from
 * @assignment: registers and their values
 * @events: places of its events in events.list
 * @count: elements of @events; the triggers follow them in @assignment
 * @timeout: length of its time slices in nanoseconds; 0 if triggers end them
 * @jitter: see struct pfm_set_desc
 * @triggers: events that end its time slices
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
 * enum event_role - the generic event that an event is
 */
enum event_role {
	ROLE_NONE,
	ROLE_CYCLES,
	ROLE_INSTRUCTIONS,
	ROLE_BRANCHES,
	ROLE_BRANCH_MISSES,
	ROLE_CACHE_REFERENCES,
	ROLE_CACHE_MISSES,
	ROLE_TASK_CLOCK,
	ROLE_WALL_CLOCK,
};

/**
 * struct event - one event of the command line
 * @name: name as given
 * @label: name in results: with the levels, see event_label()
 * @canonical: full name: table, event, unit masks and levels
 * @code: its code in the PMU; hardware events only
 * @plm: PFM_PLM_* that it counts at; hardware events only
 * @pmd: register that counts it; PFM_REG_NONE if none does
 * @line: number of the -e that it comes from
 * @group: number of its group; events of a group are counted at the same time
 * @set: event set that counts it
 * @always: it does not depend on which set is active: software counts it all the time, or
 *	nothing does
 * @hardware: the processor counts it
 * @unit: a unit of its own counts it, which cannot tell privilege levels apart
 * @implemented: PFM_IMPLEMENTED_*; hardware events only
 * @absent: nothing counts it, because the processor does not implement it
 * @nameless: the processor has no code for its generic name
 * @gauge: it is a level of the machine, not a count
 * @role: the generic event that it is
 */
struct event {
	char *name;
	char *label;
	const char *canonical;
	uint64_t code;
	uint32_t plm;
	uint16_t pmd;
	unsigned int line;
	unsigned int group;
	unsigned int set;
	bool always;
	bool hardware;
	bool unit;
	int implemented;
	bool absent;
	bool nameless;
	bool gauge;
	enum event_role role;
};

/**
 * struct events - the events of a session
 * @map: the registers that count them; lives longer
 * @list: in command line order
 * @count: elements of @list
 * @parsed: the events in the library's form
 * @sets: the event sets
 * @num_sets: elements of @sets, at least 1
 * @room: elements that fit in @sets
 * @multiplexed: the sets share the counters in time slices; otherwise the
 *	context has only one of them, number @run
 * @no_idle: no set counts the idle task
 * @side: PFM_SETFL_EXCL_INTR, PFM_SETFL_INTR_ONLY or 0: the side of interrupts that all sets count
 * @run: number of the current run of the command; without @multiplexed it
 *	counts the set of that number
 */
struct events {
	const struct pfm_reg_map *map;
	struct event *list;
	size_t count;
	struct pfm_event *parsed;
	struct event_set *sets;
	unsigned int num_sets;
	size_t room;
	bool multiplexed;
	bool no_idle;
	uint32_t side;
	unsigned int run;
};

/* True if a context has nothing to do for the events: gauges are only read. */
bool events_need_nothing(const struct events *events);

/* True if samples of the event are left out because of its privilege levels. */
bool events_drop_samples(const struct event *event);

#define EVENT_LEVELS_ROOM 8

/* Writes levels in the form of event strings: "uk". */
const char *event_levels(uint32_t plm, char *text);

#endif
