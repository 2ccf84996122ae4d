// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds threads by their ids.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "data/perf_tasks.h"

struct perf_task *perf_tasks_get(struct perf_tasks *tasks, uint32_t tid)
{
	struct perf_task *task;
	uint32_t number;

	for (number = hash_find(&tasks->table, hash_mix(0, tid)); number;
	     number = hash_next(&tasks->table, number))
		if (tasks->list[number - 1].tid == tid)
			return &tasks->list[number - 1];
	if (array_reserve(&tasks->list, sizeof(*tasks->list), &tasks->room,
			  tasks->count + 1) ||
	    hash_add(&tasks->table, hash_mix(0, tid)))
		return NULL;
	task = &tasks->list[tasks->count++];
	memset(task, 0, sizeof(*task));
	task->tid = tid;
	return task;
}

void perf_tasks_free(struct perf_tasks *tasks)
{
	free(tasks->list);
	hash_free(&tasks->table);
	memset(tasks, 0, sizeof(*tasks));
}
