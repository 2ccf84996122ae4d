// SPDX-License-Identifier: GPL-2.0-only
/*
 * The modules that 'pfmon report --view' adds samples up with: distributions of latencies, threads
 * of a line, and the table of groups.
 */
#include "../../lib/tests/tap.h"
#include "../../tools/pfmon/views/groups.h"

static void add_cycles(struct cycles *cycles, uint16_t latency,
		       unsigned int times)
{
	while (times--)
		cycles_add(cycles, latency);
}

static void test_exact_cycles(void)
{
	struct cycles cycles = { 0 };
	unsigned int i;

	is_num(cycles_percentile(&cycles, 50), 0, "no latency: median 0");
	for (i = 100; i; i--)
		add_cycles(&cycles, i, 1);
	is_num(cycles_percentile(&cycles, 1), 1, "1 to 100: 1 %");
	is_num(cycles_percentile(&cycles, 50), 50, "1 to 100: median");
	is_num(cycles_percentile(&cycles, 90), 90, "1 to 100: 90 %");
	is_num(cycles_percentile(&cycles, 100), 100, "1 to 100: all");
	is_num(cycles.sum, 5050, "1 to 100: sum");
	add_cycles(&cycles, 0, 101);
	is_num(cycles_percentile(&cycles, 50), 0, "more than half are 0");
	is_num(cycles.count, 201, "count");
	cycles_free(&cycles);
}

/* No longer latency is in the bucket, and the bucket is at most 1/64 too long. */
static void test_long_cycles(void)
{
	unsigned int latency, bad = 0;

	for (latency = 0; latency <= UINT16_MAX; latency++) {
		struct cycles cycles = { 0 };
		unsigned int median;

		add_cycles(&cycles, latency, 2);
		add_cycles(&cycles, UINT16_MAX, 1);
		median = cycles_percentile(&cycles, 50);
		if (median < latency || median > latency + latency / 64)
			bad++;
		if (latency < 128 && median != latency)
			bad++;
		cycles_free(&cycles);
	}
	is_num(bad, 0, "each latency is exact to 1/64");
}

static void test_max(void)
{
	struct cycles cycles = { 0 };

	add_cycles(&cycles, 1000, 3);
	is_num(cycles_percentile(&cycles, 50), 1000, "never above the maximum");
	add_cycles(&cycles, 2000, 1);
	is_num(cycles_percentile(&cycles, 50), 1007, "the end of its bucket");
	is_num(cycles.max, 2000, "maximum");
	cycles_free(&cycles);
}

static void share(struct sharers *sharers, uint32_t tid, bool store,
		  uint64_t address, unsigned int bytes)
{
	const struct ibs_access access = {
		.load = !store,
		.store = store,
		.address = address,
		.bytes = bytes,
	};

	sharers_add(sharers, 1, tid, &access);
}

static void test_sharing(void)
{
	struct sharers sharers = { 0 };

	is_num(sharers_judge(&sharers), SHARING_NOT_KNOWN, "no thread");
	share(&sharers, 1, false, 0x1000, 8);
	is_num(sharers_judge(&sharers), SHARING_PRIVATE, "one thread");
	share(&sharers, 2, false, 0x1008, 8);
	is_num(sharers_judge(&sharers), SHARING_READ, "two that read");
	share(&sharers, 2, true, 0x100f, 1);
	is_num(sharers_judge(&sharers), SHARING_FALSE, "one writes elsewhere");
	share(&sharers, 1, false, 0x100f, 1);
	is_num(sharers_judge(&sharers), SHARING_SAME,
	       "the other one reads what it writes");
	share(&sharers, 3, false, 0x103f, 8);
	is_num(sharers_judge(&sharers), SHARING_FALSE,
	       "a third one reads another byte");
	is_num(sharers.list[2].read >> 63, 1, "bytes behind the line are cut");
	is_num(sharers.count, 3, "three threads");
	sharers_free(&sharers);
}

static void test_common_reads(void)
{
	struct sharers sharers = { 0 };

	share(&sharers, 1, false, 0x1000, 8);
	share(&sharers, 2, false, 0x1000, 8);
	share(&sharers, 1, true, 0x1008, 8);
	is_num(sharers_judge(&sharers), SHARING_FALSE,
	       "bytes that both only read are not shared data");
	sharers_free(&sharers);
}

static void test_many_threads(void)
{
	struct sharers sharers = { 0 };
	uint32_t tid;

	for (tid = 1; tid <= SHARERS_MAX + 3; tid++)
		share(&sharers, tid, false, 0x1000, 64);
	is_num(sharers.count, SHARERS_MAX, "as many threads as are kept");
	is_num(sharers.beyond, 3, "the others' accesses are counted");
	is_num(sharers.list[0].read == UINT64_MAX, 1, "64 bytes");
	sharers_free(&sharers);
}

static void test_unknown_bytes(void)
{
	struct sharers sharers = { 0 };

	share(&sharers, 1, true, 0x1000, 0);
	share(&sharers, 2, true, 0x1000, 0);
	is_num(sharers_judge(&sharers), SHARING_NOT_KNOWN, "bytes not known");
	is_num(sharers.unknown, 2, "they are counted");
	sharers_free(&sharers);
}

static void test_groups(void)
{
	const struct ibs_place place = { 0 };
	struct group_key key = { .image = 5 };
	struct groups groups;
	struct group *group;
	uint64_t i, lost = 0, wrong = 0;

	groups_init(&groups, 5000);
	for (i = 0; i < 20000; i++) {
		key.address = i % 10000 * 64;
		groups_find(&groups, &key, &place, &group);
		if (group)
			group->misses.samples++;
		else
			lost++;
	}
	for (i = 0; i < groups.count; i++)
		wrong += groups.list[i].misses.samples != 2 ||
			 groups.list[i].key.address != i * 64;
	is_num(groups.count, 5000, "as many groups as allowed");
	is_num(lost, 10000, "the others have none");
	is_num(wrong, 0,
	       "each group has its samples, in the order of the first");
	key = (struct group_key){ .image = 5, .pid = 1 };
	groups_find(&groups, &key, &place, &group);
	ok(!group, "another process is another group");
	groups_free(&groups);
}

int main(void)
{
	test_exact_cycles();
	test_long_cycles();
	test_max();
	test_sharing();
	test_common_reads();
	test_many_threads();
	test_unknown_bytes();
	test_groups();
	return tap_end();
}
