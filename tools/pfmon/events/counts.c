// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes, adds and subtracts counts.
 */
#include <stdlib.h>
#include <string.h>

#include "events/counts.h"
#include "events/event_list.h"

static size_t num_sets(const struct events *events)
{
	return events->multiplexed ? events->num_sets : 0;
}

size_t counts_size(const struct events *events)
{
	return sizeof(struct counts) + events->count * sizeof(uint64_t) +
	       num_sets(events) * sizeof(struct set_time);
}

void counts_init(struct counts *counts, const struct events *events)
{
	counts->num_events = events->count;
	counts->num_sets = num_sets(events);
	counts->sets = (struct set_time *)(counts->events + events->count);
}

struct counts *counts_create(const struct events *events)
{
	struct counts *counts = calloc(1, counts_size(events));

	if (counts)
		counts_init(counts, events);
	return counts;
}

void counts_clear(struct counts *counts)
{
	counts->whole = 0;
	memset(counts->events, 0, counts->num_events * sizeof(uint64_t));
	memset(counts->sets, 0, counts->num_sets * sizeof(struct set_time));
}

void counts_copy(struct counts *to, const struct counts *from)
{
	counts_clear(to);
	counts_add(to, from);
}

void counts_add(struct counts *to, const struct counts *from)
{
	size_t i;

	for (i = 0; i < to->num_events; i++)
		to->events[i] += from->events[i];
	for (i = 0; i < to->num_sets; i++) {
		to->sets[i].active += from->sets[i].active;
		to->sets[i].runs += from->sets[i].runs;
	}
	to->whole += from->whole;
}

void counts_subtract(struct counts *to, const struct counts *from)
{
	size_t i;

	for (i = 0; i < to->num_events; i++)
		to->events[i] -= from->events[i];
	for (i = 0; i < to->num_sets; i++) {
		to->sets[i].active -= from->sets[i].active;
		to->sets[i].runs -= from->sets[i].runs;
	}
	to->whole -= from->whole;
}

uint64_t counts_enabled(const struct counts *counts)
{
	uint64_t sum = 0;
	size_t set;

	for (set = 0; set < counts->num_sets; set++)
		sum += counts->sets[set].active;
	return sum;
}

uint64_t counts_switching(const struct counts *counts)
{
	const uint64_t enabled = counts_enabled(counts);

	return counts->whole > enabled ? counts->whole - enabled : 0;
}
