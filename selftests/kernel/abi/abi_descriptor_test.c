// SPDX-License-Identifier: GPL-2.0-only
/*
 * The descriptor of a context: read(2), poll(2), signals and mmap(2).
 */
#include "child.h"
#include "context.h"

#include <sys/time.h>
#include <time.h>

#include "kselftest_harness.h"
#include "context_fixture.h"

TEST_F(context, read_short_buffer)
{
	char buf[64];
	ssize_t size;

	for (size = 0; size < 64; size++) {
		errno = 0;
		EXPECT_EQ(-1, read(self->fd, buf, size));
		EXPECT_EQ(EINVAL, errno);
	}
}

TEST_F(context, read_nothing)
{
	union pfm_msg msg;

	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, O_NONBLOCK));
	EXPECT_EQ(-EAGAIN, message_read(self->fd, &msg));
}

static void nothing(int sig)
{
}

TEST_F(context, read_interrupted)
{
	const struct sigaction action = { .sa_handler = nothing };
	/* Again and again: the first may come before the call. */
	const struct itimerval timer = {
		.it_interval = { .tv_usec = 200000 },
		.it_value = { .tv_usec = 200000 },
	};
	union pfm_msg msg;

	ASSERT_EQ(0, sigaction(SIGALRM, &action, NULL));
	ASSERT_EQ(0, setitimer(ITIMER_REAL, &timer, NULL));
	EXPECT_EQ(-EINTR, message_read(self->fd, &msg));
}

TEST_F(context, end_message)
{
	struct pollfd pfd = { .fd = self->fd, .events = POLLIN | POLLPRI };
	union pfm_msg msg;
	pid_t pid;
	int i;

	pid = fork();
	if (!pid) {
		raise(SIGSTOP);
		_exit(7);
	}
	waitpid(pid, NULL, WUNTRACED);
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->fd, pid));
	EXPECT_EQ(0, poll(&pfd, 1, 0));
	kill(pid, SIGCONT);
	EXPECT_EQ(1, poll(&pfd, 1, 10000));
	EXPECT_EQ(POLLIN | POLLHUP, pfd.revents);
	child_reap(pid);
	memset(&msg, 0xff, sizeof(msg));
	ASSERT_EQ(64, message_read(self->fd, &msg));
	EXPECT_EQ(PFM_MSG_END, msg.type);
	EXPECT_EQ(pid, msg.end.tid);
	EXPECT_EQ(7 << 8, msg.end.status);
	EXPECT_EQ(PFM_END_TASKS, msg.end.reason);
	for (i = 2; i < 8; i++)
		EXPECT_EQ(0, msg.pad[i]);
	/* After END. */
	EXPECT_EQ(0, message_read(self->fd, &msg));
	EXPECT_EQ(0, message_read(self->fd, &msg));
	EXPECT_EQ(1, poll(&pfd, 1, 0));
	EXPECT_EQ(POLLHUP, pfd.revents);
}

TEST_F(context, end_message_signal)
{
	const pid_t pid = child_idle();
	union pfm_msg msg;

	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->fd, pid));
	child_kill(pid);
	ASSERT_EQ(64, message_read(self->fd, &msg));
	EXPECT_EQ(SIGKILL, msg.end.status);
}

TEST_F(context, end_message_bad_buffer)
{
	const pid_t pid = child_idle();
	void *volatile bad = (void *)8;

	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->fd, pid));
	child_kill(pid);
	EXPECT_EQ(-1, read(self->fd, bad, 64));
	EXPECT_EQ(EFAULT, errno);
}

TEST_F(context, end_wakes_reader)
{
	struct timespec before, after;
	union pfm_msg msg;
	pid_t pid;

	pid = fork();
	if (!pid) {
		raise(SIGSTOP);
		usleep(300000);
		_exit(0);
	}
	waitpid(pid, NULL, WUNTRACED);
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->fd, pid));
	clock_gettime(CLOCK_MONOTONIC, &before);
	kill(pid, SIGCONT);
	EXPECT_EQ(64, message_read(self->fd, &msg));
	clock_gettime(CLOCK_MONOTONIC, &after);
	/* It did wait. */
	EXPECT_LT(200, (after.tv_sec - before.tv_sec) * 1000 +
			       (after.tv_nsec - before.tv_nsec) / 1000000);
	child_reap(pid);
}

static volatile int signalled_fd;

static void on_signal(int sig, siginfo_t *info, void *context)
{
	signalled_fd = info->si_fd;
}

TEST_F(context, end_signals_owner)
{
	const struct sigaction action = {
		.sa_sigaction = on_signal,
		.sa_flags = SA_SIGINFO,
	};
	const pid_t pid = child_idle();
	sigset_t block, old;

	signalled_fd = -1;
	ASSERT_EQ(0, sigaction(SIGRTMIN, &action, NULL));
	sigemptyset(&block);
	sigaddset(&block, SIGRTMIN);
	ASSERT_EQ(0, sigprocmask(SIG_BLOCK, &block, &old));
	ASSERT_EQ(0, fcntl(self->fd, F_SETOWN, getpid()));
	ASSERT_EQ(0, fcntl(self->fd, F_SETSIG, SIGRTMIN));
	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, O_ASYNC));
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->fd, pid));
	child_kill(pid);
	alarm(10);
	sigsuspend(&old);
	EXPECT_EQ(self->fd, signalled_fd);
}

TEST_F(context, no_buffer_to_map)
{
	EXPECT_EQ(MAP_FAILED,
		  mmap(NULL, 4096, PROT_READ, MAP_SHARED, self->fd, 0));
	EXPECT_EQ(EINVAL, errno);
}

TEST_HARNESS_MAIN
