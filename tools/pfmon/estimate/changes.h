/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The time that a set did not see, and what the time slices of other sets tell about it.
 */
#ifndef PFMON_ESTIMATE_CHANGES_H
#define PFMON_ESTIMATE_CHANGES_H

#include "estimate/estimate.h"

/**
 * struct slice_change - how much the latest two time slices of a set differ from their neighbours
 * @inner: mean square of the change at the last time slice but one, which has both neighbours,
 *	as a part of the events' rates; 0 if there is none yet
 * @outer: likewise at the last time slice, which has one neighbour
 * @inner_length: length of the last time slice but one, in nanoseconds
 * @outer_length: length of the last time slice
 * @events: events that were taken
 */
struct slice_change {
	double inner;
	double outer;
	double inner_length;
	double outer_length;
	unsigned int events;
};

/**
 * struct set_changes - changes at the time slices of a set
 * @squares: sum of the squares of changes, each times the length of its slice, in ns²
 * @fourths: sum of the squares of these
 * @last: the square of the change at the last time slice, which is in no sum yet
 */
struct set_changes {
	double squares;
	double fourths;
	double last;
};

/* A zeroed change is empty.  Takes an event of the set, whose time slice has been added. */
void slice_change_take(struct slice_change *change,
		       const struct estimator *estimator);

/* Adds the change of a time slice that all events of the set were taken of. */
void set_changes_add(struct set_changes *changes,
		     const struct slice_change *change);

/*
 * A zeroed struct unseen is empty.  Adds the changes of a set; @own: the set is that of the event
 * that is estimated, so it saw them.
 */
void unseen_add(struct unseen *unseen, const struct set_changes *changes,
		bool own);

#endif
