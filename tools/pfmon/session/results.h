/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The counts: one result for each line of output.
 */
#ifndef PFMON_SESSION_RESULTS_H
#define PFMON_SESSION_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/perfmon.h>

#include "base/hash.h"
#include "events/counts.h"
#include "options/options.h"

struct events;
struct progress;
struct task_history;

/**
 * struct result - counts of a task, in one program or in all its programs
 * @pid: process id; 0 if several tasks are merged
 * @tid: thread id; 0 if several tasks are merged
 * @ppid: process id of the parent; 0 if several tasks are merged
 * @reason: PFM_RECORD_* of the last record
 * @status: exit status as wait(2) gives it, if @reason is PFM_RECORD_EXIT
 * @start: when monitoring began
 * @end: when it ended
 * @tasks: number of tasks
 * @processes: number of processes of a program, see results_group(); 0 if it is about one
 * @records: number of kernel records that it is made of
 * @path: path of the last program, never NULL
 * @comm: name of the thread
 * @order: its position in the list, which decides if @end is equal
 * @until: end of the task's last record, where its next record begins
 * @open: more records of the task will come
 * @entered: it is in results.split
 * @run: number of the command's run that it is of, see struct events
 * @row: number of its row in the present interval, from 1; 0 if it has none
 * @counts: its counts; those of gauges are not used
 */
struct result {
	uint32_t pid;
	uint32_t tid;
	uint32_t ppid;
	uint32_t reason;
	uint32_t status;
	uint64_t start;
	uint64_t end;
	uint64_t tasks;
	uint64_t processes;
	uint64_t records;
	char *path;
	char comm[17];
	size_t order;
	uint64_t until;
	bool open;
	bool entered;
	unsigned int run;
	size_t row;
	struct counts counts;
};

/**
 * struct results - all results of a session
 * @events: the events
 * @options: they say how to select and merge records
 * @list: the results; sorted by end after results_finish()
 * @count: elements of @list
 * @room: elements that fit in @list
 * @split: results of tasks that executed another program; those of which
 *	more records will come are open
 * @num_split: elements of @split
 * @room_split: elements that fit in @split
 * @table: finds them by process id
 * @totals: sums of all results
 * @kernel: the context's own counts at the end: levels of the gauges, totals
 *	of the others
 * @left_out: number of records that --follow-exec or --follow-exec-exclude
 *	left out
 * @short_records: number of records that lacked the register of an event
 * @tasks: history that is told of each record too; NULL if none
 * @progress: intervals that are told of each record too; NULL if none
 * @cut: number of tasks that the kernel stopped monitoring at an exec,
 *	although a further record was expected
 */
struct results {
	const struct events *events;
	const struct options *options;
	struct result **list;
	size_t count;
	size_t room;
	struct result **split;
	size_t num_split;
	size_t room_split;
	struct hash table;
	struct counts *totals;
	struct counts *kernel;
	uint64_t left_out;
	uint64_t short_records;
	uint64_t cut;
	struct task_history *tasks;
	struct progress *progress;
};

/* A result without counts.  NULL without memory. */
struct result *result_create(const struct events *events, const char *path,
			     size_t length);
/* @result may be NULL. */
void result_free(struct result *result);

/* Each returns 0, or -1 after a message. */
int results_init(struct results *results, const struct events *events,
		 const struct options *options);
/* @to: out: what the record's counts were added to; NULL if the record was left out. */
int results_add(struct results *results, const struct pfm_record *record,
		struct result **to);

/* Path of a record's program; it does not end with a zero byte. */
const char *results_path(const struct pfm_record *record, size_t *length);

/* The result of the programs that a running task executed before; NULL if there is none. */
struct result *results_open(const struct results *results,
			    const struct result *task);

/* Adds a result that is made of no record.  NULL after a message. */
struct result *results_add_task(struct results *results, uint32_t pid,
				const char *path);

/* True if the run that the result is of counted the event. */
bool results_have(const struct results *results, const struct result *result,
		  size_t event);

/*
 * Adds the counts of one of several contexts to @kernel.  A gauge shows the machine's level, which
 * is the same in all of them, and does not add up.
 */
void results_add_context(struct results *results, const struct counts *counts);

/* Sorts the results and sums them up. */
void results_finish(struct results *results);

/* result_groups.c */

/*
 * Adds up the results of each program, or of each process; otherwise does nothing.  The result
 * that has counted most of the first event comes first.  To be called once, when all is counted.
 */
void results_group(struct results *results, enum grouping by);

/* results.c */

/* Name of a PFM_RECORD_* for machine-readable output. */
const char *results_reason(uint32_t reason);

void results_free(struct results *results);

#endif
