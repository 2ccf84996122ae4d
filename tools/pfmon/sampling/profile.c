// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stacks and the groups that they are of.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sampling/profile.h"

int profile_init(struct profile *profile, size_t events)
{
	memset(profile, 0, sizeof(*profile));
	profile->events = events;
	profile->totals = calloc(events, sizeof(*profile->totals));
	return profile->totals ? 0 : -1;
}

static uint64_t hash_of(uint32_t group, const uint32_t *frames,
			uint32_t nframes)
{
	uint64_t hash = hash_mix(0, group);
	uint32_t i;

	for (i = 0; i < nframes; i++)
		hash = hash_mix(hash, frames[i]);
	return hash;
}

uint32_t profile_group(struct profile *profile, uint32_t pid, uint32_t tid,
		       uint32_t phase)
{
	uint64_t hash = hash_mix(hash_mix(tid, phase), pid);
	struct group *group;
	uint32_t number;

	for (number = hash_find(&profile->group_table, hash); number;
	     number = hash_next(&profile->group_table, number)) {
		group = &profile->groups[number - 1];
		if (group->tid == tid && group->phase == phase &&
		    group->pid == pid)
			return number - 1;
	}
	if (array_reserve(&profile->groups, sizeof(*profile->groups),
			  &profile->room_groups,
			  (size_t)profile->num_groups + 1) ||
	    hash_add(&profile->group_table, hash))
		return UINT32_MAX;
	group = &profile->groups[profile->num_groups++];
	group->pid = pid;
	group->tid = tid;
	group->phase = phase;
	return profile->num_groups - 1;
}

static struct stack *find_stack(const struct profile *profile, uint64_t hash,
				uint32_t group, const uint32_t *frames,
				uint32_t nframes)
{
	struct stack *stack;
	uint32_t number;

	for (number = hash_find(&profile->table, hash); number;
	     number = hash_next(&profile->table, number)) {
		stack = profile->stacks[number - 1];
		if (stack->group == group && stack->nframes == nframes &&
		    !memcmp(stack->frames, frames, nframes * sizeof(*frames)))
			return stack;
	}
	return NULL;
}

static struct stack *add_stack(struct profile *profile, uint64_t hash,
			       uint32_t group, const uint32_t *frames,
			       uint32_t nframes)
{
	size_t fixed = sizeof(struct stack) +
		       profile->events * sizeof(struct tally);
	struct stack *stack;

	if (array_reserve(&profile->stacks, sizeof(*profile->stacks),
			  &profile->room, profile->count + 1))
		return NULL;
	stack = calloc(1, fixed + nframes * sizeof(*frames));
	if (!stack || hash_add(&profile->table, hash)) {
		free(stack);
		return NULL;
	}
	stack->group = group;
	stack->nframes = nframes;
	stack->frames = (uint32_t *)((char *)stack + fixed);
	memcpy(stack->frames, frames, nframes * sizeof(*frames));
	profile->stacks[profile->count++] = stack;
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

/* The stack with other frames, which may be elsewhere; NULL without memory. */
static struct stack *put_frames(const struct profile *profile,
				struct stack *stack, const uint32_t *frames,
				uint32_t nframes)
{
	size_t fixed =
		sizeof(struct stack) + profile->events * sizeof(struct tally);
	struct stack *grown = stack;

	if (nframes > stack->nframes) {
		grown = realloc(stack, fixed + nframes * sizeof(*frames));
		if (!grown)
			return NULL;
	}
	grown->frames = (uint32_t *)((char *)grown + fixed);
	grown->nframes = nframes;
	memcpy(grown->frames, frames, nframes * sizeof(*frames));
	return grown;
}

/* The samples of a stack that is dropped. */
static void fail(struct profile *profile, const struct tally *tally)
{
	size_t event;

	for (event = 0; event < profile->events; event++) {
		profile->failed += tally[event].count;
		profile->totals[event].count -= tally[event].count;
		profile->totals[event].weight -= tally[event].weight;
	}
}

void profile_change(struct profile *profile,
		    const uint32_t *(*change)(void *arg, const uint32_t *frames,
					      uint32_t *count),
		    void *arg)
{
	const size_t count = profile->count;
	size_t i, n = 0, event;

	/* Stacks that are added below are found in the table again. */
	hash_clear(&profile->table);
	for (i = 0; i < count; i++) {
		struct stack *stack = profile->stacks[i], *same, *changed;
		uint32_t nframes = stack->nframes;
		const uint32_t *frames = change(arg, stack->frames, &nframes);
		uint64_t hash;

		changed = frames ? put_frames(profile, stack, frames, nframes)
				 : NULL;
		if (!changed) {
			fail(profile, stack->tally);
			free(stack);
			continue;
		}
		stack = changed;
		hash = hash_of(stack->group, stack->frames, stack->nframes);
		same = find_stack(profile, hash, stack->group, stack->frames,
				  stack->nframes);
		if (!same) {
			/* There is room for all that were in the table. */
			profile->stacks[n++] = stack;
			hash_add(&profile->table, hash);
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
	hash_free(&profile->table);
	free(profile->groups);
	hash_free(&profile->group_table);
	free(profile->totals);
	memset(profile, 0, sizeof(*profile));
}
