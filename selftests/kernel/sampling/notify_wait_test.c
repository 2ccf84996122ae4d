// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ways to wait for another process's overflow.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "notification.h"
#include "sampling.h"

#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/time.h>

#include "kselftest_harness.h"
#include "notifier.h"

struct shared {
	volatile uint64_t rounds;
	volatile uint64_t signals;
	volatile bool ready;
};

static struct shared *shared;

FIXTURE(wait)
{
	int fd;
	pid_t pid;
};

/* A child that works, and is sampled from "go" on. */
FIXTURE_SETUP(wait)
{
	self->fd = context_open(0);
	ASSERT_LE(0, self->fd);
	shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)shared);
	self->pid = fork();
	if (!self->pid) {
		close(self->fd);
		shared->ready = true;
		for (;;)
			burn(1000);
	}
	while (!shared->ready)
		sched_yield();
	ASSERT_EQ(0, sampler_setup(self->fd, CPU_TIME_NS, PFM_PMDF_NOTIFY,
				   LONG_PERIOD));
	ASSERT_EQ(0, context_load(self->fd, self->pid));
}

FIXTURE_TEARDOWN(wait)
{
	child_kill(self->pid);
	close(self->fd);
}

TEST_F(wait, read)
{
	union pfm_msg msg;
	int round;

	ASSERT_EQ(0, context_start(self->fd, 0));
	for (round = 0; round < 10; round++) {
		ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
		EXPECT_EQ(PFM_MSG_OVFL, msg.type);
		EXPECT_EQ(self->pid, msg.ovfl.tid);
		EXPECT_EQ(self->pid, msg.ovfl.pid);
		ASSERT_EQ(0, context_restart(self->fd, 0));
	}
}

TEST_F(wait, poll)
{
	struct pollfd pfd = { .fd = self->fd, .events = POLLIN | POLLPRI };
	union pfm_msg msg;

	EXPECT_EQ(0, poll(&pfd, 1, 20));
	ASSERT_EQ(0, context_start(self->fd, 0));
	EXPECT_EQ(1, poll(&pfd, 1, PATIENCE));
	EXPECT_EQ(POLLIN, pfd.revents);
	ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
	EXPECT_EQ(0, poll(&pfd, 1, 20));
	ASSERT_EQ(0, context_restart(self->fd, 0));
	EXPECT_EQ(1, poll(&pfd, 1, PATIENCE));
}

TEST_F(wait, select)
{
	struct timeval patience = { .tv_sec = PATIENCE / 1000 };
	struct timeval now = {};
	union pfm_msg msg;
	fd_set set;

	FD_ZERO(&set);
	FD_SET(self->fd, &set);
	EXPECT_EQ(0, select(self->fd + 1, &set, NULL, NULL, &now));
	ASSERT_EQ(0, context_start(self->fd, 0));
	FD_SET(self->fd, &set);
	EXPECT_EQ(1, select(self->fd + 1, &set, NULL, NULL, &patience));
	EXPECT_EQ(true, FD_ISSET(self->fd, &set));
	ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
}

TEST_F(wait, epoll)
{
	struct epoll_event event = { .events = EPOLLIN, .data.u32 = 77 };
	struct epoll_event got = {};
	int round, ep = epoll_create1(EPOLL_CLOEXEC);
	union pfm_msg msg;

	ASSERT_LE(0, ep);
	ASSERT_EQ(0, epoll_ctl(ep, EPOLL_CTL_ADD, self->fd, &event));
	EXPECT_EQ(0, epoll_wait(ep, &got, 1, 20));
	ASSERT_EQ(0, context_start(self->fd, 0));
	for (round = 0; round < 5; round++) {
		ASSERT_EQ(1, epoll_wait(ep, &got, 1, PATIENCE));
		EXPECT_EQ(77, got.data.u32);
		EXPECT_EQ(EPOLLIN, got.events);
		ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
		EXPECT_EQ(0, epoll_wait(ep, &got, 1, 0));
		ASSERT_EQ(0, context_restart(self->fd, 0));
	}
	close(ep);
}

/* Edge-triggered: told once for each. */
TEST_F(wait, epoll_edge)
{
	struct epoll_event event = { .events = EPOLLIN | EPOLLET };
	struct epoll_event got = {};
	int round, ep = epoll_create1(EPOLL_CLOEXEC);

	ASSERT_LE(0, ep);
	ASSERT_EQ(0, epoll_ctl(ep, EPOLL_CTL_ADD, self->fd, &event));
	ASSERT_EQ(0, context_start(self->fd, 0));
	for (round = 0; round < 3; round++) {
		ASSERT_EQ(1, epoll_wait(ep, &got, 1, PATIENCE));
		EXPECT_EQ(0, epoll_wait(ep, &got, 1, 20));
		/* The message is left where it is. */
		ASSERT_EQ(0, context_restart(self->fd, 0));
	}
	close(ep);
}

static void nothing(int sig)
{
}

TEST_F(wait, interrupted)
{
	const struct sigaction action = { .sa_handler = nothing };
	const struct itimerval timer = { .it_interval.tv_usec = 200000,
					 .it_value.tv_usec = 200000 };
	const struct itimerval off = {};
	union pfm_msg msg;

	ASSERT_EQ(0, sigaction(SIGALRM, &action, NULL));
	/* Again and again, as the first may come before the thread waits. */
	ASSERT_EQ(0, setitimer(ITIMER_REAL, &timer, NULL));
	EXPECT_EQ(-EINTR, message_read(self->fd, &msg));
	ASSERT_EQ(0, setitimer(ITIMER_REAL, &off, NULL));
}

/* The monitored process ends while it is masked. */
TEST_F(wait, end_masked)
{
	union pfm_msg msg;

	ASSERT_EQ(0, context_start(self->fd, 0));
	ASSERT_NE(0, readable(self->fd, PATIENCE));
	kill(self->pid, SIGKILL);
	ASSERT_EQ(true, EVENTUALLY(!!(readable(self->fd, 0) & POLLHUP)));
	/* In the order in which they happened. */
	ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
	EXPECT_EQ(PFM_MSG_OVFL, msg.type);
	ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
	EXPECT_EQ(PFM_MSG_END, msg.type);
	EXPECT_EQ(0, message_read(self->fd, &msg));
	EXPECT_EQ(-ENOTCONN, context_restart(self->fd, 0));
}

/* Closed while masked, with messages that nobody read. */
TEST_F(wait, close_masked)
{
	ASSERT_EQ(0, context_start(self->fd, 0));
	ASSERT_NE(0, readable(self->fd, PATIENCE));
	ASSERT_EQ(0, close(self->fd));
	EXPECT_EQ(0, kill(self->pid, 0));
	self->fd = context_open(0);
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	/* The process is free again. */
	EXPECT_EQ(0, context_load(self->fd, self->pid));
}

TEST_HARNESS_MAIN
