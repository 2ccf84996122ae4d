/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events to count and the registers that count them.
 */
#ifndef PFMON_EVENTS_H
#define PFMON_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <perfmon/perfmon.h>

struct options;

/**
 * struct event - one event of the command line
 * @name: as it was given
 * @canonical: table, event, unit masks and levels in full
 * @code: what selects it in the PMU; hardware events only
 * @plm: PFM_PLM_* that it counts at; hardware events only
 * @pmd: register that counts it
 * @hardware: takes one of the processor's counters
 * @gauge: a level of the machine, not a count
 */
struct event {
	char *name;
	const char *canonical;
	uint64_t code;
	uint32_t plm;
	uint16_t pmd;
	bool hardware;
	bool gauge;
};

/**
 * struct events - the events of a session
 * @list: in command line order
 * @count: elements of @list
 * @parsed: the library's view of them
 * @assignment: registers and their values
 */
struct events {
	struct event *list;
	size_t count;
	struct pfm_event *parsed;
	struct pfm_assignment assignment;
};

/* Each returns 0, or -1 after saying which event is wrong and why. */
int events_read(struct events *events, const struct options *options,
		const struct pfm_regmap *map);
int events_program(const struct events *events, int fd);
void events_free(struct events *events);

/* Whether a context has nothing to do for them: gauges need no counting. */
bool events_need_nothing(const struct events *events);

#define EVENT_LEVELS_ROOM	8

/* Levels in the form that event strings take: "uk". */
const char *event_levels(uint32_t plm, char *text);

#endif
