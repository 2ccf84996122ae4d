// SPDX-License-Identifier: GPL-2.0-only
/*
 * LOAD_CONTEXT and UNLOAD_CONTEXT: which threads, and whose.
 */
#include "child.h"
#include "context.h"
#include "rights.h"

#include <limits.h>
#include <pthread.h>

#include "kselftest_harness.h"
#include "context_fixture.h"

TEST_F(context, no_such_set_load_start)
{
	const struct pfm_load load = { .set = 1 };
	const struct pfm_start start = { .set = 1 };

	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	EXPECT_EQ(-ENOENT, call(self->fd, PFM_IOC_LOAD_CONTEXT, &load));
	ASSERT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(-ENOENT, call(self->fd, PFM_IOC_START, &start));
}

TEST_F(context, load_reserved)
{
	const struct pfm_load arg = { .flags = 1 << 15 };

	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	EXPECT_EQ(-EINVAL, call(self->fd, PFM_IOC_LOAD_CONTEXT, &arg));
}

TEST_F(context, load_twice)
{
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(-EBUSY, context_load(self->fd, 0));
	EXPECT_EQ(-EBUSY, context_load(self->fd, 1));
	EXPECT_EQ(0, context_unload(self->fd));
	EXPECT_EQ(0, context_load(self->fd, 0));
}

TEST_F(context, load_without_registers)
{
	EXPECT_EQ(-ENODATA, context_load(self->fd, 0));
}

TEST_F(context, load_no_such_thread)
{
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	EXPECT_EQ(-ESRCH, context_load(self->fd, 0x3fffffff));
	EXPECT_EQ(-ESRCH, context_load(self->fd, INT_MAX));
	EXPECT_EQ(-ESRCH, context_load(self->fd, -1));
}

TEST_F(context, load_dead_thread)
{
	siginfo_t info;
	pid_t pid;

	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	pid = fork();
	if (!pid)
		_exit(0);
	/* Dead, but not reaped. */
	ASSERT_EQ(0, waitid(P_PID, pid, &info, WEXITED | WNOWAIT));
	EXPECT_EQ(-ESRCH, context_load(self->fd, pid));
	child_reap(pid);
	EXPECT_EQ(-ESRCH, context_load(self->fd, pid));
	EXPECT_EQ(0, context_load(self->fd, 0));
}

TEST_F(context, load_kernel_thread)
{
	char comm[32] = "";
	int fd;

	fd = open("/proc/2/comm", O_RDONLY);
	if (fd < 0 || read(fd, comm, sizeof(comm) - 1) <= 0 ||
	    strcmp(comm, "kthreadd\n"))
		SKIP(return,
			   "thread 2 of this pid namespace is no kernel thread");
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	EXPECT_EQ(-EOPNOTSUPP, context_load(self->fd, 2));
}

TEST_F(context, load_one_context_more)
{
	const pid_t pid = child_idle();
	int fds[CONTEXTS_OF_THREAD];

	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, contexts_fill(fds, pid));
	EXPECT_EQ(-EEXIST, context_load(self->fd, pid));
	/* The one that failed is as good as new. */
	EXPECT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(0, context_unload(self->fd));
	EXPECT_EQ(0, context_unload(fds[1]));
	EXPECT_EQ(0, context_load(self->fd, pid));
	child_kill(pid);
	contexts_close(fds);
}

TEST_F(context, load_followed_child)
{
	const int other = context_open(0);
	const int fd = context_open(PFM_CTX_FOLLOW_FORK);
	pid_t pid;

	ASSERT_LE(0, other);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, pmd_write(fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, pmd_write(other, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(fd, 0));
	pid = child_idle();
	EXPECT_EQ(0, context_load(other, pid));
	EXPECT_EQ(0, context_unload(other));
	child_kill(pid);
}

static void *thread_idle(void *arg)
{
	int *pipefd = arg;
	const pid_t tid = gettid();
	char c;

	if (write(pipefd[1], &tid, sizeof(tid)) != sizeof(tid))
		abort();
	/* Ends when the test closes its end. */
	if (read(pipefd[2], &c, 1) < 0)
		abort();
	return NULL;
}

TEST_F(context, load_own_threads)
{
	int pipes[4];
	pthread_t thread;
	pid_t tid;

	/* 0 and 1: the thread tells its id; 2 and 3: it is told to end. */
	ASSERT_EQ(0, pipe(pipes));
	ASSERT_EQ(0, pipe(pipes + 2));
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->fd, gettid()));
	ASSERT_EQ(0, context_unload(self->fd));
	ASSERT_EQ(0, pthread_create(&thread, NULL, thread_idle, pipes));
	ASSERT_EQ(sizeof(tid), read(pipes[0], &tid, sizeof(tid)));
	EXPECT_EQ(0, context_load(self->fd, tid));
	EXPECT_EQ(0, context_unload(self->fd));
	close(pipes[3]);
	pthread_join(thread, NULL);
}

/* Bits of the loads that did not give what they should. */
static int load_foreign(void *arg)
{
	const int device = device_open();
	int fd, bad = 0;

	rights_drop();
	fd = context_create(device, 0);
	if (fd < 0 || pmd_write(fd, CPU_TIME_NS, 0))
		return 8;
	if (context_load(fd, *(pid_t *)arg) != -EPERM)
		bad |= 1;
	if (context_load(fd, 1) != -EPERM)
		bad |= 2;
	if (context_load(fd, 0))
		bad |= 4;
	return bad;
}

/* In a child, as who dropped its rights cannot end the thread either. */
TEST_F(context, load_foreign_thread)
{
	pid_t pid = child_idle();

	EXPECT_EQ(0, in_child(load_foreign, &pid));
	child_kill(pid);
}

TEST_F(context, load_own_child_unprivileged)
{
	int device, fd;
	pid_t pid;

	device = device_open();
	ASSERT_LE(0, device);
	rights_drop();
	pid = child_idle();
	fd = context_create(device, 0);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, pmd_write(fd, CPU_TIME_NS, 0));
	EXPECT_EQ(0, context_load(fd, pid));
	child_kill(pid);
}

static int undumpable(void *arg)
{
	int *pipefd = arg;

	prctl(PR_SET_DUMPABLE, 0);
	if (write(pipefd[1], "", 1) != 1)
		_exit(1);
	for (;;)
		pause();
}

TEST_F(context, load_undumpable_child)
{
	int device, fd, pipefd[2];
	pid_t pid;
	char c;

	ASSERT_EQ(0, pipe(pipefd));
	device = device_open();
	ASSERT_LE(0, device);
	rights_drop();
	pid = fork();
	if (!pid)
		_exit(undumpable(pipefd));
	ASSERT_EQ(1, read(pipefd[0], &c, 1));
	fd = context_create(device, 0);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, pmd_write(fd, CPU_TIME_NS, 0));
	EXPECT_EQ(-EPERM, context_load(fd, pid));
	child_kill(pid);
}

/* The context of another may be used, but it gives no right over threads. */
static int load_parent(void *arg)
{
	rights_drop();
	return -context_load(*(int *)arg, getppid());
}

TEST_F(context, load_rights_are_the_callers)
{
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	EXPECT_EQ(EPERM, in_child(load_parent, &self->fd));
}

TEST_F(context, unload_nothing)
{
	EXPECT_EQ(0, context_unload(self->fd));
	EXPECT_EQ(0, context_unload(self->fd));
}

TEST_HARNESS_MAIN
