// SPDX-License-Identifier: GPL-2.0-only
/*
 * How many threads ran at a time: between switches, of switches that are told twice or late, and when
 * the memory for the past is full.
 */
#include <stdlib.h>

#include "../../lib/tests/tap.h"
#include "../../tools/pfmon/sampling/running.h"

static void test_count(void)
{
	struct running running = { 0 };

	ok(running_at(&running, 100) == 0, "nothing is known at first");
	running_switch(&running, 100, 7, true);
	running_switch(&running, 200, 8, true);
	running_switch(&running, 300, 7, false);
	running_switch(&running, 400, 9, true);
	ok(running_at(&running, 99) == 0, "nor before the first switch");
	ok(running_at(&running, 100) == 1 && running_at(&running, 199) == 1,
	   "one thread");
	ok(running_at(&running, 200) == 2 && running_at(&running, 299) == 2,
	   "two threads");
	ok(running_at(&running, 300) == 1, "one has left");
	ok(running_at(&running, 400) == 2 && running_at(&running, 1UL << 60) == 2,
	   "the last switch holds from then on");
	running_switch(&running, 500, 9, true);
	running_switch(&running, 500, 7, false);
	ok(running_at(&running, 500) == 2, "what is told twice counts once");
	running_switch(&running, 450, 5, true);
	ok(running_at(&running, 450) == 3 && running_at(&running, 399) == 1,
	   "one that is late counts from the latest switch on");
	running_switch(&running, 600, 5, false);
	running_switch(&running, 600, 8, false);
	running_switch(&running, 600, 9, false);
	ok(running_at(&running, 600) == 1,
	   "a thread that took a sample did run");
	ok(running_at(&running, 500) == 3, "the past is as before");
	running_free(&running);
	ok(running_at(&running, 500) == 0 && !running.on,
	   "empty after the end");
}

static void test_bound(void)
{
	struct running running = { 0 };
	uint64_t time;
	size_t most = 0;

	for (time = 1; time <= 2 * RUNNING_MAX + 10; time++) {
		running_switch(&running, time, 3, time % 2);
		most = running.num_changes > most ? running.num_changes : most;
	}
	ok(most == RUNNING_MAX && !running.lost, "the past is bounded");
	ok(running_at(&running, 5) == 0, "the oldest is not known any more");
	running_switch(&running, time, 4, true);
	running_switch(&running, time + 1, 3, true);
	ok(running_at(&running, time + 1) == 2 &&
		   running_at(&running, time - RUNNING_MAX / 4) == 1,
	   "the latest is");
	running_free(&running);
}

int main(void)
{
	test_count();
	test_bound();
	return tap_end();
}
