/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's log of the counts in each time slice of each set, and what is estimated from it:
 * counts, and their error bounds.
 */
#ifndef PFMON_ESTIMATE_SLICE_LOG_H
#define PFMON_ESTIMATE_SLICE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <perfmon/perfmon.h>

#include "estimate/changes.h"
#include "estimate/estimate.h"
#include "estimate/estimate_pair.h"

struct estimate;
struct events;

/* slice_log.c */

/**
 * struct log_lane - the time slices of one CPU, or of the only task
 * @parts: how far the lane has been read
 * @time: sum of the lengths of the time slices read, in nanoseconds
 * @steps: times at which the program changed what it does
 * @changes: one for each set
 * @estimators: one for each event; NULL if no time slice was read yet
 * @pairs: of each set one for each two events, in the order (1, 0), (2, 0), (2, 1) and so on
 */
struct log_lane {
	struct pfm_sample_parts parts;
	uint64_t time;
	struct steps steps;
	struct set_changes *changes;
	struct estimator *estimators;
	struct estimate_pair *pairs;
};

/**
 * struct slice_log - state of the log
 * @events: what is counted
 * @attrs: for each set the registers whose values an entry has; then the
 *	triggers, which make entries of their own
 * @num_attrs: elements of @attrs
 * @places: for each event the index of its value in an entry
 * @first_pairs: for each set the index of its first pair in a lane; then their number
 * @arg: argument of the format
 * @interval: how often to look for full parts, in nanoseconds
 * @buffer: the mapped buffer
 * @lanes: one for each lane of the buffer
 * @counts: sums over the time slices read
 * @lost: time slices that the full buffer had no room for
 */
struct slice_log {
	const struct events *events;
	struct pfm_pmd_attr *attrs;
	unsigned int num_attrs;
	unsigned int *places;
	size_t *first_pairs;
	struct pfm_nway_arg arg;
	uint64_t interval;
	struct pfm_sample_buffer buffer;
	struct log_lane *lanes;
	struct counts *counts;
	uint64_t lost;
};

/*
 * Creates a context with a buffer for the log.  If this user has no right to a
 * buffer, or there is no room for one, *@log is NULL and the context has no log.
 * Returns the context's descriptor, or -1 after a message.
 */
int slice_log_create(struct slice_log **log, const struct events *events,
		     uint32_t flags);

/* Maps the buffer of the context.  Returns 0, or -1 after a message. */
int slice_log_map(struct slice_log *log, int fd);

/*
 * Reads the full parts or, with @all, everything.  Returns 0, or -1 after a
 * message.
 */
int slice_log_read(struct slice_log *log, int fd, bool all);

/* Number of time slices read. */
uint64_t slice_log_slices(const struct slice_log *log);

/* @log may be NULL. */
void slice_log_free(struct slice_log *log);

/* slice_estimate.c */

/*
 * Estimates the event's count.  @counts: all counts of the kernel.  Returns false
 * if the log has no time slice of the event's set.
 */
bool slice_log_estimate(const struct slice_log *log,
			const struct counts *counts, size_t event,
			struct estimate *estimate);

/* Correlation of the errors of two such estimates; 0 if their sets differ. */
double slice_log_correlation(const struct slice_log *log,
			     const struct counts *counts, size_t a, size_t b);

#endif
