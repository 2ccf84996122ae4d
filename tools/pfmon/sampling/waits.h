/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where threads wait, and for how long: each time off the CPU is a sample of the stack with which the
 * thread left it.
 */
#ifndef PFMON_SAMPLING_WAITS_H
#define PFMON_SAMPLING_WAITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "sampling/sample.h"

struct perf_event_header;

/* Numbers of the two kinds of samples behind the events of the session; in sample.index. */
enum wait_kind {
	WAIT_BLOCKED, /* the thread waited for something */
	WAIT_PREEMPTED, /* it could have gone on, and another one ran */
	WAIT_KINDS,
};

/* Their names. */
extern const char *const wait_names[WAIT_KINDS];

/**
 * struct wait - a thread, and the stack with which it last left the CPU
 * @tid: thread
 * @sample: what is known of the sample; frames in memory of its own
 * @frames: that memory
 * @room: elements of @frames
 * @off: it has left the CPU, and not come back yet, as far as is known
 * @preempted: it did not want to leave
 * @back: when it last came back
 * @early: the record of its coming back was read before that of its leaving
 */
struct wait {
	uint32_t tid;
	struct sample sample;
	uint64_t *frames;
	size_t room;
	bool off;
	bool preempted;
	bool early;
	uint64_t back;
};

/**
 * struct waits - the threads of a session
 * @list: the threads
 * @count: elements of @list
 * @room: elements that fit in @list
 * @table: finds them by thread
 * @sched_start: first address of the scheduler's functions; frames in these are left out
 * @sched_end: end of these; 0 if it is not known
 * @first: index of the first kind of samples
 * @take: takes a sample
 * @arg: its first argument
 * @lost: times that were lost for lack of memory
 */
struct waits {
	struct wait *list;
	size_t count;
	size_t room;
	struct hash table;
	uint64_t sched_start;
	uint64_t sched_end;
	uint32_t first;
	void (*take)(void *arg, const struct sample *sample);
	void *arg;
	uint64_t lost;
};

/* Reads where the scheduler's functions are, if this user may know that. */
void waits_init(struct waits *waits);

/*
 * Records of perf's event of context switches, in the order of time but for a few that are late: the
 * sample that a thread has when it leaves the CPU; that it has left; that it is back.
 */
void waits_sample(struct waits *waits, const struct perf_event_header *record);
void waits_left(struct waits *waits, uint32_t tid, bool preempted);
void waits_back(struct waits *waits, uint64_t time, uint32_t tid);

/* The thread has ended, so it does not come back. */
void waits_ended(struct waits *waits, uint32_t tid);

void waits_free(struct waits *waits);

#endif
