/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The counts of each task in an interval: a row for each task that is monitored, or
 * that has ended in the interval.
 */
#ifndef PFMON_SESSION_PROGRESS_H
#define PFMON_SESSION_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct counts;
struct pfm_record;
struct result;
struct results;
struct running;

/**
 * struct progress - counts of tasks in the present interval
 * @results: what the session has of tasks that have ended
 * @by_task: there are rows; otherwise only the sums of the context are known
 * @now: tasks that were read at the end of the interval
 * @num_now: elements of @now
 * @room_now: elements that fit in @now
 * @before: tasks that were read at the end of the interval before
 * @num_before: elements of @before
 * @rows: the rows; their counts are those in the interval.  The reason is
 *	PFM_RECORD_RUNNING if the task is monitored still
 * @num_rows: elements of @rows
 * @room: elements that fit in @rows
 * @total: what all tasks have counted; of gauges the level
 * @sums_now: sums of the context that were read at the end of the interval
 * @sums_before: the same at the end of the interval before
 */
struct progress {
	struct results *results;
	bool by_task;
	struct running *now;
	size_t num_now;
	size_t room_now;
	struct running *before;
	size_t num_before;
	struct result **rows;
	size_t num_rows;
	size_t room;
	struct counts *total;
	struct counts *sums_now;
	struct counts *sums_before;
};

/* NULL after a message. */
struct progress *progress_create(struct results *results, bool by_task);

/* Each returns 0, or -1 after a message. */

/* Reads the tasks that a context monitors.  Records of ended ones have to be read afterwards. */
int progress_read(struct progress *progress, int fd);
/* All contexts were read. */
void progress_sort(struct progress *progress);

/* Takes a record; @result is what its counts belong to, NULL if it is left out. */
int progress_record(struct progress *progress, const struct pfm_record *record,
		    struct result *result);

/* All records were read: completes the rows, and sums them up. */
int progress_finish(struct progress *progress);

/*
 * @sums_now was read: takes the levels of gauges from it, and all events if there are no rows.
 */
void progress_take_sums(struct progress *progress);

/* Begins the next interval. */
void progress_next(struct progress *progress);

/* @progress may be NULL. */
void progress_free(struct progress *progress);

#endif
