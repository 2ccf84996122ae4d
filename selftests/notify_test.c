// SPDX-License-Identifier: GPL-2.0-only
/*
 * Notifications: messages, polling, signals, masking and restart, and the
 * monitored thread that sleeps until its reader is done.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "exact_count.h"
#include "rights.h"
#include "sampling.h"

#include <pthread.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include "kselftest_harness.h"

#define TRUTH	    0 /* counts cycles and does not sample */
#define PERIOD	    2000000ULL
#define LONG_PERIOD 3000000ULL
/* Long enough for what a test does after a restart, on a slow machine. */
#define FAR_PERIOD (exact_missing() ? 300000000ULL : LONG_PERIOD)

/* Time that nothing needs on a machine that works, in ms. */
#define PATIENCE 20000

/* A register that samples user and kernel, or a negative error. */
static int sampler_setup(int fd, uint16_t num, uint32_t flags,
			 uint64_t long_period)
{
	const struct pfm_pmd_attr attr = {
		.num = num,
		.flags = flags,
		.long_reset = -long_period,
		.short_reset = -PERIOD,
		.eventid = 5,
	};
	int ret = 0;

	if (num == CYCLES)
		ret = pmc_write(fd, CYCLES, 0);
	if (!ret)
		ret = pmd_write(fd, num, -PERIOD);
	return ret ? ret : attr_write(fd, &attr);
}

static uint32_t state_of(int fd)
{
	struct pfm_config cfg;

	return config_get(fd, &cfg) ? 0 : cfg.state;
}

/* Whether there is something to read, after at most ms. */
static int readable(int fd, int ms)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };

	return poll(&pfd, 1, ms) == 1 ? pfd.revents : 0;
}

/* Use the CPU until the context is masked; false when that never happens. */
static bool burn_until_masked(int fd)
{
	const uint64_t begin = time_ns(CLOCK_MONOTONIC);
	volatile int i;

	while (state_of(fd) != PFM_STATE_MASKED) {
		for (i = 0; i < 1000; i++)
			;
		if (time_ns(CLOCK_MONOTONIC) - begin > PATIENCE * 1000000ULL)
			return false;
	}
	return true;
}

static void burn(unsigned int n)
{
	volatile unsigned int i;

	for (i = 0; i < n; i++)
		;
}

/*
 * A thread that looks at itself.
 */

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

#define NEED_VARIANT()                                        \
	do {                                                  \
		if (variant->hardware && !HAVE_CYCLES)        \
			SKIP(return, "no hardware PMU here"); \
	} while (0)

static int begin_here(int fd, uint16_t num, uint32_t flags,
		      uint64_t long_period)
{
	int ret;

	ret = sampler_setup(fd, num, flags, long_period);
	if (!ret)
		ret = context_load(fd, 0);
	return ret ? ret : context_start(fd, 0);
}

/* Sampling by the user alone: overflow, message, mask, RESTART. */
TEST_F(notify, message)
{
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

/*
 * Another process, looked at from outside.
 */

struct shared {
	volatile uint64_t rounds;
	volatile uint64_t signals;
	volatile bool ready;
};

static struct shared *shared;

static void count_signal(int sig)
{
	shared->signals++;
}

/*
 * Four instructions a round on arm64, so that what the child did can be compared
 * with what was counted.
 */
#define ROUND_COST 4

static void __attribute__((noreturn)) work(void)
{
#ifdef __aarch64__
	asm volatile("1:	ldr	x9, [%0]\n"
		     "	add	x9, x9, #1\n"
		     "	str	x9, [%0]\n"
		     "	b	1b\n"
		     :
		     : "r"(&shared->rounds)
		     : "x9", "memory");
#endif
	for (;;)
		shared->rounds++;
}

FIXTURE(block)
{
	int fd;
	uint16_t num;
	pid_t pid;
	int go;
	int missing;
};

FIXTURE_VARIANT(block)
{
	bool hardware;
};

FIXTURE_VARIANT_ADD(block, cycles){
	.hardware = true,
};

FIXTURE_VARIANT_ADD(block, cpu_time){
	.hardware = false,
};

static void worker_start(FIXTURE_DATA(block) * self)
{
	const pid_t parent = getpid();
	int pipefd[2];
	char c;

	if (pipe2(pipefd, O_CLOEXEC))
		abort();
	self->pid = fork();
	if (self->pid < 0)
		abort();
	if (!self->pid) {
		const struct sigaction action = { .sa_handler = count_signal };

		die_with_parent(parent);
		close(pipefd[1]);
		/* A copy of the descriptor would keep the context alive. */
		if (self->fd >= 0)
			close(self->fd);
		if (sigaction(SIGUSR1, &action, NULL))
			_exit(1);
		shared->ready = true;
		if (read(pipefd[0], &c, 1) != 1)
			_exit(1);
		work();
	}
	while (!shared->ready)
		sched_yield();
	close(pipefd[0]);
	self->go = pipefd[1];
}

FIXTURE_SETUP(block)
{
	shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)shared);
	self->num = variant->hardware ? CYCLES : CPU_TIME_NS;
	self->go = -1;
	self->pid = 0;
	self->fd = context_open(PFM_CTX_NOTIFY_BLOCK);
	self->missing = self->fd == -EOPNOTSUPP;
	if (!self->missing)
		ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(block)
{
	if (self->pid)
		child_kill(self->pid);
	if (self->go >= 0)
		close(self->go);
	if (self->fd >= 0)
		close(self->fd);
}

#define NEED_BLOCK()                                                      \
	do {                                                              \
		NEED_VARIANT();                                           \
		if (self->missing)                                        \
			SKIP(return, "this kernel cannot block threads"); \
	} while (0)

/* Let the child work, monitored. */
static int worker_go(FIXTURE_DATA(block) * self)
{
	int ret;

	worker_start(self);
	ret = context_load(self->fd, self->pid);
	if (!ret)
		ret = context_start(self->fd, 0);
	if (write(self->go, "", 1) != 1)
		abort();
	return ret;
}

/* Waits until a condition holds; false when it never does. */
#define EVENTUALLY(condition)                                              \
	({                                                                 \
		const uint64_t begin_ = time_ns(CLOCK_MONOTONIC);          \
		while (!(condition) && time_ns(CLOCK_MONOTONIC) - begin_ < \
					       PATIENCE * 1000000ULL)      \
			usleep(1000);                                      \
		(condition);                                               \
	})

static bool works(void)
{
	const uint64_t before = shared->rounds;

	return EVENTUALLY(shared->rounds != before);
}

/* Waits until the child sleeps after a notification. */
static int wait_blocked(FIXTURE_DATA(block) * self)
{
	union pfm_msg msg;
	int ret;

	if (!readable(self->fd, PATIENCE))
		return -ETIME;
	ret = message_read(self->fd, &msg);
	if (ret != sizeof(msg) || msg.type != PFM_MSG_OVFL)
		return -EPROTO;
	if (msg.ovfl.tid != (uint32_t)self->pid)
		return -ESRCH;
	return EVENTUALLY(state_letter(self->pid) == 'S') ? 0 : -EBUSY;
}

TEST_F(block, executes_nothing)
{
	int round, ret, early = 0;
	union pfm_msg msg;
	uint64_t rounds;

	NEED_BLOCK();
	ASSERT_EQ(0, sampler_setup(self->fd, self->num, PFM_PMDF_NOTIFY,
				   FAR_PERIOD));
	ASSERT_EQ(0, worker_go(self));
	for (round = 0; round < 10; round++) {
		ASSERT_EQ(0, wait_blocked(self));
		rounds = shared->rounds;
		EXPECT_EQ(PFM_STATE_MASKED, state_of(self->fd));
		usleep(50000);
		EXPECT_EQ(rounds, shared->rounds);
		EXPECT_EQ('S', state_letter(self->pid));
		ASSERT_EQ(0, context_restart(self->fd, 0));
		ret = context_restart(self->fd, 0);
		if (ret == -EBUSY) {
			early++;
			continue;
		}
		/* It got to its next notification before. */
		ASSERT_EQ(0, ret);
		ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
		EXPECT_EQ(PFM_MSG_OVFL, msg.type);
	}
	ASSERT_EQ(0, wait_blocked(self));
	EXPECT_LT(rounds, shared->rounds);
	EXPECT_LT(0, early);
}

/* What it did between two restarts is what was counted, to the round. */
TEST_F(block, work_is_count)
{
	const char *missing = exact_missing();
	const struct pfm_pmd_attr attr = {
		.num = CYCLES,
		.flags = PFM_PMDF_NOTIFY,
		.long_reset = -LONG_PERIOD,
		.short_reset = -PERIOD,
	};
	uint64_t rounds = 0, counted;
	int round;

	NEED_BLOCK();
	if (missing || !variant->hardware)
		SKIP(return, "%s", missing ?: "for cycles only");
	ASSERT_EQ(0, pmc_write(self->fd, CYCLES, TYPE_P));
	ASSERT_EQ(0, pmd_write(self->fd, CYCLES, -PERIOD));
	ASSERT_EQ(0, pmc_write(self->fd, TRUTH, TYPE_P | EVENT_CPU_CYCLES));
	ASSERT_EQ(0, pmd_write(self->fd, TRUTH, 0));
	ASSERT_EQ(0, attr_write(self->fd, &attr));
	ASSERT_EQ(0, worker_go(self));
	for (round = 0; round < 10; round++) {
		ASSERT_EQ(0, wait_blocked(self));
		counted = pmd_value(self->fd, TRUTH);
		EXPECT_EQ(PERIOD + round * LONG_PERIOD, counted);
		if (round) {
			EXPECT_LE(LONG_PERIOD / ROUND_COST - 1,
				  shared->rounds - rounds);
			EXPECT_GE(LONG_PERIOD / ROUND_COST + 1,
				  shared->rounds - rounds);
		}
		rounds = shared->rounds;
		usleep(20000);
		EXPECT_EQ(rounds, shared->rounds);
		ASSERT_EQ(0, context_restart(self->fd, 0));
	}
}

/*
 * A signal is delivered; what runs then is not monitored until the restart.  The
 * thread is running then, and may be at its next notification at once.
 */
TEST_F(block, signal)
{
	uint64_t value;
	int round;

	NEED_BLOCK();
	ASSERT_EQ(0, sampler_setup(self->fd, self->num, PFM_PMDF_NOTIFY,
				   LONG_PERIOD));
	ASSERT_EQ(0, worker_go(self));
	for (round = 1; round <= 30; round++) {
		ASSERT_EQ(0, wait_blocked(self));
		EXPECT_EQ(round - 1, shared->signals);
		value = pmd_value(self->fd, self->num);
		ASSERT_EQ(0, kill(self->pid, SIGUSR1));
		EXPECT_EQ(true, EVENTUALLY(shared->signals == (uint64_t)round));
		EXPECT_EQ(PFM_STATE_MASKED, state_of(self->fd));
		usleep(20000);
		EXPECT_EQ(value, pmd_value(self->fd, self->num));
		ASSERT_EQ(0, context_restart(self->fd, 0));
	}
	ASSERT_EQ(0, wait_blocked(self));
}

TEST_F(block, killed)
{
	union pfm_msg msg;

	NEED_BLOCK();
	ASSERT_EQ(0, sampler_setup(self->fd, self->num, PFM_PMDF_NOTIFY,
				   LONG_PERIOD));
	ASSERT_EQ(0, worker_go(self));
	ASSERT_EQ(0, wait_blocked(self));
	child_kill(self->pid);
	ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
	EXPECT_EQ(PFM_MSG_END, msg.type);
	EXPECT_EQ(SIGKILL, msg.end.status);
	EXPECT_EQ(-ENOTCONN, context_restart(self->fd, 0));
	self->pid = 0;
}

TEST_F(block, job_control)
{
	NEED_BLOCK();
	ASSERT_EQ(0, sampler_setup(self->fd, self->num, PFM_PMDF_NOTIFY,
				   LONG_PERIOD));
	ASSERT_EQ(0, worker_go(self));
	ASSERT_EQ(0, wait_blocked(self));
	ASSERT_EQ(0, kill(self->pid, SIGSTOP));
	EXPECT_EQ(true, EVENTUALLY(state_letter(self->pid) == 'T'));
	ASSERT_EQ(0, context_restart(self->fd, 0));
	ASSERT_EQ(0, kill(self->pid, SIGCONT));
	EXPECT_EQ(0, wait_blocked(self));
}

TEST_F(block, close_wakes)
{
	NEED_BLOCK();
	ASSERT_EQ(0, sampler_setup(self->fd, self->num, PFM_PMDF_NOTIFY,
				   LONG_PERIOD));
	ASSERT_EQ(0, worker_go(self));
	ASSERT_EQ(0, wait_blocked(self));
	close(self->fd);
	self->fd = -1;
	EXPECT_EQ(true, works());
}

/* A mapping keeps the context, so it is the end of that which wakes. */
TEST_F(block, close_wakes_mapped)
{
	const struct pfm_default_hdr *hdr;

	NEED_BLOCK();
	close(self->fd);
	self->fd = default_open(PFM_CTX_NOTIFY_BLOCK, buffer_bytes(5, 0));
	ASSERT_LE(0, self->fd);
	hdr = buffer_map(self->fd);
	ASSERT_NE(NULL, hdr);
	ASSERT_EQ(0, sampler_setup(self->fd, self->num, PFM_PMDF_NOTIFY,
				   LONG_PERIOD));
	ASSERT_EQ(0, worker_go(self));
	ASSERT_EQ(0, wait_blocked(self));
	close(self->fd);
	self->fd = -1;
	EXPECT_EQ(5, hdr->hdr_count);
	usleep(20000);
	EXPECT_EQ('S', state_letter(self->pid));
	munmap((void *)hdr, 4096);
	EXPECT_EQ(true, works());
}

/* After it RESTART finds nothing loaded, so nobody else could wake the thread. */
TEST_F(block, unload_wakes)
{
	NEED_BLOCK();
	ASSERT_EQ(0, sampler_setup(self->fd, self->num, PFM_PMDF_NOTIFY,
				   LONG_PERIOD));
	ASSERT_EQ(0, worker_go(self));
	ASSERT_EQ(0, wait_blocked(self));
	ASSERT_EQ(0, context_unload(self->fd));
	EXPECT_EQ(true, works());
}

/*
 * The thread executes a program that ends the session, and is to sleep when it
 * returns to user mode, in that program.
 */
TEST_F(block, exec_wakes)
{
	static const char path[] = "/tmp/notify_test.setuid";
	const struct pfm_pmd_attr attr = {
		.num = CPU_TIME_NS,
		.flags = PFM_PMDF_NOTIFY,
		.long_reset = -40000ULL,
		.short_reset = -40000ULL,
	};
	int device, round, in_exec = 0;
	char command[1200];
	union pfm_msg msg;

	NEED_BLOCK();
	if (variant->hardware)
		SKIP(return, "users do not count in exec with it");
	snprintf(command, sizeof(command), "cp %s %s && chmod 4755 %s",
		 program("loop"), path, path);
	ASSERT_EQ(0, system(command));
	device = device_open();
	ASSERT_LE(0, device);
	rights_drop();
	for (round = 0; round < 10; round++) {
		bool restarted = true;
		struct child child;

		close(self->fd);
		self->fd = context_create(device, PFM_CTX_NOTIFY_BLOCK);
		ASSERT_LE(0, self->fd);
		ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS,
				       -20000ULL - 7001 * round));
		ASSERT_EQ(0, attr_write(self->fd, &attr));
		child_exec(&child, ARGV(path, "1000"));
		ASSERT_EQ(0, context_load(self->fd, child.pid));
		ASSERT_EQ(0, context_start(self->fd, 0));
		child_go(&child);
		for (;;) {
			ASSERT_NE(0, readable(self->fd, PATIENCE));
			ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
			if (msg.type == PFM_MSG_END)
				break;
			/* It sleeps before it comes to the exec's end, or in it. */
			ASSERT_EQ(true,
				  EVENTUALLY(state_letter(child.pid) == 'S' ||
					     readable(self->fd, 0)));
			restarted = !readable(self->fd, 0);
			if (restarted)
				ASSERT_EQ(0, context_restart(self->fd, 0));
		}
		in_exec += !restarted;
		EXPECT_EQ(-ENOTCONN, context_restart(self->fd, 0));
		/* Its id, or an error when it was reaped by the look before. */
		ASSERT_NE(0, EVENTUALLY(waitpid(child.pid, NULL, WNOHANG)));
	}
	EXPECT_LT(0, in_exec);
	unlink(path);
	close(device);
}

/* Copies its memory in the kernel, and sleeps there until it is told to go on. */
static void sleep_in_kernel(int go)
{
	const size_t size = 16 << 20;
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	char c;

	if (memory == MAP_FAILED)
		_exit(1);
	shared->ready = true;
	if (read(go, &c, 1) != 1)
		_exit(1);
	/* Not of one memory, but the parent waits for the child's end. */
	if (!syscall(SYS_clone, CLONE_VFORK | SIGCHLD, 0, 0, 0, 0))
		_exit(read(go, &c, 1) != 1);
	work();
}

/*
 * A thread that is to sleep when it leaves a system call does not leave it before
 * the session is over.  It does not sleep for the next session, and does not keep the
 * thread of that one from sleeping.
 */
TEST_F(block, another_session)
{
	const struct pfm_pmd_attr attr = {
		.num = CPU_TIME_NS,
		.flags = PFM_PMDF_NOTIFY,
		.long_reset = -100000ULL,
		.short_reset = -100000ULL,
	};
	union pfm_msg msg;
	int pipefd[2];
	pid_t first;
	char letter;

	NEED_BLOCK();
	if (variant->hardware)
		SKIP(return, "the same for all registers");
	ASSERT_EQ(0, pipe2(pipefd, O_CLOEXEC));
	first = fork();
	ASSERT_LE(0, first);
	if (!first) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(pipefd[1]);
		close(self->fd);
		sleep_in_kernel(pipefd[0]);
	}
	close(pipefd[0]);
	while (!shared->ready)
		sched_yield();
	shared->ready = false;
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, -100000ULL));
	ASSERT_EQ(0, attr_write(self->fd, &attr));
	ASSERT_EQ(0, context_load(self->fd, first));
	ASSERT_EQ(0, context_start(self->fd, 0));
	ASSERT_EQ(1, write(pipefd[1], "", 1));
	do {
		ASSERT_NE(0, readable(self->fd, PATIENCE));
		ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
		ASSERT_EQ(PFM_MSG_OVFL, msg.type);
		ASSERT_EQ(true, EVENTUALLY(!!strchr(
					"SD", letter = state_letter(first))));
		if (letter == 'S')
			ASSERT_EQ(0, context_restart(self->fd, 0));
	} while (letter == 'S');
	ASSERT_EQ(0, context_unload(self->fd));

	ASSERT_EQ(0, sampler_setup(self->fd, CPU_TIME_NS, PFM_PMDF_NOTIFY,
				   LONG_PERIOD));
	ASSERT_EQ(0, worker_go(self));
	EXPECT_EQ(0, wait_blocked(self));
	/* What has run since is the first thread. */
	ASSERT_EQ(1, write(pipefd[1], "", 1));
	EXPECT_EQ(true, works());
	EXPECT_EQ('S', state_letter(self->pid));
	child_kill(first);
	close(pipefd[1]);
}

/* Loaded once more on the same thread. */
TEST_F(block, loaded_again)
{
	int round;

	NEED_BLOCK();
	ASSERT_EQ(0, sampler_setup(self->fd, self->num, PFM_PMDF_NOTIFY,
				   LONG_PERIOD));
	ASSERT_EQ(0, worker_go(self));
	for (round = 0; round < 5; round++) {
		ASSERT_EQ(0, wait_blocked(self));
		ASSERT_EQ(0, context_restart(self->fd, 0));
		ASSERT_EQ(0, context_unload(self->fd));
		ASSERT_EQ(0, pmd_write(self->fd, self->num, -PERIOD));
		ASSERT_EQ(0, context_load(self->fd, self->pid));
		/* It may have got to the next one before the unload. */
		while (readable(self->fd, 0)) {
			union pfm_msg msg;

			ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
		}
		ASSERT_EQ(0, context_start(self->fd, 0));
	}
	ASSERT_EQ(0, wait_blocked(self));
}

TEST_F(block, stopped_meanwhile)
{
	NEED_BLOCK();
	ASSERT_EQ(0, sampler_setup(self->fd, self->num, PFM_PMDF_NOTIFY,
				   LONG_PERIOD));
	ASSERT_EQ(0, worker_go(self));
	ASSERT_EQ(0, wait_blocked(self));
	ASSERT_EQ(0, context_stop(self->fd));
	ASSERT_EQ(0, context_restart(self->fd, 0));
	EXPECT_EQ(true, works());
	EXPECT_EQ(PFM_STATE_LOADED, state_of(self->fd));
	ASSERT_EQ(0, context_start(self->fd, 0));
	ASSERT_EQ(0, wait_blocked(self));
}

/* With a buffer the thread runs until that is full. */
TEST_F(block, full_buffer)
{
	const struct pfm_default_hdr *hdr;
	uint64_t rounds;
	int round;

	NEED_BLOCK();
	close(self->fd);
	self->fd = default_open(PFM_CTX_NOTIFY_BLOCK, buffer_bytes(5, 0));
	ASSERT_LE(0, self->fd);
	hdr = buffer_map(self->fd);
	ASSERT_NE(NULL, hdr);
	ASSERT_EQ(0, sampler_setup(self->fd, self->num, PFM_PMDF_NOTIFY,
				   LONG_PERIOD));
	ASSERT_EQ(0, worker_go(self));
	for (round = 1; round <= 4; round++) {
		ASSERT_EQ(0, wait_blocked(self));
		rounds = shared->rounds;
		EXPECT_EQ(5, hdr->hdr_count);
		EXPECT_EQ(round, hdr->hdr_overflows);
		EXPECT_EQ(0, hdr->hdr_lost);
		usleep(20000);
		EXPECT_EQ(rounds, shared->rounds);
		ASSERT_EQ(0, context_restart(self->fd, 0));
	}
	munmap((void *)hdr, 4096);
}

/*
 * A signal ends the block while RESTART does: whichever comes first.  In the last
 * rounds there is none, as one that a slow kernel has yet to deliver would end the
 * block that is waited for.
 */
TEST_F(block, races)
{
	const int with_signals = 200, rounds = 220;
	int round;

	NEED_BLOCK();
	ASSERT_EQ(0, sampler_setup(self->fd, self->num, PFM_PMDF_NOTIFY,
				   LONG_PERIOD));
	ASSERT_EQ(0, worker_go(self));
	for (round = 0; round < rounds; round++) {
		union pfm_msg msg;

		ASSERT_NE(0, readable(self->fd, PATIENCE));
		ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
		if (round < with_signals && round % 2)
			ASSERT_EQ(0, kill(self->pid, SIGUSR1));
		/* At once: the thread may not sleep yet. */
		ASSERT_EQ(0, context_restart(self->fd, 0));
		if (round < with_signals && round % 3 == 0)
			ASSERT_EQ(0, kill(self->pid, SIGUSR1));
	}
	EXPECT_LT(0, shared->signals);
	EXPECT_EQ(0, wait_blocked(self));
}

/* A thread cannot restart itself, but another one of its process can. */
struct restarter {
	int fd;
	volatile int end;
	uint64_t n;
};

static void *restarter(void *arg)
{
	struct restarter *restarter = arg;
	union pfm_msg msg;

	while (!restarter->end) {
		if (!readable(restarter->fd, 10))
			continue;
		if (message_read(restarter->fd, &msg) != sizeof(msg) ||
		    msg.type != PFM_MSG_OVFL)
			break;
		if (!context_restart(restarter->fd, 0))
			restarter->n++;
	}
	return NULL;
}

TEST_F(block, own_thread)
{
	struct restarter arg = { .fd = self->fd };
	struct pfm_config cfg;
	pthread_t id;
	int i;

	NEED_BLOCK();
	ASSERT_EQ(0, pthread_create(&id, NULL, restarter, &arg));
	ASSERT_EQ(0, begin_here(self->fd, self->num, PFM_PMDF_NOTIFY,
				LONG_PERIOD));
	for (i = 0; i < 20; i++)
		burn(2000000);
	ASSERT_EQ(0, context_stop(self->fd));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	arg.end = 1;
	ASSERT_EQ(0, pthread_join(id, NULL));
	EXPECT_LT(5, arg.n);
	EXPECT_EQ(cfg.overflows, arg.n);
}

TEST(block_flags)
{
	EXPECT_EQ(-EINVAL,
		  context_open(PFM_CTX_NOTIFY_BLOCK | PFM_CTX_FOLLOW_ALL));
	EXPECT_EQ(-EINVAL,
		  context_open(PFM_CTX_NOTIFY_BLOCK | PFM_CTX_FOLLOW_CLONE));
}

/*
 * Ways to wait, for another process's overflow.
 */

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

/*
 * Exactly: on the guest that executes an instruction a nanosecond.
 */

FIXTURE(exact)
{
	int fd;
};

FIXTURE_SETUP(exact)
{
	self->fd = context_open(0);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(exact)
{
	close(self->fd);
}

/* Each restart begins a long period; nothing is counted in between. */
TEST_F(exact, long_periods)
{
	const struct pfm_pmd_attr attr = {
		.num = CYCLES,
		.flags = PFM_PMDF_NOTIFY,
		.long_reset = -70000ULL,
		.short_reset = -10ULL,
	};
	union pfm_msg msg;
	int round;

	NEED_EXACT();
	ASSERT_EQ(0, pmc_write(self->fd, TRUTH, TYPE_P | EVENT_CPU_CYCLES));
	ASSERT_EQ(0, pmd_write(self->fd, TRUTH, 0));
	ASSERT_LT(0, cycles_setup(self->fd, -50000ULL));
	ASSERT_EQ(0, attr_write(self->fd, &attr));
	ASSERT_EQ(0, context_load(self->fd, 0));
	for (round = 0; round < 20; round++) {
		ASSERT_EQ(0, self_loop(self->fd, 100000));
		EXPECT_EQ(PFM_STATE_MASKED, state_of(self->fd));
		EXPECT_EQ(50000 + round * 70000, pmd_value(self->fd, TRUTH));
		EXPECT_EQ(0, pmd_value(self->fd, CYCLES));
		ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
		ASSERT_EQ(0, context_restart(self->fd, 0));
		EXPECT_EQ(-70000ULL, pmd_value(self->fd, CYCLES));
	}
}

/* RESTART resets what overflowed, whatever was written to it meanwhile. */
TEST_F(exact, written_while_masked)
{
	const uint64_t values[] = { 0, 12345, -5ULL, -1000000ULL };
	const struct pfm_pmd_attr attr = {
		.num = CYCLES,
		.flags = PFM_PMDF_NOTIFY,
		.long_reset = -70000ULL,
		.short_reset = -10ULL,
	};
	struct pfm_config cfg;
	size_t i;

	NEED_EXACT();
	ASSERT_LT(0, cycles_setup(self->fd, -50000ULL));
	ASSERT_EQ(0, attr_write(self->fd, &attr));
	ASSERT_EQ(0, context_load(self->fd, 0));
	for (i = 0; i < ARRAY_LEN(values); i++) {
		ASSERT_EQ(0, self_loop(self->fd, 100000));
		EXPECT_EQ(PFM_STATE_MASKED, state_of(self->fd));
		ASSERT_EQ(0, pmd_write(self->fd, CYCLES, values[i]));
		EXPECT_EQ(values[i], pmd_value(self->fd, CYCLES));
		ASSERT_EQ(0, context_restart(self->fd, 0));
		EXPECT_EQ(-70000ULL, pmd_value(self->fd, CYCLES));
	}
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(ARRAY_LEN(values), cfg.overflows);
	EXPECT_EQ(0, cfg.skipped);
}

/* RESTART resets what is in reset_pmds as well, to long values. */
TEST_F(exact, restart_resets_others)
{
	struct pfm_pmd_attr attr = {
		.num = CYCLES,
		.flags = PFM_PMDF_NOTIFY,
		.long_reset = -70000ULL,
		.short_reset = -10ULL,
	};
	const struct pfm_pmd_attr other = {
		.num = 1,
		.long_reset = -1000000ULL,
		.short_reset = -2000000ULL,
	};

	NEED_EXACT();
	ASSERT_EQ(0, pmc_write(self->fd, TRUTH, TYPE_P | EVENT_CPU_CYCLES));
	ASSERT_EQ(0, pmd_write(self->fd, TRUTH, 5));
	ASSERT_EQ(0, pmc_write(self->fd, 1, TYPE_P | EVENT_CPU_CYCLES));
	ASSERT_EQ(0, pmd_write(self->fd, 1, -3000000ULL));
	ASSERT_LT(0, cycles_setup(self->fd, -50000ULL));
	bit_set(attr.reset_pmds, TRUTH);
	bit_set(attr.reset_pmds, 1);
	ASSERT_EQ(0, attr_write(self->fd, &attr));
	ASSERT_EQ(0, attr_write(self->fd, &other));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, 100000));
	/* Masked: they stand where the overflow found them. */
	EXPECT_EQ(50005, pmd_value(self->fd, TRUTH));
	EXPECT_EQ(50000 - 3000000ULL, pmd_value(self->fd, 1));
	ASSERT_EQ(0, context_restart(self->fd, 0));
	EXPECT_EQ(0, pmd_value(self->fd, TRUTH));
	EXPECT_EQ(-1000000ULL, pmd_value(self->fd, 1));
	EXPECT_EQ(-70000ULL, pmd_value(self->fd, CYCLES));
}

/* Two that overflow at once are in one message, wanted or not. */
TEST_F(exact, both_in_one_message)
{
	const struct pfm_pmd_attr attr = {
		.num = CYCLES,
		.flags = PFM_PMDF_NOTIFY,
		.long_reset = -50000ULL,
		.short_reset = -50000ULL,
	};
	struct pfm_pmd_attr other = attr;
	union pfm_msg msg;
	struct pfm_config cfg;

	NEED_EXACT();
	other.num = 2;
	other.flags = 0;
	ASSERT_EQ(0, pmc_write(self->fd, 2, TYPE_P | EVENT_CPU_CYCLES));
	ASSERT_EQ(0, pmd_write(self->fd, 2, -50000ULL));
	ASSERT_LT(0, cycles_setup(self->fd, -50000ULL));
	ASSERT_EQ(0, attr_write(self->fd, &attr));
	ASSERT_EQ(0, attr_write(self->fd, &other));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, 100000));
	ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
	EXPECT_EQ(1ULL << CYCLES | 1ULL << 2, msg.ovfl.ovfl_pmds[0]);
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(2, cfg.overflows);
	EXPECT_EQ(PFM_STATE_MASKED, cfg.state);
}

TEST_HARNESS_MAIN
