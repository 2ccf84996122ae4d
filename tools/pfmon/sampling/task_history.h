/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which program each task executed when, from the kernel's task records.
 */
#ifndef PFMON_SAMPLING_TASK_HISTORY_H
#define PFMON_SAMPLING_TASK_HISTORY_H

#include <stddef.h>
#include <stdint.h>
#include <linux/perfmon.h>

#include "base/hash.h"

struct symbols;

/**
 * struct task - a thread id, which several threads may have used one after the other
 * @tid: thread id
 * @phases: one for each record, in the order of their ends
 * @count: elements of @phases
 * @room: elements that fit in @phases
 */
struct task {
	uint32_t tid;
	struct phase *phases;
	size_t count;
	size_t room;
};

/**
 * struct phase - a task while it ran one program
 * @pid: process id
 * @ppid: of the parent
 * @end: when it left the program or ended
 * @reason: PFM_RECORD_*
 * @path: path of the program, never NULL
 * @comm: name of the thread
 */
struct phase {
	uint32_t pid;
	uint32_t ppid;
	uint64_t end;
	uint16_t reason;
	char *path;
	char comm[17];
};

/**
 * struct task_history - all tasks of a session
 * @list: the tasks
 * @count: elements of @list
 * @room: elements that fit in @list
 * @table: finds them by thread id
 * @failed: records that were dropped for lack of memory
 * @symbols: symbols to be told of each exec; NULL if none
 * @told: is called for each phase that was added; NULL if nobody asks
 * @arg: its first argument
 */
struct task_history {
	struct task *list;
	size_t count;
	size_t room;
	struct hash table;
	uint64_t failed;
	struct symbols *symbols;
	void (*told)(void *arg, uint32_t tid, const struct phase *phase);
	void *arg;
};

void task_history_add(struct task_history *tasks,
		      const struct pfm_record *record);

/* The same without a record.  The strings are copied. */
void task_history_add_phase(struct task_history *tasks, uint32_t tid,
			    const struct phase *phase);

/* Number of the phase that a task was in at a time, from 0. */
uint32_t task_history_number(const struct task_history *tasks, uint32_t tid,
			     uint64_t time);

/* The phase of that number; NULL if not known. */
const struct phase *task_history_phase(const struct task_history *tasks,
				       uint32_t tid, uint32_t number);

/* Calls @visit for each phase of each thread. */
void task_history_each(const struct task_history *tasks,
		       void (*visit)(void *arg, uint32_t tid,
				     const struct phase *phase),
		       void *arg);

void task_history_free(struct task_history *tasks);

#endif
