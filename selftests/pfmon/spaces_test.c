// SPDX-License-Identifier: GPL-2.0-only
/*
 * Address spaces over time: which mapping an address has at which time, in processes that are
 * created, execute programs and end.
 */
#include <string.h>

#include "../../lib/tests/tap.h"
#include "../../tools/pfmon/symbols/maps.h"

#define PARENT 10
#define CHILD  20

static struct maps maps;

static void map(uint32_t pid, uint64_t time, uint32_t image, uint64_t start,
		uint64_t end)
{
	const struct change change = {
		.time = time,
		.kind = CHANGE_MAP,
		.image = image,
		.start = start,
		.end = end,
	};

	maps_add(&maps, pid, &change);
}

static void execute(uint32_t pid, uint64_t time)
{
	const struct change change = { .time = time, .kind = CHANGE_EXEC };

	maps_add(&maps, pid, &change);
}

/* Number of the image at an address; 0 if nothing is known to be there. */
static uint32_t at(uint32_t pid, uint64_t time, uint64_t address)
{
	const struct change *change = maps_find(&maps, pid, time, address);

	return change ? change->image : 0;
}

static uint32_t before(uint32_t pid, uint64_t time, uint64_t address)
{
	const struct change *change =
		maps_find_before(&maps, pid, time, address);

	return change ? change->image : 0;
}

static void test_find(void)
{
	map(PARENT, 100, 1, 0x1000, 0x3000);
	map(PARENT, 200, 2, 0x2000, 0x4000);
	is_num(at(PARENT, 150, 0x1000), 1, "the first address");
	is_num(at(PARENT, 150, 0x2fff), 1, "the last one");
	is_num(at(PARENT, 150, 0xfff), 0, "not the one before");
	is_num(before(PARENT, 150, 0x3000), 0, "nor the one after");
	is_num(at(PARENT, 200, 0x2000), 2, "a later mapping hides it");
	is_num(at(PARENT, 250, 0x1fff), 1, "but for what it leaves");
	is_num(at(PARENT, 199, 0x2000), 1, "and not before its time");
	is_num(before(PARENT, 99, 0x1000), 0, "nothing was there before");
	is_num(at(PARENT, 99, 0x1000), 1,
	       "though what was seen later may have been there");
	is_num(at(CHILD, 150, 0x1000), 0, "a process that is not known");
}

static void test_exec(void)
{
	execute(PARENT, 300);
	map(PARENT, 300, 3, 0x5000, 0x6000);
	is_num(before(PARENT, 310, 0x1000), 0, "exec ends mappings");
	is_num(before(PARENT, 310, 0x5000), 3, "and has new ones");
	is_num(before(PARENT, 299, 0x5000), 0, "not earlier");
	is_num(at(PARENT, 250, 0x1000), 1, "the program before keeps its own");
}

static void count(void *arg, uint32_t pid)
{
	unsigned int *pids = arg;

	*pids += pid;
}

static unsigned int processes(void)
{
	unsigned int pids = 0;

	maps_each_process(&maps, count, &pids);
	return pids;
}

static void count_change(void *arg, uint32_t pid, const struct change *change)
{
	uint64_t *sum = arg;

	*sum += pid == CHILD ? change->time : 0;
}

static void test_processes(void)
{
	uint64_t times = 0;

	ok(maps_knows(&maps, PARENT) && !maps_knows(&maps, CHILD),
	   "who is known");
	maps_copy(&maps, PARENT, CHILD, 400);
	is_num(at(CHILD, 400, 0x5000), 3, "a child has its parent's mappings");
	map(CHILD, 500, 4, 0x5000, 0x6000);
	is_num(at(PARENT, 600, 0x5000), 3, "its own are not its parent's");
	is_num(processes(), PARENT + CHILD, "both are visited");
	maps_each_change(&maps, count_change, &times);
	ok(times >= 500, "and their changes");
	maps_end(&maps, CHILD);
	ok(!maps_knows(&maps, CHILD) && maps_knows(&maps, PARENT),
	   "one has ended");
	is_num(processes(), PARENT, "and is not visited");
	is_num(at(CHILD, 600, 0x5000), 4, "what it had is known still");
	map(CHILD, 700, 5, 0x7000, 0x8000);
	ok(maps_knows(&maps, CHILD), "until its number is used again");
}

static void test_rounds(void)
{
	ok(maps_begin_round(&maps, PARENT, 1), "the first time in a round");
	ok(!maps_begin_round(&maps, PARENT, 1), "not the second");
	ok(maps_begin_round(&maps, CHILD, 1), "each process");
	ok(maps_begin_round(&maps, PARENT, 2), "each round");
}

int main(void)
{
	test_find();
	test_exec();
	test_processes();
	test_rounds();
	is_num(maps.failed, 0, "nothing was dropped");
	maps_free(&maps);
	return tap_end();
}
