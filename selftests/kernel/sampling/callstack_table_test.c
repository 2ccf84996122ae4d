// SPDX-License-Identifier: GPL-2.0-only
/*
 * The format callstack where stacks are counted in the kernel: more events than a
 * part has records for, and a large part that is released.
 */
#include "context.h"
#include "cpu.h"
#include "exact_count.h"
#include "module.h"
#include "sampling.h"
#include "sets.h"

#include <linux/perfmon_callstack.h>

#include "kselftest_harness.h"

#define BITS	 12 /* of the number of a path: one frame each */
#define SLICE	 40000 /* ns that a set is active */
#define PERIOD	 30000
#define PATIENCE 20000 /* ms that nothing needs */

#define NOINLINE __attribute__((noinline, noclone, noipa))

static void walk(unsigned int path, unsigned int bits, unsigned long n);

static NOINLINE void left(unsigned int path, unsigned int bits, unsigned long n)
{
	walk(path, bits, n);
	asm volatile("" : : : "memory");
}

static NOINLINE void right(unsigned int path, unsigned int bits,
			   unsigned long n)
{
	walk(path, bits, n);
	asm volatile("" : : : "memory");
}

static NOINLINE void leaf(unsigned long n)
{
	spin(n);
}

/* The bits of the path say who calls whom. */
static inline __attribute__((always_inline)) void
walk(unsigned int path, unsigned int bits, unsigned long n)
{
	if (!bits)
		leaf(n);
	else if (path & 1)
		left(path >> 1, bits - 1, n);
	else
		right(path >> 1, bits - 1, n);
}

static int table_open(uint64_t part_size, uint32_t parts, uint32_t flags)
{
	const struct pfm_callstack_arg arg = {
		.part_size = part_size,
		.parts = parts,
		.flags = PFM_CALLSTACK_USER | PFM_CALLSTACK_AGGREGATE | flags,
		.depth = PFM_CALLSTACK_DEPTH_MAX,
	};
	const uint8_t uuid[PFM_UUID_LEN] = PFM_CALLSTACK_UUID;

	return format_open(0, uuid, &arg, sizeof(arg));
}

/* A set whose clock samples. */
static int set_samples(int fd, uint16_t set)
{
	const struct pfm_pmd_attr attr = {
		.num = CPU_TIME_NS,
		.set = set,
		.long_reset = -(uint64_t)PERIOD,
		.short_reset = -(uint64_t)PERIOD,
		.eventid = 1000 + set,
	};
	int ret;

	ret = set_timed(fd, set, SLICE);
	if (!ret)
		ret = set_pmd_write(fd, set, CPU_TIME_NS, -(uint64_t)PERIOD);
	return ret ? ret : attr_write(fd, &attr);
}

/**
 * struct sums - what the records of a part add up to
 * @count: samples
 * @other: of these, in records of other stacks
 * @events: such records
 * @rest: samples in the record that is of no event
 */
struct sums {
	uint64_t count, other, events, rest;
};

static struct sums add_up(const struct pfm_callstack_hdr *hdr)
{
	const struct pfm_nway_part *part =
		(const void *)((const char *)hdr + hdr->nway.part_offs);
	const char *p = (const char *)(part + 1);
	struct sums sums = {};
	uint64_t i;

	for (i = 0; i < part->count; i++) {
		const struct pfm_callstack_record *rec = (const void *)p;

		sums.count += rec->count;
		if (rec->flags & PFM_CALLSTACK_OTHER) {
			sums.other += rec->count;
			sums.events++;
			if (rec->pmd == PFM_REG_NONE)
				sums.rest += rec->count;
		}
		p += sizeof(*rec) + rec->nr_user * sizeof(rec->frames[0]);
	}
	return sums;
}

/* So many sets fill a part with stacks, and go on until each has lost some. */
static struct sums fill(struct __test_metadata *_metadata, unsigned int sets,
			uint64_t part_size)
{
	const uint64_t begin = time_ns(CLOCK_MONOTONIC);
	const struct pfm_callstack_hdr *hdr;
	struct pfm_config cfg;
	struct sums sums = {};
	unsigned int i;
	int fd;

	fd = table_open(part_size, 1, PFM_CALLSTACK_DROP);
	ASSERT_LE(0, fd);
	hdr = buffer_map(fd);
	ASSERT_NE(NULL, hdr);
	for (i = 0; i < sets; i++)
		ASSERT_EQ(0, set_samples(fd, i));
	ASSERT_EQ(0, context_load(fd, 0));
	ASSERT_EQ(0, context_start(fd, 0));
	for (i = 0; *(volatile const __u64 *)&hdr->nway.lost < 10 * sets; i++) {
		left(i, BITS, 2000);
		if (time_ns(CLOCK_MONOTONIC) - begin > PATIENCE * 1000000ULL)
			break;
	}
	ASSERT_EQ(0, context_stop(fd));
	ASSERT_EQ(0, config_get(fd, &cfg));
	sums = add_up(hdr);
	TH_LOG("%llu samples, %llu other in %llu records, %llu of no event",
	       (unsigned long long)sums.count, (unsigned long long)sums.other,
	       (unsigned long long)sums.events, (unsigned long long)sums.rest);
	EXPECT_LT(0, hdr->nway.lost);
	EXPECT_EQ(hdr->nway.lost, sums.other);
	EXPECT_EQ(hdr->nway.samples + hdr->nway.lost, sums.count);
	EXPECT_EQ(cfg.overflows, sums.count);
	munmap((void *)hdr, cfg.buffer_size);
	close(fd);
	return sums;
}

/* Each of 90 events has a record of its own. */
TEST(others_of_many_sets)
{
	struct sums sums = fill(_metadata, 90, 1 << 15);

	EXPECT_LT(64, sums.events);
	EXPECT_EQ(0, sums.rest);
}

/* More events than the smallest part has room for: the rest has one record. */
TEST(others_of_all_sets)
{
	struct sums sums = fill(_metadata, 250, PFM_CALLSTACK_AGGR_MIN);

	EXPECT_LT(64, sums.events);
	EXPECT_LT(0, sums.rest);
}

#define LATE	  "/sys/module/late_test/parameters/"
#define LATE_NS	  5000 /* period of the timer that measures */
#define BOUND	  20000
#define PART_SIZE (16ULL << 20) /* 262,144 places: a megabyte of index */

static uint64_t late_read(const char *name)
{
	char path[64], text[32] = "";
	int fd;

	snprintf(path, sizeof(path), LATE "%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || read(fd, text, sizeof(text) - 1) < 0)
		abort();
	close(fd);
	return strtoull(text, NULL, 0);
}

static void late_every(unsigned int ns)
{
	const int fd = open(LATE "period", O_WRONLY | O_CLOEXEC);

	if (fd < 0 || dprintf(fd, "%u", ns) < 0)
		abort();
	close(fd);
}

/* Far down the stack, so that a part is soon full. */
static NOINLINE void deep(unsigned int frames, unsigned int path)
{
	if (frames)
		deep(frames - 1, path);
	else
		left(path, 16, 6000);
	asm volatile("" : : : "memory");
}

/* However large a part is: interrupts are not off for the time that it takes. */
TEST(release_is_short)
{
	const struct pfm_restart release = { .arg = 1 };
	const struct pfm_pmd_attr attr = {
		.num = CPU_TIME_NS,
		.long_reset = -12000ULL,
		.short_reset = -12000ULL,
	};
	const char *missing = exact_missing();
	const struct pfm_callstack_hdr *hdr;
	struct pfm_config cfg;
	uint64_t late;
	unsigned int i;
	int fd;

	if (missing)
		SKIP(return, "%s", missing);
	if (kernel_has_checkers())
		SKIP(return, "the kernel's checkers exceed the bound");
	LOAD_OR_SKIP("late_test");
	fd = table_open(PART_SIZE, 2, 0);
	ASSERT_LE(0, fd);
	hdr = buffer_map(fd);
	ASSERT_NE(NULL, hdr);
	ASSERT_EQ(0, config_get(fd, &cfg));
	EXPECT_EQ(PART_SIZE / 64, hdr->slots);
	ASSERT_EQ(0, pmd_write(fd, CPU_TIME_NS, -12000ULL));
	ASSERT_EQ(0, attr_write(fd, &attr));
	ASSERT_EQ(0, context_load(fd, 0));
	ASSERT_EQ(0, context_start(fd, 0));
	for (i = 0; !*(volatile const __u64 *)&hdr->nway.filled && i < 65536;
	     i++)
		deep(90, i);
	ASSERT_EQ(0, context_stop(fd));
	ASSERT_EQ(0, config_get(fd, &cfg));
	ASSERT_LT(0, hdr->nway.filled)
	{
		TH_LOG("%u stacks, %llu overflows, %llu samples, %llu lost", i,
		       (unsigned long long)cfg.overflows,
		       (unsigned long long)hdr->nway.samples,
		       (unsigned long long)hdr->nway.lost);
	}
	late_every(LATE_NS);
	ASSERT_EQ(0, call(fd, PFM_IOC_RESTART, &release));
	late_every(0);
	late = late_read("max");
	TH_LOG("%u stacks, interrupts off for %llu to %llu instructions", i,
	       (unsigned long long)late, (unsigned long long)late + LATE_NS);
	EXPECT_GE(BOUND, late);
	EXPECT_EQ(1, hdr->nway.released);
	munmap((void *)hdr, cfg.buffer_size);
	close(fd);
}

TEST_HARNESS_MAIN
