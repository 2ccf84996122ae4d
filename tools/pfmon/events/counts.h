/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What was counted of each event, and how long each event set was active.
 */
#ifndef PFMON_EVENTS_COUNTS_H
#define PFMON_EVENTS_COUNTS_H

#include <stddef.h>
#include <stdint.h>

struct events;

/**
 * struct set_time - how an event set had the counters
 * @active: time, in nanoseconds
 * @runs: number of time slices
 */
struct set_time {
	uint64_t active;
	uint64_t runs;
};

/**
 * struct counts - what a task, a CPU, or several of them have counted
 * @num_events: elements of @events
 * @num_sets: elements of @sets; 0 if sets do not take turns
 * @whole: time in which sets took turns, in nanoseconds.  It exceeds the sum of their active times
 *	by the time that switching took.  The program does not run during a switch, so counts are
 *	not scaled to that time
 * @sets: the event sets; they follow @events
 * @events: the count of each event, in the order of struct events.  The level that a gauge shows is
 *	the machine's
 *
 * counts_create() makes one; counts_init() makes one of memory of zeros that has counts_size()
 * bytes.
 */
struct counts {
	size_t num_events;
	size_t num_sets;
	uint64_t whole;
	struct set_time *sets;
	uint64_t events[];
};

size_t counts_size(const struct events *events);
void counts_init(struct counts *counts, const struct events *events);

/* NULL without memory.  free() releases it. */
struct counts *counts_create(const struct events *events);

/* The counts of these have to be of the same events. */
void counts_copy(struct counts *to, const struct counts *from);
void counts_add(struct counts *to, const struct counts *from);
void counts_subtract(struct counts *to, const struct counts *from);

/* Sets all to 0. */
void counts_clear(struct counts *counts);

/* Time in which any set was active, and time that switching took, in nanoseconds. */
uint64_t counts_enabled(const struct counts *counts);
uint64_t counts_switching(const struct counts *counts);

#endif
