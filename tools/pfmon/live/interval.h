/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts of intervals during a session: --print-interval.
 */
#ifndef PFMON_LIVE_INTERVAL_H
#define PFMON_LIVE_INTERVAL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct interval;
struct outcome;
struct outfile;
struct session;

/*
 * Has to be called before anything counts: makes sure that printing does not
 * block pfmon.
 */
void interval_begin(const struct session *session, struct outfile *output);

/* Each returns 0, or -1 after a message. */

/* Prints what the columns are; the command is already running. */
int interval_title(const struct session *session, struct outfile *output);

/*
 * Prints the interval that is over at @time, if any.  Intervals begin at
 * multiples of their length, however late one was printed.  @last: counting has
 * ended, so print what is left.
 */
int interval_print(struct session *session, struct outfile *output,
		   uint64_t time, bool last);

/*
 * The same with another form: @print gets the interval that is over.  Returns 1 if there was none.
 */
int interval_take(struct session *session, uint64_t time, bool last,
		  int (*print)(void *arg, const struct outcome *outcome,
			       const struct interval *interval),
		  void *arg);

#endif
