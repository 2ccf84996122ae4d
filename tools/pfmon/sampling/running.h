/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many threads of a session ran at a time, of the context switches that perf records.
 */
#ifndef PFMON_SAMPLING_RUNNING_H
#define PFMON_SAMPLING_RUNNING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Changes that are kept.  Samples are read in the order of CPUs, so they need older ones, too. */
#define RUNNING_MAX (1U << 20)

/**
 * struct running_change - from a time on so many threads ran
 * @time: CLOCK_MONOTONIC ns
 * @count: their number
 */
struct running_change {
	uint64_t time;
	uint32_t count;
};

/**
 * struct running - the threads that run, and their number in the past; all zeros at first
 * @on: ids of the threads that run
 * @count: elements of @on
 * @room: elements that fit in @on
 * @changes: by time
 * @num_changes: elements of @changes
 * @changes_room: elements that fit in @changes
 * @lost: switches for which there was no memory
 */
struct running {
	uint32_t *on;
	size_t count;
	size_t room;
	struct running_change *changes;
	size_t num_changes;
	size_t changes_room;
	uint64_t lost;
};

/*
 * A thread begins (@on) or ends to run.  Calls are in the order of time, but for a few that are late:
 * these count from the time of the latest one.
 */
void running_switch(struct running *running, uint64_t time, uint32_t tid,
		    bool on);

/*
 * Number of threads that ran at @time, when one took a sample: at least 1.  0 if it is not known, as
 * the time was before the oldest change that is kept.
 */
uint32_t running_at(const struct running *running, uint64_t time);

void running_free(struct running *running);

#endif
