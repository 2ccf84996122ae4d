// SPDX-License-Identifier: GPL-2.0-only
/*
 * A hash table of stacks that grows with their number.
 */
#include <stdlib.h>
#include <string.h>

#include "sampling/profile.h"

#define BUCKETS_MIN	4096
#define GROUP_BUCKETS	4096

int profile_init(struct profile *profile, size_t events)
{
	memset(profile, 0, sizeof(*profile));
	profile->events = events;
	profile->num_buckets = BUCKETS_MIN;
	profile->buckets = calloc(BUCKETS_MIN, sizeof(*profile->buckets));
	profile->group_buckets =
		calloc(GROUP_BUCKETS, sizeof(*profile->group_buckets));
	profile->totals = calloc(events, sizeof(*profile->totals));
	if (profile->buckets && profile->group_buckets && profile->totals)
		return 0;
	profile_free(profile);
	return -1;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15ULL;
	return hash ^ hash >> 29;
}

static uint64_t hash_of(uint32_t group, const uint32_t *frames,
			uint32_t nframes)
{
	uint64_t hash = mix(0, group);
	uint32_t i;

	for (i = 0; i < nframes; i++)
		hash = mix(hash, frames[i]);
	return hash;
}

uint32_t profile_group(struct profile *profile, uint32_t pid, uint32_t tid,
		       uint32_t phase)
{
	uint32_t *bucket, number, room;
	struct group *groups, *group;

	bucket = &profile->group_buckets[mix(mix(tid, phase), pid) %
					 GROUP_BUCKETS];
	for (number = *bucket; number; number = group->next) {
		group = &profile->groups[number - 1];
		if (group->tid == tid && group->phase == phase &&
		    group->pid == pid)
			return number - 1;
	}
	if (profile->num_groups == profile->room_groups) {
		room = profile->room_groups ? 2 * profile->room_groups : 64;
		groups = realloc(profile->groups, room * sizeof(*groups));
		if (!groups)
			return UINT32_MAX;
		profile->groups = groups;
		profile->room_groups = room;
	}
	group = &profile->groups[profile->num_groups++];
	group->pid = pid;
	group->tid = tid;
	group->phase = phase;
	group->next = *bucket;
	*bucket = profile->num_groups;
	return profile->num_groups - 1;
}

/* Keeps the chains short.  Without memory they only get longer. */
static void grow_buckets(struct profile *profile)
{
	size_t count = 4 * profile->num_buckets, i;
	struct stack **buckets;

	buckets = calloc(count, sizeof(*buckets));
	if (!buckets)
		return;
	for (i = 0; i < profile->count; i++) {
		struct stack *stack = profile->stacks[i];

		stack->next = buckets[stack->hash % count];
		buckets[stack->hash % count] = stack;
	}
	free(profile->buckets);
	profile->buckets = buckets;
	profile->num_buckets = count;
}

static struct stack *find_stack(const struct profile *profile, uint64_t hash,
				uint32_t group, const uint32_t *frames,
				uint32_t nframes)
{
	struct stack *stack = profile->buckets[hash % profile->num_buckets];

	for (; stack; stack = stack->next)
		if (stack->hash == hash && stack->group == group &&
		    stack->nframes == nframes &&
		    !memcmp(stack->frames, frames, nframes * sizeof(*frames)))
			return stack;
	return NULL;
}

static void link_stack(struct profile *profile, struct stack *stack)
{
	struct stack **bucket =
		&profile->buckets[stack->hash % profile->num_buckets];

	stack->next = *bucket;
	*bucket = stack;
}

static struct stack *add_stack(struct profile *profile, uint64_t hash,
			       uint32_t group, const uint32_t *frames,
			       uint32_t nframes)
{
	size_t fixed = sizeof(struct stack) +
		       profile->events * sizeof(struct tally);
	struct stack *stack, **stacks;
	size_t room;

	if (profile->count == profile->room) {
		room = profile->room ? 2 * profile->room : BUCKETS_MIN;
		stacks = realloc(profile->stacks, room * sizeof(*stacks));
		if (!stacks)
			return NULL;
		profile->stacks = stacks;
		profile->room = room;
	}
	stack = calloc(1, fixed + nframes * sizeof(*frames));
	if (!stack)
		return NULL;
	stack->hash = hash;
	stack->group = group;
	stack->nframes = nframes;
	stack->frames = (uint32_t *)((char *)stack + fixed);
	memcpy(stack->frames, frames, nframes * sizeof(*frames));
	profile->stacks[profile->count++] = stack;
	link_stack(profile, stack);
	if (profile->count > 2 * profile->num_buckets)
		grow_buckets(profile);
	return stack;
}

void profile_add(struct profile *profile, uint32_t group,
		 const uint32_t *frames, uint32_t nframes, uint64_t ip,
		 size_t event, const struct tally *tally)
{
	const uint64_t hash = hash_of(group, frames, nframes);
	struct stack *stack = NULL;

	if (group != UINT32_MAX)
		stack = find_stack(profile, hash, group, frames, nframes);
	if (!stack && group != UINT32_MAX) {
		stack = add_stack(profile, hash, group, frames, nframes);
		if (stack)
			stack->ip = ip;
	}
	if (!stack) {
		profile->failed += tally->count;
		return;
	}
	stack->tally[event].count += tally->count;
	stack->tally[event].weight += tally->weight;
	profile->totals[event].count += tally->count;
	profile->totals[event].weight += tally->weight;
}

void profile_change(struct profile *profile,
		    uint32_t (*change)(void *arg, uint32_t *frames,
				       uint32_t count),
		    void *arg)
{
	const size_t count = profile->count;
	size_t i, n = 0, event;

	/* What is added below is found in the table again. */
	memset(profile->buckets, 0,
	       profile->num_buckets * sizeof(*profile->buckets));
	for (i = 0; i < count; i++) {
		struct stack *stack = profile->stacks[i], *same;

		stack->nframes = change(arg, stack->frames, stack->nframes);
		stack->hash = hash_of(stack->group, stack->frames,
				      stack->nframes);
		same = find_stack(profile, stack->hash, stack->group,
				  stack->frames, stack->nframes);
		if (!same) {
			profile->stacks[n++] = stack;
			link_stack(profile, stack);
			continue;
		}
		for (event = 0; event < profile->events; event++) {
			same->tally[event].count += stack->tally[event].count;
			same->tally[event].weight += stack->tally[event].weight;
		}
		free(stack);
	}
	profile->count = n;
}

void profile_free(struct profile *profile)
{
	size_t i;

	for (i = 0; i < profile->count; i++)
		free(profile->stacks[i]);
	free(profile->stacks);
	free(profile->buckets);
	free(profile->groups);
	free(profile->group_buckets);
	free(profile->totals);
	memset(profile, 0, sizeof(*profile));
}
