// SPDX-License-Identifier: GPL-2.0-only
/*
 * SET_RANGES and GETINFO_RANGES: what is refused, and with which error.
 */
#include "child.h"
#include "context.h"
#include "range.h"
#include "rights.h"

#include "kselftest_harness.h"

FIXTURE(ranges)
{
	int fd;
	int file;
	struct pfm_range range;
};

FIXTURE_SETUP(ranges)
{
	self->fd = context_open(0);
	ASSERT_LE(0, self->fd);
	self->file = self_file();
	self->range = (struct pfm_range){
		.fd = self->file,
		.start = offset_of(range_loop),
	};
}

FIXTURE_TEARDOWN(ranges)
{
	close(self->file);
	close(self->fd);
}

TEST_F(ranges, vector)
{
	struct pfm_range many[PFM_RANGES_MAX + 1];
	uint32_t failed;
	size_t i;

	for (i = 0; i < ARRAY_LEN(many); i++)
		many[i] = self->range;
	EXPECT_EQ(0, ranges_write(self->fd, NULL, 0, NULL));
	EXPECT_EQ(0, ranges_write(self->fd, many, PFM_RANGES_MAX, NULL));
	EXPECT_EQ(-E2BIG, ranges_write(self->fd, many, ARRAY_LEN(many), NULL));
	EXPECT_EQ(-EFAULT, ranges_write(self->fd, NULL, 1, NULL));
	/* Exits are elements, and no ranges. */
	for (i = 1; i < ARRAY_LEN(many); i++) {
		many[i].flags = PFM_RANGE_EXIT;
		many[i].start += 4;
	}
	EXPECT_EQ(0, ranges_write(self->fd, many, ARRAY_LEN(many), NULL));
	many[1].start -= 4;
	EXPECT_EQ(-EINVAL,
		  ranges_write(self->fd, many, ARRAY_LEN(many), &failed));
	EXPECT_EQ(1, failed);
	for (i = 1; i < ARRAY_LEN(many); i++)
		many[i] = self->range;
	EXPECT_EQ(0, ranges_write(self->fd, many, PFM_RANGES_MAX, NULL));
	many[3].reserved = 1;
	EXPECT_EQ(-EINVAL, ranges_write(self->fd, many, 5, &failed));
	EXPECT_EQ(3, failed);
	/* A call that is refused changes nothing: the ranges are those of the second call. */
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(0,
		  range_info(self->fd, PFM_RANGES_MAX - 1, CPU_TIME_NS).calls);
}

TEST_F(ranges, elements)
{
	struct {
		struct pfm_range range;
		int ret;
	} bad[] = {
		{ self->range, -EINVAL },  { self->range, -EINVAL },
		{ self->range, -EINVAL },  { self->range, -EINVAL },
		{ self->range, -EINVAL },  { self->range, -EINVAL },
		{ self->range, -ERANGE },  { self->range, -ERANGE },
		{ self->range, -EBADF },   { self->range, -EBADF },
		{ self->range, -ENOEXEC }, { self->range, -EINVAL },
		{ self->range, -EINVAL },  { self->range, -EINVAL },
		{ self->range, -EINVAL },  { self->range, -EINVAL },
		{ self->range, -EINVAL },  { self->range, -ERANGE },
	};
	const int writable = open("/tmp", O_TMPFILE | O_WRONLY, 0600);
	const int null = open("/dev/null", O_RDONLY);
	size_t i;

	bad[0].range.flags = 1U << 2;
	bad[1].range.flags = PFM_RANGE_SPAN | PFM_RANGE_UNWIND;
	bad[2].range.end = bad[2].range.start + 4;
	bad[3].range.flags = PFM_RANGE_SPAN;
	bad[4].range.flags = PFM_RANGE_SPAN;
	bad[4].range.end = bad[4].range.start;
	bad[5].range.flags = PFM_RANGE_UNWIND;
	bad[5].range.end = bad[5].range.start + 4;
	bad[6].range.start = 1ULL << 62;
	bad[7].range.flags = PFM_RANGE_SPAN;
	bad[7].range.end = ~0ULL;
	bad[8].range.fd = -1;
	bad[9].range.fd = writable;
	bad[10].range.fd = null;
	/* An exit of no function, and a place where nothing is counted. */
	bad[11].range.flags = PFM_RANGE_EXIT;
	bad[12].range.flags = PFM_RANGE_UNWIND;
	bad[13].range.flags = PFM_RANGE_EXIT | PFM_RANGE_UNWIND;
	bad[14].range.flags = PFM_RANGE_ONCE;
	bad[15].range.flags = PFM_RANGE_TRIGGER | PFM_RANGE_SPAN;
	bad[16].range.flags = PFM_RANGE_TRIGGER;
	bad[16].range.end = bad[16].range.start;
	bad[17].range.flags = PFM_RANGE_TRIGGER | PFM_RANGE_ONCE;
	bad[17].range.end = ~0ULL;
	for (i = 0; i < ARRAY_LEN(bad); i++) {
		EXPECT_EQ(bad[i].ret,
			  ranges_write(self->fd, &bad[i].range, 1, NULL))
		{
			TH_LOG("element %zu", i);
		}
	}
	close(writable);
	close(null);
}

TEST_F(ranges, contexts)
{
	const uint32_t flags[] = { PFM_CTX_SYSTEM_WIDE, PFM_CTX_AGGREGATE };
	size_t i;
	int fd;

	for (i = 0; i < ARRAY_LEN(flags); i++) {
		fd = context_open(flags[i]);
		ASSERT_LE(0, fd);
		EXPECT_EQ(-EOPNOTSUPP, ranges_write(fd, &self->range, 1, NULL));
		close(fd);
	}
	/* Event sets come later, so LOAD refuses them; and so it does with samples. */
	ASSERT_EQ(0, ranges_write(self->fd, &self->range, 1, NULL));
	ASSERT_EQ(0, set_describe(self->fd, 0, 0));
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	EXPECT_EQ(-EOPNOTSUPP, context_load(self->fd, 0));
	fd = context_open(0);
	{
		const struct pfm_pmd_attr attr = {
			.num = CPU_TIME_NS,
			.long_reset = -1000000ULL,
		};

		ASSERT_EQ(0,
			  vector(fd, PFM_IOC_WRITE_PMDATTRS, &attr, 1, NULL));
	}
	ASSERT_EQ(0, ranges_write(fd, &self->range, 1, NULL));
	EXPECT_EQ(-EOPNOTSUPP, context_load(fd, 0));
	ASSERT_EQ(0, ranges_write(fd, NULL, 0, NULL));
	EXPECT_EQ(0, context_load(fd, 0));
	close(fd);
}

TEST_F(ranges, loaded)
{
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(-EBUSY, ranges_write(self->fd, &self->range, 1, NULL));
	EXPECT_EQ(-EBUSY, ranges_write(self->fd, NULL, 0, NULL));
	ASSERT_EQ(0, context_unload(self->fd));
	EXPECT_EQ(0, ranges_write(self->fd, &self->range, 1, NULL));
}

TEST_F(ranges, info)
{
	struct pfm_range_info info = {};
	const struct pfm_range ranges[] = {
		self->range,
		{
			.fd = self->file,
			.flags = PFM_RANGE_UNWIND,
			.start = offset_of(range_tail),
		},
	};

	EXPECT_EQ(-ERANGE, range_read(self->fd, 0, CPU_TIME_NS, &info));
	ASSERT_EQ(0, ranges_write(self->fd, ranges, 2, NULL));
	EXPECT_EQ(-ENODATA, range_read(self->fd, 0, CPU_TIME_NS, &info));
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(0, range_read(self->fd, 0, CPU_TIME_NS, &info));
	EXPECT_EQ(0, range_read(self->fd, 0, PFM_REG_NONE, &info));
	EXPECT_EQ(-ENODATA, range_read(self->fd, 0, WALL_TIME_NS, &info));
	EXPECT_EQ(-ERANGE, range_read(self->fd, 1, CPU_TIME_NS, &info));
	EXPECT_EQ(-ERANGE, range_read(self->fd, 2, CPU_TIME_NS, &info));
	info = (struct pfm_range_info){ .num = CPU_TIME_NS, .flags = 1 };
	EXPECT_EQ(-EINVAL,
		  vector(self->fd, PFM_IOC_GETINFO_RANGES, &info, 1, NULL));
	info = (struct pfm_range_info){ .num = CPU_TIME_NS,
					.reserved = { 0, 1 } };
	EXPECT_EQ(-EINVAL,
		  vector(self->fd, PFM_IOC_GETINFO_RANGES, &info, 1, NULL));
	/* The kernel ignores the other fields of the caller. */
	info = (struct pfm_range_info){ .num = CPU_TIME_NS,
					.calls = 7,
					.sum = 8 };
	EXPECT_EQ(0, vector(self->fd, PFM_IOC_GETINFO_RANGES, &info, 1, NULL));
	EXPECT_EQ(0, info.calls);
	EXPECT_EQ(0, info.sum);
	/* The table stays when the context is unloaded. */
	ASSERT_EQ(0, context_unload(self->fd));
	EXPECT_EQ(0, range_read(self->fd, 0, CPU_TIME_NS, &info));
}

/* A place that has no instruction that could have a probe: LOAD finds out. */
TEST_F(ranges, no_instruction)
{
#ifdef __aarch64__
	/* Not aligned. */
	const struct pfm_range bad = {
		.fd = self->file,
		.start = self->range.start + 2,
	};
	struct pfm_config cfg;

	ASSERT_EQ(0, ranges_write(self->fd, &bad, 1, NULL));
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	EXPECT_EQ(-EINVAL, context_load(self->fd, 0));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(PFM_STATE_UNLOADED, cfg.state);
	EXPECT_EQ(0, cfg.tasks);
	ASSERT_EQ(0, ranges_write(self->fd, &self->range, 1, NULL));
	EXPECT_EQ(0, context_load(self->fd, 0));
#else
	SKIP(return, "needs instructions of one length");
#endif
}

/* A user who may not put probes into programs with perf may not do so here. */
TEST_F(ranges, rights)
{
	TEST_PROVES(I6);
	int status;
	pid_t pid;

	pid = fork();
	if (!pid) {
		rights_drop();
		_exit(-ranges_write(self->fd, &self->range, 1, NULL));
	}
	status = child_reap(pid);
	ASSERT_TRUE(WIFEXITED(status));
	EXPECT_EQ(EPERM, WEXITSTATUS(status));
}

TEST_HARNESS_MAIN
