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
struct tasks;

#define PROCS_BUCKETS 4096

/**
 * struct procs - the tasks that were seen
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
struct procs {
	struct tasks *tasks;
	struct symbols *symbols;
	int watch;
	bool lost;
	struct proc *buckets[PROCS_BUCKETS];
	uint64_t round;
	int64_t offset;
	uint64_t unknown;
	uint64_t unknown_samples;
};

void procs_init(struct procs *procs, struct tasks *tasks,
		struct symbols *symbols);

/* Reads names and mappings of all processes that run now. */
void procs_scan(struct procs *procs);

/* Takes what the watch has told; to be done before samples are looked at. */
void procs_take_changes(struct procs *procs);

/* From now on names are read again. */
void procs_next_round(struct procs *procs);

/* A sample was taken. */
void procs_see(struct procs *procs, const struct sample *sample);

/* There are no more samples. */
void procs_finish(struct procs *procs);

void procs_free(struct procs *procs);

#endif
