// SPDX-License-Identifier: GPL-2.0-only
/*
 * The programs of tasks over time.
 */
#include <stdlib.h>
#include <string.h>
#include <perfmon/perfmon.h>

#include "base/array.h"
#include "sampling/task_history.h"
#include "symbols/symbols.h"

static struct task *find_task(const struct task_history *tasks, uint32_t tid)
{
	uint32_t number;

	for (number = hash_find(&tasks->table, hash_mix(0, tid)); number;
	     number = hash_next(&tasks->table, number))
		if (tasks->list[number - 1].tid == tid)
			return &tasks->list[number - 1];
	return NULL;
}

static struct task *make_task(struct task_history *tasks, uint32_t tid)
{
	struct task *task = find_task(tasks, tid);

	if (task)
		return task;
	if (array_reserve(&tasks->list, sizeof(*tasks->list), &tasks->room,
			  tasks->count + 1) ||
	    hash_add(&tasks->table, hash_mix(0, tid)))
		return NULL;
	task = &tasks->list[tasks->count++];
	*task = (struct task){ .tid = tid };
	return task;
}

static struct phase *add_phase(struct task *task)
{
	if (array_reserve(&task->phases, sizeof(*task->phases), &task->room,
			  task->count + 1))
		return NULL;
	memset(&task->phases[task->count], 0, sizeof(*task->phases));
	return &task->phases[task->count];
}

static void finish_phase(struct task_history *tasks, struct task *task)
{
	const struct phase *phase = &task->phases[task->count++];

	if (tasks->told)
		tasks->told(tasks->arg, task->tid, phase);
}

void task_history_add(struct task_history *tasks,
		      const struct pfm_record *record)
{
	struct phase *phase = NULL;
	struct task *task;
	const char *path;
	size_t length;

	if (record->reason == PFM_RECORD_MERGED)
		return;
	if (record->reason == PFM_RECORD_EXEC && tasks->symbols)
		symbols_exec(tasks->symbols, record->pid, record->end);
	task = make_task(tasks, record->tid);
	if (task)
		phase = add_phase(task);
	path = pfm_record_path(record, &length);
	if (phase)
		phase->path = strndup(path, length);
	if (!phase || !phase->path) {
		tasks->failed++;
		return;
	}
	phase->pid = record->pid;
	phase->ppid = record->ppid;
	phase->end = record->end;
	phase->reason = record->reason;
	memcpy(phase->comm, record->comm, sizeof(record->comm));
	finish_phase(tasks, task);
}

void task_history_add_phase(struct task_history *tasks, uint32_t tid,
			    const struct phase *from)
{
	struct task *task = make_task(tasks, tid);
	struct phase *phase = task ? add_phase(task) : NULL;
	char *path = phase ? strdup(from->path) : NULL;

	if (!path) {
		tasks->failed++;
		return;
	}
	*phase = *from;
	phase->path = path;
	finish_phase(tasks, task);
}

uint32_t task_history_number(const struct task_history *tasks, uint32_t tid,
			     uint64_t time)
{
	const struct task *task = find_task(tasks, tid);
	size_t low = 0, high = task ? task->count : 0;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (task->phases[middle].end < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct phase *task_history_phase(const struct task_history *tasks,
				       uint32_t tid, uint32_t number)
{
	const struct task *task = find_task(tasks, tid);

	return task && number < task->count ? &task->phases[number] : NULL;
}

void task_history_each(const struct task_history *tasks,
		       void (*visit)(void *arg, uint32_t tid,
				     const struct phase *phase),
		       void *arg)
{
	const struct task *task;
	size_t i, k;

	for (i = 0; i < tasks->count; i++) {
		task = &tasks->list[i];
		for (k = 0; k < task->count; k++)
			visit(arg, task->tid, &task->phases[k]);
	}
}

void task_history_free(struct task_history *tasks)
{
	struct task *task;
	size_t i, k;

	for (i = 0; i < tasks->count; i++) {
		task = &tasks->list[i];
		for (k = 0; k < task->count; k++)
			free(task->phases[k].path);
		free(task->phases);
	}
	free(tasks->list);
	hash_free(&tasks->table);
	tasks->list = NULL;
	tasks->count = 0;
	tasks->room = 0;
}
