// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sampling: when counters overflow, what a sample says, and that no event and
 * no overflow is lost without being counted.
 *
 * Where the guest executes one instruction a nanosecond these are equalities.  A
 * second counter of the same event, which does not sample, tells the truth.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "exact_count.h"
#include "records.h"
#include "rights.h"
#include "sampling.h"

#include <grp.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "kselftest_harness.h"
#include "progs/exact.h"

#define TRUTH  0 /* event counter that counts cycles and does not sample */
#define PMDS   6

#define PATIENCE 20000000000ULL /* ns that nothing needs */

/* Counter n counts the user's cycles, from a value. */
static int cycle_counter(int fd, uint16_t num, uint64_t value)
{
	uint64_t type = TYPE_P;
	int ret;

	if (num != CYCLES)
		type |= EVENT_CPU_CYCLES;
	ret = pmc_write(fd, num, type);
	return ret ? ret : pmd_write(fd, num, value);
}

/* Counter n samples with a period, and its samples carry n values. */
static int sample_every(int fd, uint16_t num, uint64_t period,
			const uint16_t *pmds, unsigned int npmds)
{
	struct pfm_pmd_attr attr = {
		.num = num,
		.long_reset = -period,
		.short_reset = -period,
	};
	unsigned int i;

	for (i = 0; i < npmds; i++)
		bit_set(attr.smpl_pmds, pmds[i]);
	return attr_write(fd, &attr);
}

#define PMD_LIST(...)                        \
	((const uint16_t[]){ __VA_ARGS__ }), \
		ARRAY_LEN(((const uint16_t[]){ __VA_ARGS__ }))

static void burn(uint64_t cpu_ns)
{
	const uint64_t end = time_ns(CLOCK_THREAD_CPUTIME_ID) + cpu_ns;

	while (time_ns(CLOCK_THREAD_CPUTIME_ID) < end)
		;
}

/*
 * Attributes: what is refused.
 */

FIXTURE(attr)
{
	int fd;
};

FIXTURE_SETUP(attr)
{
	self->fd = context_open(0);
	ASSERT_LE(0, self->fd)
	{
		TH_LOG("no context: %s", strerror(-self->fd));
	}
}

FIXTURE_TEARDOWN(attr)
{
	close(self->fd);
}

TEST_F(attr, layout)
{
	EXPECT_EQ(192, sizeof(struct pfm_pmd_attr));
	EXPECT_EQ(48, offsetof(struct pfm_pmd_attr, eventid));
	EXPECT_EQ(64, offsetof(struct pfm_pmd_attr, smpl_pmds));
	EXPECT_EQ(128, offsetof(struct pfm_pmd_attr, reset_pmds));
	EXPECT_EQ(64, sizeof(union pfm_msg));
	EXPECT_EQ(128, sizeof(struct pfm_default_hdr));
	EXPECT_EQ(40, sizeof(struct pfm_default_entry));
	EXPECT_EQ(64, sizeof(struct pfm_default_arg));
	EXPECT_EQ(16, sizeof(struct pfm_restart));
}

TEST_F(attr, round_trip)
{
	struct pfm_pmd_attr in = {
		.num = CPU_TIME_NS,
		.flags = PFM_PMDF_NOTIFY | PFM_PMDF_RANDOM,
		.long_reset = -5000000ULL,
		.short_reset = -3000000ULL,
		.random_mask = 0xff00,
		.random_seed = 77,
		.last_reset = 12345,
		.eventid = 0x1122334455667788,
	};
	struct pfm_pmd_attr out;

	bit_set(in.smpl_pmds, WALL_TIME_NS);
	bit_set(in.smpl_pmds, CPU_TIME_NS);
	bit_set(in.reset_pmds, CPU_TIME_NS);
	ASSERT_EQ(0, attr_write(self->fd, &in));
	ASSERT_EQ(0, attr_read(self->fd, CPU_TIME_NS, &out));
	/* Nothing has been reset yet. */
	in.last_reset = 0;
	EXPECT_EQ(0, memcmp(&in, &out, sizeof(in)));
	/* It and those in the bitmaps are part of the set, with the value 0. */
	EXPECT_EQ(0, pmd_value(self->fd, CPU_TIME_NS));
	EXPECT_EQ(0, pmd_value(self->fd, WALL_TIME_NS));
	/* The last one counts. */
	in.eventid = 9;
	in.smpl_pmds[WALL_TIME_NS / 64] = 0;
	ASSERT_EQ(0, attr_write(self->fd, &in));
	ASSERT_EQ(0, attr_read(self->fd, CPU_TIME_NS, &out));
	EXPECT_EQ(0, memcmp(&in, &out, sizeof(in)));
}

TEST_F(attr, value_survives)
{
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, -77ULL));
	ASSERT_EQ(0, sample_every(self->fd, CPU_TIME_NS, 1000, NULL, 0));
	EXPECT_EQ(-77ULL, pmd_value(self->fd, CPU_TIME_NS));
}

TEST_F(attr, no_such_register)
{
	const uint16_t none[] = { 255, 319, 355, 511, 512, 1000, 65535 };
	struct pfm_pmd_attr attr;
	size_t i;

	for (i = 0; i < ARRAY_LEN(none); i++) {
		EXPECT_EQ(-ENXIO,
			  sample_every(self->fd, none[i], 1000, NULL, 0))
		{
			TH_LOG("register %u", none[i]);
		}
		EXPECT_EQ(-ENXIO, attr_read(self->fd, none[i], &attr));
		if (none[i] >= PFM_REGS_MAX)
			continue;
		attr = (struct pfm_pmd_attr){ .num = CPU_TIME_NS };
		bit_set(attr.smpl_pmds, none[i]);
		EXPECT_EQ(-ENXIO, attr_write(self->fd, &attr));
		attr = (struct pfm_pmd_attr){ .num = CPU_TIME_NS };
		bit_set(attr.reset_pmds, none[i]);
		EXPECT_EQ(-ENXIO, attr_write(self->fd, &attr));
	}
	EXPECT_EQ(-ENODATA, attr_read(self->fd, CPU_TIME_NS, &attr));
}

TEST_F(attr, no_such_set)
{
	struct pfm_pmd_attr attr = { .num = CPU_TIME_NS, .set = 1 };

	EXPECT_EQ(-ENOENT, attr_write(self->fd, &attr));
	EXPECT_EQ(-ENOENT,
		  vector(self->fd, PFM_IOC_READ_PMDATTRS, &attr, 1, NULL));
}

TEST_F(attr, unknown_flags)
{
	int bit;

	for (bit = 0; bit < 32; bit++) {
		const struct pfm_pmd_attr attr = {
			.num = CPU_TIME_NS,
			.flags = 1U << bit,
		};
		const bool known = attr.flags &
				   (PFM_PMDF_NOTIFY | PFM_PMDF_RANDOM);

		EXPECT_EQ(known ? 0 : -EINVAL, attr_write(self->fd, &attr))
		{
			TH_LOG("bit %d", bit);
		}
	}
}

TEST_F(attr, cannot_interrupt)
{
	const uint16_t nums[] = { WALL_TIME_NS, CONTEXT_SWITCHES,
				  FREE_MEMORY_BYTES };
	struct pfm_pmd_attr attr;
	size_t i;

	for (i = 0; i < ARRAY_LEN(nums); i++) {
		EXPECT_EQ(-EOPNOTSUPP,
			  sample_every(self->fd, nums[i], 1000, NULL, 0));
	}
	/* Those of the thread go into samples, but are not reset. */
	attr = (struct pfm_pmd_attr){ .num = CPU_TIME_NS };
	bit_set(attr.reset_pmds, WALL_TIME_NS);
	EXPECT_EQ(-EOPNOTSUPP, attr_write(self->fd, &attr));
}

/* The one register that cannot be written. */
TEST_F(attr, read_only_reset)
{
	struct pfm_pmd_attr attr = { .num = CPU_TIME_NS };

	bit_set(attr.reset_pmds, FREE_MEMORY_BYTES);
	EXPECT_EQ(-EACCES, attr_write(self->fd, &attr));
}

TEST_F(attr, loaded)
{
	struct pfm_pmd_attr attr;

	ASSERT_EQ(0, sample_every(self->fd, CPU_TIME_NS, 1000000, NULL, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(-EBUSY, sample_every(self->fd, CPU_TIME_NS, 1000, NULL, 0));
	/* Reading goes on. */
	EXPECT_EQ(0, attr_read(self->fd, CPU_TIME_NS, &attr));
	EXPECT_EQ(-1000000ULL, attr.short_reset);
	ASSERT_EQ(0, context_unload(self->fd));
	EXPECT_EQ(0, sample_every(self->fd, CPU_TIME_NS, 1000, NULL, 0));
}

TEST_F(attr, no_attributes)
{
	struct pfm_pmd_attr attr;

	EXPECT_EQ(-ENODATA, attr_read(self->fd, CPU_TIME_NS, &attr));
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, sample_every(self->fd, CPU_TIME_NS, 1000,
				  PMD_LIST(WALL_TIME_NS)));
	EXPECT_EQ(0, attr_read(self->fd, CPU_TIME_NS, &attr));
	EXPECT_EQ(-ENODATA, attr_read(self->fd, WALL_TIME_NS, &attr));
}

TEST_F(attr, whole_or_nothing)
{
	struct pfm_pmd_attr attrs[3] = {
		{ .num = CPU_TIME_NS },
		{ .num = WALL_TIME_NS },
		{ .num = CPU_TIME_NS },
	};
	uint32_t failed = ~0;
	struct pfm_pmd_attr attr;
	uint64_t value;

	EXPECT_EQ(-EOPNOTSUPP,
		  vector(self->fd, PFM_IOC_WRITE_PMDATTRS, attrs, 3, &failed));
	EXPECT_EQ(1, failed);
	EXPECT_EQ(-ENODATA, attr_read(self->fd, CPU_TIME_NS, &attr));
	EXPECT_EQ(-ENODATA, pmd_read(self->fd, CPU_TIME_NS, &value));
	/* One register twice: the last. */
	attrs[0].eventid = 1;
	attrs[1] = attrs[2];
	attrs[1].eventid = 2;
	EXPECT_EQ(0, vector(self->fd, PFM_IOC_WRITE_PMDATTRS, attrs, 2, NULL));
	ASSERT_EQ(0, attr_read(self->fd, CPU_TIME_NS, &attr));
	EXPECT_EQ(2, attr.eventid);
	/* Reading tells which one as well, and has written nothing then. */
	attrs[0].eventid = 3;
	attrs[1].num = WALL_TIME_NS;
	EXPECT_EQ(-ENODATA,
		  vector(self->fd, PFM_IOC_READ_PMDATTRS, attrs, 2, &failed));
	EXPECT_EQ(1, failed);
	EXPECT_EQ(3, attrs[0].eventid);
}

TEST_F(attr, count)
{
	static struct pfm_pmd_attr attrs[PFM_REGS_MAX + 1];
	uint32_t failed = ~0;
	size_t i;

	EXPECT_EQ(0, vector(self->fd, PFM_IOC_WRITE_PMDATTRS, NULL, 0, NULL));
	EXPECT_EQ(0, vector(self->fd, PFM_IOC_READ_PMDATTRS, NULL, 0, NULL));
	for (i = 0; i < ARRAY_LEN(attrs); i++)
		attrs[i].num = CPU_TIME_NS;
	EXPECT_EQ(0, vector(self->fd, PFM_IOC_WRITE_PMDATTRS, attrs,
			    PFM_REGS_MAX, NULL));
	EXPECT_EQ(-E2BIG, vector(self->fd, PFM_IOC_WRITE_PMDATTRS, attrs,
				 PFM_REGS_MAX + 1, &failed));
	EXPECT_EQ(PFM_REGS_MAX + 1, failed);
	EXPECT_EQ(-E2BIG, vector(self->fd, PFM_IOC_READ_PMDATTRS, attrs,
				 PFM_REGS_MAX + 1, NULL));
}

TEST_F(attr, bad_pointer)
{
	EXPECT_EQ(-EFAULT,
		  vector(self->fd, PFM_IOC_WRITE_PMDATTRS, (void *)8, 1, NULL));
	EXPECT_EQ(-EFAULT,
		  vector(self->fd, PFM_IOC_READ_PMDATTRS, (void *)8, 1, NULL));
}

TEST_F(attr, restart_errors)
{
	struct pfm_restart arg = { .lane = 0 };
	int bit, fd;

	EXPECT_EQ(-ENOTCONN, context_restart(self->fd, 0));
	EXPECT_EQ(-ENOTCONN, call(self->fd, PFM_IOC_RESTART, NULL));
	ASSERT_EQ(0, sample_every(self->fd, CPU_TIME_NS, 1000000, NULL, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(-EBUSY, context_restart(self->fd, 0));
	EXPECT_EQ(-EBUSY, context_restart(self->fd, PFM_LANE_ALL));
	EXPECT_EQ(-EBUSY, call(self->fd, PFM_IOC_RESTART, NULL));
	EXPECT_EQ(-ERANGE, context_restart(self->fd, 1));
	for (bit = 0; bit < 32; bit++) {
		arg.flags = 1U << bit;
		EXPECT_EQ(-EINVAL, call(self->fd, PFM_IOC_RESTART, &arg));
	}
	EXPECT_EQ(-EFAULT, call(self->fd, PFM_IOC_RESTART, (void *)8));
	/* With a format and lanes. */
	fd = default_open(PFM_CTX_FOLLOW_ALL, 65536);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, sample_every(fd, CPU_TIME_NS, 1000000, NULL, 0));
	EXPECT_EQ(-ENOTCONN, context_restart(fd, 0));
	ASSERT_EQ(0, context_unload(self->fd));
	ASSERT_EQ(0, context_load(fd, 0));
	EXPECT_EQ(-EBUSY, context_restart(fd, 0));
	EXPECT_EQ(-EBUSY, context_restart(fd, PFM_LANE_ALL));
	EXPECT_EQ(-ERANGE, context_restart(fd, 10000));
	close(fd);
}

/*
 * Exactly: on the guest that executes an instruction a nanosecond.
 */

FIXTURE(exact)
{
	int fd;
	const struct pfm_default_hdr *hdr;
	size_t size;
};

FIXTURE_SETUP(exact)
{
	self->fd = -1;
	self->hdr = NULL;
}

static void sampler_close(FIXTURE_DATA(exact) * self)
{
	if (self->hdr)
		munmap((void *)self->hdr, self->size);
	if (self->fd >= 0)
		close(self->fd);
	self->fd = -1;
	self->hdr = NULL;
}

FIXTURE_TEARDOWN(exact)
{
	sampler_close(self);
}

/* A context with the default format in place of the one before; -errno or 0. */
static int sampler_open(FIXTURE_DATA(exact) * self, uint32_t flags,
			uint64_t size)
{
	struct pfm_config cfg;

	sampler_close(self);
	self->fd = default_open(flags, size);
	if (self->fd < 0)
		return self->fd;
	if (config_get(self->fd, &cfg))
		return -EIO;
	self->size = cfg.buffer_size;
	self->hdr = buffer_map(self->fd);
	return self->hdr ? 0 : -ENOMEM;
}

/* The same with cycles that sample and cycles that do not. */
static int sampler_setup(FIXTURE_DATA(exact) * self, uint32_t flags,
			 uint64_t entries, uint64_t period)
{
	int ret;

	ret = sampler_open(self, flags, buffer_bytes(entries, 2));
	if (!ret)
		ret = cycle_counter(self->fd, TRUTH, 0);
	if (!ret)
		ret = cycle_counter(self->fd, CYCLES, -period);
	if (!ret)
		ret = sample_every(self->fd, CYCLES, period,
				   PMD_LIST(TRUTH, CYCLES));
	return ret;
}

/* The number of samples is the count by the period, each where it belongs. */
TEST_F(exact, total_by_period)
{
	const uint64_t periods[] = { 10000,   33333,   100000,	262144,
				     1000000, 2500001, 10000000 };
	const uint64_t n = 10000000, total = SELF_COST(n);
	const struct pfm_default_entry *entry;
	uint64_t i, before, after, last;
	struct pfm_config cfg;
	size_t k;

	NEED_EXACT();
	for (k = 0; k < ARRAY_LEN(periods); k++) {
		const uint64_t p = periods[k];

		ASSERT_EQ(0, sampler_setup(self, 0, 4000, p));
		ASSERT_EQ(0, context_load(self->fd, 0));
		before = time_ns(CLOCK_MONOTONIC);
		ASSERT_EQ(0, self_loop(self->fd, n));
		after = time_ns(CLOCK_MONOTONIC);
		EXPECT_EQ(total, pmd_value(self->fd, TRUTH));
		EXPECT_EQ(total / p, self->hdr->hdr_count);
		EXPECT_EQ(0, self->hdr->hdr_lost);
		EXPECT_EQ(0, self->hdr->hdr_overflows);
		last = before;
		for (i = 0; i < self->hdr->hdr_count; i++) {
			entry = entry_at(self->hdr, i, 2);
			/* On time: nothing was counted beyond the overflow. */
			ASSERT_EQ((i + 1) * p, entry_val(entry, 0));
			ASSERT_EQ(0, entry_val(entry, 1));
			ASSERT_EQ(-p, entry->last_reset_val);
			ASSERT_EQ(CYCLES, entry->ovfl_pmd);
			ASSERT_EQ(syscall(SYS_gettid), entry->tid);
			ASSERT_EQ(getpid(), entry->pid);
			ASSERT_EQ(0, entry->cpu);
			ASSERT_EQ(0, entry->set);
			ASSERT_EQ(0, entry->reserved);
			ASSERT_LT(last, entry->tstamp);
			if (i)
				ASSERT_LE(p, entry->tstamp - last);
			last = entry->tstamp;
		}
		EXPECT_GT(after, last);
		EXPECT_EQ(total % p - p, pmd_value(self->fd, CYCLES));
		ASSERT_EQ(0, config_get(self->fd, &cfg));
		EXPECT_EQ(total / p, cfg.overflows);
		EXPECT_EQ(0, cfg.skipped);
		EXPECT_EQ(0, cfg.throttled);
		EXPECT_EQ(0, cfg.fmt_errors);
	}
}

/* The header as it is described, before and after. */
TEST_F(exact, header)
{
	const uint64_t bytes = buffer_bytes(100, 2);
	struct pfm_config cfg;

	NEED_EXACT();
	ASSERT_EQ(0, sampler_setup(self, 0, 100, 100000));
	EXPECT_EQ(0, self->hdr->hdr_count);
	EXPECT_EQ(sizeof(*self->hdr), self->hdr->hdr_cur_offs);
	EXPECT_EQ(bytes, self->hdr->hdr_buf_size);
	EXPECT_EQ(PFM_DEFAULT_VERSION, self->hdr->hdr_version);
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(1, cfg.lanes);
	EXPECT_LE(bytes, cfg.lane_size);
	EXPECT_EQ(0, cfg.lane_size % 4096);
	EXPECT_EQ(cfg.lane_size, cfg.buffer_size);
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, 200000));
	EXPECT_EQ(4, self->hdr->hdr_count);
	EXPECT_EQ(buffer_bytes(4, 2), self->hdr->hdr_cur_offs);
	EXPECT_EQ(40 + 2 * 8, self->hdr->hdr_min_buf_space);
}

/* Samples say where the program was: in the loop. */
TEST_F(exact, ip)
{
	const struct pfm_default_entry *entry;
	uint64_t i, low = ~0ULL, high = 0;

	NEED_EXACT();
	ASSERT_EQ(0, sampler_setup(self, 0, 1000, 10001));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, 1000000));
	ASSERT_EQ(199, self->hdr->hdr_count);
	for (i = 0; i < self->hdr->hdr_count; i++) {
		entry = entry_at(self->hdr, i, 2);
		low = entry->ip < low ? entry->ip : low;
		high = entry->ip > high ? entry->ip : high;
	}
	/* Both of its instructions are seen, as the period is odd. */
	EXPECT_EQ(4, high - low);
	EXPECT_LT((uintptr_t)self_loop & ~0xfffffUL, low);
}

/*
 * As many periods as counters, each exact, in one buffer.  QEMU notices the
 * overflow of an event counter late, when something else happens; what the
 * counter itself holds says how late.
 */
static void check_periods(struct __test_metadata *_metadata,
			  FIXTURE_DATA(exact) * self, uint64_t total,
			  const uint16_t *nums, const uint64_t *periods,
			  unsigned int n)
{
	uint64_t seen[PMDS + 1] = {};
	uint64_t i, sum = 0;
	unsigned int k;

	for (k = 0; k < n; k++)
		sum += total / periods[k];
	ASSERT_EQ(sum, self->hdr->hdr_count);
	for (i = 0; i < self->hdr->hdr_count; i++) {
		const struct pfm_default_entry *entry =
			entry_at(self->hdr, i, 2);

		for (k = 0; k < n && nums[k] != entry->ovfl_pmd; k++)
			;
		ASSERT_GT(n, k);
		ASSERT_EQ(-periods[k], entry->last_reset_val);
		seen[k]++;
		ASSERT_EQ(seen[k] * periods[k],
			  entry_val(entry, 0) - entry_val(entry, 1));
		if (nums[k] == CYCLES)
			ASSERT_EQ(0, entry_val(entry, 1));
	}
	for (k = 0; k < n; k++)
		EXPECT_EQ(total / periods[k], seen[k]);
}

static int setup_periods(FIXTURE_DATA(exact) * self, const uint16_t *nums,
			 const uint64_t *periods, unsigned int n)
{
	unsigned int k;
	int ret;

	ret = sampler_open(self, 0, buffer_bytes(8000, 2));
	if (!ret)
		ret = cycle_counter(self->fd, TRUTH, 0);
	for (k = 0; k < n && !ret; k++) {
		ret = cycle_counter(self->fd, nums[k], -periods[k]);
		if (!ret)
			ret = sample_every(self->fd, nums[k], periods[k],
					   PMD_LIST(TRUTH, nums[k]));
	}
	return ret;
}

TEST_F(exact, two_periods)
{
	const uint16_t nums[] = { CYCLES, 1 };
	const uint64_t periods[] = { 100000, 70001 };

	NEED_EXACT();
	ASSERT_EQ(0, setup_periods(self, nums, periods, 2));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, 5000000));
	check_periods(_metadata, self, SELF_COST(5000000), nums, periods, 2);
}

/* Both overflow in the same instruction again and again. */
TEST_F(exact, periods_that_meet)
{
	const uint16_t nums[] = { CYCLES, 1, 2 };
	const uint64_t periods[] = { 50000, 50000, 25000 };

	NEED_EXACT();
	ASSERT_EQ(0, setup_periods(self, nums, periods, 3));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, 1000000));
	check_periods(_metadata, self, SELF_COST(1000000), nums, periods, 3);
}

TEST_F(exact, six_periods)
{
	const uint16_t nums[] = { CYCLES, 1, 2, 3, 4, 5 };
	const uint64_t periods[] = { 50021, 60013, 70001, 80021, 90001, 100003 };

	NEED_EXACT();
	ASSERT_EQ(0, setup_periods(self, nums, periods, 6));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, 4000000));
	check_periods(_metadata, self, SELF_COST(4000000), nums, periods, 6);
}

/* Values come in ascending order, of whatever part the registers are. */
TEST_F(exact, smpl_pmds)
{
	const uint64_t p = 1000000;
	const struct pfm_default_entry *entry;
	struct pfm_pmd_attr attr;
	uint64_t i, last[3] = {};

	NEED_EXACT();
	ASSERT_EQ(0, sampler_open(self, 0, buffer_bytes(100, 5)));
	ASSERT_EQ(0, cycle_counter(self->fd, TRUTH, 7));
	ASSERT_EQ(0, cycle_counter(self->fd, 3, 1000));
	ASSERT_EQ(0, cycle_counter(self->fd, CYCLES, -p));
	ASSERT_EQ(0, sample_every(self->fd, CYCLES, p,
				  PMD_LIST(WALL_TIME_NS, 3, CPU_TIME_NS, TRUTH,
					   CONTEXT_SWITCHES)));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, 5000000));
	ASSERT_EQ(10, self->hdr->hdr_count);
	for (i = 0; i < 10; i++) {
		entry = entry_at(self->hdr, i, 5);
		EXPECT_EQ((i + 1) * p + 7, entry_val(entry, 0));
		EXPECT_EQ((i + 1) * p + 1000, entry_val(entry, 1));
		/* CPU time, wall time: no less than what was executed. */
		EXPECT_LE(last[0] + p, entry_val(entry, 2));
		EXPECT_LE(last[1] + p, entry_val(entry, 3));
		EXPECT_LE(entry_val(entry, 2), entry_val(entry, 3) + 2000);
		EXPECT_LE(last[2], entry_val(entry, 4));
		EXPECT_GE(last[2] + 100, entry_val(entry, 4));
		last[0] = entry_val(entry, 2);
		last[1] = entry_val(entry, 3);
		last[2] = entry_val(entry, 4);
	}
	EXPECT_LE(last[2], pmd_value(self->fd, CONTEXT_SWITCHES));
	ASSERT_EQ(0, attr_read(self->fd, CYCLES, &attr));
	EXPECT_EQ(-p, attr.last_reset);
}

/* A register in reset_pmds is read as what it counted since the last sample. */
TEST_F(exact, reset_pmds)
{
	const uint64_t p = 123456;
	struct pfm_pmd_attr attr = {
		.num = CYCLES,
		.long_reset = -p,
		.short_reset = -p,
	};
	uint64_t i;

	NEED_EXACT();
	ASSERT_EQ(0, sampler_open(self, 0, buffer_bytes(1000, 2)));
	ASSERT_EQ(0, cycle_counter(self->fd, TRUTH, 0));
	ASSERT_EQ(0, cycle_counter(self->fd, 1, 0));
	ASSERT_EQ(0, cycle_counter(self->fd, CYCLES, -p));
	bit_set(attr.smpl_pmds, TRUTH);
	bit_set(attr.smpl_pmds, 1);
	bit_set(attr.reset_pmds, 1);
	ASSERT_EQ(0, attr_write(self->fd, &attr));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, 1000000));
	ASSERT_EQ(SELF_COST(1000000) / p, self->hdr->hdr_count);
	for (i = 0; i < self->hdr->hdr_count; i++) {
		EXPECT_EQ((i + 1) * p, entry_val(entry_at(self->hdr, i, 2), 0));
		EXPECT_EQ(p, entry_val(entry_at(self->hdr, i, 2), 1));
	}
	EXPECT_EQ(SELF_COST(1000000) % p, pmd_value(self->fd, 1));
	EXPECT_EQ(SELF_COST(1000000), pmd_value(self->fd, TRUTH));
}

/*
 * One that samples itself goes back to its own reset value: the slower of two
 * never overflows when the faster resets it.
 */
TEST_F(exact, reset_of_another_sampler)
{
	const uint64_t p = 100000;
	struct pfm_pmd_attr attr = {
		.num = CYCLES,
		.long_reset = -p,
		.short_reset = -p,
	};
	uint64_t i;
	int reset;

	NEED_EXACT();
	for (reset = 0; reset < 2; reset++) {
		ASSERT_EQ(0, sampler_open(self, 0, buffer_bytes(1000, 1)));
		ASSERT_EQ(0, cycle_counter(self->fd, CYCLES, -p));
		ASSERT_EQ(0, cycle_counter(self->fd, 1, -2 * p));
		ASSERT_EQ(0, sample_every(self->fd, 1, 2 * p, PMD_LIST(1)));
		bit_set(attr.smpl_pmds, 1);
		if (reset)
			bit_set(attr.reset_pmds, 1);
		ASSERT_EQ(0, attr_write(self->fd, &attr));
		ASSERT_EQ(0, context_load(self->fd, 0));
		ASSERT_EQ(0, self_loop(self->fd, 500000));
		ASSERT_EQ(reset ? 10 : 15, self->hdr->hdr_count);
		for (i = 0; reset && i < 10; i++)
			EXPECT_EQ(-p, entry_val(entry_at(self->hdr, i, 1), 0));
	}
}

/* The first period is the value written, whatever the reset values are. */
TEST_F(exact, short_reset)
{
	const struct pfm_pmd_attr attr = {
		.num = CYCLES,
		.long_reset = -500000ULL,
		.short_reset = -40000ULL,
	};
	uint64_t i;

	NEED_EXACT();
	ASSERT_EQ(0, sampler_open(self, 0, buffer_bytes(1000, 0)));
	ASSERT_EQ(0, cycle_counter(self->fd, CYCLES, -300000ULL));
	ASSERT_EQ(0, attr_write(self->fd, &attr));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, 500000));
	ASSERT_EQ(1 + 700000 / 40000, self->hdr->hdr_count);
	EXPECT_EQ(-300000ULL, entry_at(self->hdr, 0, 0)->last_reset_val);
	for (i = 1; i < self->hdr->hdr_count; i++)
		EXPECT_EQ(-40000ULL, entry_at(self->hdr, i, 0)->last_reset_val);
}

/* The reader stopped: masked when full, and the long value after RESTART. */
TEST_F(exact, long_reset_after_full)
{
	const uint64_t first = 100000, s = 10000, l = 50000;
	const struct pfm_pmd_attr attr = {
		.num = CYCLES,
		.flags = PFM_PMDF_NOTIFY,
		.long_reset = -l,
		.short_reset = -s,
	};
	const uint64_t n = 10;
	uint64_t i, round, counted, expected;
	struct pfm_config cfg;
	union pfm_msg msg;

	NEED_EXACT();
	ASSERT_EQ(0, sampler_open(self, 0, buffer_bytes(n, 0)));
	ASSERT_EQ(0, cycle_counter(self->fd, CYCLES, -first));
	ASSERT_EQ(0, cycle_counter(self->fd, TRUTH, 0));
	ASSERT_EQ(0, attr_write(self->fd, &attr));
	ASSERT_EQ(0, context_load(self->fd, 0));
	expected = 0;
	for (round = 0; round < 5; round++) {
		ASSERT_EQ(0, self_loop(self->fd, 500000));
		expected += (round ? l : first) + (n - 1) * s;
		/* Masked means that nothing counts, the second neither. */
		counted = pmd_value(self->fd, TRUTH);
		EXPECT_EQ(expected, counted);
		EXPECT_EQ(n, self->hdr->hdr_count);
		EXPECT_EQ(round + 1, self->hdr->hdr_overflows);
		EXPECT_EQ(0, self->hdr->hdr_lost);
		ASSERT_EQ(0, config_get(self->fd, &cfg));
		EXPECT_EQ(PFM_STATE_MASKED, cfg.state);
		EXPECT_EQ((round + 1) * n, cfg.overflows);
		EXPECT_EQ(round ? -l : -first,
			  entry_at(self->hdr, 0, 0)->last_reset_val);
		for (i = 1; i < n; i++)
			EXPECT_EQ(-s,
				  entry_at(self->hdr, i, 0)->last_reset_val);
		ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
		EXPECT_EQ(PFM_MSG_OVFL, msg.type);
		ASSERT_EQ(0, context_restart(self->fd, 0));
		EXPECT_EQ(-EBUSY, context_restart(self->fd, 0));
		EXPECT_EQ(0, self->hdr->hdr_count);
		EXPECT_EQ(sizeof(*self->hdr), self->hdr->hdr_cur_offs);
		ASSERT_EQ(0, config_get(self->fd, &cfg));
		EXPECT_EQ(PFM_STATE_LOADED, cfg.state);
		EXPECT_EQ(-l, pmd_value(self->fd, CYCLES));
	}
}

/* A buffer that is filled while the program goes on, and is not read. */
TEST_F(exact, masked_to_the_end)
{
	const uint64_t p = 10000, n = 50;
	struct child child;
	uint64_t i;

	NEED_EXACT();
	ASSERT_EQ(0, sampler_setup(self, 0, n, p));
	ASSERT_EQ(0, measure_begin(self->fd, &child,
				   ARGV(program("loop"), "5000000")));
	ASSERT_EQ(0, measure_end(self->fd, &child));
	/* Taken, not a single one more, and the count stopped with the last. */
	EXPECT_EQ(n, self->hdr->hdr_count);
	EXPECT_EQ(1, self->hdr->hdr_overflows);
	EXPECT_EQ(0, self->hdr->hdr_lost);
	EXPECT_EQ(n * p, pmd_value(self->fd, TRUTH));
	for (i = 0; i < n; i++)
		EXPECT_EQ((i + 1) * p, entry_val(entry_at(self->hdr, i, 2), 0));
}

/* A program from its first instruction to its last. */
TEST_F(exact, program)
{
	const uint64_t p = 70000, n = 3000000;
	const uint64_t total =
		COST_NUMBER(digits(n)) + COST_LOOP(n) + COST_ENDING;
	struct child child;
	uint64_t i;

	NEED_EXACT();
	ASSERT_EQ(0, sampler_setup(self, 0, 1000, p));
	ASSERT_EQ(0, measure_begin(self->fd, &child,
				   ARGV(program("loop"), "3000000")));
	ASSERT_EQ(0, measure_end(self->fd, &child));
	EXPECT_EQ(total, pmd_value(self->fd, TRUTH));
	EXPECT_EQ(total / p, self->hdr->hdr_count);
	for (i = 0; i < self->hdr->hdr_count; i++)
		EXPECT_EQ(child.pid, entry_at(self->hdr, i, 2)->tid);
}

/* Switches between two overflows, thousands of them, change nothing. */
TEST_F(exact, switches)
{
	const uint64_t p = 12345, k = 2000, n = 500;
	const uint64_t total = COST_NUMBER(digits(k)) + COST_NUMBER(digits(n)) +
			       k * (COST_LOOP(n) + COST_YIELD + COST_REPEAT) +
			       COST_ENDING;
	const struct sched_param fifo = { .sched_priority = 1 };
	struct child child, others[3];
	struct pfm_config cfg;
	uint64_t i;

	NEED_EXACT();
	ASSERT_EQ(0, sampler_setup(self, 0, 1000, p));
	for (i = 0; i < ARRAY_LEN(others); i++) {
		child_exec(&others[i],
			   ARGV(program("yieldloop"), "1000000000", "100"));
		ASSERT_EQ(0,
			  sched_setscheduler(others[i].pid, SCHED_FIFO, &fifo));
		child_go(&others[i]);
	}
	ASSERT_EQ(0, sched_setscheduler(0, SCHED_FIFO, &fifo));
	ASSERT_EQ(0, measure_begin(self->fd, &child,
				   ARGV(program("yieldloop"), "2000", "500")));
	ASSERT_EQ(0, measure_end(self->fd, &child));
	for (i = 0; i < ARRAY_LEN(others); i++)
		child_kill(others[i].pid);
	EXPECT_EQ(total, pmd_value(self->fd, TRUTH));
	EXPECT_EQ(total / p, self->hdr->hdr_count);
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(total / p, cfg.overflows);
	for (i = 0; i < self->hdr->hdr_count; i++) {
		const struct pfm_default_entry *entry =
			entry_at(self->hdr, i, 2);

		/* One found at a switch is a few instructions late. */
		EXPECT_LE((i + 1) * p, entry_val(entry, 0));
		EXPECT_GT((i + 1) * p + 600, entry_val(entry, 0));
		EXPECT_EQ(entry_val(entry, 0),
			  (i + 1) * p + entry_val(entry, 1));
	}
}

/* A counter of 32 bits that has further to go wraps, and that is no overflow. */
TEST_F(exact, longer_than_the_counter)
{
	const uint64_t first = (1ULL << 32) + 1000;

	NEED_EXACT();
	ASSERT_EQ(0, sampler_open(self, 0, buffer_bytes(100, 0)));
	ASSERT_EQ(0, cycle_counter(self->fd, 1, -first));
	ASSERT_EQ(0, sample_every(self->fd, 1, 100000, NULL, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, 1000000));
	EXPECT_EQ(0, self->hdr->hdr_count);
	EXPECT_EQ(SELF_COST(1000000) - first, pmd_value(self->fd, 1));
}

/* Without a period there is no overflow for centuries. */
TEST_F(exact, no_period)
{
	struct pfm_config cfg;

	NEED_EXACT();
	ASSERT_EQ(0, sampler_open(self, 0, buffer_bytes(100, 0)));
	ASSERT_EQ(0, cycle_counter(self->fd, CYCLES, 0));
	ASSERT_EQ(0, sample_every(self->fd, CYCLES, 1000, NULL, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, 100000));
	EXPECT_EQ(0, self->hdr->hdr_count);
	EXPECT_EQ(SELF_COST(100000), pmd_value(self->fd, CYCLES));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(0, cfg.overflows);
}

/* A reset value of 0 is a period of 2^64: one overflow, and then none. */
TEST_F(exact, reset_to_zero)
{
	const struct pfm_pmd_attr attr = { .num = CYCLES };

	NEED_EXACT();
	ASSERT_EQ(0, sampler_open(self, 0, buffer_bytes(100, 0)));
	ASSERT_EQ(0, cycle_counter(self->fd, CYCLES, -1000ULL));
	ASSERT_EQ(0, attr_write(self->fd, &attr));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, 100000));
	EXPECT_EQ(1, self->hdr->hdr_count);
	EXPECT_EQ(SELF_COST(100000) - 1000, pmd_value(self->fd, CYCLES));
}

/* A value written while loaded is a period from there on, or the end of one. */
TEST_F(exact, written_while_loaded)
{
	NEED_EXACT();
	ASSERT_EQ(0, sampler_open(self, 0, buffer_bytes(100, 0)));
	ASSERT_EQ(0, cycle_counter(self->fd, CYCLES, 0));
	ASSERT_EQ(0, sample_every(self->fd, CYCLES, 100000, NULL, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, pmd_write(self->fd, CYCLES, -50000ULL));
	ASSERT_EQ(0, self_loop(self->fd, 100000));
	/* After 50,000 and after 150,000. */
	ASSERT_EQ(2, self->hdr->hdr_count);
	EXPECT_EQ(-50000ULL, entry_at(self->hdr, 0, 0)->last_reset_val);
	EXPECT_EQ(-100000ULL, entry_at(self->hdr, 1, 0)->last_reset_val);
}

TEST_F(exact, overwritten_while_loaded)
{
	struct pfm_config cfg;

	NEED_EXACT();
	ASSERT_EQ(0, sampler_open(self, 0, buffer_bytes(100, 0)));
	ASSERT_EQ(0, cycle_counter(self->fd, CYCLES, -100000ULL));
	ASSERT_EQ(0, sample_every(self->fd, CYCLES, 100000, NULL, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	/* It did not wrap: nothing overflowed, and nothing will. */
	ASSERT_EQ(0, pmd_write(self->fd, CYCLES, 5));
	ASSERT_EQ(0, self_loop(self->fd, 100000));
	EXPECT_EQ(0, self->hdr->hdr_count);
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(0, cfg.overflows);
	EXPECT_EQ(5 + SELF_COST(100000), pmd_value(self->fd, CYCLES));
}

/* Loaded again a context goes on where it was; the buffer too. */
TEST_F(exact, loaded_again)
{
	const uint64_t p = 70000;
	uint64_t round, total = 0;

	NEED_EXACT();
	ASSERT_EQ(0, sampler_setup(self, 0, 1000, p));
	for (round = 0; round < 5; round++) {
		ASSERT_EQ(0, context_load(self->fd, 0));
		ASSERT_EQ(0, self_loop(self->fd, 100000));
		ASSERT_EQ(0, context_unload(self->fd));
		total += SELF_COST(100000);
		EXPECT_EQ(total, pmd_value(self->fd, TRUTH));
		EXPECT_EQ(total / p, self->hdr->hdr_count);
		EXPECT_EQ(total % p - p, pmd_value(self->fd, CYCLES));
	}
}

/* Stopped and started between overflows. */
TEST_F(exact, stopped_between)
{
	const uint64_t p = 70000;
	uint64_t round, total = 0;

	NEED_EXACT();
	ASSERT_EQ(0, sampler_setup(self, 0, 1000, p));
	ASSERT_EQ(0, context_load(self->fd, 0));
	for (round = 0; round < 100; round++) {
		ASSERT_EQ(0, self_loop(self->fd, 10000));
		total += SELF_COST(10000);
	}
	EXPECT_EQ(total, pmd_value(self->fd, TRUTH));
	EXPECT_EQ(total / p, self->hdr->hdr_count);
}

/*
 * Randomised periods.
 */

static int random_setup(FIXTURE_DATA(exact) * self, uint64_t p, uint64_t mask,
			uint64_t seed)
{
	struct pfm_pmd_attr attr = {
		.num = CYCLES,
		.flags = PFM_PMDF_RANDOM,
		.long_reset = -p,
		.short_reset = -p,
		.random_mask = mask,
		.random_seed = seed,
	};
	int ret;

	ret = sampler_open(self, 0, buffer_bytes(4000, 2));
	if (!ret)
		ret = cycle_counter(self->fd, TRUTH, 0);
	if (!ret)
		ret = cycle_counter(self->fd, CYCLES, -p);
	bit_set(attr.smpl_pmds, TRUTH);
	bit_set(attr.smpl_pmds, CYCLES);
	return ret ? ret : attr_write(self->fd, &attr);
}

TEST_F(exact, random_sum)
{
	const uint64_t p = 20000, mask = 0x3fff, n = 10000000;
	uint64_t i, sum = 0, drawn = 0, low = ~0ULL, high = 0, mean;
	const struct pfm_default_entry *entry;
	struct pfm_pmd_attr attr;

	NEED_EXACT();
	ASSERT_EQ(0, random_setup(self, p, mask, 4711));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, n));
	EXPECT_LE(SELF_COST(n) / (p + mask), self->hdr->hdr_count);
	EXPECT_GE(SELF_COST(n) / p, self->hdr->hdr_count);
	for (i = 0; i < self->hdr->hdr_count; i++) {
		uint64_t period;

		entry = entry_at(self->hdr, i, 2);
		period = -entry->last_reset_val;
		sum += period;
		/* The count at the sample, but for what came after the wrap. */
		ASSERT_EQ(sum, entry_val(entry, 0) - entry_val(entry, 1));
		ASSERT_EQ(0, entry_val(entry, 1));
		ASSERT_LE(p, period);
		ASSERT_GE(p + mask, period);
		/* The first period is what was written. */
		if (!i) {
			ASSERT_EQ(p, period);
			continue;
		}
		drawn += period - p;
		low = period < low ? period : low;
		high = period > high ? period : high;
	}
	mean = drawn / (self->hdr->hdr_count - 1);
	/* 700 numbers of 0 to 16383: deviation of the mean 179. */
	EXPECT_LT(mask / 2 - 900, mean);
	EXPECT_GT(mask / 2 + 900, mean);
	EXPECT_GT(p + mask / 16, low);
	EXPECT_LT(p + mask - mask / 16, high);
	/* What is left is the beginning of the next period. */
	ASSERT_EQ(0, attr_read(self->fd, CYCLES, &attr));
	EXPECT_EQ(SELF_COST(n) - sum,
		  pmd_value(self->fd, CYCLES) - attr.last_reset);
	EXPECT_EQ(SELF_COST(n), pmd_value(self->fd, TRUTH));
}

/* Any bits of the mask are used, no others, and each is 0 and 1. */
TEST_F(exact, random_mask)
{
	const uint64_t masks[] = { 0x1, 0x0f0f, 0x5554, 0x10000 };
	const uint64_t p = 40000;
	uint64_t i, or, and, n;
	size_t k;

	NEED_EXACT();
	for (k = 0; k < ARRAY_LEN(masks); k++) {
		ASSERT_EQ(0, random_setup(self, p, masks[k], 1));
		ASSERT_EQ(0, context_load(self->fd, 0));
		ASSERT_EQ(0, self_loop(self->fd, 2000000));
		or = 0;
		and = ~0ULL;
		n = self->hdr->hdr_count;
		ASSERT_LT(30, n);
		for (i = 1; i < n; i++) {
			uint64_t bits =
				-entry_at(self->hdr, i, 2)->last_reset_val - p;

			or |= bits;
			and &= bits;
		}
		EXPECT_EQ(masks[k], or);
		EXPECT_EQ(0, and);
	}
}

#define SEEDED 60

static int random_periods(FIXTURE_DATA(exact) * self, uint64_t seed,
			  uint64_t *periods)
{
	unsigned int i;
	int ret;

	ret = random_setup(self, 20000, 0xfff, seed);
	if (!ret)
		ret = context_load(self->fd, 0);
	if (!ret)
		ret = self_loop(self->fd, 1000000);
	if (!ret && self->hdr->hdr_count < SEEDED)
		ret = -ENODATA;
	for (i = 0; i < SEEDED && !ret; i++)
		periods[i] = -entry_at(self->hdr, i, 2)->last_reset_val;
	return ret;
}

TEST_F(exact, random_seed)
{
	uint64_t a[SEEDED], b[SEEDED];

	NEED_EXACT();
	ASSERT_EQ(0, random_periods(self, 99, a));
	ASSERT_EQ(0, random_periods(self, 99, b));
	EXPECT_EQ(0, memcmp(a, b, sizeof(a)));
	ASSERT_EQ(0, random_periods(self, 100, b));
	EXPECT_NE(0, memcmp(a, b, sizeof(a)));
	/* 0 is another beginning each time. */
	ASSERT_EQ(0, random_periods(self, 0, a));
	ASSERT_EQ(0, random_periods(self, 0, b));
	EXPECT_NE(0, memcmp(a, b, sizeof(a)));
}

/* Without the flag the mask is not used. */
TEST_F(exact, random_off)
{
	struct pfm_pmd_attr attr = {
		.num = CYCLES,
		.long_reset = -20000ULL,
		.short_reset = -20000ULL,
		.random_mask = 0xfff,
		.random_seed = 3,
	};

	NEED_EXACT();
	ASSERT_EQ(0, sampler_open(self, 0, buffer_bytes(1000, 0)));
	ASSERT_EQ(0, cycle_counter(self->fd, CYCLES, -20000ULL));
	ASSERT_EQ(0, attr_write(self->fd, &attr));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, 1000000));
	EXPECT_EQ(SELF_COST(1000000) / 20000, self->hdr->hdr_count);
}

/* Two randomised counters at once: each for itself exact, and independent. */
TEST_F(exact, random_two)
{
	const uint64_t p[] = { 20000, 30000 };
	const uint16_t nums[] = { CYCLES, 1 };
	uint64_t i, k, sum[2] = {}, seen[2] = {};

	NEED_EXACT();
	ASSERT_EQ(0, sampler_open(self, 0, buffer_bytes(4000, 2)));
	ASSERT_EQ(0, cycle_counter(self->fd, TRUTH, 0));
	for (k = 0; k < 2; k++) {
		struct pfm_pmd_attr attr = {
			.num = nums[k],
			.flags = PFM_PMDF_RANDOM,
			.long_reset = -p[k],
			.short_reset = -p[k],
			.random_mask = 0xfff,
			.random_seed = 5 + k,
		};

		bit_set(attr.smpl_pmds, TRUTH);
		bit_set(attr.smpl_pmds, nums[k]);
		ASSERT_EQ(0, cycle_counter(self->fd, nums[k], -p[k]));
		ASSERT_EQ(0, attr_write(self->fd, &attr));
	}
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, 3000000));
	for (i = 0; i < self->hdr->hdr_count; i++) {
		const struct pfm_default_entry *entry =
			entry_at(self->hdr, i, 2);

		k = entry->ovfl_pmd == CYCLES ? 0 : 1;
		sum[k] += -entry->last_reset_val;
		seen[k]++;
		ASSERT_EQ(sum[k], entry_val(entry, 0) - entry_val(entry, 1));
	}
	for (k = 0; k < 2; k++) {
		EXPECT_LE(SELF_COST(3000000) / (p[k] + 0xfff), seen[k]);
		EXPECT_GE(SELF_COST(3000000) / p[k], seen[k]);
	}
}

/*
 * Storms: overflows that come faster than they can be taken.
 */

TEST_F(exact, storms)
{
	const uint64_t periods[] = { 1, 2, 7, 50, 100, 300, 1000, 3000 };
	struct pfm_config cfg;
	uint64_t counted;
	size_t k;

	NEED_EXACT();
	for (k = 0; k < ARRAY_LEN(periods); k++) {
		const uint64_t p = periods[k];

		sampler_close(self);
		self->fd = context_open(0);
		ASSERT_LE(0, self->fd);
		ASSERT_EQ(0, cycle_counter(self->fd, TRUTH, 0));
		ASSERT_EQ(0, cycle_counter(self->fd, CYCLES, -p));
		ASSERT_EQ(0, sample_every(self->fd, CYCLES, p, NULL, 0));
		ASSERT_EQ(0, context_load(self->fd, 0));
		ASSERT_EQ(0, self_loop(self->fd, 5000000));
		ASSERT_EQ(0, config_get(self->fd, &cfg));
		counted = pmd_value(self->fd, TRUTH);
		/* Nothing that was counted was not an overflow or the rest. */
		EXPECT_EQ(counted / p, cfg.overflows + cfg.skipped)
		{
			TH_LOG("period %llu", (unsigned long long)p);
		}
		EXPECT_EQ(counted % p - p, pmd_value(self->fd, CYCLES));
		EXPECT_GE(SELF_COST(5000000), counted);
		if (p > 100)
			continue;
		EXPECT_LT(0, cfg.throttled)
		{
			TH_LOG("period %llu: never throttled",
			       (unsigned long long)p);
		}
		EXPECT_LT(0, cfg.throttled_ns);
		/*
		 * The time not counted is the time that the count lacks; a
		 * pause that stopping ended is not in it.
		 */
		EXPECT_LE(SELF_COST(5000000),
			  counted + cfg.throttled_ns + 1100000);
		EXPECT_LE(cfg.throttled_ns / 1100000, cfg.throttled);
	}
}

/* An end of throttling that falls into the time after a stop or an unload. */
TEST_F(exact, storm_stopped)
{
	struct pfm_config cfg;
	uint64_t ns;
	int i;

	NEED_EXACT();
	self->fd = context_open(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, cycle_counter(self->fd, CYCLES, -1ULL));
	ASSERT_EQ(0, sample_every(self->fd, CYCLES, 1, NULL, 0));
	ns = time_ns(CLOCK_MONOTONIC);
	for (i = 0; i < 20; i++) {
		ASSERT_EQ(0, context_load(self->fd, 0));
		ASSERT_EQ(0, self_loop(self->fd, 10000 + 1000 * i));
		ASSERT_EQ(0, context_unload(self->fd));
	}
	ns = time_ns(CLOCK_MONOTONIC) - ns;
	usleep(20000);
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, 10));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	/* What was stopped was not throttled, the pause least of all. */
	EXPECT_GE(ns, cfg.throttled_ns);
}

/*
 * Sessions that are followed.
 */

/* Each child's samples by its own count, all of them by the sum. */
TEST_F(exact, follow_children)
{
	const uint64_t p = 30011, k = 20, n = 100000;
	const uint64_t parent =
		COST_NUMBER(digits(k)) + COST_NUMBER(digits(n)) +
		k * (COST_NEW + COST_IF_CHILD + COST_REAP + COST_REPEAT) +
		COST_ENDING;
	const uint64_t each = COST_IF_CHILD + COST_LOOP(n) + COST_ENDING;
	const uint64_t total = parent + k * each;
	struct records recs = {};
	struct pfm_record *rec;
	struct pfm_config cfg;
	struct child child;
	uint64_t i, seen;

	NEED_EXACT();
	ASSERT_EQ(0, sampler_setup(self, PFM_CTX_FOLLOW_ALL, 1000, p));
	ASSERT_EQ(0, measure_begin(self->fd, &child,
				   ARGV(program("forkloop"), "20", "100000")));
	ASSERT_EQ(0, measure_end(self->fd, &child));
	EXPECT_EQ(total, pmd_value(self->fd, TRUTH));
	EXPECT_EQ(total, pmd_value(self->fd, CYCLES));
	/* Periods go on from task to task. */
	EXPECT_EQ(total / p, self->hdr->hdr_count);
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(total / p, cfg.overflows);
	EXPECT_EQ(1, cfg.lanes);
	ASSERT_EQ(0, records_collect(self->fd, &recs, 65536));
	EXPECT_EQ(k + 1, records_tasks(&recs));
	for_each_record(rec, &recs)
	{
		const bool first = rec->tid == (uint32_t)child.pid;

		seen = 0;
		for (i = 0; i < self->hdr->hdr_count; i++) {
			if (entry_at(self->hdr, i, 2)->tid == rec->tid)
				seen++;
		}
		EXPECT_EQ(first ? parent : each, record_value(rec, TRUTH));
		EXPECT_EQ(record_value(rec, TRUTH), record_value(rec, CYCLES));
		EXPECT_GE(record_value(rec, TRUTH) / p + 1, seen);
		EXPECT_LE(record_value(rec, TRUTH) / p, seen);
	}
	free(recs.buf);
}

/* Tasks that are all shorter than a period are sampled as they deserve. */
TEST_F(exact, follow_short_tasks)
{
	const uint64_t p = 50021, k = 100, n = 3000;
	const uint64_t total =
		COST_NUMBER(digits(k)) + COST_NUMBER(digits(n)) +
		k * (COST_NEW + COST_IF_CHILD + COST_REAP + COST_REPEAT) +
		COST_ENDING + k * (COST_IF_CHILD + COST_LOOP(n) + COST_ENDING);
	struct child child;

	NEED_EXACT();
	ASSERT_EQ(0, sampler_setup(self, PFM_CTX_FOLLOW_ALL, 1000, p));
	ASSERT_EQ(0, measure_begin(self->fd, &child,
				   ARGV(program("forkloop"), "100", "3000")));
	ASSERT_EQ(0, measure_end(self->fd, &child));
	EXPECT_EQ(total, pmd_value(self->fd, TRUTH));
	EXPECT_EQ(total / p, self->hdr->hdr_count);
}

TEST_F(exact, follow_threads_and_exec)
{
	const uint64_t p = 30011, k = 10, n = 200000;
	struct child child;
	uint64_t total, i, threads = 0;
	uint32_t last = 0;

	NEED_EXACT();
	ASSERT_EQ(0, sampler_setup(self, PFM_CTX_FOLLOW_ALL, 2000, p));
	ASSERT_EQ(0, measure_begin(self->fd, &child,
				   ARGV(program("vforkexec"), "3",
					program("threads"), "10", "200000")));
	ASSERT_EQ(0, measure_end(self->fd, &child));
	total = pmd_value(self->fd, TRUTH);
	EXPECT_LT(3 * k * COST_LOOP(n), total);
	EXPECT_EQ(total, pmd_value(self->fd, CYCLES));
	EXPECT_EQ(total / p, self->hdr->hdr_count);
	/* Threads of their own processes. */
	for (i = 0; i < self->hdr->hdr_count; i++) {
		const struct pfm_default_entry *entry =
			entry_at(self->hdr, i, 2);

		EXPECT_NE((uint32_t)getpid(), entry->pid);
		if (entry->tid != entry->pid && entry->tid != last)
			threads++;
		last = entry->tid;
	}
	EXPECT_LE(3 * k, threads);
}

/* Nobody reads: a full lane takes nothing more and counts what it loses. */
TEST_F(exact, follow_lost)
{
	const uint64_t p = 20011, n = 30;
	struct pfm_config cfg;
	struct child child;
	uint64_t total;

	NEED_EXACT();
	ASSERT_EQ(0, sampler_setup(self, PFM_CTX_FOLLOW_ALL, n, p));
	ASSERT_EQ(0, measure_begin(self->fd, &child,
				   ARGV(program("forkloop"), "20", "100000")));
	ASSERT_EQ(0, measure_end(self->fd, &child));
	total = pmd_value(self->fd, TRUTH);
	EXPECT_EQ(n, self->hdr->hdr_count);
	EXPECT_EQ(1, self->hdr->hdr_overflows);
	EXPECT_EQ(total / p, self->hdr->hdr_count + self->hdr->hdr_lost);
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(total / p, cfg.overflows);
}

/*
 * Several processors: a lane for each.
 */

struct lanes {
	struct pfm_config cfg;
	char *buf;
	uint64_t taken;
	uint64_t entries_bad;
};

static const struct pfm_default_hdr *lane_hdr(const struct lanes *lanes,
					      uint32_t i)
{
	return (const void *)(lanes->buf + i * lanes->cfg.lane_size);
}

/* Look at the samples of one lane, which nobody fills. */
static void lane_take(struct lanes *lanes, uint32_t index, uint16_t num)
{
	const struct pfm_default_hdr *hdr = lane_hdr(lanes, index);
	uint64_t i, last = 0;

	for (i = 0; i < hdr->hdr_count; i++) {
		const struct pfm_default_entry *entry = entry_at(hdr, i, 0);

		if (entry->cpu != index || entry->ovfl_pmd != num ||
		    entry->tstamp < last || !entry->tid || !entry->pid)
			lanes->entries_bad++;
		last = entry->tstamp;
	}
	lanes->taken += hdr->hdr_count;
}

FIXTURE(smp)
{
	int fd;
	uint16_t num;
	struct lanes lanes;
};

FIXTURE_VARIANT(smp)
{
	bool hardware;
};

FIXTURE_VARIANT_ADD(smp, cycles){
	.hardware = true,
};

FIXTURE_VARIANT_ADD(smp, cpu_time){
	.hardware = false,
};

FIXTURE_SETUP(smp)
{
	self->fd = -1;
	self->num = variant->hardware ? CYCLES : CPU_TIME_NS;
}

FIXTURE_TEARDOWN(smp)
{
	if (self->lanes.buf)
		munmap(self->lanes.buf, self->lanes.cfg.buffer_size);
	if (self->fd >= 0)
		close(self->fd);
}

#define NEED_VARIANT()                                        \
	do {                                                  \
		if (variant->hardware && !HAVE_CYCLES)        \
			SKIP(return, "no hardware PMU here"); \
	} while (0)

/* A session with lanes for so many samples, which notifies when one is full. */
static int session_open(FIXTURE_DATA(smp) * self, uint64_t entries, uint64_t p)
{
	struct pfm_pmd_attr attr = {
		.num = self->num,
		.flags = PFM_PMDF_NOTIFY,
		.long_reset = -p,
		.short_reset = -p,
	};
	int ret;

	self->fd = default_open(PFM_CTX_FOLLOW_ALL, buffer_bytes(entries, 0));
	if (self->fd < 0)
		return self->fd;
	ret = config_get(self->fd, &self->lanes.cfg);
	if (ret)
		return ret;
	self->lanes.buf = buffer_map(self->fd);
	if (!self->lanes.buf)
		return -ENOMEM;
	if (self->num == CYCLES)
		ret = pmc_write(self->fd, CYCLES, TYPE_P);
	if (!ret)
		ret = pmd_write(self->fd, self->num, -p);
	return ret ? ret : attr_write(self->fd, &attr);
}

static uint64_t smp_lost(FIXTURE_DATA(smp) * self)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < self->lanes.cfg.lanes; i++)
		sum += lane_hdr(&self->lanes, i)->hdr_lost;
	return sum;
}

/*
 * Programs on all processors at once: threads in processes, so many of these one
 * after the other.
 */
static void smp_begin(FIXTURE_DATA(smp) * self, struct child *child,
		      const char *processes)
{
	const int ret = measure_begin(self->fd, child,
				      ARGV(program("vforkexec"), processes,
					   program("threads"), "8", "2000000"));

	if (ret)
		abort();
}

/*
 * For a reader that may be kept from its CPU: more processes than it needs for so
 * many restarts, after which no other one is begun.
 */
#define RESTARTS  20
#define PROCESSES "100"

static void smp_restarted(const struct child *child, uint64_t restarts)
{
	if (restarts == RESTARTS)
		kill(child->pid, SIGKILL);
}

TEST_F(smp, lanes)
{
	NEED_VARIANT();
	ASSERT_EQ(0, session_open(self, 1000, 100000));
	EXPECT_LE(cpus_online(), self->lanes.cfg.lanes);
	EXPECT_EQ(self->lanes.cfg.lanes * self->lanes.cfg.lane_size,
		  self->lanes.cfg.buffer_size);
}

TEST_F(smp, nobody_reads)
{
	struct child child;
	struct pfm_config cfg;
	union pfm_msg msg;
	uint64_t messages = 0, full = 0;
	uint32_t i;

	NEED_VARIANT();
	ASSERT_EQ(0, session_open(self, 20, 50000));
	smp_begin(self, &child, "4");
	child_reap(child.pid);
	/* A message for each lane that became full, then the end. */
	for (;;) {
		ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
		if (msg.type != PFM_MSG_OVFL)
			break;
		EXPECT_EQ(1,
			  lane_hdr(&self->lanes, msg.ovfl.cpu)->hdr_overflows);
		messages++;
	}
	ASSERT_EQ(PFM_MSG_END, msg.type);
	for (i = 0; i < self->lanes.cfg.lanes; i++) {
		const struct pfm_default_hdr *hdr = lane_hdr(&self->lanes, i);

		EXPECT_GE(20, hdr->hdr_count);
		EXPECT_EQ(hdr->hdr_count == 20, hdr->hdr_overflows);
		full += hdr->hdr_overflows;
		if (hdr->hdr_lost)
			EXPECT_EQ(20, hdr->hdr_count);
		lane_take(&self->lanes, i, self->num);
	}
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(full, messages);
	EXPECT_EQ(0, self->lanes.entries_bad);
	EXPECT_LT(0, self->lanes.taken);
	EXPECT_LT(0, smp_lost(self));
	EXPECT_EQ(cfg.overflows, self->lanes.taken + smp_lost(self));
}

/* The reader empties each lane as it is told to. */
TEST_F(smp, reader)
{
	uint64_t restarts = 0, full = 0;
	struct child child;
	struct pfm_config cfg;
	union pfm_msg msg;
	uint32_t i;
	int ret;

	NEED_VARIANT();
	ASSERT_EQ(0, session_open(self, 20, 100000));
	smp_begin(self, &child, PROCESSES);
	for (;;) {
		ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
		if (msg.type == PFM_MSG_END)
			break;
		ASSERT_GT(self->lanes.cfg.lanes, msg.ovfl.cpu);
		EXPECT_EQ(true, bit_is_set(msg.ovfl.ovfl_pmds, self->num));
		ret = config_get(self->fd, &cfg);
		ASSERT_EQ(0, ret);
		EXPECT_NE(PFM_STATE_MASKED, cfg.state);
		if (cfg.state == PFM_STATE_UNLOADED)
			continue;
		ASSERT_EQ(20, lane_hdr(&self->lanes, msg.ovfl.cpu)->hdr_count);
		lane_take(&self->lanes, msg.ovfl.cpu, self->num);
		ret = context_restart(self->fd, msg.ovfl.cpu);
		if (ret == -ENOTCONN) {
			/* The end came in between: it is taken below. */
			self->lanes.taken -= 20;
			continue;
		}
		ASSERT_EQ(0, ret);
		smp_restarted(&child, ++restarts);
	}
	child_reap(child.pid);
	for (i = 0; i < self->lanes.cfg.lanes; i++) {
		lane_take(&self->lanes, i, self->num);
		full += lane_hdr(&self->lanes, i)->hdr_overflows;
	}
	EXPECT_LE(RESTARTS, restarts);
	EXPECT_LE(restarts, full);
	EXPECT_EQ(0, self->lanes.entries_bad);
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(cfg.overflows, self->lanes.taken + smp_lost(self));
	/* Each 100,000 is an overflow, but for the rest of each lane. */
	EXPECT_GE((cfg.overflows + cfg.skipped + cfg.lanes) * 100000 + 1,
		  pmd_value(self->fd, self->num));
	EXPECT_LE((cfg.overflows + cfg.skipped) * 100000,
		  pmd_value(self->fd, self->num));
}

/* RESTART of all lanes, again and again, beside the CPUs that fill them. */
TEST_F(smp, restart_all)
{
	struct pollfd pfd = { .fd = -1, .events = POLLIN };
	uint64_t restarts = 0;
	struct child child;
	union pfm_msg msg;
	int ret;

	NEED_VARIANT();
	ASSERT_EQ(0, session_open(self, 5, 50000));
	pfd.fd = self->fd;
	smp_begin(self, &child, PROCESSES);
	for (;;) {
		while (poll(&pfd, 1, 0) > 0 && (pfd.revents & POLLIN)) {
			ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
			if (msg.type == PFM_MSG_END)
				goto ended;
		}
		ret = context_restart(self->fd, PFM_LANE_ALL);
		if (!ret)
			smp_restarted(&child, ++restarts);
		else if (ret != -EBUSY)
			ASSERT_EQ(-ENOTCONN, ret);
	}
ended:
	child_reap(child.pid);
	EXPECT_LE(RESTARTS, restarts);
}

/* A processor that is offline has a lane all the same. */
TEST_F(smp, restart_offline)
{
	const char *path = "/sys/devices/system/cpu/cpu1/online";
	int ret, fd = open(path, O_WRONLY | O_CLOEXEC);
	uint64_t begin;

	NEED_VARIANT();
	if (fd < 0)
		SKIP(return, "no second CPU that can be taken offline");
	/* CPU 1 never counts, so that its lane stays empty. */
	pin_to(0);
	ASSERT_EQ(0, session_open(self, 5, 100000));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	ret = write(fd, "0", 1);
	if (ret != 1)
		SKIP(return, "CPU 1 does not go offline");
	/* Most of burn() is system calls: the user's cycles may be few. */
	begin = time_ns(CLOCK_MONOTONIC);
	do {
		burn(20000000);
	} while (!lane_hdr(&self->lanes, 0)->hdr_overflows &&
		 time_ns(CLOCK_MONOTONIC) - begin < PATIENCE);
	EXPECT_EQ(-EBUSY, context_restart(self->fd, 1));
	ret = context_restart(self->fd, PFM_LANE_ALL);
	EXPECT_EQ(1, write(fd, "1", 1));
	/* Lane 0 is full by now. */
	EXPECT_EQ(0, ret);
	EXPECT_EQ(0, lane_hdr(&self->lanes, 1)->hdr_lost);
	close(fd);
}

/* A thread that moves between processors takes its period along. */
TEST_F(smp, one_thread_moves)
{
	const uint64_t p = 1000000;
	const struct pfm_default_hdr *hdr;
	struct pfm_config cfg;
	uint64_t i, seen = 0, sum = 0;
	int cpu, round;

	NEED_VARIANT();
	self->fd = default_open(0, buffer_bytes(4000, 0));
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, config_get(self->fd, &self->lanes.cfg));
	ASSERT_EQ(1, self->lanes.cfg.lanes);
	self->lanes.buf = buffer_map(self->fd);
	ASSERT_NE(NULL, self->lanes.buf);
	hdr = lane_hdr(&self->lanes, 0);
	/* User and kernel, as most of burn() is system calls. */
	if (variant->hardware)
		ASSERT_EQ(0, pmc_write(self->fd, CYCLES, 0));
	ASSERT_EQ(0, pmd_write(self->fd, self->num, -p));
	ASSERT_EQ(0, sample_every(self->fd, self->num, p, NULL, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	for (round = 0; round < 10; round++) {
		for (cpu = 0; cpu < cpus_online(); cpu++) {
			pin_to(cpu);
			burn(3000000);
		}
	}
	ASSERT_EQ(0, context_stop(self->fd));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(cfg.overflows, hdr->hdr_count);
	EXPECT_LT(cpus_online() * 10, hdr->hdr_count);
	for (i = 0; i < hdr->hdr_count; i++) {
		seen |= 1ULL << entry_at(hdr, i, 0)->cpu;
		sum += -entry_at(hdr, i, 0)->last_reset_val;
	}
	EXPECT_EQ((1ULL << cpus_online()) - 1, seen);
	EXPECT_EQ(hdr->hdr_count * p, sum);
	/* The rest is the beginning of the next period. */
	EXPECT_GT(p, pmd_value(self->fd, self->num) + p);
}

/*
 * The clock, which every machine has.
 */

FIXTURE(clock)
{
	int fd;
	const struct pfm_default_hdr *hdr;
	size_t size;
};

FIXTURE_SETUP(clock)
{
	self->size = 1 << 20;
	self->fd = default_open(0, self->size);
	ASSERT_LE(0, self->fd);
	self->hdr = buffer_map(self->fd);
	ASSERT_NE(NULL, self->hdr);
}

FIXTURE_TEARDOWN(clock)
{
	munmap((void *)self->hdr, self->size);
	close(self->fd);
}

/*
 * A sample each millisecond of CPU time, no matter how late the timer is.  Where
 * the whole machine stands still for a while it counts as late, or as the time
 * that it takes to sample: then once more.
 */
TEST_F(clock, samples)
{
	const uint64_t p = 1000000;
	uint64_t i, wall, cpu, value, samples, total = 0, last = 0;
	struct pfm_config cfg;
	int tries = 10;

	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, -p));
	ASSERT_EQ(0, sample_every(self->fd, CPU_TIME_NS, p,
				  PMD_LIST(CPU_TIME_NS)));
	ASSERT_EQ(0, context_load(self->fd, 0));
	do {
		samples = self->hdr->hdr_count;
		wall = time_ns(CLOCK_MONOTONIC);
		cpu = time_ns(CLOCK_THREAD_CPUTIME_ID);
		ASSERT_EQ(0, context_start(self->fd, 0));
		burn(300000000);
		ASSERT_EQ(0, context_stop(self->fd));
		cpu = time_ns(CLOCK_THREAD_CPUTIME_ID) - cpu;
		wall = time_ns(CLOCK_MONOTONIC) - wall;
		ASSERT_EQ(0, config_get(self->fd, &cfg));
		samples = self->hdr->hdr_count - samples;
		value = pmd_value(self->fd, CPU_TIME_NS) + p;
		EXPECT_EQ(cfg.overflows, self->hdr->hdr_count);
		EXPECT_GT(p, value);
		value += (cfg.overflows + cfg.skipped) * p - total;
		total += value;
		EXPECT_GE(wall, value);
		/* The CPU time, but for the time that it takes to sample. */
	} while ((value < cpu - cpu / 6 || value > cpu + cpu / 10 ||
		  samples <= 100) &&
		 --tries);
	EXPECT_LE(cpu - cpu / 6, value);
	EXPECT_GE(cpu + cpu / 10, value);
	EXPECT_LT(100, samples);
	for (i = 0; i < self->hdr->hdr_count; i++) {
		const struct pfm_default_entry *entry =
			entry_at(self->hdr, i, 1);

		ASSERT_EQ(CPU_TIME_NS, entry->ovfl_pmd);
		ASSERT_EQ(-p, entry->last_reset_val);
		ASSERT_EQ(getpid(), entry->pid);
		ASSERT_LE(last, entry->tstamp);
		last = entry->tstamp;
	}
}

/* What does not run is not sampled. */
TEST_F(clock, sleeper)
{
	const uint64_t p = 10000000;
	struct pfm_config cfg;
	uint64_t cpu, value;

	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, -p));
	ASSERT_EQ(0, sample_every(self->fd, CPU_TIME_NS, p, NULL, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	cpu = time_ns(CLOCK_THREAD_CPUTIME_ID);
	ASSERT_EQ(0, context_start(self->fd, 0));
	usleep(300000);
	ASSERT_EQ(0, context_stop(self->fd));
	cpu = time_ns(CLOCK_THREAD_CPUTIME_ID) - cpu;
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(cfg.overflows, self->hdr->hdr_count);
	value = pmd_value(self->fd, CPU_TIME_NS) + p;
	value += (cfg.overflows + cfg.skipped) * p;
	/* It runs for long only where the machine stands still meanwhile. */
	EXPECT_GE(cpu + p, value);
}

TEST_F(clock, randomised)
{
	const uint64_t p = 1000000, mask = 0xfffff;
	struct pfm_pmd_attr attr = {
		.num = CPU_TIME_NS,
		.flags = PFM_PMDF_RANDOM,
		.long_reset = -p,
		.short_reset = -p,
		.random_mask = mask,
		.random_seed = 8,
	};
	uint64_t i, begin, low = ~0ULL, high = 0;

	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, -p));
	ASSERT_EQ(0, attr_write(self->fd, &attr));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	begin = time_ns(CLOCK_MONOTONIC);
	do {
		burn(200000000);
	} while (self->hdr->hdr_count <= 50 &&
		 time_ns(CLOCK_MONOTONIC) - begin < PATIENCE);
	ASSERT_EQ(0, context_stop(self->fd));
	ASSERT_LT(50, self->hdr->hdr_count);
	for (i = 1; i < self->hdr->hdr_count; i++) {
		const uint64_t period =
			-entry_at(self->hdr, i, 0)->last_reset_val;

		ASSERT_LE(p, period);
		ASSERT_GE(p + mask, period);
		low = period < low ? period : low;
		high = period > high ? period : high;
	}
	EXPECT_LT(mask / 2, high - low);
}

/*
 * For 100 ms, of which the thread may run for a moment only: for as long as it
 * takes.  How often it overflowed is in cfg.
 */
static int burn_in_storm(FIXTURE_DATA(clock) * self, struct pfm_config *cfg)
{
	const uint64_t begin = time_ns(CLOCK_MONOTONIC);
	uint64_t ns;
	int ret;

	do {
		burn(1000);
		if (self->hdr->hdr_overflows)
			context_restart(self->fd, 0);
		ret = config_get(self->fd, cfg);
		ns = time_ns(CLOCK_MONOTONIC) - begin;
	} while (!ret &&
		 (ns < 100000000 || (cfg->overflows <= 100 && ns < PATIENCE)));
	if (!ret)
		ret = context_stop(self->fd);
	return ret ? ret : config_get(self->fd, cfg);
}

/* A period of 1 ns cannot be had, and must not stop the machine. */
TEST_F(clock, storm)
{
	struct pfm_config cfg;

	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, -1ULL));
	ASSERT_EQ(0, sample_every(self->fd, CPU_TIME_NS, 1, NULL, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	ASSERT_EQ(0, burn_in_storm(self, &cfg));
	EXPECT_LT(100, cfg.overflows);
	EXPECT_LT(cfg.overflows, cfg.skipped);
}

#ifdef __aarch64__
/* The same of cycles, where an instruction takes as long as it takes. */
TEST_F(clock, storm_of_cycles)
{
	struct pfm_config cfg;

	ASSERT_EQ(0, pmc_write(self->fd, CYCLES, 0));
	ASSERT_EQ(0, pmd_write(self->fd, CYCLES, -1ULL));
	ASSERT_EQ(0, sample_every(self->fd, CYCLES, 1, NULL, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	ASSERT_EQ(0, burn_in_storm(self, &cfg));
	EXPECT_LT(100, cfg.overflows);
	EXPECT_LT(0, cfg.skipped);
}
#endif

/* Kernel addresses are for those who may know them. */
static int kernel_samples(bool may_know, uint64_t *kernel, uint64_t *hidden)
{
	const struct pfm_default_hdr *hdr;
	uint64_t i;
	int fd;

	fd = default_open(0, 1 << 16);
	if (fd < 0)
		return fd;
	hdr = buffer_map(fd);
	if (!hdr || pmd_write(fd, CPU_TIME_NS, -200000ULL) ||
	    sample_every(fd, CPU_TIME_NS, 200000, NULL, 0) ||
	    context_load(fd, 0) || context_start(fd, 0))
		return -EIO;
	/* Most of this is kernel. */
	for (i = 0; i < 3000000 && hdr->hdr_count < 200; i++)
		close(-1);
	context_stop(fd);
	*kernel = 0;
	*hidden = 0;
	for (i = 0; i < hdr->hdr_count; i++) {
		const struct pfm_default_entry *entry = entry_at(hdr, i, 0);

		if (!entry->ip)
			++*hidden;
		else if (entry->ip >> 63)
			++*kernel;
	}
	i = hdr->hdr_count;
	munmap((void *)hdr, 1 << 16);
	close(fd);
	return i;
}

TEST(kernel_addresses)
{
	uint64_t kernel, hidden;
	int n;

	n = kernel_samples(true, &kernel, &hidden);
	EXPECT_LT(20, n);
	EXPECT_LT(0, kernel);
	ASSERT_EQ(0, chmod(DEVICE, 0666));
	if (setgroups(0, NULL) || setresgid(NOBODY, NOBODY, NOBODY) ||
	    setresuid(NOBODY, NOBODY, NOBODY))
		abort();
	n = kernel_samples(false, &kernel, &hidden);
	EXPECT_LT(20, n);
	EXPECT_EQ(0, kernel);
	EXPECT_LT(0, hidden);
}

TEST_HARNESS_MAIN
