// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts of tasks in an interval.
 *
 * The kernel tells what each running task has counted so far, and by a record what an
 * ended one has counted in all.  What was read of the same task at the end of the interval
 * before is subtracted.  A task in one program is known by its thread id and the time when
 * it began: if it executes another program, the kernel makes a record, and the task begins
 * anew.
 *
 * Running tasks are read first.  A task that ends between that and the reading of records
 * is in both, and then the record counts.  So each count is in one row of one interval, and
 * the intervals add up to the results.
 */
#include <errno.h>
#include <perfmon/perfmon.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/message.h"
#include "events/counts.h"
#include "events/event_list.h"
#include "events/sets.h"
#include "options/options.h"
#include "session/progress.h"
#include "session/results.h"

/* Room for the records of a few hundred tasks; it is doubled as long as that is too little. */
#define BUFFER_MIN (64U * 1024)
#define BUFFER_MAX (1U << 30)

/**
 * struct running - a running task as it was read
 * @row: the task and its program, with its counts so far
 * @done: its record was taken in this interval, or its later counts were
 */
struct running {
	struct result *row;
	bool done;
};

static int no_memory(void)
{
	say_error("out of memory for the intervals");
	return -1;
}

struct progress *progress_create(struct results *results, bool by_task)
{
	struct progress *progress = calloc(1, sizeof(*progress));
	const struct events *events = results->events;

	if (progress) {
		progress->results = results;
		progress->by_task = by_task;
		progress->total = counts_create(events);
		progress->sums_now = counts_create(events);
		progress->sums_before = counts_create(events);
	}
	if (progress && progress->total && progress->sums_now &&
	    progress->sums_before)
		return progress;
	progress_free(progress);
	no_memory();
	return NULL;
}

static struct result *create_row(const struct results *results,
				 const char *path, size_t length)
{
	struct result *row = result_create(results->events, path, length);

	if (!row)
		no_memory();
	return row;
}

/* Adds a row to the present interval; takes it over.  Returns its number, from 1, or 0. */
static size_t add_row(struct progress *progress, struct result *row)
{
	if (!row)
		return 0;
	if (array_reserve(&progress->rows, sizeof(*progress->rows),
			  &progress->room, progress->num_rows + 1)) {
		result_free(row);
		no_memory();
		return 0;
	}
	progress->rows[progress->num_rows++] = row;
	return progress->num_rows;
}

/* Gives the row the name and the numbers of a task, but not its counts. */
static int name_row(struct result *row, const struct result *from)
{
	char *path = strdup(from->path);

	if (!path)
		return no_memory();
	free(row->path);
	row->path = path;
	row->pid = from->pid;
	row->tid = from->tid;
	row->ppid = from->ppid;
	row->reason = from->reason;
	row->status = from->status;
	row->tasks = from->tasks;
	row->start = from->start;
	row->end = from->end;
	memcpy(row->comm, from->comm, sizeof(row->comm));
	return 0;
}

/* The row of a result in this interval; NULL after a message. */
static struct result *row_of(struct progress *progress, struct result *result)
{
	if (!result->row)
		result->row =
			add_row(progress, create_row(progress->results, "", 0));
	return result->row ? progress->rows[result->row - 1] : NULL;
}

static int compare(const void *a, const void *b)
{
	const struct result *x = ((const struct running *)a)->row;
	const struct result *y = ((const struct running *)b)->row;

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return x->start < y->start ? -1 : x->start > y->start;
}

/* Finds what was read of a task in the program that it began at @start. */
static struct running *find(struct running *list, size_t count, uint32_t tid,
			    uint64_t start)
{
	struct result row = { .tid = tid, .start = start };
	const struct running key = { .row = &row };

	return count ? bsearch(&key, list, count, sizeof(*list), compare)
		     : NULL;
}

/* True for the child that waits to execute the command: it has counted nothing. */
static bool waits(const struct results *results,
		  const struct pfm_record *record)
{
	unsigned int i;

	for (i = 0; i < record->nregs; i++)
		if (record->regs[i].value)
			return false;
	return results->options->command && !record->path_len;
}

/* Makes room for one more task that was read.  Returns 0, or -1 without memory. */
static int reserve_now(struct progress *progress)
{
	return array_reserve(&progress->now, sizeof(*progress->now),
			     &progress->room_now, progress->num_now + 1);
}

static int add_running(struct progress *progress,
		       const struct pfm_record *record)
{
	const struct results *results = progress->results;
	struct result *row;
	const char *path;
	size_t length;

	path = results_path(record, &length);
	if (!options_select(results->options, path, length) ||
	    waits(results, record))
		return 0;
	row = create_row(results, path, length);
	if (!row || reserve_now(progress)) {
		result_free(row);
		return no_memory();
	}
	row->pid = record->pid;
	row->tid = record->tid;
	row->ppid = record->ppid;
	row->reason = record->reason;
	row->start = record->start;
	row->end = record->end;
	row->tasks = record->tasks;
	memcpy(row->comm, record->comm, sizeof(record->comm));
	sets_add(results->events, record, &row->counts);
	progress->now[progress->num_now++] = (struct running){ .row = row };
	return 0;
}

static int add_all(struct progress *progress, const void *buffer, size_t used)
{
	const struct pfm_record *record;
	size_t offset = 0;

	while ((record = pfm_record_next(buffer, used, &offset)))
		if (add_running(progress, record))
			return -1;
	if (offset == used)
		return 0;
	say_error(
		"the kernel's task records are malformed; pfmon and the kernel modules are of different versions, compare 'pfmon --version' and 'modinfo perfmon'");
	return -1;
}

int progress_read(struct progress *progress, int fd)
{
	size_t size = BUFFER_MIN, used;
	void *buffer = NULL;
	int err;

	do {
		free(buffer);
		buffer = malloc(size);
		if (!buffer)
			return no_memory();
		err = pfm_ctx_read_running(fd, buffer, size, NULL, &used);
		size *= 2;
	} while (err == -EINTR || (err == -ENOSPC && size <= BUFFER_MAX));
	if (err == -EINVAL)
		say_error(
			"the kernel modules are older than this pfmon and do not tell what running tasks have counted: update them, or add --aggregate-results");
	else if (err)
		say_error("cannot read the counts of running tasks: %s",
			  pfm_ctx_strerror(PFM_IOC_READ_RECORDS, err));
	else
		err = add_all(progress, buffer, used);
	free(buffer);
	return err ? -1 : 0;
}

void progress_sort(struct progress *progress)
{
	if (progress->num_now)
		qsort(progress->now, progress->num_now, sizeof(*progress->now),
		      compare);
}

int progress_record(struct progress *progress, const struct pfm_record *record,
		    struct result *result)
{
	struct running *before = find(progress->before, progress->num_before,
				      record->tid, record->start);
	struct running *now = find(progress->now, progress->num_now,
				   record->tid, record->start);
	struct result *row;

	if (now)
		now->done = true;
	if (before)
		before->done = true;
	if (!result)
		return 0;
	row = row_of(progress, result);
	if (!row || name_row(row, result))
		return -1;
	sets_add(progress->results->events, record, &row->counts);
	if (before)
		counts_subtract(&row->counts, &before->row->counts);
	return 0;
}

/* Adds what a task that runs has counted since the interval before. */
static int take_running(struct progress *progress, struct running *now)
{
	const struct result *task = now->row;
	struct running *before = find(progress->before, progress->num_before,
				      task->tid, task->start);
	struct result *result = results_open(progress->results, task);
	struct result *row;
	uint64_t start;

	if (before)
		before->done = true;
	if (result) {
		row = row_of(progress, result);
	} else {
		size_t number =
			add_row(progress, create_row(progress->results, "", 0));

		row = number ? progress->rows[number - 1] : NULL;
	}
	if (!row || name_row(row, task))
		return -1;
	/* Of all programs of the task, as its result will have. */
	start = result ? result->start : task->start;
	row->start = start;
	counts_add(&row->counts, &task->counts);
	if (before)
		counts_subtract(&row->counts, &before->row->counts);
	return 0;
}

/* The row of records that the kernel merged, which a task's record may be among. */
static struct result *merged_row(const struct progress *progress,
				 const char *path)
{
	struct result *any = NULL;
	size_t i;

	for (i = 0; i < progress->num_rows; i++) {
		if (progress->rows[i]->reason != PFM_RECORD_MERGED)
			continue;
		any = progress->rows[i];
		if (!strcmp(any->path, path))
			break;
	}
	return any;
}

/*
 * A task that is gone without a record of its own is in a merged one; or its record has not
 * come yet, and then it is kept for the next interval.
 */
static int take_vanished(struct progress *progress, struct running *before)
{
	struct result *row = merged_row(progress, before->row->path);

	if (row) {
		counts_subtract(&row->counts, &before->row->counts);
		return 0;
	}
	if (reserve_now(progress))
		return no_memory();
	progress->now[progress->num_now++] =
		(struct running){ .row = before->row };
	before->row = NULL;
	return 0;
}

static int by_start(const void *a, const void *b)
{
	const struct result *x = *(struct result *const *)a;
	const struct result *y = *(struct result *const *)b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->tid < y->tid ? -1 : x->tid > y->tid;
}

int progress_finish(struct progress *progress)
{
	size_t running = progress->num_now, i;

	for (i = 0; i < running; i++)
		if (!progress->now[i].done &&
		    take_running(progress, &progress->now[i]))
			return -1;
	for (i = 0; i < progress->num_before; i++)
		if (!progress->before[i].done &&
		    take_vanished(progress, &progress->before[i]))
			return -1;
	counts_clear(progress->total);
	for (i = 0; i < progress->num_rows; i++)
		counts_add(progress->total, &progress->rows[i]->counts);
	/* The numbers of rows in results are not used any more. */
	if (progress->num_rows)
		qsort(progress->rows, progress->num_rows,
		      sizeof(*progress->rows), by_start);
	return 0;
}

void progress_take_sums(struct progress *progress)
{
	const struct events *events = progress->results->events;
	size_t k;

	if (!progress->by_task) {
		counts_copy(progress->total, progress->sums_now);
		counts_subtract(progress->total, progress->sums_before);
	}
	for (k = 0; k < events->count; k++)
		if (events->list[k].gauge)
			progress->total->events[k] =
				progress->sums_now->events[k];
	counts_copy(progress->sums_before, progress->sums_now);
}

static void free_running(struct running *list, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		result_free(list[i].row);
	free(list);
}

/* Keeps the tasks that run, and those whose record has not come yet. */
static void keep_running(struct progress *progress)
{
	size_t i, k = 0;

	free_running(progress->before, progress->num_before);
	for (i = 0; i < progress->num_now; i++) {
		if (progress->now[i].done)
			result_free(progress->now[i].row);
		else
			progress->now[k++] = progress->now[i];
	}
	progress->before = progress->now;
	progress->num_before = k;
	progress->now = NULL;
	progress->num_now = 0;
	progress->room_now = 0;
	if (k)
		qsort(progress->before, k, sizeof(*progress->before), compare);
}

void progress_next(struct progress *progress)
{
	size_t i;

	keep_running(progress);
	for (i = 0; i < progress->results->count; i++)
		progress->results->list[i]->row = 0;
	for (i = 0; i < progress->num_rows; i++)
		result_free(progress->rows[i]);
	progress->num_rows = 0;
}

void progress_free(struct progress *progress)
{
	if (!progress)
		return;
	progress_next(progress);
	free_running(progress->before, progress->num_before);
	free(progress->rows);
	free(progress->total);
	free(progress->sums_now);
	free(progress->sums_before);
	free(progress);
}
