// SPDX-License-Identifier: GPL-2.0-only
/*
 * The intervals of --print-interval.
 *
 * If pfmon wakes up too late for an interval, it is printed together with the next one,
 * and counted as missed.
 */
#include "session/intervals.h"

void intervals_begin(struct intervals *intervals, uint64_t begin,
		     uint64_t length)
{
	*intervals = (struct intervals){ .length = length,
					 .begin = begin,
					 .start = begin };
	if (length)
		intervals->next = begin + length;
}

bool intervals_due(const struct intervals *intervals, uint64_t time, bool last,
		   struct interval *interval)
{
	uint64_t passed;

	if (!intervals->next || (time < intervals->next && !last))
		return false;
	passed = (time - intervals->begin) / intervals->length;
	interval->start = intervals->start;
	interval->end = time;
	interval->partial = last && passed == intervals->last;
	interval->number = interval->partial ? passed + 1 : passed;
	interval->missed = interval->number - intervals->last - 1;
	return true;
}

void intervals_end(struct intervals *intervals, const struct interval *interval)
{
	uint64_t begun = interval->number - interval->partial;

	intervals->last = interval->number;
	intervals->missed += interval->missed;
	intervals->start = interval->end;
	intervals->next = intervals->begin + (begun + 1) * intervals->length;
}
