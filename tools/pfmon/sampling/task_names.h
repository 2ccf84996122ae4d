/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which tasks the samples of a CPU belong to.
 *
 * The kernel tells the numbers of process and thread; names come from /proc,
 * at the start, when a program is executed (procwatch.h) and, where that is not
 * told, soon after a number was first seen in a sample.
 */
#ifndef PFMON_SAMPLING_TASK_NAMES_H
#define PFMON_SAMPLING_TASK_NAMES_H

#include <stdbool.h>
#include <stdint.h>

struct proc;
struct sample;
struct symbols;
struct task_history;

#define PROCS_BUCKETS 4096

/**
 * struct task_names - the tasks that were seen
 * @tasks: told of the programs that they executed
 * @symbols: told of what they have mapped
 * @watch: tells of forks and executed programs; -1 nobody does
 * @lost: it could not tell all of them
 * @buckets: by thread id
 * @round: number of the look at /proc; a task is read once in each
 * @offset: what CLOCK_BOOTTIME is ahead of CLOCK_MONOTONIC, ns
 * @unknown: tasks that had ended before their names could be read
 * @unknown_samples: samples of these
 */
struct task_names {
	struct task_history *tasks;
	struct symbols *symbols;
	int watch;
	bool lost;
	struct proc *buckets[PROCS_BUCKETS];
	uint64_t round;
	int64_t offset;
	uint64_t unknown;
	uint64_t unknown_samples;
};

void task_names_init(struct task_names *names, struct task_history *tasks,
		     struct symbols *symbols);

/* Reads names and mappings of all processes that run now. */
void task_names_scan(struct task_names *names);

/* Takes what the watch has told; to be done before samples are looked at. */
void task_names_take_changes(struct task_names *names);

/* From now on names are read again. */
void task_names_next_round(struct task_names *names);

/* A sample was taken. */
void task_names_see(struct task_names *names, const struct sample *sample);

/* There are no more samples. */
void task_names_finish(struct task_names *names);

void task_names_free(struct task_names *names);

#endif
