/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tasks that the samples of CPUs belong to.
 *
 * A sample has the ids of process and thread.  Names come from /proc: at the
 * start, when the process connector reports an exec (proc_connector.h) and, if it
 * does not report to this user, soon after the id first appeared in a sample.
 */
#ifndef PFMON_SAMPLING_TASK_NAMES_H
#define PFMON_SAMPLING_TASK_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"

struct proc;
struct sample;
struct symbols;
struct task_history;

/**
 * struct task_names - the tasks that were seen
 * @tasks: history to be told of the programs that the tasks executed
 * @symbols: symbols to be told of their mappings
 * @watch: descriptor of the process connector; -1 if it does not report to this
 *	user
 * @lost: some reports were lost
 * @list: the tasks
 * @count: elements of @list
 * @room: elements that fit in @list
 * @table: finds them by thread id
 * @round: number of the current round; a task's name is read once in each
 * @offset: CLOCK_BOOTTIME minus CLOCK_MONOTONIC, ns
 * @unknown: tasks that ended before their names could be read
 * @unknown_samples: samples of these tasks
 */
struct task_names {
	struct task_history *tasks;
	struct symbols *symbols;
	int watch;
	bool lost;
	struct proc **list;
	size_t count;
	size_t room;
	struct hash table;
	uint64_t round;
	int64_t offset;
	uint64_t unknown;
	uint64_t unknown_samples;
};

void task_names_init(struct task_names *names, struct task_history *tasks,
		     struct symbols *symbols);

/* Reads names and mappings of all running processes. */
void task_names_scan(struct task_names *names);

/*
 * Takes the reports of the process connector; has to be called before samples are
 * looked at.
 */
void task_names_take_changes(struct task_names *names);

/* Begins a new round, in which names are read again. */
void task_names_next_round(struct task_names *names);

/* Notes that a sample of a task was taken. */
void task_names_see(struct task_names *names, const struct sample *sample);

/*
 * Path of the program that a task runs, "" if it is not known, and its name.  False if nothing is known
 * of it.
 */
bool task_names_find(const struct task_names *names, uint32_t tid,
		     const char **path, const char **comm);

/* Has to be called after the last sample. */
void task_names_finish(struct task_names *names);

void task_names_free(struct task_names *names);

#endif
