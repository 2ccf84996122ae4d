// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registers that the handler of a format reads and writes.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "exact_count.h"
#include "rights.h"
#include "sampling.h"
#include "sysfs.h"

#include <sys/stat.h>

#include "kselftest_harness.h"
#include "test_format.h"

TEST_F(format, read_pmds)
{
	uint64_t begin;

	NEED_MODULE();
	self->arg.op = FMT_TEST_OP_READ_PMDS;
	self->arg.nregs = 1;
	self->arg.regs[0].num = CPU_TIME_NS;
	begin = time_ns(CLOCK_MONOTONIC);
	ASSERT_EQ(0, sample_arg(self, 0, 0));
	ASSERT_EQ(true, burn_until(self->buf, 3));
	ASSERT_EQ(0, context_stop(self->fd));
	EXPECT_EQ(0, self->buf->op_ret);
	/* It has wrapped, as late as the interrupt was. */
	EXPECT_GT(time_ns(CLOCK_MONOTONIC) - begin, self->buf->regs[0].value);
	/* A register that the set does not use, and a register of another set. */
	self->arg.nregs = 2;
	self->arg.regs[1].num = 300;
	ASSERT_EQ(0, sample_arg(self, 0, 0));
	ASSERT_EQ(true, burn_until(self->buf, 1));
	EXPECT_EQ(-ENODATA, self->buf->op_ret);
	self->arg.regs[1].num = CPU_TIME_NS;
	self->arg.regs[1].set = 1;
	ASSERT_EQ(0, sample_arg(self, 0, 0));
	ASSERT_EQ(true, burn_until(self->buf, 1));
	EXPECT_EQ(-ENOENT, self->buf->op_ret);
}

/* A context whose cycles sample and whose counter 0 counts cycles as well. */
static int sample_cycles(FIXTURE_DATA(format) * self, uint32_t flags)
{
	const struct pfm_pmd_attr attr = {
		.num = CYCLES,
		.long_reset = -PERIOD,
		.short_reset = -PERIOD,
	};
	int ret;

	ret = open_arg(self, flags);
	if (!ret)
		ret = pmc_write(self->fd, 0, USER | EVENT_CPU_CYCLES);
	if (!ret)
		ret = pmd_write(self->fd, 0, 0);
	if (!ret)
		ret = pmc_write(self->fd, CYCLES, CYCLES_AT(USER));
	if (!ret)
		ret = pmd_write(self->fd, CYCLES, -PERIOD);
	if (!ret)
		ret = attr_write(self->fd, &attr);
	return ret ? ret : context_load(self->fd, 0);
}

TEST_F(format, read_pmds_exact)
{
	NEED_CYCLES();
	if (exact_missing())
		SKIP(return, "%s", exact_missing());
	self->arg.op = FMT_TEST_OP_READ_PMDS;
	self->arg.nregs = 2;
	self->arg.regs[0].num = 0;
	self->arg.regs[1].num = CYCLES;
	ASSERT_EQ(0, sample_cycles(self, 0));
	ASSERT_EQ(0, self_loop(self->fd, 1000000));
	EXPECT_EQ(SELF_COST(1000000) / PERIOD, self->buf->calls);
	EXPECT_EQ(0, self->buf->op_ret);
	EXPECT_EQ(self->buf->calls * PERIOD, self->buf->regs[0].value);
	EXPECT_EQ(0, self->buf->regs[1].value);
}

TEST_F(format, write_pmds)
{
	NEED_CYCLES();
	self->arg.op = FMT_TEST_OP_WRITE_PMDS;
	self->arg.nregs = 1;
	self->arg.regs[0].num = 0;
	self->arg.regs[0].value = 1ULL << 50;
	ASSERT_EQ(0, sample_cycles(self, 0));
	ASSERT_EQ(0, self_loop(self->fd, 1000000));
	ASSERT_LT(0, self->buf->calls);
	EXPECT_EQ(0, self->buf->op_ret);
	/* Since the last overflow it counted less than a period. */
	EXPECT_LE(1ULL << 50, pmd_value(self->fd, 0));
	EXPECT_GT((1ULL << 50) + SELF_COST(1000000), pmd_value(self->fd, 0));
	if (!exact_missing())
		EXPECT_EQ((1ULL << 50) + SELF_COST(1000000) % PERIOD,
			  pmd_value(self->fd, 0));
	/* All or nothing. */
	self->arg.nregs = 2;
	self->arg.regs[1].num = 5;
	ASSERT_EQ(0, sample_cycles(self, 0));
	ASSERT_EQ(0, self_loop(self->fd, 1000000));
	EXPECT_EQ(-ENODATA, self->buf->op_ret);
	EXPECT_GT(1ULL << 50, pmd_value(self->fd, 0));
	self->arg.regs[1] = (struct pfm_reg){ .num = 0, .set = 3 };
	ASSERT_EQ(0, sample_cycles(self, 0));
	ASSERT_EQ(0, self_loop(self->fd, 1000000));
	EXPECT_EQ(-ENOENT, self->buf->op_ret);
	EXPECT_GT(1ULL << 50, pmd_value(self->fd, 0));
}

/* The register that overflowed: the reset comes after, and wins. */
TEST_F(format, write_pmds_of_the_sampler)
{
	NEED_CYCLES();
	if (exact_missing())
		SKIP(return, "%s", exact_missing());
	self->arg.op = FMT_TEST_OP_WRITE_PMDS;
	self->arg.nregs = 1;
	self->arg.regs[0].num = CYCLES;
	self->arg.regs[0].value = 12345;
	ASSERT_EQ(0, sample_cycles(self, 0));
	ASSERT_EQ(0, self_loop(self->fd, 1000000));
	EXPECT_EQ(SELF_COST(1000000) / PERIOD, self->buf->calls);
	EXPECT_EQ(-PERIOD, self->buf->last_reset);
	EXPECT_EQ(SELF_COST(1000000) % PERIOD - PERIOD,
		  pmd_value(self->fd, CYCLES));
}

/* The handler changes the event at an overflow: here to none. */
TEST_F(format, write_pmcs)
{
	uint64_t value;

	NEED_CYCLES();
	self->arg.op = FMT_TEST_OP_WRITE_PMCS;
	self->arg.nregs = 1;
	self->arg.regs[0].num = 0;
	self->arg.regs[0].value = NO_LEVEL | EVENT_CPU_CYCLES;
	ASSERT_EQ(0, sample_cycles(self, 0));
	ASSERT_EQ(0, self_loop(self->fd, 1000000));
	ASSERT_LT(0, self->buf->calls);
	EXPECT_EQ(0, self->buf->op_ret);
	value = pmd_value(self->fd, 0);
	if (!exact_missing())
		EXPECT_EQ(PERIOD, value);
	/* It stays so, across switches and starts. */
	usleep(1000);
	ASSERT_EQ(0, self_loop(self->fd, 1000000));
	EXPECT_EQ(value, pmd_value(self->fd, 0));
	EXPECT_LT(1, self->buf->calls);
}

TEST_F(format, write_pmcs_errors)
{
	const struct {
		uint32_t flags;
		struct pfm_reg reg;
		int error;
	} tries[] = {
		{ 0, { .num = 0, .set = 1, .value = USER }, -ENOENT },
		{ 0, { .num = 5, .value = USER }, -ENODATA },
		{ 0, { .num = 200, .value = USER }, -ENODATA },
		{ 0, { .num = 600, .value = USER }, -ENODATA },
		{ 0, { .num = 0, .value = USER | 1ULL << 40 }, -ERANGE },
		{ PFM_CTX_FOLLOW_ALL, { .num = 0, .value = USER }, -EBUSY },
	};
	size_t i;

	NEED_CYCLES();
	self->arg.op = FMT_TEST_OP_WRITE_PMCS;
	for (i = 0; i < ARRAY_LEN(tries); i++) {
		pin_to(0);
		self->arg.nregs = 2;
		self->arg.regs[0] = (struct pfm_reg){
			.num = 0,
			.value = NO_LEVEL | EVENT_CPU_CYCLES,
		};
		self->arg.regs[1] = tries[i].reg;
		ASSERT_EQ(0, sample_cycles(self, tries[i].flags));
		ASSERT_EQ(0, self_loop(self->fd, 1000000));
		ASSERT_LT(0, self->buf->calls);
		EXPECT_EQ(tries[i].error, self->buf->op_ret)
		{
			TH_LOG("try %zu", i);
		}
		/* None of it was done. */
		EXPECT_LT(PERIOD, pmd_value(self->fd, 0));
	}
}

static int unprivileged(void *arg)
{
	FIXTURE_DATA(format) *self = arg;

	rights_drop();
	if (sample_cycles(self, 0) || self_loop(self->fd, 1000000))
		return 101;
	if (!self->buf->calls)
		return 102;
	if (self->buf->kernel_ok)
		return 103;
	return -self->buf->op_ret;
}

/* Have a user's format count the kernel, too: 0 or the error. */
static int write_kernel(FIXTURE_DATA(format) * self)
{
	int ret;

	if (chmod(DEVICE, 0666))
		return -1;
	self->arg.op = FMT_TEST_OP_WRITE_PMCS;
	self->arg.nregs = 1;
	self->arg.regs[0].num = 0;
	self->arg.regs[0].value = ALL_LEVELS | EVENT_CPU_CYCLES;
	ret = in_child(unprivileged, self);
	return chmod(DEVICE, 0660) ? -1 : ret;
}

/* A format gives nobody more rights than he has. */
TEST_F(format, write_pmcs_unprivileged)
{
	NEED_CYCLES();
	EXPECT_EQ(EPERM, write_kernel(self));
}

/* If the policy lets everybody count the kernel, a format may change a PMC to that. */
TEST_F(format, write_pmcs_policy)
{
	NEED_CYCLES();
	ASSERT_EQ(0, sysfs_write("policy/kernel_level", "1"));
	EXPECT_EQ(0, write_kernel(self));
	ASSERT_EQ(0, sysfs_write("policy/kernel_level", "0"));
	EXPECT_EQ(EPERM, write_kernel(self));
}

/*
 * A value that overflowed, and that the format's RESTART did not have reset, is reset with
 * the next overflow of the set: of another value, whose counter alone has wrapped.
 */
TEST_F(format, restart_without_reset)
{
	const uint8_t uuid[PFM_UUID_LEN] = FMT_TEST_SIMPLE_UUID;
	const uint64_t first = 10000, second = 70000;
	uint64_t count;

	NEED_CYCLES();
	NEED_EXACT();
	/* The fifth overflow masks, one of the first value.  There is no tenth. */
	self->arg.every = 5;
	self->arg.every_ret = FMT_TEST_NOTIFY | FMT_TEST_MASK;
	self->arg.restart_ctrl = 0;
	self->fd = format_open(0, uuid, &self->arg, sizeof(self->arg));
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, pmc_write(self->fd, 0, USER | EVENT_CPU_CYCLES));
	ASSERT_EQ(0, pmd_write(self->fd, 0, 0));
	ASSERT_LT(0, cycles_setup(self->fd, -first));
	ASSERT_EQ(0, sample_every(self->fd, CYCLES, first, NULL, 0));
	ASSERT_EQ(0, pmc_write(self->fd, 2, USER | EVENT_CPU_CYCLES));
	ASSERT_EQ(0, pmd_write(self->fd, 2, -second));
	ASSERT_EQ(0, sample_every(self->fd, 2, second, NULL, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, 50000));
	ASSERT_EQ(PFM_STATE_MASKED, state_of(self->fd));
	ASSERT_EQ(5 * first, pmd_value(self->fd, 0));
	ASSERT_EQ(0, pmd_value(self->fd, CYCLES));
	ASSERT_EQ(0, context_restart(self->fd, 0));
	EXPECT_EQ(0, pmd_value(self->fd, CYCLES));
	/* The second value overflows at 70000; only 20000 more fit before it. */
	ASSERT_EQ(0, self_loop(self->fd, 11000));
	count = pmd_value(self->fd, 0);
	ASSERT_LT(second, count);
	EXPECT_EQ(count % first - first, pmd_value(self->fd, CYCLES));
	EXPECT_EQ(count % second - second, pmd_value(self->fd, 2));
}

TEST_HARNESS_MAIN
