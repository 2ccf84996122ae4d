// SPDX-License-Identifier: GPL-2.0-only
/*
 * Contexts that monitor a CPU: each error, what excludes what, and their state.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "sysfs.h"

#include "kselftest_harness.h"
#include "system_wide.h"

TEST(create_excluded_flags)
{
	const uint32_t flags[] = {
		PFM_CTX_FOLLOW_FORK, PFM_CTX_FOLLOW_VFORK, PFM_CTX_FOLLOW_CLONE,
		PFM_CTX_FOLLOW_EXEC, PFM_CTX_NOTIFY_BLOCK, PFM_CTX_MAPS,
	};
	size_t i;
	int fd;

	for (i = 0; i < ARRAY_LEN(flags); i++)
		EXPECT_EQ(-EINVAL,
			  context_open(PFM_CTX_SYSTEM_WIDE | flags[i]));
	fd = context_open(PFM_CTX_SYSTEM_WIDE | PFM_CTX_NO_MSG);
	EXPECT_LE(0, fd);
	close(fd);
}

TEST_F(system_wide, set_config_follow)
{
	struct pfm_config cfg;

	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(PFM_CTX_SYSTEM_WIDE, cfg.flags);
	EXPECT_EQ(0, config_set(self->fd, &cfg));
	cfg.flags |= PFM_CTX_FOLLOW_FORK;
	EXPECT_EQ(-EINVAL, config_set(self->fd, &cfg));
	cfg.flags = 0;
	EXPECT_EQ(-EINVAL, config_set(self->fd, &cfg));
}

TEST_F(system_wide, load_errors)
{
	const struct pfm_load set1 = { .set = 1 };
	const struct pfm_load process = { .flags = PFM_LOAD_PROCESS };
	const int empty = system_wide_open();

	EXPECT_EQ(-ENOTCONN, context_start(self->fd, 0));
	EXPECT_EQ(-ENOTCONN, context_stop(self->fd));
	EXPECT_EQ(-ENODATA, context_load(empty, 0));
	EXPECT_EQ(-ENOENT, call(self->fd, PFM_IOC_LOAD_CONTEXT, &set1));
	EXPECT_EQ(-EINVAL, call(self->fd, PFM_IOC_LOAD_CONTEXT, &process));
	EXPECT_EQ(-ERANGE, context_load(self->fd, 1 << 20));
	EXPECT_EQ(-ERANGE, context_load(self->fd, -1));
	EXPECT_EQ(-ERANGE,
		  context_load(self->fd, sysconf(_SC_NPROCESSORS_CONF)));
	EXPECT_EQ(0, sysfs_number("sys_sessions_count"));
	EXPECT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(1, sysfs_number("sys_sessions_count"));
	EXPECT_EQ(-EBUSY, context_load(self->fd, 0));
	EXPECT_EQ(-EINVAL, context_start(self->fd, PFM_START_ON_EXEC));
	EXPECT_EQ(0, context_unload(self->fd));
	EXPECT_EQ(0, sysfs_number("sys_sessions_count"));
	close(empty);
}

TEST_F(system_wide, load_thread_registers)
{
	const uint16_t nums[] = {
		CONTEXT_SWITCHES,
		MIGRATIONS,
		MINOR_FAULTS,
		MAJOR_FAULTS,
		PAGE_FAULTS,
	};
	struct pfm_reg_info info;
	size_t i;
	int fd;

	for (i = 0; i < ARRAY_LEN(nums); i++) {
		info = (struct pfm_reg_info){ .num = nums[i] };
		ASSERT_EQ(0, vector(self->fd, PFM_IOC_GETINFO_PMDS, &info, 1,
				    NULL));
		EXPECT_TRUE(info.flags & PFM_REGI_THREAD);
		fd = system_wide_open();
		ASSERT_EQ(0, pmd_write(fd, CPU_TIME_NS, 0));
		ASSERT_EQ(0, pmd_write(fd, nums[i], 0));
		EXPECT_EQ(-EOPNOTSUPP, context_load(fd, 0));
		close(fd);
	}
	EXPECT_EQ(0, sysfs_number("sys_sessions_count"));
	info = (struct pfm_reg_info){ .num = WALL_TIME_NS };
	ASSERT_EQ(0, vector(self->fd, PFM_IOC_GETINFO_PMDS, &info, 1, NULL));
	EXPECT_FALSE(info.flags & PFM_REGI_THREAD);
}

/* Counter 0, which only one of two sessions can have if both may count on a CPU. */
#define NEED_COUNTER(fd)                                      \
	do {                                                  \
		if (!has_register(0))                         \
			SKIP(return, "no hardware PMU here"); \
		ASSERT_EQ(0, instructions_setup(fd, 0));      \
	} while (0)

TEST_F(system_wide, one_counter_a_cpu)
{
	const int other = system_wide_open();

	NEED_COUNTER(self->fd);
	NEED_COUNTER(other);
	ASSERT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(-EBUSY, context_load(other, 0));
	if (cpus_online() > 1) {
		EXPECT_EQ(0, context_load(other, 1));
		EXPECT_EQ(2, sysfs_number("sys_sessions_count"));
		EXPECT_EQ(0, context_unload(other));
	}
	/* A context whose load was refused is as good as new. */
	EXPECT_EQ(0, context_unload(self->fd));
	EXPECT_EQ(0, context_load(other, 0));
	EXPECT_EQ(-EBUSY, context_load(self->fd, 0));
	close(other);
	EXPECT_EQ(0, context_load(self->fd, 0));
}

TEST_F(system_wide, threads_and_cpus_exclude_each_other)
{
	const int thread = context_open(0);
	pid_t pid;

	NEED_COUNTER(self->fd);
	NEED_COUNTER(thread);
	pid = child_idle();
	ASSERT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(-EBUSY, context_load(thread, 0));
	EXPECT_EQ(-EBUSY, context_load(thread, pid));
	EXPECT_EQ(0, sysfs_number("task_sessions_count"));
	EXPECT_EQ(0, context_unload(self->fd));
	ASSERT_EQ(0, context_load(thread, pid));
	EXPECT_EQ(1, sysfs_number("task_sessions_count"));
	EXPECT_EQ(-EBUSY, context_load(self->fd, 0));
	EXPECT_EQ(0, sysfs_number("sys_sessions_count"));
	/* A session is over when its last thread is. */
	child_kill(pid);
	EXPECT_EQ(0, sysfs_number("task_sessions_count"));
	EXPECT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(-EBUSY, context_load(thread, 0));
	close(self->fd);
	EXPECT_EQ(0, context_load(thread, 0));
	self->fd = system_wide_open();
	NEED_COUNTER(self->fd);
	EXPECT_EQ(-EBUSY, context_load(self->fd, 0));
	close(thread);
	EXPECT_EQ(0, context_load(self->fd, 0));
}

/* Both sides try at the same time: never do both succeed. */
TEST_F(system_wide, exclusion_is_atomic)
{
	const pid_t parent = getpid();
	int thread, loaded = 0, busy = 0;
	pid_t pid;

	NEED_COUNTER(self->fd);
	pid = fork();
	if (!pid) {
		die_with_parent(parent);
		pin_to(cpus_online() - 1);
		thread = context_open(0);
		if (instructions_setup(thread, 0))
			_exit(1);
		for (;;) {
			if (context_load(thread, 0))
				continue;
			/* While this is loaded no CPU is. */
			usleep(200);
			if (sysfs_number("sys_sessions_count"))
				_exit(2);
			context_unload(thread);
			usleep(200);
		}
	}
	while (loaded < 300 || busy < 20) {
		const int ret = context_load(self->fd, 0);

		if (ret) {
			ASSERT_EQ(-EBUSY, ret);
			busy++;
		} else {
			EXPECT_EQ(0, sysfs_number("task_sessions_count"));
			EXPECT_EQ(0, context_unload(self->fd));
			loaded++;
		}
	}
	EXPECT_EQ(0, waitpid(pid, NULL, WNOHANG));
	child_kill(pid);
}

TEST_F(system_wide, config_and_fdinfo)
{
	struct pfm_config cfg;

	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(PFM_CPU_NONE, cfg.cpu);
	EXPECT_EQ(PFM_STATE_UNLOADED, cfg.state);
	EXPECT_TRUE(fdinfo_has(self->fd, "pfm_cpu:\t-1\n"));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(0, cfg.cpu);
	EXPECT_EQ(PFM_STATE_LOADED, cfg.state);
	EXPECT_EQ(0, cfg.tasks);
	EXPECT_EQ(0, cfg.running);
	EXPECT_EQ(0, cfg.offlines);
	EXPECT_EQ(0, cfg.offline_ns);
	EXPECT_TRUE(fdinfo_has(self->fd, "pfm_cpu:\t0\n"));
	ASSERT_EQ(0, context_start(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(1, cfg.running);
	ASSERT_EQ(0, context_stop(self->fd));
	ASSERT_EQ(0, context_stop(self->fd));
	ASSERT_EQ(0, context_unload(self->fd));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(PFM_CPU_NONE, cfg.cpu);
}

TEST(config_of_threads)
{
	const int fd = context_open(0);
	struct pfm_config cfg;

	ASSERT_EQ(0, pmd_write(fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(fd, 0));
	ASSERT_EQ(0, config_get(fd, &cfg));
	EXPECT_EQ(PFM_CPU_NONE, cfg.cpu);
	close(fd);
}

TEST_F(system_wide, holders)
{
	const int thread = context_open(0);
	const pid_t pid = child_idle();
	char text[4096], want[128];

	ASSERT_EQ(0, sysfs_text("holders", text, sizeof(text)));
	EXPECT_STREQ("", text);
	prctl(PR_SET_NAME, "a b\nc");
	ASSERT_EQ(0, context_load(self->fd, 0));
	snprintf(want, sizeof(want), "cpu 0 pid %d uid 0 comm a b?c\n",
		 getpid());
	ASSERT_EQ(0, sysfs_text("holders", text, sizeof(text)));
	EXPECT_STREQ(want, text);
	ASSERT_EQ(0, context_unload(self->fd));
	ASSERT_EQ(0, pmd_write(thread, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(thread, pid));
	snprintf(want, sizeof(want), "thread %d pid %d uid 0 comm a b?c\n", pid,
		 getpid());
	ASSERT_EQ(0, sysfs_text("holders", text, sizeof(text)));
	EXPECT_STREQ(want, text);
	child_kill(pid);
	close(thread);
	ASSERT_EQ(0, sysfs_text("holders", text, sizeof(text)));
	EXPECT_STREQ("", text);
}

/* More sessions than the file has room for: the last line counts the rest. */
TEST(holders_are_many)
{
	char text[8192], *line, *save = NULL;
	unsigned int lines = 0, others = 0;
	pid_t pids[100];
	int fds[100];
	size_t i;

	for (i = 0; i < ARRAY_LEN(fds); i++) {
		pids[i] = child_idle();
		fds[i] = context_open(0);
		ASSERT_EQ(0, pmd_write(fds[i], CPU_TIME_NS, 0));
		ASSERT_EQ(0, context_load(fds[i], pids[i]));
	}
	ASSERT_EQ(0, sysfs_text("holders", text, sizeof(text)));
	for (line = strtok_r(text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		if (sscanf(line, "others %u", &others) != 1)
			lines++;
	}
	EXPECT_LT(10, lines);
	EXPECT_LT(0, others);
	EXPECT_EQ(ARRAY_LEN(fds), lines + others);
	for (i = 0; i < ARRAY_LEN(fds); i++) {
		child_kill(pids[i]);
		close(fds[i]);
	}
}

TEST_HARNESS_MAIN
