// SPDX-License-Identifier: GPL-2.0-only
/*
 * Notifications of a thread that monitors itself: messages, masking and restart, and
 * signals.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "notification.h"
#include "sampling.h"

#include <pthread.h>
#include <sys/syscall.h>

#include "kselftest_harness.h"
#include "notifier.h"

FIXTURE(notify)
{
	int fd;
	uint16_t num;
};

FIXTURE_VARIANT(notify)
{
	bool hardware;
};

FIXTURE_VARIANT_ADD(notify, cycles){
	.hardware = true,
};

FIXTURE_VARIANT_ADD(notify, cpu_time){
	.hardware = false,
};

FIXTURE_SETUP(notify)
{
	self->num = variant->hardware ? CYCLES : CPU_TIME_NS;
	self->fd = context_open(0);
	ASSERT_LE(0, self->fd)
	{
		TH_LOG("no context: %s", strerror(-self->fd));
	}
}

FIXTURE_TEARDOWN(notify)
{
	close(self->fd);
}

/* Sampling by the user alone: overflow, message, mask, RESTART. */
TEST_F(notify, message)
{
	TEST_PROVES(G2);
	struct pfm_config cfg;
	union pfm_msg msg;
	const uint64_t far = FAR_PERIOD;
	int round, i, with_ip = 0;
	uint64_t value;

	NEED_VARIANT();
	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, O_NONBLOCK));
	ASSERT_EQ(0, begin_here(self->fd, self->num, PFM_PMDF_NOTIFY, far));
	for (round = 1; round <= 5; round++) {
		ASSERT_EQ(true, burn_until_masked(self->fd));
		EXPECT_EQ(POLLIN, readable(self->fd, PATIENCE));
		memset(&msg, 0xff, sizeof(msg));
		ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
		EXPECT_EQ(PFM_MSG_OVFL, msg.type);
		EXPECT_EQ(syscall(SYS_gettid), msg.ovfl.tid);
		EXPECT_EQ(getpid(), msg.ovfl.pid);
		EXPECT_EQ(0, msg.ovfl.set);
		EXPECT_GT(sysconf(_SC_NPROCESSORS_CONF), msg.ovfl.cpu);
		/* None where a switch comes before a late interrupt. */
		with_ip += !!msg.ovfl.ip;
		for (i = 0; i < 5; i++)
			EXPECT_EQ(i == self->num / 64 ? 1ULL << self->num % 64
						      : 0,
				  msg.ovfl.ovfl_pmds[i]);
		/* One overflow, one message. */
		EXPECT_EQ(-EAGAIN, message_read(self->fd, &msg));
		EXPECT_EQ(0, readable(self->fd, 0));
		ASSERT_EQ(0, config_get(self->fd, &cfg));
		EXPECT_EQ(round, cfg.overflows);
		EXPECT_EQ(1, cfg.running);
		/* Nothing counts until the restart. */
		value = pmd_value(self->fd, self->num);
		burn(3000000);
		EXPECT_EQ(value, pmd_value(self->fd, self->num));
		ASSERT_EQ(0, context_restart(self->fd, 0));
		EXPECT_EQ(PFM_STATE_LOADED, state_of(self->fd));
		/* From the long value, plus what it was late by. */
		value = pmd_value(self->fd, self->num);
		EXPECT_LE(-far, value);
		EXPECT_EQ(-EBUSY, context_restart(self->fd, 0));
	}
	EXPECT_LT(0, with_ip);
}

/* A message that cannot be copied stays, and so does the last one. */
TEST_F(notify, bad_buffer)
{
	union pfm_msg msg, *volatile bad = (void *)8;
	pid_t pid;

	NEED_VARIANT();
	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, O_NONBLOCK));
	ASSERT_EQ(0, begin_here(self->fd, self->num, PFM_PMDF_NOTIFY,
				FAR_PERIOD));
	ASSERT_EQ(true, burn_until_masked(self->fd));
	ASSERT_EQ(POLLIN, readable(self->fd, PATIENCE));
	EXPECT_EQ(-EFAULT, message_read(self->fd, bad));
	EXPECT_EQ(POLLIN, readable(self->fd, 0));
	ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
	EXPECT_EQ(PFM_MSG_OVFL, msg.type);
	EXPECT_EQ(-EAGAIN, message_read(self->fd, &msg));

	ASSERT_EQ(0, context_unload(self->fd));
	pid = child_idle();
	ASSERT_EQ(0, context_load(self->fd, pid));
	child_kill(pid);
	EXPECT_EQ(-EFAULT, message_read(self->fd, bad));
	memset(&msg, 0xff, sizeof(msg));
	ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
	EXPECT_EQ(PFM_MSG_END, msg.type);
	EXPECT_EQ(pid, msg.end.tid);
	/* Nothing of an earlier message is behind it. */
	EXPECT_EQ(0, msg.pad[2] | msg.pad[3] | msg.pad[4] | msg.pad[5] |
			     msg.pad[6] | msg.pad[7]);
	EXPECT_EQ(0, message_read(self->fd, &msg));
}

/* An overflow that nobody wants to know of goes on with the short value. */
TEST_F(notify, not_wanted)
{
	struct pfm_pmd_attr attr;
	struct pfm_config cfg;

	NEED_VARIANT();
	ASSERT_EQ(0, begin_here(self->fd, self->num, 0, LONG_PERIOD));
	burn(10000000);
	ASSERT_EQ(0, context_stop(self->fd));
	EXPECT_EQ(0, readable(self->fd, 0));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(PFM_STATE_LOADED, cfg.state);
	EXPECT_LT(1, cfg.overflows);
	ASSERT_EQ(0, attr_read(self->fd, self->num, &attr));
	EXPECT_EQ(-PERIOD, attr.last_reset);
}

/* STOP and START change nothing about a mask. */
TEST_F(notify, start_stop_masked)
{
	TEST_PROVES(G2);
	union pfm_msg msg;
	uint64_t value;

	NEED_VARIANT();
	ASSERT_EQ(0, begin_here(self->fd, self->num, PFM_PMDF_NOTIFY,
				LONG_PERIOD));
	ASSERT_EQ(true, burn_until_masked(self->fd));
	value = pmd_value(self->fd, self->num);
	ASSERT_EQ(0, context_stop(self->fd));
	EXPECT_EQ(PFM_STATE_MASKED, state_of(self->fd));
	ASSERT_EQ(0, context_start(self->fd, 0));
	EXPECT_EQ(PFM_STATE_MASKED, state_of(self->fd));
	burn(3000000);
	EXPECT_EQ(value, pmd_value(self->fd, self->num));
	/* Restarted while stopped it is rearmed, and does not count. */
	ASSERT_EQ(0, context_stop(self->fd));
	ASSERT_EQ(0, context_restart(self->fd, 0));
	EXPECT_EQ(PFM_STATE_LOADED, state_of(self->fd));
	value = pmd_value(self->fd, self->num);
	EXPECT_LE(-LONG_PERIOD, value);
	burn(3000000);
	EXPECT_EQ(value, pmd_value(self->fd, self->num));
	ASSERT_EQ(0, context_start(self->fd, 0));
	ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
	ASSERT_EQ(true, burn_until_masked(self->fd));
	ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
	EXPECT_EQ(PFM_MSG_OVFL, msg.type);
}

/* Unloaded while masked, and loaded again: it begins afresh. */
TEST_F(notify, unload_masked)
{
	union pfm_msg msg;
	int round;

	NEED_VARIANT();
	ASSERT_EQ(0, sampler_setup(self->fd, self->num, PFM_PMDF_NOTIFY,
				   LONG_PERIOD));
	for (round = 0; round < 3; round++) {
		ASSERT_EQ(0, pmd_write(self->fd, self->num, -PERIOD));
		ASSERT_EQ(0, context_load(self->fd, 0));
		EXPECT_EQ(PFM_STATE_LOADED, state_of(self->fd));
		EXPECT_EQ(-EBUSY, context_restart(self->fd, 0));
		ASSERT_EQ(0, context_start(self->fd, 0));
		ASSERT_EQ(true, burn_until_masked(self->fd));
		ASSERT_EQ(0, context_unload(self->fd));
		EXPECT_EQ(PFM_STATE_UNLOADED, state_of(self->fd));
		EXPECT_EQ(-ENOTCONN, context_restart(self->fd, 0));
		/* The message stays. */
		ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
		EXPECT_EQ(PFM_MSG_OVFL, msg.type);
	}
}

/* A message that was not read does not stand in the way of the next. */
TEST_F(notify, not_read)
{
	TEST_PROVES(G5);
	union pfm_msg msg;
	int i, n = 0;

	NEED_VARIANT();
	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, O_NONBLOCK));
	ASSERT_EQ(0, begin_here(self->fd, self->num, PFM_PMDF_NOTIFY,
				LONG_PERIOD));
	/* More than any queue holds. */
	for (i = 0; i < 30; i++) {
		ASSERT_EQ(true, burn_until_masked(self->fd));
		ASSERT_EQ(0, context_restart(self->fd, 0));
	}
	ASSERT_EQ(true, burn_until_masked(self->fd));
	while (message_read(self->fd, &msg) == sizeof(msg)) {
		EXPECT_EQ(PFM_MSG_OVFL, msg.type);
		n++;
	}
	EXPECT_LE(1, n);
	EXPECT_GE(31, n);
	ASSERT_EQ(0, context_restart(self->fd, 0));
	ASSERT_EQ(true, burn_until_masked(self->fd));
	EXPECT_EQ(sizeof(msg), message_read(self->fd, &msg));
}

/* Nothing to tell, unless a slow kernel has overflowed again already. */
static bool nothing_yet(int fd)
{
	return !readable(fd, 0) || state_of(fd) == PFM_STATE_MASKED;
}

TEST_F(notify, no_msg)
{
	union pfm_msg msg;
	int round;

	NEED_VARIANT();
	close(self->fd);
	self->fd = context_open(PFM_CTX_NO_MSG);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, O_NONBLOCK));
	ASSERT_EQ(0,
		  begin_here(self->fd, self->num, PFM_PMDF_NOTIFY, FAR_PERIOD));
	EXPECT_EQ(true, nothing_yet(self->fd));
	for (round = 0; round < 5; round++) {
		ASSERT_EQ(true, burn_until_masked(self->fd));
		EXPECT_EQ(POLLIN, readable(self->fd, PATIENCE));
		EXPECT_EQ(-EAGAIN, message_read(self->fd, &msg));
		EXPECT_EQ(POLLIN, readable(self->fd, 0));
		ASSERT_EQ(0, context_restart(self->fd, 0));
		EXPECT_EQ(true, nothing_yet(self->fd));
	}
}

/* The end is a message all the same. */
TEST_F(notify, no_msg_end)
{
	const pid_t pid = child_idle();
	union pfm_msg msg;

	NEED_VARIANT();
	close(self->fd);
	self->fd = context_open(PFM_CTX_NO_MSG);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, sampler_setup(self->fd, self->num, PFM_PMDF_NOTIFY,
				   LONG_PERIOD));
	ASSERT_EQ(0, context_load(self->fd, pid));
	child_kill(pid);
	ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
	EXPECT_EQ(PFM_MSG_END, msg.type);
}

/*
 * Signals.
 */

static struct {
	volatile int n, fd, code;
	volatile pid_t tid;
} signalled;

static void on_signal(int sig, siginfo_t *info, void *context)
{
	signalled.fd = info->si_fd;
	signalled.code = info->si_code;
	signalled.tid = syscall(SYS_gettid);
	signalled.n++;
}

static void catch (int sig)
{
	const struct sigaction action = {
		.sa_sigaction = on_signal,
		.sa_flags = SA_SIGINFO,
	};

	memset((void *)&signalled, 0, sizeof(signalled));
	if (sigaction(sig, &action, NULL))
		abort();
}

static bool burn_until_signalled(int n)
{
	const uint64_t begin = time_ns(CLOCK_MONOTONIC);

	while (signalled.n < n) {
		burn(1000);
		if (time_ns(CLOCK_MONOTONIC) - begin > PATIENCE * 1000000ULL)
			return false;
	}
	return true;
}

TEST_F(notify, signal_with_fd)
{
	union pfm_msg msg;
	int round;

	NEED_VARIANT();
	catch (SIGRTMIN + 3);
	ASSERT_EQ(0, fcntl(self->fd, F_SETOWN, getpid()));
	ASSERT_EQ(0, fcntl(self->fd, F_SETSIG, SIGRTMIN + 3));
	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, O_ASYNC));
	ASSERT_EQ(0, begin_here(self->fd, self->num, PFM_PMDF_NOTIFY,
				LONG_PERIOD));
	for (round = 1; round <= 5; round++) {
		ASSERT_EQ(true, burn_until_signalled(round));
		EXPECT_EQ(round, signalled.n);
		EXPECT_EQ(self->fd, signalled.fd);
		EXPECT_EQ(POLL_IN, signalled.code);
		ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
		ASSERT_EQ(0, context_restart(self->fd, 0));
	}
}

TEST_F(notify, sigio)
{
	NEED_VARIANT();
	catch (SIGIO);
	ASSERT_EQ(0, fcntl(self->fd, F_SETOWN, getpid()));
	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, O_ASYNC));
	ASSERT_EQ(0, begin_here(self->fd, self->num, PFM_PMDF_NOTIFY,
				LONG_PERIOD));
	ASSERT_EQ(true, burn_until_signalled(1));
	/* Without O_ASYNC no more. */
	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, 0));
	ASSERT_EQ(0, context_restart(self->fd, 0));
	ASSERT_EQ(true, burn_until_masked(self->fd));
	burn(100000);
	EXPECT_EQ(1, signalled.n);
}

/* In NO_MSG mode the signal is what there is. */
TEST_F(notify, signal_no_msg)
{
	int round;

	NEED_VARIANT();
	close(self->fd);
	self->fd = context_open(PFM_CTX_NO_MSG);
	ASSERT_LE(0, self->fd);
	catch (SIGIO);
	ASSERT_EQ(0, fcntl(self->fd, F_SETOWN, getpid()));
	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, O_ASYNC));
	ASSERT_EQ(0, begin_here(self->fd, self->num, PFM_PMDF_NOTIFY,
				LONG_PERIOD));
	for (round = 1; round <= 5; round++) {
		ASSERT_EQ(true, burn_until_signalled(round));
		EXPECT_EQ(round, signalled.n);
		ASSERT_EQ(0, context_restart(self->fd, 0));
	}
}

struct sampled_thread {
	int fd;
	uint16_t num;
	pid_t tid;
	int ret;
};

/* Counts itself and gets its own signals. */
static void *sampled_thread(void *arg)
{
	struct sampled_thread *thread = arg;
	const struct f_owner_ex owner = {
		.type = F_OWNER_TID,
		.pid = syscall(SYS_gettid),
	};

	thread->tid = owner.pid;
	if (fcntl(thread->fd, F_SETOWN_EX, &owner) ||
	    fcntl(thread->fd, F_SETSIG, SIGRTMIN) ||
	    fcntl(thread->fd, F_SETFL, O_ASYNC))
		abort();
	thread->ret = begin_here(thread->fd, thread->num, PFM_PMDF_NOTIFY,
				 LONG_PERIOD);
	if (!thread->ret && !burn_until_signalled(1))
		thread->ret = -ETIME;
	return NULL;
}

TEST_F(notify, signal_to_a_thread)
{
	struct sampled_thread thread = { .fd = self->fd, .num = self->num };
	pthread_t id;

	NEED_VARIANT();
	catch (SIGRTMIN);
	ASSERT_EQ(0, pthread_create(&id, NULL, sampled_thread, &thread));
	ASSERT_EQ(0, pthread_join(id, NULL));
	ASSERT_EQ(0, thread.ret);
	EXPECT_EQ(thread.tid, signalled.tid);
	EXPECT_NE(getpid(), signalled.tid);
	EXPECT_EQ(self->fd, signalled.fd);
}

TEST_HARNESS_MAIN
