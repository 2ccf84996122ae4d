// SPDX-License-Identifier: GPL-2.0-only
/*
 * Event sets of a CPU that leave the idle task out: their time slices stand still while
 * the CPU is idle.
 *
 * The CPU is never quite idle: limits leave room for work of the kernel there.  That takes
 * long when an emulator waits for its host, so a test is tried again if the CPU was busy
 * when it should have idled.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "sets.h"

#include "kselftest_harness.h"

#define MSEC 1000000ULL

/* The CPU idles that long, but for stray work. */
#define IDLE (300 * MSEC)

/* That often it may turn out not to have. */
#define TRIES 20

FIXTURE(idle)
{
	int fd;
	int cpu;
};

FIXTURE_SETUP(idle)
{
	pin_to(0);
	self->cpu = cpus_online() - 1;
	self->fd = context_open(PFM_CTX_SYSTEM_WIDE);
	ASSERT_LE(0, self->fd)
	{
		TH_LOG("no context: %s", strerror(-self->fd));
	}
}

FIXTURE_TEARDOWN(idle)
{
	close(self->fd);
}

/* A set that is left after a time, and counts the CPU's time. */
static int set_of_cpu(int fd, uint16_t set, uint32_t flags, uint64_t timeout)
{
	const struct pfm_set_desc desc = {
		.set = set,
		.flags = PFM_SETFL_TIME_SWITCH | flags,
		.timeout = timeout,
	};
	int ret;

	ret = set_create(fd, &desc);
	return ret ? ret : set_pmd_write(fd, set, CPU_TIME_NS, 0);
}

static int begin(int fd, int cpu)
{
	int ret;

	ret = pmd_write(fd, WALL_TIME_NS, 0);
	if (!ret)
		ret = context_load(fd, cpu);
	return ret ? ret : context_start(fd, 0);
}

/* The CPU was not idle enough: once more, from the beginning. */
static int open_again(int fd)
{
	close(fd);
	return context_open(PFM_CTX_SYSTEM_WIDE);
}

/* Somebody runs on the CPU for a time in which the wall clock goes on by ns. */
static void keep_busy(int fd, int cpu, uint64_t ns)
{
	const pid_t pid = child_spin_on(cpu);
	const uint64_t end = pmd_value(fd, WALL_TIME_NS) + ns;

	while (pmd_value(fd, WALL_TIME_NS) < end)
		usleep(10000);
	child_kill(pid);
}

static uint64_t both(int fd, uint16_t num)
{
	return set_value(fd, 0, num) + set_value(fd, 1, num);
}

/* No set counts an idle CPU: no time slice ends, and no time is enabled time. */
TEST_F(idle, all_left_out)
{
	uint64_t turns, counted, enabled, before;
	int tries = TRIES;

	ASSERT_EQ(0, set_of_cpu(self->fd, 0, PFM_SETFL_EXCL_IDLE, MSEC));
	ASSERT_EQ(0, set_of_cpu(self->fd, 1, PFM_SETFL_EXCL_IDLE, MSEC));
	ASSERT_EQ(0, begin(self->fd, self->cpu));
	do {
		before = set_value(self->fd, 0, PFM_REG_SET_ENABLED);
		usleep(IDLE / 1000);
		turns = both(self->fd, PFM_REG_SET_RUNS);
		counted = both(self->fd, CPU_TIME_NS);
		/* The last to be read: what was counted, was in this time. */
		enabled = set_value(self->fd, 0, PFM_REG_SET_ENABLED);
	} while (enabled - before >= IDLE / 4 && --tries);
	EXPECT_LE(IDLE, pmd_value(self->fd, WALL_TIME_NS));
	EXPECT_GT(IDLE / 4, enabled - before);
	EXPECT_GE(enabled, counted);
	/* A time slice lasts a millisecond of what is counted. */
	EXPECT_GE(enabled / MSEC + 2, turns);

	keep_busy(self->fd, self->cpu, IDLE);
	ASSERT_EQ(0, context_stop(self->fd));
	EXPECT_LE(turns + 10, both(self->fd, PFM_REG_SET_RUNS));
	EXPECT_LE(counted + IDLE / 2, both(self->fd, CPU_TIME_NS));
	EXPECT_LE(enabled + IDLE / 2,
		  set_value(self->fd, 0, PFM_REG_SET_ENABLED));
	EXPECT_GE(set_value(self->fd, 0, PFM_REG_SET_ENABLED),
		  both(self->fd, PFM_REG_SET_ACTIVE));
}

/*
 * Set 0 counts the idle task and has its time slice.  Then set 1 is active, which does
 * not: it stays active, and all of its time slice is left, until the CPU is busy.
 */
TEST_F(idle, one_left_out)
{
	const uint64_t slice = 2 * IDLE;
	struct pfm_set_info infos[2];
	int tries = TRIES;

	for (;;) {
		ASSERT_EQ(0, set_of_cpu(self->fd, 0, 0, 2 * MSEC));
		ASSERT_EQ(0,
			  set_of_cpu(self->fd, 1, PFM_SETFL_EXCL_IDLE, slice));
		ASSERT_EQ(0, begin(self->fd, self->cpu));
		usleep(IDLE / 1000);
		EXPECT_LE(IDLE, pmd_value(self->fd, WALL_TIME_NS));
		ASSERT_EQ(0, set_info(self->fd, 0, &infos[0]));
		ASSERT_EQ(0, set_info(self->fd, 1, &infos[1]));
		/* The enabled time is that of both. */
		if (infos[1].enabled_ns < IDLE / 4 || !--tries)
			break;
		self->fd = open_again(self->fd);
	}
	EXPECT_EQ(0, infos[0].active);
	EXPECT_EQ(1, infos[0].runs);
	EXPECT_LE(2 * MSEC, infos[0].active_ns);
	EXPECT_GT(IDLE / 4, infos[0].active_ns);
	EXPECT_EQ(1, infos[1].active);
	EXPECT_GE(1, infos[1].runs);
	EXPECT_GT(IDLE / 4, infos[1].active_ns);
	EXPECT_GT(IDLE / 2, infos[1].enabled_ns);

	/* With what it counted already the CPU is busy for more than a time slice. */
	keep_busy(self->fd, self->cpu, slice + IDLE);
	ASSERT_EQ(0, context_stop(self->fd));
	EXPECT_LE(2, set_value(self->fd, 0, PFM_REG_SET_RUNS));
	EXPECT_LE(slice, set_value(self->fd, 1, PFM_REG_SET_ACTIVE));
}

/* The rest of a time slice survives idle times. */
TEST_F(idle, remainder_is_kept)
{
	const uint64_t slice = 10000 * MSEC;
	struct pfm_set_info info;
	int tries = TRIES;

	for (;;) {
		ASSERT_EQ(0,
			  set_of_cpu(self->fd, 0, PFM_SETFL_EXCL_IDLE, slice));
		ASSERT_EQ(0, set_of_cpu(self->fd, 1, 0, slice));
		ASSERT_EQ(0, begin(self->fd, self->cpu));
		usleep(IDLE / 1000);
		ASSERT_EQ(0, context_stop(self->fd));
		ASSERT_EQ(0, set_info(self->fd, 0, &info));
		if (info.active_ns < IDLE / 4 || !--tries)
			break;
		self->fd = open_again(self->fd);
	}
	EXPECT_EQ(1, info.active);
	/* None if the CPU had nothing at all to do. */
	EXPECT_GE(1, info.runs);
	EXPECT_EQ(slice, info.remaining + info.active_ns);
	EXPECT_LT(slice - IDLE / 4, info.remaining);
	EXPECT_EQ(info.active_ns, info.enabled_ns);
}

TEST_HARNESS_MAIN
