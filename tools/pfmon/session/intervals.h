/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The intervals of --print-interval: when each begins and ends.
 */
#ifndef PFMON_SESSION_INTERVALS_H
#define PFMON_SESSION_INTERVALS_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct intervals - the intervals of a session
 * @length: their length; 0 if there are none
 * @begin: when the first one began
 * @next: when the present one is over; 0 if there are none
 * @last: number of the last one that was printed, or 0
 * @start: time when that ended
 * @missed: number of intervals that were printed together with a later one
 */
struct intervals {
	uint64_t length;
	uint64_t begin;
	uint64_t next;
	uint64_t last;
	uint64_t start;
	uint64_t missed;
};

/**
 * struct interval - an interval to print
 * @number: its number, from 1
 * @start: time when it began
 * @end: time when the counters were read
 * @missed: number of earlier intervals that are part of it
 * @partial: the session ended before the interval
 */
struct interval {
	uint64_t number;
	uint64_t start;
	uint64_t end;
	uint64_t missed;
	bool partial;
};

void intervals_begin(struct intervals *intervals, uint64_t begin,
		     uint64_t length);

/*
 * Tells which interval is over at @time, if any.  Intervals begin at multiples of their
 * length, however late one is printed.  @last: counting has ended, so take what is left.
 */
bool intervals_due(const struct intervals *intervals, uint64_t time, bool last,
		   struct interval *interval);

/* The counters were read: the next interval begins at interval->end. */
void intervals_end(struct intervals *intervals,
		   const struct interval *interval);

#endif
