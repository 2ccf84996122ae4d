// SPDX-License-Identifier: GPL-2.0-only
/*
 * Contexts that monitor a CPU which goes offline and comes back.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "sampling.h"
#include "sysfs.h"

#include "kselftest_harness.h"
#include "system_wide.h"

TEST_F(system_wide, load_offline_cpu)
{
	NEED_HOTPLUG();
	ASSERT_TRUE(cpu1_online(false));
	EXPECT_EQ(-ENODEV, context_load(self->fd, 1));
	EXPECT_EQ(0, sysfs_number("sys_sessions_count"));
	ASSERT_TRUE(cpu1_online(true));
	EXPECT_EQ(0, context_load(self->fd, 1));
}

TEST_F(system_wide, cpu_goes_and_comes)
{
	TEST_PROVES(H2);
	uint64_t before, gone, wall, calls;
	struct pfm_config cfg;
	int i;

	NEED_HOTPLUG();
	ASSERT_EQ(0, context_load(self->fd, 1));
	calls = -time_ns(CLOCK_MONOTONIC);
	ASSERT_EQ(0, context_start(self->fd, 0));
	calls += time_ns(CLOCK_MONOTONIC);
	gone = 0;
	for (i = 1; i <= 3; i++) {
		usleep(20000);
		before = pmd_value(self->fd, CPU_TIME_NS);
		EXPECT_LT(gone + 20 * MS, before);
		ASSERT_TRUE(cpu1_online(false));
		ASSERT_EQ(0, config_get(self->fd, &cfg));
		EXPECT_EQ(PFM_STATE_OFFLINE, cfg.state);
		EXPECT_EQ(1, cfg.running);
		EXPECT_EQ(1, cfg.cpu);
		EXPECT_EQ(i, cfg.offlines);
		EXPECT_TRUE(fdinfo_has(self->fd, "pfm_state:\toffline\n"));
		/* The count is there, and stays as it is. */
		gone = pmd_value(self->fd, CPU_TIME_NS);
		EXPECT_LT(before, gone);
		usleep(20000);
		EXPECT_EQ(gone, pmd_value(self->fd, CPU_TIME_NS));
		ASSERT_TRUE(cpu1_online(true));
		ASSERT_EQ(0, config_get(self->fd, &cfg));
		EXPECT_EQ(PFM_STATE_LOADED, cfg.state);
		EXPECT_LT(20 * MS * i, cfg.offline_ns);
	}
	usleep(20000);
	calls -= time_ns(CLOCK_MONOTONIC);
	ASSERT_EQ(0, context_stop(self->fd));
	calls += time_ns(CLOCK_MONOTONIC);
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	wall = pmd_value(self->fd, WALL_TIME_NS);
	EXPECT_LT(gone + 20 * MS, pmd_value(self->fd, CPU_TIME_NS));
	/*
	 * Nothing is lost but the time that was reported, and what a CPU does
	 * before the hot-plug callback when it comes back; and while it is started
	 * or stopped, which its host may be slow at, only the wall clock may go on.
	 */
	EXPECT_GE(wall, pmd_value(self->fd, CPU_TIME_NS) + cfg.offline_ns);
	EXPECT_GT(wall / 100 + 10 * MS + calls,
		  wall - pmd_value(self->fd, CPU_TIME_NS) - cfg.offline_ns);
}

/* All calls on a context whose CPU is away: none hangs, none loses anything. */
TEST_F(system_wide, calls_while_offline)
{
	TEST_PROVES(H1);
	struct pfm_config cfg;
	uint64_t value;

	NEED_HOTPLUG();
	ASSERT_EQ(0, context_load(self->fd, 1));
	ASSERT_TRUE(cpu1_online(false));
	ASSERT_EQ(0, context_start(self->fd, 0));
	EXPECT_EQ(0, pmd_value(self->fd, CPU_TIME_NS));
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 1000 * MS));
	EXPECT_EQ(1000 * MS, pmd_value(self->fd, CPU_TIME_NS));
	EXPECT_EQ(-EBUSY, context_restart(self->fd, PFM_LANE_ALL));
	ASSERT_EQ(0, context_stop(self->fd));
	ASSERT_EQ(0, context_start(self->fd, 0));
	/* A context that was started meanwhile counts as soon as the CPU is online. */
	ASSERT_TRUE(cpu1_online(true));
	usleep(20000);
	value = pmd_value(self->fd, CPU_TIME_NS);
	EXPECT_LT(1020 * MS, value);
	ASSERT_TRUE(cpu1_online(false));
	value = pmd_value(self->fd, CPU_TIME_NS);
	ASSERT_EQ(0, context_stop(self->fd));
	ASSERT_TRUE(cpu1_online(true));
	usleep(1000);
	EXPECT_EQ(value, pmd_value(self->fd, CPU_TIME_NS));
	ASSERT_EQ(0, context_start(self->fd, 0));
	usleep(1000);
	ASSERT_TRUE(cpu1_online(false));
	value = pmd_value(self->fd, CPU_TIME_NS);
	ASSERT_EQ(0, context_unload(self->fd));
	EXPECT_EQ(value, pmd_value(self->fd, CPU_TIME_NS));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(PFM_STATE_UNLOADED, cfg.state);
	EXPECT_EQ(3, cfg.offlines);
	EXPECT_LT(0, cfg.offline_ns);
	EXPECT_EQ(0, sysfs_number("sys_sessions_count"));
	/* The CPU is free, and nobody is left who counts on it. */
	ASSERT_TRUE(cpu1_online(true));
	ASSERT_EQ(0, context_load(self->fd, 1));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(0, cfg.offlines);
	EXPECT_EQ(0, cfg.offline_ns);
	ASSERT_EQ(0, context_start(self->fd, 0));
	ASSERT_TRUE(cpu1_online(false));
	close(self->fd);
	EXPECT_EQ(0, sysfs_number("sys_sessions_count"));
	ASSERT_TRUE(cpu1_online(true));
	self->fd = system_wide_open();
}

/* Calls of all kinds while the CPU comes and goes. */
TEST_F(system_wide, calls_while_cpu_changes)
{
	const pid_t parent = getpid();
	int i, ret, loaded = 0, online = 0;
	uint64_t value, last;
	pid_t pid;

	NEED_HOTPLUG();
	pid = fork();
	if (!pid) {
		die_with_parent(parent);
		for (;;) {
			cpu1_online(false);
			cpu1_online(true);
		}
	}
	while (loaded < 60) {
		ret = context_load(self->fd, 1);
		if (ret) {
			ASSERT_EQ(-ENODEV, ret);
			usleep(1000);
			continue;
		}
		loaded++;
		last = 0;
		for (i = 0; i < 20; i++) {
			ASSERT_EQ(0, context_start(self->fd, 0));
			usleep(1000);
			ASSERT_EQ(0, pmd_read(self->fd, CPU_TIME_NS, &value));
			online += value > last;
			EXPECT_LE(last, value);
			last = value;
			if (i % 3 == 0)
				ASSERT_EQ(0, context_stop(self->fd));
		}
		ASSERT_EQ(0, context_unload(self->fd));
		ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	}
	child_kill(pid);
	cpu1_online(true);
	EXPECT_LT(100, online);
}

TEST_HARNESS_MAIN
