// SPDX-License-Identifier: GPL-2.0-only
/*
 * Address spaces over time.
 *
 * The changes of each process are kept in the order of time.  The kernel reports the
 * mappings of a process at its first sample, and those that have changed at the first
 * sample afterwards.  A report has the time of that sample; one that was read later
 * comes later in the list.  So an address is looked up backwards from the time of the
 * sample, where the latest change wins.  What was read from /proc was there before, so
 * the search then goes on forwards.  An exec ends either search.
 */
#include <stdlib.h>

#include "base/array.h"
#include "symbols/maps.h"

/**
 * struct space - address space of a process id
 * @pid: process id; several processes may have used it, one after the other
 * @changes: changes in the order of time
 * @count: elements of @changes
 * @room: elements that fit in it
 * @round: round in which its mappings were last asked for
 * @gone: the process has ended
 * @next: next in the bucket
 */
struct space {
	uint32_t pid;
	struct change *changes;
	size_t count;
	size_t room;
	uint64_t round;
	bool gone;
};

static struct space *find_space(const struct maps *maps, uint32_t pid)
{
	uint32_t number;

	for (number = hash_find(&maps->table, hash_mix(0, pid)); number;
	     number = hash_next(&maps->table, number))
		if (maps->spaces[number - 1]->pid == pid)
			return maps->spaces[number - 1];
	return NULL;
}

static struct space *make_space(struct maps *maps, uint32_t pid)
{
	struct space *space = find_space(maps, pid);

	if (space)
		return space;
	if (array_reserve(&maps->spaces, sizeof(*maps->spaces), &maps->room,
			  maps->count + 1))
		return NULL;
	space = calloc(1, sizeof(*space));
	if (!space || hash_add(&maps->table, hash_mix(0, pid))) {
		free(space);
		return NULL;
	}
	space->pid = pid;
	maps->spaces[maps->count++] = space;
	return space;
}

static void add(struct maps *maps, uint32_t pid, const struct change *change)
{
	struct space *space = make_space(maps, pid);
	size_t at;

	if (!space || array_reserve(&space->changes, sizeof(*space->changes),
				    &space->room, space->count + 1)) {
		maps->failed++;
		return;
	}
	/*
	 * A change is nearly always the latest one; only a task that has moved
	 * between CPUs may report out of order.
	 */
	for (at = space->count; at; at--) {
		if (space->changes[at - 1].time <= change->time)
			break;
		space->changes[at] = space->changes[at - 1];
	}
	space->changes[at] = *change;
	space->count++;
	space->gone = false;
}

void maps_add(struct maps *maps, uint32_t pid, const struct change *change)
{
	if (maps->watch)
		maps->watch->changed(maps->watch->arg, pid, change);
	add(maps, pid, change);
}

void maps_end(struct maps *maps, uint32_t pid)
{
	struct space *space = find_space(maps, pid);

	if (space)
		space->gone = true;
}

void maps_each_process(struct maps *maps,
		       void (*visit)(void *arg, uint32_t pid), void *arg)
{
	size_t count = maps->count, i;

	for (i = 0; i < count; i++)
		if (!maps->spaces[i]->gone)
			visit(arg, maps->spaces[i]->pid);
}

void maps_each_change(const struct maps *maps,
		      void (*visit)(void *arg, uint32_t pid,
				    const struct change *change),
		      void *arg)
{
	const struct space *space;
	size_t i, k;

	for (i = 0; i < maps->count; i++) {
		space = maps->spaces[i];
		for (k = 0; k < space->count; k++)
			visit(arg, space->pid, &space->changes[k]);
	}
}

void maps_copy(struct maps *maps, uint32_t from, uint32_t to, uint64_t time)
{
	struct change change = { .kind = CHANGE_EXEC, .time = time };
	struct space *space;
	size_t first, i, count;

	if (maps->watch)
		maps->watch->copied(maps->watch->arg, from, to, time);
	/* Forget the mappings of an earlier process that had the same id. */
	add(maps, to, &change);
	space = find_space(maps, from);
	if (!space || from == to)
		return;
	count = space->count;
	for (first = count; first; first--)
		if (space->changes[first - 1].kind == CHANGE_EXEC)
			break;
	for (i = first; i < count; i++) {
		change = space->changes[i];
		change.time = time;
		add(maps, to, &change);
	}
}

/* Number of changes up to and including @time. */
static size_t count_until(const struct space *space, uint64_t time)
{
	size_t low = 0, high = space->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (space->changes[middle].time <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool covers(const struct change *change, uint64_t address)
{
	return address >= change->start && address < change->end;
}

const struct change *maps_find_before(const struct maps *maps, uint32_t pid,
				      uint64_t time, uint64_t address)
{
	const struct space *space = find_space(maps, pid);
	size_t at;

	if (!space)
		return NULL;
	for (at = count_until(space, time); at; at--) {
		if (space->changes[at - 1].kind != CHANGE_MAP)
			break;
		if (covers(&space->changes[at - 1], address))
			return &space->changes[at - 1];
	}
	return NULL;
}

bool maps_knows(const struct maps *maps, uint32_t pid)
{
	const struct space *space = find_space(maps, pid);

	return space && !space->gone;
}

const struct change *maps_find(const struct maps *maps, uint32_t pid,
			       uint64_t time, uint64_t address)
{
	const struct space *space = find_space(maps, pid);
	const struct change *change;
	size_t at;

	change = maps_find_before(maps, pid, time, address);
	if (change || !space)
		return change;
	for (at = count_until(space, time); at < space->count; at++) {
		if (space->changes[at].kind != CHANGE_MAP)
			break;
		if (covers(&space->changes[at], address))
			return &space->changes[at];
	}
	return NULL;
}

bool maps_begin_round(struct maps *maps, uint32_t pid, uint64_t round)
{
	struct space *space = make_space(maps, pid);

	if (!space || space->round == round)
		return false;
	space->round = round;
	return true;
}

void maps_free(struct maps *maps)
{
	size_t i;

	for (i = 0; i < maps->count; i++) {
		free(maps->spaces[i]->changes);
		free(maps->spaces[i]);
	}
	free(maps->spaces);
	hash_free(&maps->table);
	maps->spaces = NULL;
	maps->count = 0;
	maps->room = 0;
}
