/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples added up: how often each stack was found in each task.  A stack of one
 * place is what sampling without call stacks finds.
 */
#ifndef PFMON_SAMPLING_PROFILE_H
#define PFMON_SAMPLING_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct group - a task while it ran one program
 * @pid: process id
 * @tid: thread id
 * @phase: number of the program (tasks.h)
 */
struct group {
	uint32_t pid;
	uint32_t tid;
	uint32_t phase;
	uint32_t next;
};

/**
 * struct tally - what one event found
 * @count: samples
 * @weight: sum of their periods
 */
struct tally {
	uint64_t count;
	uint64_t weight;
};

/**
 * struct stack - one stack of one group
 * @group: number of the group
 * @nframes: places
 * @ip: address of the innermost in the process, when it was first found
 * @frames: places, innermost first; behind @tally
 * @tally: one an event that samples
 */
struct stack {
	struct stack *next;
	uint64_t hash;
	uint64_t ip;
	uint32_t group;
	uint32_t nframes;
	uint32_t *frames;
	struct tally tally[];
};

/**
 * struct profile - all stacks of a session
 * @events: events that sample
 * @stacks: in the order in which they were first found
 * @count: elements of @stacks
 * @groups: by number
 * @num_groups: elements of @groups
 * @totals: sums over all stacks, one an event
 * @failed: samples that there was no memory for
 */
struct profile {
	size_t events;
	struct stack **stacks;
	size_t count;
	size_t room;
	struct stack **buckets;
	size_t num_buckets;
	struct group *groups;
	uint32_t num_groups;
	uint32_t room_groups;
	uint32_t *group_buckets;
	struct tally *totals;
	uint64_t failed;
};

/* 0, or -1 when there is no memory. */
int profile_init(struct profile *profile, size_t events);

/* The number of a group; UINT32_MAX when there is no memory. */
uint32_t profile_group(struct profile *profile, uint32_t pid, uint32_t tid,
		       uint32_t phase);

void profile_add(struct profile *profile, uint32_t group,
		 const uint32_t *frames, uint32_t nframes, uint64_t ip,
		 size_t event, const struct tally *tally);

void profile_free(struct profile *profile);

#endif
