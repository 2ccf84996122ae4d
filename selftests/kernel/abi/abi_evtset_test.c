// SPDX-License-Identifier: GPL-2.0-only
/*
 * CREATE_EVTSET, DELETE_EVTSET and GETINFO_EVTSET: what is refused, and what is told of
 * event sets.
 */
#include "context.h"
#include "sampling.h"
#include "sets.h"

#include "kselftest_harness.h"

#define MSEC 1000000ULL

FIXTURE(sets)
{
	int fd;
};

FIXTURE_SETUP(sets)
{
	self->fd = context_open(0);
	ASSERT_LE(0, self->fd)
	{
		TH_LOG("no context: %s", strerror(-self->fd));
	}
}

FIXTURE_TEARDOWN(sets)
{
	close(self->fd);
}

TEST_F(sets, unknown_flags)
{
	int bit;

	for (bit = 5; bit < 32; bit++) {
		const struct pfm_set_desc desc = {
			.set = 1,
			.flags = 1U << bit,
		};

		if (desc.flags & (PFM_SETFL_EXCL_INTR | PFM_SETFL_INTR_ONLY))
			continue;
		EXPECT_EQ(-EINVAL, set_create(self->fd, &desc));
	}
}

TEST_F(sets, reserved_fields)
{
	struct pfm_set_desc desc = { .set = 1 };
	int i;

	for (i = 0; i < 4; i++) {
		desc.reserved[i] = 1ULL << 63;
		EXPECT_EQ(-EINVAL, set_create(self->fd, &desc));
		desc.reserved[i] = 0;
	}
	EXPECT_EQ(0, set_create(self->fd, &desc));
}

TEST_F(sets, both_switches)
{
	const struct pfm_set_desc desc = {
		.set = 1,
		.flags = PFM_SETFL_OVFL_SWITCH | PFM_SETFL_TIME_SWITCH,
		.timeout = MSEC,
	};

	EXPECT_EQ(-EINVAL, set_create(self->fd, &desc));
}

TEST_F(sets, next_without_its_flag)
{
	const struct pfm_set_desc desc = { .set = 1, .next = 2 };

	EXPECT_EQ(-EINVAL, set_create(self->fd, &desc));
}

TEST_F(sets, timeout_without_its_flag)
{
	struct pfm_set_desc desc = { .set = 1, .timeout = MSEC };

	EXPECT_EQ(-EINVAL, set_create(self->fd, &desc));
	desc.timeout = 0;
	desc.jitter = 1;
	EXPECT_EQ(-EINVAL, set_create(self->fd, &desc));
	desc.jitter = 0;
	desc.first = PFM_SET_TIMEOUT_MIN;
	EXPECT_EQ(-EINVAL, set_create(self->fd, &desc));
}

TEST_F(sets, timeout_range)
{
	EXPECT_EQ(-ERANGE, set_timed(self->fd, 1, 0));
	EXPECT_EQ(-ERANGE, set_timed(self->fd, 1, 1));
	EXPECT_EQ(-ERANGE, set_timed(self->fd, 1, PFM_SET_TIMEOUT_MIN - 1));
	EXPECT_EQ(0, set_timed(self->fd, 1, PFM_SET_TIMEOUT_MIN));
	EXPECT_EQ(-ERANGE, set_timed(self->fd, 1, ~0ULL));
	EXPECT_EQ(-ERANGE, set_timed(self->fd, 1, 1ULL << 62));
	EXPECT_EQ(0, set_timed(self->fd, 1, (1ULL << 62) - 1));
}

TEST_F(sets, jitter_range)
{
	struct pfm_set_desc desc = {
		.set = 1,
		.flags = PFM_SETFL_TIME_SWITCH,
		.timeout = MSEC,
		.jitter = MSEC + 1,
	};

	EXPECT_EQ(-ERANGE, set_create(self->fd, &desc));
	desc.jitter = MSEC;
	EXPECT_EQ(0, set_create(self->fd, &desc));
}

TEST_F(sets, first_range)
{
	struct pfm_set_desc desc = {
		.set = 1,
		.flags = PFM_SETFL_TIME_SWITCH,
		.timeout = MSEC,
		.first = 1,
	};

	EXPECT_EQ(-ERANGE, set_create(self->fd, &desc));
	desc.first = PFM_SET_TIMEOUT_MIN - 1;
	EXPECT_EQ(-ERANGE, set_create(self->fd, &desc));
	desc.first = MSEC + 1;
	EXPECT_EQ(-ERANGE, set_create(self->fd, &desc));
	desc.first = ~0ULL;
	EXPECT_EQ(-ERANGE, set_create(self->fd, &desc));
	desc.first = MSEC;
	EXPECT_EQ(0, set_create(self->fd, &desc));
	desc.first = PFM_SET_TIMEOUT_MIN;
	EXPECT_EQ(0, set_create(self->fd, &desc));
}

TEST_F(sets, idle_of_a_thread)
{
	const struct pfm_set_desc desc = {
		.set = 1,
		.flags = PFM_SETFL_EXCL_IDLE,
	};

	EXPECT_EQ(-EOPNOTSUPP, set_create(self->fd, &desc));
}

TEST_F(sets, sides_of_interrupts)
{
	struct pfm_set_desc desc = { .set = 1 };

	desc.flags = PFM_SETFL_EXCL_INTR;
	EXPECT_EQ(-EOPNOTSUPP, set_create(self->fd, &desc));
	desc.flags = PFM_SETFL_INTR_ONLY;
	EXPECT_EQ(-EOPNOTSUPP, set_create(self->fd, &desc));
	desc.flags |= PFM_SETFL_EXCL_INTR;
	EXPECT_EQ(-EINVAL, set_create(self->fd, &desc));
}

TEST_F(sets, log_without_format)
{
	const struct pfm_set_desc desc = { .set = 1, .flags = PFM_SETFL_LOG };

	EXPECT_EQ(-EOPNOTSUPP, set_create(self->fd, &desc));
}

TEST_F(sets, refused_as_a_whole)
{
	const struct pfm_set_desc descs[3] = {
		{ .set = 1 },
		{ .set = 2 },
		{ .set = 3, .timeout = 1 },
	};
	struct pfm_set_info info;
	uint32_t failed;

	EXPECT_EQ(-EINVAL,
		  vector(self->fd, PFM_IOC_CREATE_EVTSET, descs, 3, &failed));
	EXPECT_EQ(2, failed);
	EXPECT_EQ(-ENOENT, set_info(self->fd, 1, &info));
	EXPECT_EQ(-ENOENT, set_info(self->fd, 2, &info));
}

TEST_F(sets, delete)
{
	const struct pfm_set_desc three[3] = {
		{ .set = 1 },
		{ .set = 5 },
		{ .set = 2 },
	};
	struct pfm_set_info info;
	uint32_t failed;

	ASSERT_EQ(0, set_timed(self->fd, 1, MSEC));
	ASSERT_EQ(0, set_timed(self->fd, 2, MSEC));
	EXPECT_EQ(-EINVAL, set_delete(self->fd, 0));
	EXPECT_EQ(-ENOENT, set_delete(self->fd, 3));
	EXPECT_EQ(-ENOENT,
		  vector(self->fd, PFM_IOC_DELETE_EVTSET, three, 3, &failed));
	EXPECT_EQ(1, failed);
	EXPECT_EQ(0, set_info(self->fd, 1, &info));
	EXPECT_EQ(0, set_delete(self->fd, 1));
	EXPECT_EQ(-ENOENT, set_info(self->fd, 1, &info));
	EXPECT_EQ(-ENOENT, set_delete(self->fd, 1));
	EXPECT_EQ(0, set_info(self->fd, 2, &info));
}

TEST_F(sets, while_loaded)
{
	ASSERT_EQ(0, set_timed(self->fd, 1, MSEC));
	ASSERT_EQ(0, set_pmd_write(self->fd, 1, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(-EBUSY, set_timed(self->fd, 2, MSEC));
	EXPECT_EQ(-EBUSY, set_timed(self->fd, 1, MSEC));
	EXPECT_EQ(-EBUSY, set_delete(self->fd, 1));
	ASSERT_EQ(0, context_unload(self->fd));
	EXPECT_EQ(0, set_delete(self->fd, 1));
}

TEST_F(sets, no_such_set)
{
	const struct pfm_load load = { .set = 1 };

	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	EXPECT_EQ(-ENOENT, set_pmd_write(self->fd, 1, CPU_TIME_NS, 0));
	EXPECT_EQ(-ENOENT, call(self->fd, PFM_IOC_LOAD_CONTEXT, &load));
	ASSERT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(-ENOENT, start_with(self->fd, 1));
}

TEST_F(sets, next_does_not_exist)
{
	const struct pfm_set_desc desc = {
		.set = 1,
		.next = 7,
		.flags = PFM_SETFL_TIME_SWITCH | PFM_SETFL_EXPL_NEXT,
		.timeout = MSEC,
	};

	ASSERT_EQ(0, set_create(self->fd, &desc));
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	EXPECT_EQ(-ENOENT, context_load(self->fd, 0));
	ASSERT_EQ(0, set_timed(self->fd, 7, MSEC));
	EXPECT_EQ(0, context_load(self->fd, 0));
}

TEST_F(sets, thread_registers)
{
	struct pfm_pmd_attr attr = { .num = CPU_TIME_NS, .set = 1 };

	ASSERT_EQ(0, set_timed(self->fd, 1, MSEC));
	EXPECT_EQ(-EOPNOTSUPP, set_pmd_write(self->fd, 1, WALL_TIME_NS, 0));
	bit_set(attr.smpl_pmds, WALL_TIME_NS);
	EXPECT_EQ(-EOPNOTSUPP, attr_write(self->fd, &attr));
	EXPECT_EQ(0, set_pmd_write(self->fd, 0, WALL_TIME_NS, 0));
}

TEST_F(sets, trigger_that_cannot_interrupt)
{
	const struct pfm_set_desc desc = { .flags = PFM_SETFL_OVFL_SWITCH };
	const struct pfm_pmd_attr attr = {
		.num = WALL_TIME_NS,
		.ovfl_switch_cnt = 1,
	};

	ASSERT_EQ(0, set_create(self->fd, &desc));
	EXPECT_EQ(-EOPNOTSUPP, attr_write(self->fd, &attr));
}

TEST_F(sets, rights)
{
	struct pfm_set_desc desc = {};
	int i;

	if (setresuid(1000, 1000, 1000))
		SKIP(return, "cannot change to another user");
	for (i = 1; i < PFM_SETS_DFL; i++) {
		desc.set = i;
		ASSERT_EQ(0, set_create(self->fd, &desc));
	}
	desc.set = i;
	EXPECT_EQ(-EPERM, set_create(self->fd, &desc));
	/* The limit does not keep a set that exists from being described again or replaced. */
	desc.set = 1;
	EXPECT_EQ(0, set_create(self->fd, &desc));
	EXPECT_EQ(0, set_delete(self->fd, 1));
	desc.set = 65535;
	EXPECT_EQ(0, set_create(self->fd, &desc));
}

TEST_F(sets, describe_again)
{
	const struct pfm_set_desc desc = {
		.set = 9,
		.next = 9,
		.flags = PFM_SETFL_TIME_SWITCH | PFM_SETFL_EXPL_NEXT,
		.timeout = 3 * MSEC,
		.jitter = MSEC,
		.first = 20000,
	};
	struct pfm_set_info info;

	ASSERT_EQ(0, set_create(self->fd, &desc));
	ASSERT_EQ(0, set_pmd_write(self->fd, 9, CPU_TIME_NS, 5));
	ASSERT_EQ(0, set_info(self->fd, 9, &info));
	EXPECT_EQ(9, info.set);
	EXPECT_EQ(9, info.next);
	EXPECT_EQ(desc.flags, info.flags);
	EXPECT_EQ(desc.timeout, info.timeout);
	EXPECT_EQ(desc.timeout, info.remaining);
	EXPECT_EQ(desc.jitter, info.jitter);
	EXPECT_EQ(desc.first, info.first);
	EXPECT_EQ(1, info.npmds);
	EXPECT_EQ(0, info.runs);
	EXPECT_EQ(0, info.active);
	/* That sets all back. */
	ASSERT_EQ(0, set_timed(self->fd, 9, MSEC));
	ASSERT_EQ(0, set_info(self->fd, 9, &info));
	EXPECT_EQ(0, info.npmds);
	EXPECT_EQ(MSEC, info.timeout);
	EXPECT_EQ(0, info.jitter);
	EXPECT_EQ(0, info.first);
}

TEST_F(sets, values_are_apart)
{
	ASSERT_EQ(0, set_timed(self->fd, 3, MSEC));
	ASSERT_EQ(0, set_pmd_write(self->fd, 0, CPU_TIME_NS, 100));
	ASSERT_EQ(0, set_pmd_write(self->fd, 3, CPU_TIME_NS, 300));
	EXPECT_EQ(100, set_value(self->fd, 0, CPU_TIME_NS));
	EXPECT_EQ(300, set_value(self->fd, 3, CPU_TIME_NS));
	ASSERT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(100, set_value(self->fd, 0, CPU_TIME_NS));
	EXPECT_EQ(300, set_value(self->fd, 3, CPU_TIME_NS));
	/* Of a set that is not active as well. */
	ASSERT_EQ(0, set_pmd_write(self->fd, 3, CPU_TIME_NS, 400));
	EXPECT_EQ(400, set_value(self->fd, 3, CPU_TIME_NS));
	ASSERT_EQ(0, context_unload(self->fd));
	EXPECT_EQ(100, set_value(self->fd, 0, CPU_TIME_NS));
	EXPECT_EQ(400, set_value(self->fd, 3, CPU_TIME_NS));
}

TEST_F(sets, kept_registers)
{
	/* Not of a context whose sets nobody described. */
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	EXPECT_EQ(~0ULL, set_value(self->fd, 0, PFM_REG_SET_ACTIVE));
	ASSERT_EQ(0, set_timed(self->fd, 1, MSEC));
	EXPECT_EQ(0, set_value(self->fd, 0, PFM_REG_SET_ACTIVE));
	EXPECT_EQ(0, set_value(self->fd, 1, PFM_REG_SET_RUNS));
	EXPECT_EQ(0, set_value(self->fd, 0, PFM_REG_SET_ENABLED));
	EXPECT_EQ(~0ULL, set_value(self->fd, 1, PFM_REG_SET_ENABLED));
	EXPECT_EQ(-ENXIO, set_pmd_write(self->fd, 1, PFM_REG_SET_ACTIVE, 0));
}

TEST_HARNESS_MAIN
