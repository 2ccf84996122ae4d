/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts of the output: where they come from, and how far they can be trusted.
 */
#ifndef PFMON_OUTPUT_COUNT_H
#define PFMON_OUTPUT_COUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct counts;
struct outcome;
struct result;

/**
 * struct count - a count
 * @value: the count; an estimate if @scaled, a lower bound if @low
 * @missing: the event's set was never active, so there is no count
 * @scaled: the event was counted for a part of the time only
 * @low: lower bound: sampling left out an unknown number
 * @bounded: @error is known
 * @vague: the time slices are known, but they tell too little for a bound
 * @error: in 95 to 99 of 100 cases the true value differs from the estimate by
 *	no more than this
 * @counted: events that were counted in the time @active
 * @active: nanoseconds in which the event was counted
 * @enabled: nanoseconds in which any event was counted; with @low the tasks'
 *	running time; 0 if not known
 */
struct count {
	uint64_t value;
	bool missing;
	bool scaled;
	bool low;
	bool bounded;
	bool vague;
	uint64_t error;
	uint64_t counted;
	uint64_t active;
	uint64_t enabled;
};

/* Per cent of the time in which the event was counted. */
double count_share(const struct count *count);

/*
 * Takes the count of an event from sums, scaled linearly.
 */
void count_take(struct count *count, const struct outcome *outcome,
		const struct counts *sums, size_t event);

/* Takes the count of an event in all results. */
void count_total(struct count *count, const struct outcome *outcome,
		 size_t event);

/**
 * struct counts_of - where the counts of a row come from
 * @outcome: what is printed
 * @take: takes the count of an event; false if the row has none
 * @arg: for @take
 */
struct counts_of {
	const struct outcome *outcome;
	bool (*take)(const struct counts_of *counts, size_t event,
		     struct count *count);
	const void *arg;
};

/* Counts of a result, of all results, and of sums. */
struct counts_of counts_of_result(const struct outcome *outcome,
				  const struct result *result);
struct counts_of counts_of_total(const struct outcome *outcome);
struct counts_of counts_of_sums(const struct outcome *outcome,
				const struct counts *sums);

#endif
