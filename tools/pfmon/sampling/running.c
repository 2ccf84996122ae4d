// SPDX-License-Identifier: GPL-2.0-only
/*
 * How many threads of a session ran at a time, of the context switches that perf records.
 *
 * No more threads run at once than there are CPUs, so those that run are a short list.  The memory
 * for the past is bounded: the older half goes when it is full.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sampling/running.h"

/* True if this changes anything. */
static bool set(struct running *running, uint32_t tid, bool on)
{
	size_t i;

	for (i = 0; i < running->count; i++)
		if (running->on[i] == tid)
			break;
	if (on == (i < running->count))
		return false;
	if (!on) {
		running->on[i] = running->on[--running->count];
		return true;
	}
	if (array_reserve(&running->on, sizeof(*running->on), &running->room,
			  running->count + 1)) {
		running->lost++;
		return false;
	}
	running->on[running->count++] = tid;
	return true;
}

static void forget(struct running *running)
{
	const size_t kept = RUNNING_MAX / 2;

	memmove(running->changes,
		running->changes + running->num_changes - kept,
		kept * sizeof(*running->changes));
	running->num_changes = kept;
}

void running_switch(struct running *running, uint64_t time, uint32_t tid,
		    bool on)
{
	struct running_change *last;

	if (!set(running, tid, on))
		return;
	if (running->num_changes == RUNNING_MAX)
		forget(running);
	if (array_reserve(&running->changes, sizeof(*running->changes),
			  &running->changes_room, running->num_changes + 1)) {
		running->lost++;
		return;
	}
	last = running->changes + running->num_changes;
	if (running->num_changes && last[-1].time >= time) {
		last--;
	} else {
		last->time = time;
		running->num_changes++;
	}
	last->count = running->count;
}

uint32_t running_at(const struct running *running, uint64_t time)
{
	size_t from = 0, to = running->num_changes, middle;

	/* The last change that is not later than the time is before @from. */
	while (from < to) {
		middle = from + (to - from) / 2;
		if (running->changes[middle].time <= time)
			from = middle + 1;
		else
			to = middle;
	}
	if (!from)
		return 0;
	return running->changes[from - 1].count ?: 1;
}

void running_free(struct running *running)
{
	free(running->on);
	free(running->changes);
	memset(running, 0, sizeof(*running));
}
