// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts in ranges against functions whose number of instructions is known: equal, not close.
 */
#include "child.h"
#include "context.h"
#include "exact_count.h"
#include "range.h"
#include "records.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>

#include "kselftest_harness.h"

#define NOINLINE __attribute__((noinline, noclone))

/*
 * A probe adds this to the instructions in user mode, if the task counts when it comes to it: the
 * instruction that enters the kernel.  The probe at the entry of an outermost call adds nothing,
 * as counting begins in it.
 */
#define PROBE 1

FIXTURE(range)
{
	int fd;
};

FIXTURE_SETUP(range)
{
	self->fd = context_open(0);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(range)
{
	close(self->fd);
}

/* Count instructions of this thread in functions, from now on. */
static int count_in(int fd, const void *const code[], uint32_t n)
{
	int ret = ranges_set(fd, code, n);

	if (!ret)
		ret = instructions_setup(fd, 0);
	if (!ret)
		ret = context_load(fd, 0);
	return ret ? ret : context_start(fd, 0);
}

#define COUNT_IN(fd, ...)                                    \
	({                                                   \
		const void *const code_[] = { __VA_ARGS__ }; \
		count_in(fd, code_, ARRAY_LEN(code_));       \
	})

/* What the harness and the C library execute between two calls, many times. */
static NOINLINE void outside(void)
{
	range_span(100000);
}

TEST_F(range, calls)
{
	TEST_PROVES(I1, I2);
	const uint64_t ns[] = { 1, 2, 1000, 100000 };
	struct pfm_range_info info;
	uint64_t total = 0, calls = 0;
	size_t i;
	int k;

	NEED_EXACT();
	ASSERT_EQ(0, COUNT_IN(self->fd, range_loop));
	for (i = 0; i < ARRAY_LEN(ns); i++) {
		for (k = 0; k < 50; k++) {
			range_loop(ns[i]);
			outside();
		}
		calls += 50;
		total += 50 * LOOP_COST(ns[i]);
		info = range_info(self->fd, 0, 0);
		TH_LOG("%llu calls: %lld instructions more than theirs, of each %lld",
		       (unsigned long long)calls, (long long)(info.sum - total),
		       (long long)(info.sum - total) / (long long)calls);
		EXPECT_EQ(calls, info.calls);
		EXPECT_EQ(calls, info.outer);
		EXPECT_EQ(calls, info.returned);
		EXPECT_EQ(0, info.left);
		EXPECT_EQ(0, info.cut);
		EXPECT_EQ(0, info.missed);
		EXPECT_EQ(total + calls * PROBE, info.sum);
		EXPECT_EQ(LOOP_COST(1) + PROBE, info.min);
		EXPECT_EQ(LOOP_COST(ns[i]) + PROBE, info.max);
		EXPECT_EQ(0, info.rest);
		EXPECT_EQ(info.sum, pmd_value(self->fd, 0));
	}
}

TEST_F(range, recursion)
{
	TEST_PROVES(I5);
	const uint64_t ns[] = { 1, 2, 10, 60, 64 };
	struct pfm_range_info info;
	uint64_t total = 0, calls = 0, first = 0, further = 0;
	size_t i;

	NEED_EXACT();
	ASSERT_EQ(0, COUNT_IN(self->fd, range_recurse, range_loop));
	for (i = 0; i < ARRAY_LEN(ns); i++) {
		range_recurse(ns[i]);
		outside();
		calls += ns[i];
		info = range_info(self->fd, 0, 0);
		if (i == 0)
			first = info.sum;
		else if (i == 1)
			further = info.sum - 2 * first;
		total += first + (ns[i] - 1) * further;
		EXPECT_EQ(calls, info.calls);
		EXPECT_EQ(i + 1, info.outer);
		EXPECT_EQ(i + 1, info.returned);
		EXPECT_EQ(0, info.missed);
		EXPECT_EQ(total, info.sum);
		EXPECT_EQ(total, pmd_value(self->fd, 0));
	}
	EXPECT_EQ(first, info.min);
	/* The kernel may execute the first instruction itself. */
	EXPECT_LE(5, first);
	EXPECT_GE(6, first);
	EXPECT_LE(7, further);
	EXPECT_GE(8, further);
}

/*
 * Exits that are named: the last return is not counted, as the function ends before it, and there
 * may be any number of calls within each other.  The kernel executes some instructions that have a
 * probe itself, which are not counted then: a return on arm64, a push on x86.  So the cost of a call
 * within another one is measured once, and then the same for all.
 */
TEST_F(range, exits)
{
	TEST_PROVES(I5);
	const uint64_t ns[] = { 1, 2, 10, 64, 65, 1000, 10000 };
	const void *const exits[] = { range_recurse_exit };
	struct pfm_range_info info;
	uint64_t total = 0, calls = 0, first = 0, further = 0;
	size_t i;

	NEED_EXACT();
	ASSERT_EQ(0, range_set_exits(self->fd, range_recurse, exits, 1));
	ASSERT_EQ(0, instructions_setup(self->fd, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	for (i = 0; i < ARRAY_LEN(ns); i++) {
		range_recurse(ns[i]);
		outside();
		calls += ns[i];
		info = range_info(self->fd, 0, 0);
		if (i == 0)
			first = info.sum;
		else if (i == 1)
			further = info.sum - 2 * first;
		total += first + (ns[i] - 1) * further;
		EXPECT_EQ(calls, info.calls);
		EXPECT_EQ(i + 1, info.outer);
		EXPECT_EQ(i + 1, info.returned);
		EXPECT_EQ(0, info.missed);
		EXPECT_EQ(total, info.sum);
		EXPECT_EQ(total, pmd_value(self->fd, 0));
	}
	TH_LOG("a call: %llu, one in another: %llu; without probes 4 and 6",
	       (unsigned long long)first, (unsigned long long)further);
	EXPECT_EQ(first, info.min);
	/* The instruction, and the trap of each of two probes, more or less. */
	EXPECT_LE(3, first);
	EXPECT_GE(5, first);
	EXPECT_LE(6, further);
	EXPECT_GE(8, further);
}

/* Beyond 64 calls within each other the kernel does not report the return of a further function. */
static NOINLINE void deep(unsigned int n)
{
	if (n)
		deep(n - 1);
	else
		range_loop(1000);
	asm volatile("" ::: "memory");
}

TEST_F(range, missed)
{
	struct pfm_range_info info, loop;

	NEED_EXACT();
	ASSERT_EQ(0, COUNT_IN(self->fd, deep, range_loop));
	deep(62);
	loop = range_info(self->fd, 1, 0);
	EXPECT_EQ(1, loop.returned);
	EXPECT_EQ(0, loop.missed);
	deep(63);
	deep(100);
	info = range_info(self->fd, 0, 0);
	loop = range_info(self->fd, 1, 0);
	EXPECT_EQ(63 + 64 + 101, info.calls);
	EXPECT_EQ(3, info.returned);
	EXPECT_EQ(0, info.missed);
	EXPECT_EQ(3, loop.calls);
	EXPECT_EQ(1, loop.outer);
	EXPECT_EQ(1, loop.returned);
	EXPECT_EQ(2, loop.missed);
	EXPECT_EQ(info.sum, pmd_value(self->fd, 0));
}

TEST_F(range, tail_call)
{
	struct pfm_range_info tail, loop;

	NEED_EXACT();
	ASSERT_EQ(0, COUNT_IN(self->fd, range_tail, range_loop));
	range_tail(1000);
	outside();
	tail = range_info(self->fd, 0, 0);
	loop = range_info(self->fd, 1, 0);
	EXPECT_EQ(1, tail.returned);
	EXPECT_EQ(1, loop.returned);
	EXPECT_EQ(LOOP_COST(1000) + PROBE, loop.sum);
	EXPECT_EQ(LOOP_COST(1000) + 2 + 2 * PROBE, tail.sum);
	EXPECT_EQ(tail.sum, pmd_value(self->fd, 0));
}

static NOINLINE void calls_loop(void)
{
	range_loop(1000);
	range_loop(1000);
	asm volatile("" ::: "memory");
}

TEST_F(range, nested)
{
	struct pfm_range_info outer, inner;

	NEED_EXACT();
	ASSERT_EQ(0, COUNT_IN(self->fd, range_loop, calls_loop));
	calls_loop();
	range_loop(500);
	outside();
	inner = range_info(self->fd, 0, 0);
	outer = range_info(self->fd, 1, 0);
	EXPECT_EQ(3, inner.returned);
	EXPECT_EQ(1, outer.returned);
	EXPECT_EQ(2 * LOOP_COST(1000) + LOOP_COST(500) + 3 * PROBE, inner.sum);
	EXPECT_LT(2 * LOOP_COST(1000), outer.sum);
	/* Both have what is in both. */
	EXPECT_EQ(pmd_value(self->fd, 0), outer.sum + LOOP_COST(500) + PROBE);
}

TEST_F(range, between_addresses)
{
	const int file = self_file();
	const struct pfm_range span = {
		.fd = file,
		.flags = PFM_RANGE_SPAN,
		.start = offset_of(range_span_begin),
		.end = offset_of(range_span_end),
	};
	struct pfm_range_info info;

	NEED_EXACT();
	ASSERT_EQ(0, ranges_write(self->fd, &span, 1, NULL));
	close(file);
	ASSERT_EQ(0, instructions_setup(self->fd, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	range_span(1000);
	range_loop(1000);
	range_span(10);
	info = range_info(self->fd, 0, 0);
	EXPECT_EQ(2, info.returned);
	EXPECT_EQ(LOOP_COST(10) - 1 + PROBE, info.min);
	EXPECT_EQ(LOOP_COST(1000) - 1 + PROBE, info.max);
	EXPECT_EQ(info.min + info.max, pmd_value(self->fd, 0));
}

/*
 * Triggers
 */

/* Count instructions of this thread from one address to another one, from now on. */
static int count_trigger(int fd, const void *start, const void *end,
			 uint32_t flags)
{
	const int file = self_file();
	const struct pfm_range range = {
		.fd = file,
		.flags = PFM_RANGE_TRIGGER | flags,
		.start = offset_of(start),
		.end = end ? offset_of(end) : 0,
	};
	int ret = ranges_write(fd, &range, 1, NULL);

	close(file);
	if (!ret)
		ret = instructions_setup(fd, 0);
	if (!ret)
		ret = context_load(fd, 0);
	return ret ? ret : context_start(fd, 0);
}

static NOINLINE void deeper(uint64_t n)
{
	char room[512];

	asm volatile("" ::"r"(room) : "memory");
	range_loop(n);
	asm volatile("" ::"r"(room) : "memory");
}

static void *loops_twice(void *arg)
{
	range_loop(1000);
	range_loop(1000);
	return arg;
}

/* It is no call: the stack may be higher at the end, and at another begin. */
TEST_F(range, trigger)
{
	TEST_PROVES(I1, I2);
	struct pfm_range_info info;
	uint64_t first;

	NEED_EXACT();
	ASSERT_EQ(0, count_trigger(self->fd, range_loop, range_span_begin, 0));
	range_span(1000);
	EXPECT_EQ(0, pmd_value(self->fd, 0));
	deeper(1000);
	range_loop(1000);
	outside();
	first = pmd_value(self->fd, 0);
	EXPECT_LE(2 * LOOP_COST(1000) + PROBE, first);
	EXPECT_GT(2 * LOOP_COST(1000) + 500, first);
	deeper(1000);
	outside();
	info = range_info(self->fd, 0, 0);
	EXPECT_EQ(3, info.calls);
	EXPECT_EQ(2, info.returned);
	EXPECT_EQ(0, info.left);
	EXPECT_EQ(first, info.max);
	EXPECT_LE(LOOP_COST(1000) + PROBE, info.min);
	EXPECT_GT(LOOP_COST(1000) + 500, info.min);
	EXPECT_EQ(info.sum, pmd_value(self->fd, 0));
}

TEST_F(range, trigger_once)
{
	struct pfm_range_info info;

	NEED_EXACT();
	ASSERT_EQ(0, count_trigger(self->fd, range_span_begin, range_span_end,
				   PFM_RANGE_ONCE));
	range_span(1000);
	range_span(1000);
	info = range_info(self->fd, 0, 0);
	EXPECT_EQ(1, info.calls);
	EXPECT_EQ(1, info.returned);
	EXPECT_EQ(LOOP_COST(1000) - 1 + PROBE, info.sum);
	EXPECT_EQ(info.sum, pmd_value(self->fd, 0));
}

/* Each thread enters it once, and without an end it stays until it ends. */
TEST_F(range, trigger_threads)
{
	TEST_PROVES(I3);
	struct pfm_range_info info;
	struct pfm_config cfg;
	pthread_t threads[2];
	size_t i;

	NEED_EXACT();
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	cfg.flags |= PFM_CTX_FOLLOW_ALL;
	ASSERT_EQ(0, config_set(self->fd, &cfg));
	ASSERT_EQ(0, count_trigger(self->fd, range_loop, NULL, PFM_RANGE_ONCE));
	for (i = 0; i < ARRAY_LEN(threads); i++)
		ASSERT_EQ(0,
			  pthread_create(&threads[i], NULL, loops_twice, NULL));
	for (i = 0; i < ARRAY_LEN(threads); i++)
		ASSERT_EQ(0, pthread_join(threads[i], NULL));
	do {
		sched_yield();
		ASSERT_EQ(0, config_get(self->fd, &cfg));
	} while (cfg.tasks > 1);
	info = range_info(self->fd, 0, 0);
	EXPECT_EQ(4, info.calls);
	EXPECT_EQ(2, info.outer);
	EXPECT_EQ(2, info.cut);
	EXPECT_LT(4 * LOOP_COST(1000), info.rest);
	EXPECT_GT(4 * LOOP_COST(1000) + 10000, info.rest);
	EXPECT_EQ(info.rest, pmd_value(self->fd, 0));
}

/*
 * Ways out of a function other than its return.
 */

static void *jump_buf[5];
static volatile int jumped;

static NOINLINE void landed(void)
{
	asm volatile("" ::: "memory");
}

static NOINLINE void jumps(void)
{
	range_loop(1000);
	jumped++;
	__builtin_longjmp(jump_buf, 1);
}

static NOINLINE void catches(bool tell)
{
	if (!__builtin_setjmp(jump_buf))
		jumps();
	if (tell)
		landed();
}

TEST_F(range, longjmp_told)
{
	TEST_PROVES(I5);
	struct pfm_range_info info;
	int i;

	NEED_EXACT();
	ASSERT_EQ(0, range_set_unwind(self->fd, jumps, landed));
	ASSERT_EQ(0, instructions_setup(self->fd, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	for (i = 1; i <= 100; i++) {
		catches(true);
		outside();
		info = range_info(self->fd, 0, 0);
		ASSERT_EQ(i, info.calls);
		ASSERT_EQ(i, info.left);
		ASSERT_EQ(0, info.returned);
		ASSERT_EQ(info.rest, pmd_value(self->fd, 0));
		ASSERT_LT(i * LOOP_COST(1000), info.rest);
		ASSERT_GT(i * (LOOP_COST(1000) + 100), info.rest);
	}
}

/* Nobody tells of it, so the function ends when the next one begins that is above it. */
TEST_F(range, longjmp_found)
{
	TEST_PROVES(I5);
	struct pfm_range_info jump, loop;

	NEED_EXACT();
	ASSERT_EQ(0, COUNT_IN(self->fd, jumps, catches));
	catches(false);
	jump = range_info(self->fd, 0, 0);
	loop = range_info(self->fd, 1, 0);
	EXPECT_EQ(1, jump.left);
	EXPECT_EQ(1, loop.returned);
	EXPECT_EQ(loop.sum, pmd_value(self->fd, 0));
	outside();
	EXPECT_EQ(loop.sum, pmd_value(self->fd, 0));
}

static void on_signal(int sig)
{
	range_loop(100);
}

/* Instructions that call, so that the exits of the function are known. */
extern const char raises_exit[];
void raises(int (*raise_)(int), int sig);
#ifdef __aarch64__
asm(".text\n.globl raises, raises_exit\n"
    "raises:\n"
    "	stp	x29, x30, [sp, #-16]!\n"
    "	mov	x9, x0\n"
    "	mov	w0, w1\n"
    "	blr	x9\n"
    "	ldp	x29, x30, [sp], #16\n"
    "raises_exit:\n"
    "	ret\n");
#else
asm(".text\n.globl raises, raises_exit\n"
    "raises:\n"
    "	push	%rbp\n"
    "	mov	%rdi, %rax\n"
    "	mov	%esi, %edi\n"
    "	call	*%rax\n"
    "	pop	%rbp\n"
    "raises_exit:\n"
    "	ret\n");
#endif

/* The handler's stack may be above the other one, or below: no frame is dropped. */
TEST_F(range, signal_stack)
{
	TEST_PROVES(I5);
	const struct sigaction act = {
		.sa_handler = on_signal,
		.sa_flags = SA_ONSTACK,
	};
	char *const stacks[] = { malloc(65536), alloca(65536) };
	const int file = self_file();
	const struct pfm_range ranges[] = {
		{ .fd = file, .start = offset_of(raises) },
		{ .fd = file,
		  .start = offset_of(raises_exit),
		  .flags = PFM_RANGE_EXIT },
		{ .fd = file, .start = offset_of(range_loop) },
		{ .fd = file,
		  .start = offset_of(range_loop_exit),
		  .flags = PFM_RANGE_EXIT },
	};
	struct pfm_range_info info, loop;
	size_t i;

	NEED_EXACT();
	ASSERT_EQ(0, sigaction(SIGUSR1, &act, NULL));
	ASSERT_EQ(0, ranges_write(self->fd, ranges, ARRAY_LEN(ranges), NULL));
	ASSERT_EQ(0, instructions_setup(self->fd, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	for (i = 0; i < ARRAY_LEN(stacks); i++) {
		const stack_t stack = { .ss_sp = stacks[i], .ss_size = 65536 };

		ASSERT_EQ(0, sigaltstack(&stack, NULL));
		raises(raise, SIGUSR1);
		outside();
		info = range_info(self->fd, 0, 0);
		loop = range_info(self->fd, 1, 0);
		EXPECT_EQ(i + 1, info.returned);
		EXPECT_EQ(0, info.left);
		EXPECT_EQ(i + 1, loop.returned);
		EXPECT_EQ((i + 1) * (LOOP_COST(100) - 1 + PROBE), loop.sum);
		EXPECT_EQ(info.sum, pmd_value(self->fd, 0));
	}
}

/*
 * Start, stop, unload.
 */

static NOINLINE int stops_inside(int fd)
{
	int ret;

	range_loop(1000);
	ret = context_stop(fd);
	range_loop(100000);
	ret = ret ? ret : context_start(fd, 0);
	range_loop(1000);
	return ret;
}

TEST_F(range, stop_inside)
{
	struct pfm_range_info info, loop;

	NEED_EXACT();
	ASSERT_EQ(0, COUNT_IN(self->fd, stops_inside, range_loop));
	ASSERT_EQ(0, stops_inside(self->fd));
	outside();
	info = range_info(self->fd, 0, 0);
	loop = range_info(self->fd, 1, 0);
	EXPECT_EQ(1, info.returned);
	/* That which came while the context was stopped is no call. */
	EXPECT_EQ(2, loop.calls);
	EXPECT_EQ(2, loop.returned);
	EXPECT_EQ(2 * (LOOP_COST(1000) + PROBE), loop.sum);
	EXPECT_GT(2 * LOOP_COST(1000) + 500, info.sum);
	EXPECT_EQ(info.sum, pmd_value(self->fd, 0));
}

static NOINLINE int unloads_inside(int fd)
{
	int ret;

	range_loop(1000);
	ret = context_unload(fd);
	range_loop(1000);
	return ret;
}

TEST_F(range, unload_inside)
{
	TEST_PROVES(I3, I4);
	struct pfm_range_info info;

	NEED_EXACT();
	ASSERT_EQ(0, COUNT_IN(self->fd, unloads_inside));
	ASSERT_EQ(0, unloads_inside(self->fd));
	outside();
	info = range_info(self->fd, 0, 0);
	EXPECT_EQ(1, info.calls);
	EXPECT_EQ(0, info.returned);
	EXPECT_EQ(1, info.cut);
	EXPECT_EQ(info.rest, pmd_value(self->fd, 0));
	EXPECT_LT(LOOP_COST(1000), info.rest);
	/* No probe is left that would count a call. */
	unloads_inside(self->fd);
	EXPECT_EQ(1, range_info(self->fd, 0, 0).calls);
	/* Loaded again it begins anew, and the counts go on. */
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	EXPECT_EQ(0, range_info(self->fd, 0, 0).calls);
	EXPECT_EQ(info.rest, pmd_value(self->fd, 0));
}

/* Without ranges the context counts everywhere again. */
TEST_F(range, taken_back)
{
	NEED_EXACT();
	ASSERT_EQ(0, COUNT_IN(self->fd, range_loop));
	ASSERT_EQ(0, context_unload(self->fd));
	ASSERT_EQ(0, ranges_write(self->fd, NULL, 0, NULL));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, 1000));
	EXPECT_EQ(SELF_COST(1000), pmd_value(self->fd, 0));
}

/*
 * Registers that follow the task run in ranges only.
 */

static NOINLINE void sleeps(void)
{
	usleep(1000);
	asm volatile("" ::: "memory");
}

TEST_F(range, task_registers)
{
	TEST_PROVES(I1);
	struct pfm_range_info switches, wall;
	int i;

	ASSERT_EQ(0, pmd_write(self->fd, CONTEXT_SWITCHES, 0));
	ASSERT_EQ(0, pmd_write(self->fd, WALL_TIME_NS, 0));
	{
		const void *const code[] = { sleeps };

		ASSERT_EQ(0, ranges_set(self->fd, code, 1));
	}
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	for (i = 0; i < 10; i++) {
		usleep(1000);
		sleeps();
		usleep(1000);
	}
	switches = range_info(self->fd, 0, CONTEXT_SWITCHES);
	wall = range_info(self->fd, 0, WALL_TIME_NS);
	EXPECT_EQ(10, switches.returned);
	EXPECT_EQ(switches.sum, pmd_value(self->fd, CONTEXT_SWITCHES));
	EXPECT_EQ(wall.sum, pmd_value(self->fd, WALL_TIME_NS));
	EXPECT_LE(1, switches.min);
	EXPECT_LE(1000000, wall.min);
}

/*
 * Tasks that are created, execute a program or end.
 */

#define THREADS 4
#define TIMES	200

static void *calls_often(void *arg)
{
	int i;

	for (i = 0; i < TIMES; i++) {
		range_loop(100);
		if (i % 16 == 0)
			sched_yield();
		outside();
	}
	return NULL;
}

static int count_following(int fd, const void *const code[], uint32_t n)
{
	struct pfm_config cfg;
	int ret = config_get(fd, &cfg);

	cfg.flags |= PFM_CTX_FOLLOW_ALL;
	if (!ret)
		ret = config_set(fd, &cfg);
	return ret ? ret : count_in(fd, code, n);
}

#define COUNT_FOLLOWING(fd, ...)                              \
	({                                                    \
		const void *const code_[] = { __VA_ARGS__ };  \
		count_following(fd, code_, ARRAY_LEN(code_)); \
	})

TEST_F(range, threads)
{
	TEST_PROVES(I3);
	pthread_t threads[THREADS];
	struct pfm_range_info info;
	int i;

	NEED_EXACT();
	ASSERT_EQ(0, COUNT_FOLLOWING(self->fd, range_loop));
	for (i = 0; i < THREADS; i++)
		ASSERT_EQ(0,
			  pthread_create(&threads[i], NULL, calls_often, NULL));
	for (i = 0; i < THREADS; i++)
		ASSERT_EQ(0, pthread_join(threads[i], NULL));
	info = range_info(self->fd, 0, 0);
	EXPECT_EQ(THREADS * TIMES, info.returned);
	EXPECT_EQ(LOOP_COST(100) + PROBE, info.min);
	EXPECT_EQ(LOOP_COST(100) + PROBE, info.max);
	EXPECT_EQ(info.returned * info.min, info.sum);
	EXPECT_EQ(info.sum, pmd_value(self->fd, 0));
}

static NOINLINE void *ends_inside(void *arg)
{
	range_loop(1000);
	pthread_exit(NULL);
}

static void *calls_that_ends(void *arg)
{
	ends_inside(NULL);
	return NULL;
}

TEST_F(range, exit_inside)
{
	TEST_PROVES(I3);
	struct pfm_range_info info;
	struct pfm_config cfg;
	pthread_t thread;

	NEED_EXACT();
	ASSERT_EQ(0, COUNT_FOLLOWING(self->fd, ends_inside));
	ASSERT_EQ(0, pthread_create(&thread, NULL, calls_that_ends, NULL));
	ASSERT_EQ(0, pthread_join(thread, NULL));
	outside();
	/* The thread may still be on its way out. */
	do {
		sched_yield();
		ASSERT_EQ(0, config_get(self->fd, &cfg));
	} while (cfg.tasks > 1);
	info = range_info(self->fd, 0, 0);
	EXPECT_EQ(1, info.calls);
	EXPECT_EQ(1, info.cut);
	EXPECT_LT(LOOP_COST(1000), info.rest);
	EXPECT_EQ(info.rest, pmd_value(self->fd, 0));
}

static NOINLINE pid_t forks_inside(void)
{
	const pid_t pid = fork();

	range_loop(pid ? 1000 : 5000);
	return pid;
}

TEST_F(range, fork_inside)
{
	TEST_PROVES(I2, I3);
	struct pfm_range_info info, loop;
	pid_t pid;

	NEED_EXACT();
	ASSERT_EQ(0, COUNT_FOLLOWING(self->fd, forks_inside, range_loop));
	pid = forks_inside();
	if (!pid) {
		outside();
		_exit(0);
	}
	ASSERT_EQ(0, child_reap(pid));
	outside();
	info = range_info(self->fd, 0, 0);
	loop = range_info(self->fd, 1, 0);
	EXPECT_EQ(1, info.calls);
	EXPECT_EQ(1, info.returned);
	EXPECT_EQ(0, info.cut);
	EXPECT_LT(LOOP_COST(1000), info.sum);
	EXPECT_LT(LOOP_COST(5000), info.rest);
	EXPECT_GT(LOOP_COST(5000) + 5000, info.rest);
	EXPECT_EQ(2, loop.returned);
	EXPECT_EQ(LOOP_COST(1000) + PROBE, loop.min);
	EXPECT_EQ(LOOP_COST(5000) + PROBE, loop.max);
	EXPECT_EQ(info.sum + info.rest, pmd_value(self->fd, 0));
}

static NOINLINE void executes_inside(const char *path)
{
	range_loop(1000);
	execl(path, path, "1000000", NULL);
	_exit(1);
}

/* The program that is executed is in no range. */
TEST_F(range, exec_inside)
{
	TEST_PROVES(I3);
	const char *const path = program_in_memory("loop");
	struct pfm_range_info info;
	pid_t pid;

	NEED_EXACT();
	ASSERT_EQ(0, COUNT_FOLLOWING(self->fd, executes_inside));
	pid = fork();
	if (!pid)
		executes_inside(path);
	ASSERT_EQ(0, child_reap(pid));
	info = range_info(self->fd, 0, 0);
	EXPECT_EQ(1, info.calls);
	EXPECT_EQ(1, info.cut);
	EXPECT_LT(LOOP_COST(1000), info.rest);
	EXPECT_GT(LOOP_COST(1000) + 2000, info.rest);
	EXPECT_EQ(info.rest, pmd_value(self->fd, 0));
}

/* A context that waits for the exec has its probes in the program from the first instruction on. */
TEST_F(range, program)
{
	const struct pfm_start start = { .flags = PFM_START_ON_EXEC };
	const void *const code[] = { range_loop };
	struct pfm_range_info info;
	struct child child;

	NEED_EXACT();
	if (child_begin(&child, -1)) {
		execl("/proc/self/exe", "calls", "calls", NULL);
		_exit(126);
	}
	ASSERT_EQ(0, ranges_set(self->fd, code, 1));
	ASSERT_EQ(0, instructions_setup(self->fd, 0));
	ASSERT_EQ(0, context_load(self->fd, child.pid));
	ASSERT_EQ(0, call(self->fd, PFM_IOC_START, &start));
	child_go(&child);
	ASSERT_EQ(0, child_reap(child.pid));
	info = range_info(self->fd, 0, 0);
	EXPECT_EQ(TIMES, info.returned);
	EXPECT_EQ(TIMES * (LOOP_COST(100) + PROBE), info.sum);
	EXPECT_EQ(info.sum, pmd_value(self->fd, 0));
}

/* What processes do that nobody monitors is not counted, though they execute the same file. */
TEST_F(range, others)
{
	TEST_PROVES(I7);
	struct child child;

	NEED_EXACT();
	if (child_begin(&child, -1)) {
		calls_often(NULL);
		_exit(0);
	}
	ASSERT_EQ(0, COUNT_IN(self->fd, range_loop));
	range_loop(1);
	child_go(&child);
	ASSERT_EQ(0, child_reap(child.pid));
	EXPECT_EQ(1, range_info(self->fd, 0, 0).calls);
	EXPECT_EQ(LOOP_COST(1) + PROBE, pmd_value(self->fd, 0));
}

/* Two contexts with different ranges, and one without. */
TEST_F(range, two_contexts)
{
	TEST_PROVES(I7);
	const int other = context_open(0);
	uint64_t value;

	NEED_EXACT();
	if (general_counters(2) < 2)
		SKIP(return, "needs two counters");
	ASSERT_LE(0, other);
	ASSERT_EQ(0, COUNT_IN(self->fd, range_loop));
	ASSERT_EQ(0, pmc_write(other, 1, USER | EVENT_INST_RETIRED));
	ASSERT_EQ(0, pmd_write(other, 1, 0));
	ASSERT_EQ(0, context_load(other, 0));
	ASSERT_EQ(0, self_loop(other, 1000));
	EXPECT_EQ(SELF_COST(1000), pmd_value(other, 1));
	ASSERT_EQ(0, context_start(other, 0));
	range_loop(1000);
	outside();
	ASSERT_EQ(0, context_stop(other));
	ASSERT_EQ(0, pmd_read(other, 1, &value));
	EXPECT_LT(SELF_COST(1000) + LOOP_COST(1000) + LOOP_COST(100000), value);
	EXPECT_EQ(LOOP_COST(1000) + PROBE, pmd_value(self->fd, 0));
	close(other);
}

/* The descriptor is closed while a probed function runs in another thread. */
static void *calls_on(void *arg)
{
	volatile bool *const end = arg;

	while (!*end)
		range_recurse(3);
	return NULL;
}

TEST_F(range, close_while_called)
{
	TEST_PROVES(I4);
	static volatile bool end;
	pthread_t thread;
	int i, fd;

	ASSERT_EQ(0, pthread_create(&thread, NULL, calls_on, (void *)&end));
	for (i = 0; i < 50; i++) {
		fd = context_open(0);
		ASSERT_LE(0, fd);
		ASSERT_EQ(0, COUNT_FOLLOWING(fd, range_recurse));
		range_recurse(2);
		sched_yield();
		ASSERT_EQ(2, range_info(fd, 0, 0).calls);
		close(fd);
	}
	end = true;
	ASSERT_EQ(0, pthread_join(thread, NULL));
}

/* Before the harness: this program, executed as a child of the test "program". */
static void __attribute__((constructor)) be_program(int argc, char **argv)
{
	if (argc != 2 || strcmp(argv[0], "calls"))
		return;
	calls_often(NULL);
	_exit(0);
}

TEST_HARNESS_MAIN
