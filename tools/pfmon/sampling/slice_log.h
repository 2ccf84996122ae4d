/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's log of what each set counted in each of its turns, from which
 * counts and their error bounds are estimated.
 */
#ifndef PFMON_SAMPLING_SLICE_LOG_H
#define PFMON_SAMPLING_SLICE_LOG_H

#include <stdbool.h>
#include <stdint.h>
#include <perfmon/perfmon.h>

#include "sampling/estimate.h"

struct events;

/**
 * struct log_lane - the turns of one CPU, or of the one task
 * @parts: how far its buffer was read
 * @time: nanoseconds of counting in the turns read
 * @steps: when the program changed what it does
 * @estimators: one an event; NULL no turn was read yet
 */
struct log_lane {
	struct pfm_parts parts;
	uint64_t time;
	struct steps steps;
	struct estimator *estimators;
};

/**
 * struct slice_log - state
 * @events: what is counted
 * @attrs: for each set the registers that an entry has values of; then the
 *	triggers, which leave entries of their own
 * @num_attrs: elements of @attrs
 * @places: for each event which of the values is its own
 * @arg: argument of the format
 * @interval: how often full parts have to be looked for, in nanoseconds
 * @buffer: the mapping
 * @lanes: one a lane of the buffer
 * @words: sums over the turns read, as sets.h has them
 * @lost: turns that found no room in the buffer
 */
struct slice_log {
	const struct events *events;
	struct pfm_pmd_attr *attrs;
	unsigned int num_attrs;
	unsigned int *places;
	struct pfm_nway_arg arg;
	uint64_t interval;
	struct pfm_buffer buffer;
	struct log_lane *lanes;
	uint64_t *words;
	uint64_t lost;
};

/*
 * A log for the events, and a context with the buffer for it.  Without the right
 * to, or room for, a buffer there is no log: then *@log is NULL and the context
 * has none.  Returns the context's descriptor, -1 after saying what failed.
 */
int slice_log_create(struct slice_log **log, const struct events *events,
		     uint32_t flags);

/* Maps the buffer of the context.  0, or -1 after saying what failed. */
int slice_log_map(struct slice_log *log, int fd);

/*
 * Reads what is full or, with @all, everything.  0, or -1 after saying what is
 * wrong.
 */
int slice_log_read(struct slice_log *log, int fd, bool all);

/*
 * Estimate of the event's count.  @words: what was counted in all.  False when
 * its set has no turn in the log.
 */
bool slice_log_estimate(const struct slice_log *log, const uint64_t *words,
			size_t event, struct estimate *estimate);

/* How many turns were read. */
uint64_t slice_log_turns(const struct slice_log *log);

/* NULL is accepted. */
void slice_log_free(struct slice_log *log);

#endif
