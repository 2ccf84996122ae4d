/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One number of the output, and how far it can be trusted.
 */
#ifndef PFMON_OUTPUT_COUNT_H
#define PFMON_OUTPUT_COUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session;
struct result;

/**
 * struct count - a count
 * @value: the count; an estimate when @scaled, a lower bound when @low
 * @missing: the event never had its turn: there is no count
 * @scaled: the event was counted in part of the time only
 * @low: it occurred as often at least: sampling left out an unknown number
 * @bounded: @error is known
 * @error: the true value is within this of an estimate in 95 of 100 cases
 * @active: nanoseconds that the event was counted
 * @enabled: nanoseconds that any event was; @low: that the tasks ran; 0 not
 *	known
 */
struct count {
	uint64_t value;
	bool missing;
	bool scaled;
	bool low;
	bool bounded;
	uint64_t error;
	uint64_t active;
	uint64_t enabled;
};

/* Part of the time that the event was counted, in per cent. */
double count_share(const struct count *count);

/* Count of an event in a vector as sets.h describes it, plainly scaled. */
void count_take(struct count *count, const struct session *session,
		const uint64_t *words, size_t event);

/* Count of an event in one result, and in all of them. */
void count_result(struct count *count, const struct session *session,
		  const struct result *result, size_t event);
void count_total(struct count *count, const struct session *session,
		 size_t event);

#endif
