/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What was counted: one result for each line of output.
 */
#ifndef PFMON_SESSION_RESULTS_H
#define PFMON_SESSION_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/perfmon.h>

struct events;
struct options;
struct task_history;

/**
 * struct result - counts of one task, in one program or in all it executed
 * @pid: process id; 0 when several tasks are merged
 * @tid: thread id; 0 merged
 * @ppid: process id of the parent; 0 merged
 * @reason: PFM_RECORD_* of the last record
 * @status: reason EXIT: exit status as wait(2) gives it
 * @start: when monitoring began
 * @end: when it ended
 * @tasks: number of tasks
 * @records: number of kernel records in it
 * @path: last program executed, never NULL
 * @comm: name of the thread
 * @order: place among the results, for equal @end
 * @until: end of the task's last record; its next one begins then
 * @chain: next in a bucket of results.open
 * @run: number of the command's run, see struct events
 * @counts: vector as sets.h describes it; those of gauges are not used
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
	uint64_t records;
	char *path;
	char comm[17];
	size_t order;
	uint64_t until;
	struct result *chain;
	unsigned int run;
	uint64_t counts[];
};

#define RESULTS_BUCKETS	1024

/**
 * struct results - all that a session counted
 * @events: what was counted
 * @options: how to select and merge records
 * @list: the results; sorted by end after results_finish()
 * @count: elements of @list
 * @room: elements that fit in @list
 * @open: results of tasks that executed another program and will send more
 *	records
 * @totals: sum over all results, a vector as sets.h describes it
 * @kernel: what the context itself says at the end: levels of the gauges, sums
 *	of the others
 * @left_out: records that --follow-exec or --follow-exec-exclude left out
 * @short_records: records that lacked an event's register
 * @tasks: told of each record as well; NULL nobody
 * @cut: tasks that were left when they executed another program, although
 *	their next record was expected
 */
struct results {
	const struct events *events;
	const struct options *options;
	struct result **list;
	size_t count;
	size_t room;
	struct result *open[RESULTS_BUCKETS];
	uint64_t *totals;
	uint64_t *kernel;
	uint64_t left_out;
	uint64_t short_records;
	uint64_t cut;
	struct task_history *tasks;
};

/* Each returns 0, or -1 after saying that there is no memory. */
int results_init(struct results *results, const struct events *events,
		 const struct options *options);
int results_add(struct results *results, const struct pfm_record *record);

/* A result that comes from no record.  NULL after saying why. */
struct result *results_add_task(struct results *results, uint32_t pid,
				const char *path);

/* Whether the run that the result is of counted the event. */
bool results_have(const struct results *results, const struct result *result,
		  size_t event);

/* Puts the results in order and sums them up. */
void results_finish(struct results *results);

/* Name of a PFM_RECORD_* for machine-readable output. */
const char *results_reason(uint32_t reason);

void results_free(struct results *results);

#endif
