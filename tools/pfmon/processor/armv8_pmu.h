/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The counters and events of an Armv8 CPU.  User mode cannot read the registers that
 * tell of them, so this is what perfmon's module or perf tells.
 */
#ifndef PFMON_PROCESSOR_ARMV8_PMU_H
#define PFMON_PROCESSOR_ARMV8_PMU_H

#include <stdbool.h>
#include <stdint.h>

struct pfm_reg_map;

#define ARMV8_EVENTS_MAX 256

/**
 * enum armv8_source - who tells of the counters
 */
enum armv8_source {
	ARMV8_NOBODY,
	ARMV8_PERFMON,
	ARMV8_PERF, /* tells only which events are available */
};

/**
 * struct armv8_event - an event that the architecture defines
 * @code: its number
 * @available: the processor implements it
 * @name: its name
 */
struct armv8_event {
	unsigned int code;
	bool available;
	char name[40];
};

/**
 * struct armv8_pmu - the counters and events
 * @source: who tells of them
 * @counters: event counters; 0 if not known
 * @width: bits of each
 * @cycle_width: bits of the cycle counter; 0 if not known
 * @slots: slots of a cycle in top-down analysis; 0 if not known
 * @num_events: elements of @events
 * @events: events, ascending by code
 */
struct armv8_pmu {
	enum armv8_source source;
	unsigned int counters;
	unsigned int width;
	unsigned int cycle_width;
	unsigned int slots;
	unsigned int num_events;
	struct armv8_event events[ARMV8_EVENTS_MAX];
};

/* @map may be NULL. */
void armv8_pmu_read(unsigned int cpu, const struct pfm_reg_map *map,
		    struct armv8_pmu *pmu);

#endif
