// SPDX-License-Identifier: GPL-2.0-only
/*
 * Times off the CPU, of made-up records: which stack, how long, and records that come late.
 */
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "../../lib/tests/tap.h"
#include "../../tools/pfmon/sampling/waits.h"

#define KERNEL ((uint64_t)PERF_CONTEXT_KERNEL)
#define USER   ((uint64_t)PERF_CONTEXT_USER)

/* Functions of the scheduler in this test */
#define SCHED 0xffff0000ULL

static struct sample last;
static uint64_t frames[8];
static unsigned int taken;

static void take(void *arg, const struct sample *sample)
{
	size_t count = sample->nkernel + sample->nuser;

	(void)arg;
	last = *sample;
	memcpy(frames, sample->frames, count * sizeof(*frames));
	taken++;
}

static void leave(struct waits *waits, uint64_t time, uint32_t tid,
		  size_t count, const uint64_t *stack)
{
	struct {
		struct perf_event_header header;
		uint32_t ids[2];
		uint64_t time;
		uint64_t count;
		uint64_t frames[16];
	} record = { .ids = { 1, tid }, .time = time, .count = count };

	record.header.type = PERF_RECORD_SAMPLE;
	record.header.size =
		sizeof(record) - sizeof(record.frames) + count * sizeof(*stack);
	memcpy(record.frames, stack, count * sizeof(*stack));
	waits_sample(waits, &record.header);
}

#define LEAVE(waits, time, tid, ...)					\
	leave(waits, time, tid,						\
	      sizeof((uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t),	\
	      (uint64_t[]){ __VA_ARGS__ })

static void test_stack(struct waits *waits)
{
	LEAVE(waits, 1000, 5, KERNEL, SCHED + 8, SCHED + 16, 0xffff2000,
	      SCHED + 8, USER, 0x4000, 0x5000);
	waits_left(waits, 5, false);
	ok(taken == 0, "nothing while the thread is away");
	waits_back(waits, 1700, 5);
	ok(taken == 1 && last.weight == 700 && last.tstamp == 1000 &&
		   last.count == 1 && last.pid == 1 && last.tid == 5,
	   "the time between leaving and coming back");
	ok(last.nkernel == 2 && frames[0] == 0xffff2000 &&
		   last.ip == 0xffff2000 && frames[1] == SCHED + 8,
	   "the innermost frames of the scheduler are left out");
	ok(last.nuser == 2 && frames[2] == 0x4000 && frames[3] == 0x5000,
	   "and the program's follow");
	ok(last.index == 3 + WAIT_BLOCKED, "it waited");
	LEAVE(waits, 2000, 5, USER, 0x4000);
	waits_left(waits, 5, true);
	waits_back(waits, 2100, 5);
	ok(taken == 2 && last.index == 3 + WAIT_PREEMPTED &&
		   last.weight == 100 && !last.nkernel && last.ip == 0x4000,
	   "it was preempted");
}

static void test_order(struct waits *waits)
{
	taken = 0;
	waits_back(waits, 3000, 9);
	LEAVE(waits, 3500, 9, USER, 0x1);
	waits_left(waits, 9, false);
	ok(taken == 0, "a new thread has not been away before");
	waits_back(waits, 3600, 9);
	ok(taken == 1 && last.weight == 100, "but it has then");
	waits_back(waits, 4600, 9);
	LEAVE(waits, 4000, 9, USER, 0x2);
	ok(taken == 1, "back before it has left: its leaving is read late");
	waits_left(waits, 9, true);
	ok(taken == 2 && last.weight == 600 && last.ip == 2 &&
		   last.index == 3 + WAIT_PREEMPTED,
	   "and then the time is known");
	LEAVE(waits, 5000, 9, USER, 0x3);
	waits_left(waits, 9, false);
	LEAVE(waits, 6000, 9, USER, 0x4);
	waits_left(waits, 9, false);
	waits_back(waits, 6001, 9);
	ok(taken == 3 && last.weight == 1 && last.ip == 4,
	   "a record that is lost takes no other time with it");
	LEAVE(waits, 7000, 9, USER, 0x5);
	waits_left(waits, 9, false);
	waits_ended(waits, 9);
	waits_back(waits, 8000, 9);
	ok(taken == 3, "a thread that has ended does not wait");
}

static void test_bad(struct waits *waits)
{
	struct perf_event_header header = { .type = PERF_RECORD_SAMPLE,
					    .size = sizeof(header) };

	taken = 0;
	waits_sample(waits, &header);
	LEAVE(waits, 9000, 6, 0x7);
	waits_left(waits, 6, false);
	waits_back(waits, 9001, 6);
	ok(taken == 1 && !last.nkernel && !last.nuser && !last.ip,
	   "frames of no kind, and a record that is cut");
}

int main(void)
{
	struct waits waits = { .sched_start = SCHED,
			       .sched_end = SCHED + 0x1000,
			       .first = 3,
			       .take = take };

	test_stack(&waits);
	test_order(&waits);
	test_bad(&waits);
	ok(!waits.lost, "nothing is lost");
	waits_free(&waits);
	return tap_end();
}
