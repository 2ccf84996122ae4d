/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Estimates of counts from the slice log.
 */
#ifndef PFMON_ESTIMATE_SLICE_ESTIMATE_H
#define PFMON_ESTIMATE_SLICE_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct estimate;
struct slice_log;

/*
 * Estimates the event's count.  @words: all counts of the kernel.  Returns false
 * if the log has no time slice of the event's set.
 */
bool slice_log_estimate(const struct slice_log *log, const uint64_t *words,
			size_t event, struct estimate *estimate);

/* Correlation of the errors of two such estimates; 0 if their sets differ. */
double slice_log_correlation(const struct slice_log *log, const uint64_t *words,
			     size_t a, size_t b);

#endif
