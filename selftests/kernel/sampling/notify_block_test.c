// SPDX-License-Identifier: GPL-2.0-only
/*
 * A monitored thread that sleeps from a notification to the restart.
 */
#include "checkers.h"
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "exact_count.h"
#include "notification.h"
#include "rights.h"
#include "sampling.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include "kselftest_harness.h"
#include "notifier.h"

struct shared {
	volatile uint64_t rounds;
	volatile uint64_t signals;
	volatile bool ready;
	volatile bool alarms;
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
		const struct sigaction action = { .sa_handler = count_signal,
						  .sa_flags = SA_RESTART };
		/* The timer may have the child sleep in its handler; the next signal wakes it there. */
		const struct sigaction alarm = { .sa_handler = count_signal,
						 .sa_flags = SA_RESTART |
							     SA_NODEFER };
		/*
		 * It is to be found asleep in between.  On a machine that runs beside others, and
		 * with the kernel's checkers, the way to the handler may take tens of milliseconds.
		 */
		const suseconds_t us = kernel_has_checkers() ? 400000
				       : exact_missing()     ? 100000
							     : 1000;
		const struct itimerval each = { { 0, us }, { 0, us } };

		die_with_parent(parent);
		close(pipefd[1]);
		/* A copy of the descriptor would keep the context alive. */
		if (self->fd >= 0)
			close(self->fd);
		if (sigaction(SIGUSR1, &action, NULL) ||
		    sigaction(SIGALRM, &alarm, NULL) ||
		    (shared->alarms && setitimer(ITIMER_REAL, &each, NULL)))
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
	if (EVENTUALLY(state_letter(self->pid) == 'S'))
		return 0;
	printf("# thread in state %c, context in state %d, overflow at 0x%llx\n",
	       state_letter(self->pid), state_of(self->fd),
	       (unsigned long long)msg.ovfl.ip);
	return -EBUSY;
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

/* The count between two restarts is the work that was done, to the round. */
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
	ASSERT_EQ(0, pmc_write(self->fd, CYCLES, CYCLES_AT(USER)));
	ASSERT_EQ(0, pmd_write(self->fd, CYCLES, -PERIOD));
	ASSERT_EQ(0, pmc_write(self->fd, TRUTH, USER | EVENT_CPU_CYCLES));
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

/* A signal has ended the sleep this many times. */
static bool has_escaped(int fd, uint64_t times)
{
	struct pfm_config cfg;

	return !config_get(fd, &cfg) && cfg.escapes >= times;
}

/* A signal that was sent to the process waits for its delivery. */
static bool is_pending(pid_t pid, int sig)
{
	unsigned long long pending = 0;
	char path[64], line[128];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	file = fopen(path, "r");
	while (file && fgets(line, sizeof(line), file))
		sscanf(line, "ShdPnd: %llx", &pending);
	if (file)
		fclose(file);
	return pending >> (sig - 1) & 1;
}

/*
 * The thread sleeps until the RESTART.  While the signal is pending, it may be seen on its way into
 * a sleep which the signal ends once more.
 */
static bool sleeps_again(pid_t pid)
{
	return !is_pending(pid, SIGUSR1) && state_letter(pid) == 'S';
}

/*
 * A signal is delivered; what runs then is not monitored.  The thread sleeps again soon,
 * and the context tells for how long it did not.  Where no instruction takes longer than it
 * should, the handler has come to its end by then; elsewhere it does after the RESTART.
 */
TEST_F(block, signal)
{
	const bool exact = !exact_missing();
	struct pfm_config cfg, before;
	uint64_t value, rounds;
	unsigned int round;

	NEED_BLOCK();
	ASSERT_EQ(0, sampler_setup(self->fd, self->num, PFM_PMDF_NOTIFY,
				   LONG_PERIOD));
	ASSERT_EQ(0, worker_go(self));
	for (round = 1; round <= 30; round++) {
		ASSERT_EQ(0, wait_blocked(self));
		/* Elsewhere a period may end before the handler's first instruction. */
		while (!exact && shared->signals + 1 < round) {
			ASSERT_EQ(0, context_restart(self->fd, 0));
			ASSERT_EQ(0, wait_blocked(self));
		}
		EXPECT_EQ(round - 1, shared->signals);
		value = pmd_value(self->fd, self->num);
		/* A signal may have ended several sleeps, so there may be more than rounds. */
		ASSERT_EQ(0, config_get(self->fd, &before));
		ASSERT_EQ(0, kill(self->pid, SIGUSR1));
		EXPECT_EQ(true, EVENTUALLY(has_escaped(self->fd,
						       before.escapes + 1)));
		EXPECT_EQ(true, EVENTUALLY(sleeps_again(self->pid)));
		if (exact)
			EXPECT_EQ(round, shared->signals);
		EXPECT_EQ(PFM_STATE_MASKED, state_of(self->fd));
		rounds = shared->rounds;
		usleep(20000);
		EXPECT_EQ(rounds, shared->rounds);
		EXPECT_EQ('S', state_letter(self->pid));
		EXPECT_EQ(value, pmd_value(self->fd, self->num));
		ASSERT_EQ(0, config_get(self->fd, &cfg));
		EXPECT_LE(round, cfg.escapes);
		EXPECT_LT(before.escaped_ns, cfg.escaped_ns);
		ASSERT_EQ(0, context_restart(self->fd, 0));
	}
	ASSERT_EQ(0, wait_blocked(self));
	/* The numbers outlive the session. */
	ASSERT_EQ(0, config_get(self->fd, &before));
	ASSERT_EQ(0, context_unload(self->fd));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(before.escapes, cfg.escapes);
	EXPECT_EQ(before.escaped_ns, cfg.escaped_ns);
}

/* A program that sends itself signals all the time, as programs in Go do. */
TEST_F(block, signals_all_the_time)
{
	/* Each time, 40 microseconds and the kernel's way there and back. */
	const uint64_t most = kernel_has_checkers() ? 1500000 : 100000;
	struct pfm_config cfg, begin;
	uint64_t rounds, value;

	NEED_BLOCK();
	shared->alarms = true;
	ASSERT_EQ(0, sampler_setup(self->fd, self->num, PFM_PMDF_NOTIFY,
				   FAR_PERIOD));
	ASSERT_EQ(0, worker_go(self));
	ASSERT_EQ(0, wait_blocked(self));
	value = pmd_value(self->fd, self->num);
	ASSERT_EQ(0, config_get(self->fd, &begin));
	rounds = shared->rounds;
	do {
		usleep(10000);
		ASSERT_EQ(0, config_get(self->fd, &cfg));
	} while (cfg.escapes < begin.escapes + 20);
	EXPECT_EQ(value, pmd_value(self->fd, self->num));
	EXPECT_LT(0, shared->signals);
	/* Elsewhere no clock agrees with what was executed. */
	if (exact_missing())
		return;
	rounds = shared->rounds - rounds;
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	/* Each round takes as many nanoseconds as instructions: at least two. */
	EXPECT_LE(rounds * 2, cfg.escaped_ns - begin.escaped_ns);
	EXPECT_GT((cfg.escapes - begin.escapes) * most,
		  cfg.escaped_ns - begin.escaped_ns);
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
	TEST_PROVES(U7);
	NEED_BLOCK();
	ASSERT_EQ(0, sampler_setup(self->fd, self->num, PFM_PMDF_NOTIFY,
				   LONG_PERIOD));
	ASSERT_EQ(0, worker_go(self));
	ASSERT_EQ(0, wait_blocked(self));
	close(self->fd);
	self->fd = -1;
	EXPECT_EQ(true, works());
}

/* The end of the session wakes, also while the buffer stays mapped. */
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
	EXPECT_EQ(true, works());
	EXPECT_EQ(5, hdr->hdr_count);
	munmap((void *)hdr, 4096);
}

/* After it RESTART finds nothing loaded, so nobody else could wake the thread. */
TEST_F(block, unload_wakes)
{
	TEST_PROVES(U7);
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
	TEST_PROVES(U7);
	static const char path[] = "/tmp/notify_block_test.setuid";
	/* An exec takes ten times as long with the kernel's checkers. */
	const uint64_t scale = checkers_factor();
	const struct pfm_pmd_attr attr = {
		.num = CPU_TIME_NS,
		.flags = PFM_PMDF_NOTIFY,
		.long_reset = -40000 * scale,
		.short_reset = -40000 * scale,
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
				       -(20000 + 7001 * round) * scale));
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
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char c;

	if (memory == MAP_FAILED)
		_exit(1);
	/* Huge pages would be copied too fast for an overflow.  Not every kernel has them. */
	if (madvise(memory, size, MADV_NOHUGEPAGE) && errno != EINVAL)
		_exit(1);
	memset(memory, 1, size);
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
	TEST_PROVES(G6);
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
	ASSERT_EQ(true, EVENTUALLY(shared->ready));
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
	/* Only the first thread has run since. */
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
	TEST_PROVES(G6);
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

TEST_HARNESS_MAIN
