// SPDX-License-Identifier: GPL-2.0-only
/*
 * START, STOP and RESTART in each state of a context.
 */
#include "child.h"
#include "context.h"
#include "sampling.h"

#include "kselftest_harness.h"
#include "context_fixture.h"

TEST_F(context, start_null)
{
	TEST_PROVES(C1);
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(0, call(self->fd, PFM_IOC_START, NULL));
}

TEST_F(context, start_flags_reserved)
{
	struct pfm_start arg = {};
	int bit;

	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	for (bit = 0; bit < 32; bit++) {
		if ((1U << bit) & PFM_START_ON_EXEC)
			continue;
		EXPECT_EQ(-EINVAL, context_start(self->fd, 1U << bit));
	}
	arg.reserved = 1;
	EXPECT_EQ(-EINVAL, call(self->fd, PFM_IOC_START, &arg));
}

TEST_F(context, start_stop_unloaded)
{
	EXPECT_EQ(-ENOTCONN, context_start(self->fd, 0));
	EXPECT_EQ(-ENOTCONN, context_start(self->fd, PFM_START_ON_EXEC));
	EXPECT_EQ(-ENOTCONN, context_stop(self->fd));
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_unload(self->fd));
	EXPECT_EQ(-ENOTCONN, context_start(self->fd, 0));
	EXPECT_EQ(-ENOTCONN, context_stop(self->fd));
}

TEST_F(context, start_stop_twice)
{
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(0, context_stop(self->fd));
	EXPECT_EQ(0, context_start(self->fd, 0));
	EXPECT_EQ(0, context_start(self->fd, 0));
	EXPECT_EQ(0, context_stop(self->fd));
	EXPECT_EQ(0, context_stop(self->fd));
}

/* Ends when it is let go, but for a child that ends when it is told to. */
static void leave_child(const int *go, const int *leave)
{
	char c;

	close(go[1]);
	close(leave[1]);
	if (read(go[0], &c, 1) == 1 && !fork())
		_exit(read(leave[0], &c, 1));
	_exit(0);
}

/* The thread that would have to exec is gone, one that it made is not. */
TEST_F(context, start_on_exec_without_the_thread)
{
	const int fd = context_open(PFM_CTX_FOLLOW_FORK);
	int go[2], leave[2], i;
	struct pfm_config cfg;
	pid_t pid;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, pmd_write(fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, pipe(go));
	ASSERT_EQ(0, pipe(leave));
	pid = fork();
	if (!pid)
		leave_child(go, leave);
	ASSERT_EQ(0, context_load(fd, pid));
	ASSERT_EQ(1, write(go[1], "", 1));
	child_reap(pid);
	EXPECT_EQ(-ESRCH, context_start(fd, PFM_START_ON_EXEC));
	EXPECT_EQ(0, context_start(fd, 0));
	close(leave[1]);
	for (i = 0; i < 2000; i++) {
		ASSERT_EQ(0, config_get(fd, &cfg));
		if (!cfg.tasks)
			break;
		usleep(10000);
	}
	EXPECT_EQ(-ENOTCONN, context_start(fd, PFM_START_ON_EXEC));
	close(fd);
}

/* After the monitored thread is gone. */
TEST_F(context, start_after_end)
{
	const pid_t pid = child_idle();
	union pfm_msg msg;

	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 3));
	ASSERT_EQ(0, context_load(self->fd, pid));
	child_kill(pid);
	ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
	EXPECT_EQ(-ENOTCONN, context_start(self->fd, 0));
	EXPECT_EQ(-ENOTCONN, context_stop(self->fd));
	EXPECT_EQ(0, context_unload(self->fd));
	/* It can be used again. */
	EXPECT_EQ(3, pmd_value(self->fd, CPU_TIME_NS));
	EXPECT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(0, context_start(self->fd, 0));
}

TEST_F(context, restart_errors)
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
	EXPECT_EQ(-ERANGE, context_restart(self->fd, PFM_LANE_ALL - 1));
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

TEST_HARNESS_MAIN
