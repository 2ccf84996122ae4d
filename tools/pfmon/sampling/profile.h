/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Adds up samples: how often each stack was found in each task.  Without call
 * stacks a stack has one place.
 */
#ifndef PFMON_SAMPLING_PROFILE_H
#define PFMON_SAMPLING_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

/**
 * struct group - a task while it ran one program
 * @pid: process id
 * @tid: thread id
 * @phase: number of the task's struct phase (task_history.h), which tells the program
 */
struct group {
	uint32_t pid;
	uint32_t tid;
	uint32_t phase;
};

/**
 * struct tally - sums of one event
 * @count: number of samples
 * @weight: sum of their periods
 */
struct tally {
	uint64_t count;
	uint64_t weight;
};

/**
 * struct stack - one stack of one group
 * @group: number of the group
 * @nframes: number of places
 * @ip: innermost address in the process, when the stack was first found
 * @frames: places, innermost first; they follow @tally in memory
 * @tally: sums, one for each event that samples
 */
struct stack {
	uint64_t ip;
	uint32_t group;
	uint32_t nframes;
	uint32_t *frames;
	struct tally tally[];
};

/**
 * struct profile - all stacks of a session
 * @events: number of events that sample
 * @stacks: stacks in the order in which they were first found
 * @count: elements of @stacks
 * @room: elements that fit in @stacks
 * @table: finds them by group and frames
 * @groups: by number
 * @num_groups: elements of @groups
 * @room_groups: elements that fit in @groups
 * @group_table: finds them
 * @totals: sums over all stacks, one for each event that samples
 * @failed: samples that were dropped for lack of memory
 */
struct profile {
	size_t events;
	struct stack **stacks;
	size_t count;
	size_t room;
	struct hash table;
	struct group *groups;
	uint32_t num_groups;
	size_t room_groups;
	struct hash group_table;
	struct tally *totals;
	uint64_t failed;
};

/* Returns 0, or -1 without memory. */
int profile_init(struct profile *profile, size_t events);

/* Number of a group; UINT32_MAX without memory. */
uint32_t profile_group(struct profile *profile, uint32_t pid, uint32_t tid,
		       uint32_t phase);

void profile_add(struct profile *profile, uint32_t group,
		 const uint32_t *frames, uint32_t nframes, uint64_t ip,
		 size_t event, const struct tally *tally);

/*
 * Changes the frames of all stacks: @change returns those that take their place, and sets
 * *@count; NULL without memory, which counts as failed.  Adds up those that are equal afterwards.
 */
void profile_change(struct profile *profile,
		    const uint32_t *(*change)(void *arg, const uint32_t *frames,
					      uint32_t *count),
		    void *arg);

void profile_free(struct profile *profile);

#endif
