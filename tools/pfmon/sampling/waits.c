// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where threads wait, and for how long.
 *
 * perf's software event of context switches takes a sample when a thread leaves its CPU, with the stack
 * that says what it waits for.  A record tells when it is back.  The time between is exact, whatever the
 * number of switches.
 */
#include <linux/perf_event.h>
#include <linux/perfmon_callstack.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sampling/waits.h"

const char *const wait_names[] = {
	[WAIT_BLOCKED] = "off-cpu",
	[WAIT_PREEMPTED] = "preempted",
};

/**
 * struct switch_sample - PERF_RECORD_SAMPLE of the event
 * @header: type and size
 * @pid: process
 * @tid: thread
 * @time: CLOCK_MONOTONIC ns
 * @count: elements of @frames
 * @frames: the stack, innermost first, with PERF_CONTEXT_* where its kind changes
 */
struct switch_sample {
	struct perf_event_header header;
	uint32_t pid;
	uint32_t tid;
	uint64_t time;
	uint64_t count;
	uint64_t frames[];
};

/* Addresses from here on are words about the frames that follow. */
#define IS_CONTEXT(frame) ((frame) >= (uint64_t)PERF_CONTEXT_MAX)

static uint64_t address_of(const char *line, const char *name)
{
	unsigned long long address;
	char type, found[64];

	if (sscanf(line, "%llx %c %63s", &address, &type, found) != 3 ||
	    strcmp(found, name))
		return 0;
	return address;
}

void waits_init(struct waits *waits)
{
	FILE *file = fopen("/proc/kallsyms", "re");
	char line[256];

	while (file && !waits->sched_end && fgets(line, sizeof(line), file)) {
		if (!strstr(line, " __sched_text_"))
			continue;
		waits->sched_start = waits->sched_start ?:
				     address_of(line, "__sched_text_start");
		waits->sched_end = address_of(line, "__sched_text_end");
	}
	if (file)
		fclose(file);
}

/* Returns NULL without memory. */
static struct wait *find(struct waits *waits, uint32_t tid)
{
	const uint64_t hash = hash_mix(0, tid);
	uint32_t number;

	for (number = hash_find(&waits->table, hash); number;
	     number = hash_next(&waits->table, number))
		if (waits->list[number - 1].tid == tid)
			return &waits->list[number - 1];
	if (array_reserve(&waits->list, sizeof(*waits->list), &waits->room,
			  waits->count + 1) ||
	    hash_add(&waits->table, hash)) {
		waits->lost++;
		return NULL;
	}
	waits->list[waits->count] = (struct wait){ .tid = tid };
	return &waits->list[waits->count++];
}

static bool is_scheduler(const struct waits *waits, uint64_t frame)
{
	return frame >= waits->sched_start && frame < waits->sched_end;
}

/*
 * Takes the stack.  The innermost frames are the scheduler's, which is the same for all that wait: the
 * function that called it says why.
 */
static void take_stack(const struct waits *waits, struct wait *wait,
		       const struct switch_sample *record, uint64_t count)
{
	struct sample *sample = &wait->sample;
	uint16_t *kind = NULL;
	uint64_t i;

	sample->nkernel = 0;
	sample->nuser = 0;
	for (i = 0; i < count; i++) {
		const uint64_t frame = record->frames[i];

		if (IS_CONTEXT(frame)) {
			kind = frame == (uint64_t)PERF_CONTEXT_KERNEL ?
				       &sample->nkernel :
			       frame == (uint64_t)PERF_CONTEXT_USER ?
				       &sample->nuser :
				       NULL;
			continue;
		}
		if (!kind || *kind == PFM_CALLSTACK_DEPTH_MAX)
			continue;
		if (kind == &sample->nkernel && !*kind &&
		    is_scheduler(waits, frame))
			continue;
		wait->frames[sample->nkernel + sample->nuser] = frame;
		++*kind;
	}
	sample->ip = sample->nkernel + sample->nuser ? wait->frames[0] : 0;
}

void waits_sample(struct waits *waits, const struct perf_event_header *header)
{
	const struct switch_sample *record = (const void *)header;
	struct wait *wait;
	uint64_t count;

	if (header->size < sizeof(*record))
		return;
	count = (header->size - sizeof(*record)) / sizeof(record->frames[0]);
	if (count > record->count)
		count = record->count;
	wait = find(waits, record->tid);
	if (!wait)
		return;
	wait->off = false;
	if (array_reserve(&wait->frames, sizeof(*wait->frames), &wait->room,
			  2 * PFM_CALLSTACK_DEPTH_MAX)) {
		waits->lost++;
		return;
	}
	wait->sample = (struct sample){
		.tstamp = record->time,
		.count = 1,
		.pid = record->pid,
		.tid = record->tid,
		.cpu = SAMPLE_CPU_NONE,
		.pmd = UINT16_MAX,
	};
	take_stack(waits, wait, record, count);
	wait->off = true;
}

static void end(struct waits *waits, struct wait *wait, uint64_t time)
{
	struct sample *sample = &wait->sample;

	wait->off = false;
	sample->weight = time > sample->tstamp ? time - sample->tstamp : 0;
	sample->index = waits->first +
			(wait->preempted ? WAIT_PREEMPTED : WAIT_BLOCKED);
	sample->frames = wait->frames;
	waits->take(waits->arg, sample);
}

void waits_left(struct waits *waits, uint32_t tid, bool preempted)
{
	struct wait *wait = find(waits, tid);

	if (!wait || !wait->off)
		return;
	wait->preempted = preempted;
	if (wait->early && wait->back >= wait->sample.tstamp)
		end(waits, wait, wait->back);
	wait->early = false;
}

void waits_back(struct waits *waits, uint64_t time, uint32_t tid)
{
	struct wait *wait = find(waits, tid);

	if (!wait)
		return;
	if (wait->off && time >= wait->sample.tstamp) {
		end(waits, wait, time);
		return;
	}
	/* The record of another CPU, on which it left, is read later; or it is a new thread. */
	wait->early = true;
	wait->back = time;
}

void waits_ended(struct waits *waits, uint32_t tid)
{
	struct wait *wait = find(waits, tid);

	if (!wait)
		return;
	free(wait->frames);
	*wait = (struct wait){ .tid = tid };
}

void waits_free(struct waits *waits)
{
	size_t i;

	for (i = 0; i < waits->count; i++)
		free(waits->list[i].frames);
	free(waits->list);
	hash_free(&waits->table);
}
