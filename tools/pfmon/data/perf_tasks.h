/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The names of the threads in a file of perf, as they change.
 */
#ifndef PFMON_DATA_PERF_TASKS_H
#define PFMON_DATA_PERF_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

#define PERF_TASK_NAME 16

/**
 * struct perf_task - a thread
 * @tid: its id
 * @pid: its process
 * @ppid: the process that created that; 0 if it is not known
 * @name: its name; empty if it is not known
 */
struct perf_task {
	uint32_t tid;
	uint32_t pid;
	uint32_t ppid;
	char name[PERF_TASK_NAME];
};

/**
 * struct perf_tasks - all threads
 * @list: the threads
 * @count: elements of @list
 * @room: elements that fit in @list
 * @table: finds them
 */
struct perf_tasks {
	struct perf_task *list;
	size_t count;
	size_t room;
	struct hash table;
};

/* A thread, which is new if it is not known.  Returns NULL without memory. */
struct perf_task *perf_tasks_get(struct perf_tasks *tasks, uint32_t tid);

void perf_tasks_free(struct perf_tasks *tasks);

#endif
