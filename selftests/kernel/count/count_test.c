// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts of the hardware's counters against programs whose number of
 * instructions is known: equal, not close.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "exact_count.h"
#include "records.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>

#include "kselftest_harness.h"
#include "progs/exact.h"

#define PMDS	6	/* that count events, or fewer if the processor has fewer */

/* The program runs: reading it from a busy host may take its time. */
#define EXPECT_COUNTS(fd)						\
	do {								\
		int tries_ = 2000;					\
									\
		while (!pmd_value(fd, 0) && tries_--)			\
			usleep(5000);					\
		EXPECT_LT(0, pmd_value(fd, 0));				\
	} while (0)

FIXTURE(exact) {
	int fd;
};

FIXTURE_SETUP(exact)
{
	self->fd = context_open(0);
	ASSERT_LE(0, self->fd) {
		TH_LOG("no context: %s", strerror(-self->fd));
	}
}

FIXTURE_TEARDOWN(exact)
{
	close(self->fd);
}

/* A context that follows, in place of the fixture's. */
static int reopen(int fd, uint32_t flags)
{
	close(fd);
	return context_open(flags);
}

static uint64_t loop_cost(uint64_t n)
{
	return COST_NUMBER(digits(n)) + COST_LOOP(n) + COST_ENDING;
}

static const char *text(uint64_t n)
{
	static char texts[4][24];
	static unsigned int next;
	char *to = texts[next++ % 4];

	snprintf(to, sizeof(texts[0]), "%llu", (unsigned long long)n);
	return to;
}

static uint64_t yieldloop_cost(uint64_t k, uint64_t n)
{
	return COST_NUMBER(digits(k)) + COST_NUMBER(digits(n)) +
	       k * (COST_LOOP(n) + COST_YIELD + COST_REPEAT) + COST_ENDING;
}

static uint64_t forkloop_cost(uint64_t k, uint64_t n)
{
	return COST_NUMBER(digits(k)) + COST_NUMBER(digits(n)) +
	       k * (COST_NEW + COST_IF_CHILD + COST_REAP + COST_REPEAT) +
	       COST_ENDING;
}

static uint64_t child_cost(uint64_t n)
{
	return COST_IF_CHILD + COST_LOOP(n) + COST_ENDING;
}

/* Processes that want the CPU all the time, from the first moment on. */
static void compete(struct child *children, int n)
{
	int i;

	for (i = 0; i < n; i++) {
		child_exec(&children[i], ARGV(program_in_memory("spin")));
		child_go(&children[i]);
	}
}

/*
 * Processes of one real-time priority go on with the next one at each
 * sched_yield(), where others would often go on themselves.
 */
static void take_turns(pid_t pid)
{
	const struct sched_param param = { .sched_priority = 1 };

	if (sched_setscheduler(pid, SCHED_FIFO, &param))
		abort();
}

/*
 * The same, but they take turns with who else takes turns: this process as well,
 * or it would get the CPU when real-time processes are throttled only.
 */
static void compete_in_turns(struct child *children, int n)
{
	int i;

	take_turns(0);
	for (i = 0; i < n; i++) {
		child_exec(&children[i], ARGV(program_in_memory("yieldloop"),
					      "1000000000", "100"));
		take_turns(children[i].pid);
		child_go(&children[i]);
	}
}

static void compete_end(const struct child *children, int n)
{
	int i;

	for (i = 0; i < n; i++)
		child_kill(children[i].pid);
}

/*
 * A thread that counts itself.
 */

TEST_F(exact, self)
{
	const uint64_t ns[] = { 1, 2, 1000, 1000000, 20000000 };
	uint64_t before = 0, after;
	size_t i;

	NEED_EXACT();
	ASSERT_EQ(0, instructions_setup(self->fd, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	for (i = 0; i < ARRAY_LEN(ns); i++) {
		ASSERT_EQ(0, self_loop(self->fd, ns[i]));
		ASSERT_EQ(0, pmd_read(self->fd, 0, &after));
		EXPECT_EQ(SELF_COST(ns[i]), after - before);
		before = after;
	}
}

TEST_F(exact, self_twenty_runs)
{
	int run;

	NEED_EXACT();
	for (run = 0; run < 20; run++) {
		self->fd = reopen(self->fd, 0);
		ASSERT_EQ(0, instructions_setup(self->fd, 0));
		ASSERT_EQ(0, context_load(self->fd, 0));
		ASSERT_EQ(0, self_loop(self->fd, 1000000));
		EXPECT_EQ(SELF_COST(1000000), pmd_value(self->fd, 0));
	}
}

TEST_F(exact, stopped_is_not_counted)
{
	TEST_PROVES(C5);
	volatile int i;
	int round;

	NEED_EXACT();
	ASSERT_EQ(0, instructions_setup(self->fd, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	for (i = 0; i < 100000; i++)
		;
	EXPECT_EQ(0, pmd_value(self->fd, 0));
	for (round = 1; round <= 10; round++) {
		ASSERT_EQ(0, self_loop(self->fd, 1000));
		for (i = 0; i < 100000; i++)
			;
		usleep(20000);
		EXPECT_EQ(round * SELF_COST(1000), pmd_value(self->fd, 0));
	}
}

TEST_F(exact, values_survive_unload)
{
	int round;

	NEED_EXACT();
	ASSERT_EQ(0, instructions_setup(self->fd, 0));
	for (round = 1; round <= 10; round++) {
		ASSERT_EQ(0, context_load(self->fd, 0));
		ASSERT_EQ(0, self_loop(self->fd, 1000));
		ASSERT_EQ(0, context_unload(self->fd));
		EXPECT_EQ(round * SELF_COST(1000), pmd_value(self->fd, 0));
	}
}

TEST_F(exact, unload_while_counting)
{
	TEST_PROVES(U2);
	uint64_t value;

	NEED_EXACT();
	ASSERT_EQ(0, instructions_setup(self->fd, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	ASSERT_EQ(0, context_unload(self->fd));
	ASSERT_EQ(0, pmd_read(self->fd, 0, &value));
	EXPECT_LT(0, value);
	EXPECT_GT(1000, value);
	/* Loaded again it is stopped. */
	ASSERT_EQ(0, context_load(self->fd, 0));
	usleep(1000);
	EXPECT_EQ(value, pmd_value(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, 1000));
	EXPECT_EQ(value + SELF_COST(1000), pmd_value(self->fd, 0));
}

/* All counters at once, and the values of one call belong together. */
TEST_F(exact, all_counters_agree)
{
	struct pfm_reg pmcs[PMDS], pmds[PMDS];
	const int n = general_counters(PMDS);
	int i, round;

	NEED_EXACT();
	ASSERT_LT(1, n);
	for (i = 0; i < n; i++) {
		pmcs[i] = (struct pfm_reg){
			.num = i,
			.value = USER | EVENT_INST_RETIRED,
		};
		pmds[i] = (struct pfm_reg){ .num = i };
	}
	ASSERT_EQ(0, vector(self->fd, PFM_IOC_WRITE_PMCS, pmcs, n, NULL));
	ASSERT_EQ(0, vector(self->fd, PFM_IOC_WRITE_PMDS, pmds, n, NULL));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, 100000));
	ASSERT_EQ(0, vector(self->fd, PFM_IOC_READ_PMDS, pmds, n, NULL));
	for (i = 0; i < n; i++)
		EXPECT_EQ(SELF_COST(100000), pmds[i].value);
	/* Also while they count, across switches. */
	ASSERT_EQ(0, context_start(self->fd, 0));
	for (round = 0; round < 100; round++) {
		if (round % 10 == 0)
			usleep(1000);
		ASSERT_EQ(0, vector(self->fd, PFM_IOC_READ_PMDS, pmds, n, NULL));
		for (i = 1; i < n; i++)
			EXPECT_EQ(pmds[0].value, pmds[i].value);
	}
}

/*
 * The values of one call are of one moment.  A register that is named twice has the
 * same value both times, although the call itself is counted.
 */
TEST_F(exact, values_of_one_moment)
{
	TEST_PROVES(R2);
	struct pfm_reg pmds[] = { { .num = 0 }, { .num = 0 }, { .num = 0 } };
	uint64_t last = 0;
	int round;

	NEED_EXACT();
	ASSERT_EQ(0, pmc_write(self->fd, 0, ALL_LEVELS | EVENT_INST_RETIRED));
	ASSERT_EQ(0, pmd_write(self->fd, 0, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	for (round = 0; round < 100; round++) {
		ASSERT_EQ(0,
			  vector(self->fd, PFM_IOC_READ_PMDS, pmds, 3, NULL));
		ASSERT_LT(last, pmds[0].value);
		last = pmds[0].value;
		ASSERT_EQ(last, pmds[1].value);
		ASSERT_EQ(last, pmds[2].value);
	}
}

static volatile sig_atomic_t alarms;

static void on_alarm(int sig)
{
	alarms++;
}

/*
 * Also registers that follow the task: wall-clock time less time on the CPU grows only while
 * the thread is not on the CPU.  Interrupts, which take some thousand instructions, come at
 * any instruction of the reads.  Where an emulator executes two CPUs in turn, the clock goes on for
 * one while the other executes, so nothing takes place in one moment there.
 */
TEST_F(exact, task_registers_of_one_moment)
{
	TEST_PROVES(R2, S5);
	/* With the kernel's checkers a signal takes longer than 50 us. */
	const long us = kernel_has_checkers() ? 2000 : 50;
	const struct itimerval often = { { 0, us }, { 0, us } }, never = {};
	struct pfm_reg regs[] = { { .num = CPU_TIME_NS },
				  { .num = WALL_TIME_NS },
				  { .num = CONTEXT_SWITCHES } };
	const int fd = self->fd;
	uint64_t away, was = 0, switches = 0, most = 0;
	int i;

	NEED_EXACT();
	if (cpus_online() > 1)
		SKIP(return, "needs one CPU");
	ASSERT_EQ(0, vector(fd, PFM_IOC_WRITE_PMDS, regs, 3, NULL));
	ASSERT_EQ(0, context_load(fd, 0));
	ASSERT_EQ(0, context_start(fd, 0));
	signal(SIGALRM, on_alarm);
	ASSERT_EQ(0, setitimer(ITIMER_REAL, &often, NULL));
	for (i = 0; i < 20000; i++) {
		ASSERT_EQ(0, vector(fd, PFM_IOC_READ_PMDS, regs, 3, NULL));
		/* Wall-clock time has begun before time on the CPU. */
		ASSERT_GE(regs[1].value, regs[0].value);
		away = regs[1].value - regs[0].value;
		if (i && regs[2].value == switches) {
			const uint64_t diff = away > was ? away - was
							 : was - away;

			most = diff > most ? diff : most;
		}
		was = away;
		switches = regs[2].value;
	}
	setitimer(ITIMER_REAL, &never, NULL);
	TH_LOG("%d alarms, the moments differ by up to %llu instructions",
	       alarms, (unsigned long long)most);
	EXPECT_LT(100, alarms);
	EXPECT_GT(200, most);
}

TEST_F(exact, levels_add_up)
{
	const struct pfm_reg pmcs[] = {
		{ .num = 0, .value = USER | EVENT_INST_RETIRED },
		{ .num = 1, .value = KERNEL | EVENT_INST_RETIRED },
		{ .num = 2, .value = ALL_LEVELS | EVENT_INST_RETIRED },
		{ .num = 3, .value = NO_LEVEL | EVENT_INST_RETIRED },
	};
	struct pfm_reg pmds[] = { { .num = 0 }, { .num = 1 }, { .num = 2 },
				  { .num = 3 } };

	NEED_EXACT();
	ASSERT_EQ(0, vector(self->fd, PFM_IOC_WRITE_PMCS, pmcs, 4, NULL));
	ASSERT_EQ(0, vector(self->fd, PFM_IOC_WRITE_PMDS, pmds, 4, NULL));
	ASSERT_EQ(0, context_load(self->fd, 0));
	/* Long enough for timer interrupts, whose handlers count as kernel. */
	ASSERT_EQ(0, self_loop(self->fd, 20000000));
	ASSERT_EQ(0, vector(self->fd, PFM_IOC_READ_PMDS, pmds, 4, NULL));
	EXPECT_EQ(SELF_COST(20000000), pmds[0].value);
	EXPECT_LT(1000, pmds[1].value);
	EXPECT_EQ(pmds[0].value + pmds[1].value, pmds[2].value);
	EXPECT_EQ(0, pmds[3].value);
}

TEST_F(exact, write_while_counting)
{
	const uint64_t base = 5ULL << 40;
	uint64_t value;

	NEED_EXACT();
	ASSERT_EQ(0, instructions_setup(self->fd, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	ASSERT_EQ(0, pmd_write(self->fd, 0, base));
	ASSERT_EQ(0, context_stop(self->fd));
	value = pmd_value(self->fd, 0);
	EXPECT_LT(base, value);
	EXPECT_GT(base + 1000, value);
	/* Stopped: nothing is lost and nothing added. */
	ASSERT_EQ(0, pmd_write(self->fd, 0, 77));
	EXPECT_EQ(77, pmd_value(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, 1000));
	EXPECT_EQ(77 + SELF_COST(1000), pmd_value(self->fd, 0));
}

TEST_F(exact, event_changed_while_loaded)
{
	TEST_PROVES(V3);
	NEED_EXACT();
	ASSERT_EQ(0, instructions_setup(self->fd, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, 1000));
	/* Neither level: nothing. */
	ASSERT_EQ(0, pmc_write(self->fd, 0,
			       NO_LEVEL | EVENT_INST_RETIRED));
	ASSERT_EQ(0, self_loop(self->fd, 1000));
	EXPECT_EQ(SELF_COST(1000), pmd_value(self->fd, 0));
	ASSERT_EQ(0, pmc_write(self->fd, 0, USER | EVENT_INST_RETIRED));
	ASSERT_EQ(0, self_loop(self->fd, 1000));
	EXPECT_EQ(2 * SELF_COST(1000), pmd_value(self->fd, 0));
}

/* One counter counts nothing of the time of another context. */
TEST_F(exact, two_contexts_in_turn)
{
	const int other = context_open(0);
	int round;

	NEED_EXACT();
	ASSERT_LE(0, other);
	ASSERT_EQ(0, instructions_setup(self->fd, 0));
	ASSERT_EQ(0, instructions_setup(other, 1000000));
	for (round = 1; round <= 5; round++) {
		ASSERT_EQ(0, context_load(self->fd, 0));
		ASSERT_EQ(0, self_loop(self->fd, 1000));
		ASSERT_EQ(0, context_unload(self->fd));
		ASSERT_EQ(0, context_load(other, 0));
		ASSERT_EQ(0, self_loop(other, 300));
		ASSERT_EQ(0, context_unload(other));
		EXPECT_EQ(round * SELF_COST(1000), pmd_value(self->fd, 0));
		EXPECT_EQ(1000000 + round * SELF_COST(300),
			  pmd_value(other, 0));
	}
}

/* A thread that counts itself reads another context: not its own counters. */
TEST_F(exact, counts_itself_and_reads_another)
{
	TEST_PROVES(C7);
	const int other = context_open(0);

	NEED_EXACT();
	ASSERT_LE(0, other);
	ASSERT_EQ(0, instructions_setup(self->fd, 0));
	ASSERT_EQ(0, instructions_setup(other, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	ASSERT_EQ(0, measure(other, ARGV(program("loop"), "1000")));
	EXPECT_EQ(loop_cost(1000), pmd_value(other, 0));
	EXPECT_LT(0, pmd_value(self->fd, 0));
	close(other);
}

/*
 * 64 bits on counters that have 32.
 */

FIXTURE(wide) {
	int fd;
};

FIXTURE_VARIANT(wide) {
	uint64_t start;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(wide, zero) { .start = 0 };
FIXTURE_VARIANT_ADD(wide, one_below_31_bits) { .start = (1ULL << 31) - 1 };
FIXTURE_VARIANT_ADD(wide, just_below_32_bits) { .start = (1ULL << 32) - 1 };
FIXTURE_VARIANT_ADD(wide, below_32_bits) { .start = (1ULL << 32) - 1000003 };
FIXTURE_VARIANT_ADD(wide, at_32_bits) { .start = 1ULL << 32 };
FIXTURE_VARIANT_ADD(wide, below_a_later_wrap) { .start = (7ULL << 32) - 999 };
FIXTURE_VARIANT_ADD(wide, below_64_bits) { .start = -1000003ULL };
FIXTURE_VARIANT_ADD(wide, just_below_64_bits) { .start = -1ULL };
/* clang-format on */

FIXTURE_SETUP(wide)
{
	self->fd = context_open(0);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(wide)
{
	close(self->fd);
}

TEST_F(wide, self)
{
	NEED_EXACT();
	ASSERT_EQ(0, instructions_setup(self->fd, variant->start));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, 3000000));
	EXPECT_EQ(variant->start + SELF_COST(3000000), pmd_value(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, 10));
	EXPECT_EQ(variant->start + SELF_COST(3000000) + SELF_COST(10),
		  pmd_value(self->fd, 0));
}

TEST_F(wide, child_among_others)
{
	struct child others[2], child;

	NEED_EXACT();
	compete_in_turns(others, 2);
	ASSERT_EQ(0, instructions_setup(self->fd, variant->start));
	ASSERT_EQ(0, measure_prepare(self->fd, &child,
				     ARGV(program("yieldloop"), "300",
					  "10000")));
	take_turns(child.pid);
	child_go(&child);
	ASSERT_EQ(0, measure_end(self->fd, &child));
	EXPECT_EQ(variant->start + yieldloop_cost(300, 10000),
		  pmd_value(self->fd, 0));
	compete_end(others, 2);
}

TEST_F(wide, cycles)
{
	const uint64_t n = 3000000;
	uint64_t counted;

	NEED_EXACT();
	ASSERT_EQ(0, cycles_setup(self->fd, variant->start) < 0);
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, n));
	/* One instruction takes one cycle here; interrupts cost a few. */
	counted = pmd_value(self->fd, CYCLES) - variant->start;
	EXPECT_LE(SELF_COST(n), counted);
	EXPECT_GE(SELF_COST(n) + SELF_COST(n) / 1000, counted);
}

/* Read at every point on the way over the edge. */
TEST_F(wide, never_steps_back)
{
	uint64_t start = variant->start - 20000, last = 0, now;
	int i;

	NEED_EXACT();
	ASSERT_EQ(0, instructions_setup(self->fd, start));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	for (i = 0; i < 10000 && last < 40000; i++) {
		ASSERT_EQ(0, pmd_read(self->fd, 0, &now));
		now -= start;
		ASSERT_LT(last, now);
		ASSERT_GT(last + 1000, now);
		last = now;
	}
	EXPECT_LE(40000, last);
}

/*
 * The kernel is counted too, so the counter also wraps where interrupts are off and
 * where it is stopped.  Then no interrupt adds the wrap, but whoever stops the counter.
 */
TEST_F(exact, wraps_anywhere_in_a_call)
{
	TEST_PROVES(O1);
	const uint64_t wrap = 1ULL << 32;
	uint64_t before, value;

	NEED_EXACT();
	ASSERT_EQ(0, pmc_write(self->fd, 0, ALL_LEVELS | EVENT_INST_RETIRED));
	ASSERT_EQ(0, pmd_write(self->fd, 0, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	for (before = 1; before < 4000; before += 3) {
		ASSERT_EQ(0, pmd_write(self->fd, 0, wrap - before));
		ASSERT_EQ(0, context_start(self->fd, 0));
		ASSERT_EQ(0, context_stop(self->fd));
		ASSERT_EQ(0, pmd_read(self->fd, 0, &value));
		ASSERT_LT(wrap - before, value);
		ASSERT_GT(wrap + 1000000, value);
	}
}

/*
 * Other processes.
 */

TEST_F(exact, child)
{
	const uint64_t ns[] = { 1, 9, 10, 12345, 30000000 };
	size_t i;

	NEED_EXACT();
	for (i = 0; i < ARRAY_LEN(ns); i++) {
		ASSERT_EQ(0, instructions_setup(self->fd, 0));
		ASSERT_EQ(0, measure(self->fd, ARGV(program("loop"),
						    text(ns[i]))));
		EXPECT_EQ(loop_cost(ns[i]), pmd_value(self->fd, 0));
	}
}

TEST_F(exact, child_twenty_runs)
{
	int run;

	NEED_EXACT();
	for (run = 0; run < 20; run++) {
		ASSERT_EQ(0, instructions_setup(self->fd, 0));
		ASSERT_EQ(0, measure(self->fd, ARGV(program("loop"),
						    "1000000")));
		EXPECT_EQ(loop_cost(1000000), pmd_value(self->fd, 0));
	}
}

TEST_F(exact, child_is_not_followed_unasked)
{
	NEED_EXACT();
	ASSERT_EQ(0, instructions_setup(self->fd, 0));
	ASSERT_EQ(0, measure(self->fd, ARGV(program("forkloop"), "10",
					    "1000")));
	EXPECT_EQ(forkloop_cost(10, 1000), pmd_value(self->fd, 0));
}

TEST_F(exact, child_yields)
{
	struct child others[2], child;

	NEED_EXACT();
	compete_in_turns(others, 2);
	ASSERT_EQ(0, instructions_setup(self->fd, 0));
	ASSERT_EQ(0, pmd_write(self->fd, CONTEXT_SWITCHES, 0));
	ASSERT_EQ(0, measure_prepare(self->fd, &child,
				     ARGV(program("yieldloop"), "1000",
					  "1000")));
	take_turns(child.pid);
	child_go(&child);
	ASSERT_EQ(0, measure_end(self->fd, &child));
	EXPECT_EQ(yieldloop_cost(1000, 1000), pmd_value(self->fd, 0));
	/* It was switched away each time, or this shows nothing. */
	EXPECT_LE(1000, pmd_value(self->fd, CONTEXT_SWITCHES));
	compete_end(others, 2);
}

TEST_F(exact, child_is_preempted)
{
	struct child others[2];

	NEED_EXACT();
	/* All of them: a CPU of its own would not be taken away. */
	pin_to(0);
	compete(others, 2);
	ASSERT_EQ(0, instructions_setup(self->fd, 0));
	ASSERT_EQ(0, pmd_write(self->fd, CONTEXT_SWITCHES, 0));
	ASSERT_EQ(0, measure(self->fd, ARGV(program("loop"), "60000000")));
	EXPECT_EQ(loop_cost(60000000), pmd_value(self->fd, 0));
	EXPECT_LT(5, pmd_value(self->fd, CONTEXT_SWITCHES));
	compete_end(others, 2);
}

/* Both take turns, each with its own values and, once, its own event. */
TEST_F(exact, monitored_children_take_turns)
{
	const int other = context_open(0);
	struct child a, b;

	NEED_EXACT();
	ASSERT_LE(0, other);
	ASSERT_EQ(0, instructions_setup(self->fd, 0));
	ASSERT_EQ(0, instructions_setup(other, 0));
	pin_to(0);
	/* A counter that the first context leaves alone. */
	ASSERT_EQ(0, pmc_write(other, 1, USER | EVENT_INST_RETIRED));
	ASSERT_EQ(0, pmd_write(other, 1, 1000));
	ASSERT_EQ(0, pmd_write(other, CONTEXT_SWITCHES, 0));
	/* Neither may be done while the other waits for its file. */
	ASSERT_EQ(0, measure_prepare(self->fd, &a,
				     ARGV(program_in_memory("yieldloop"), "500",
					  "2000")));
	ASSERT_EQ(0, measure_prepare(other, &b,
				     ARGV(program_in_memory("yieldloop"), "500",
					  "3000")));
	/* This process, too, so that it starts both before one runs. */
	take_turns(0);
	take_turns(a.pid);
	take_turns(b.pid);
	child_go(&a);
	child_go(&b);
	ASSERT_EQ(0, measure_end(self->fd, &a));
	ASSERT_EQ(0, measure_end(other, &b));
	EXPECT_EQ(yieldloop_cost(500, 2000), pmd_value(self->fd, 0));
	EXPECT_EQ(yieldloop_cost(500, 3000), pmd_value(other, 0));
	EXPECT_EQ(1000 + yieldloop_cost(500, 3000), pmd_value(other, 1));
	/* Most of the time: one of them is done before the other. */
	EXPECT_LE(250, pmd_value(other, CONTEXT_SWITCHES));
}

TEST_F(exact, read_while_counting)
{
	uint64_t last = 0, now;
	struct child child;
	int i, grew = 0;

	NEED_EXACT();
	pin_to(0);
	ASSERT_EQ(0, instructions_setup(self->fd, 0));
	ASSERT_EQ(0, measure_prepare(self->fd, &child,
				     ARGV(program("yieldloop"), "2000",
					  "5000")));
	take_turns(child.pid);
	take_turns(0);
	child_go(&child);
	/* See EXPECT_COUNTS(): taking turns, so that it does not get ahead. */
	while (!pmd_value(self->fd, 0))
		sched_yield();
	for (i = 0; i < 500; i++) {
		ASSERT_EQ(0, pmd_read(self->fd, 0, &now));
		ASSERT_LE(last, now);
		grew += now > last;
		last = now;
		sched_yield();
	}
	EXPECT_LT(450, grew);
	ASSERT_EQ(0, measure_end(self->fd, &child));
	/* Looking changed nothing. */
	EXPECT_EQ(yieldloop_cost(2000, 5000), pmd_value(self->fd, 0));
}

TEST_F(exact, write_others_while_counting)
{
	const uint64_t base = 3ULL << 33;
	struct child child;
	uint64_t now;
	int i;

	NEED_EXACT();
	ASSERT_EQ(0, instructions_setup(self->fd, 0));
	ASSERT_EQ(0, measure_begin(self->fd, &child, ARGV(program("spin"))));
	EXPECT_COUNTS(self->fd);
	for (i = 0; i < 20; i++) {
		usleep(5000);
		ASSERT_EQ(0, pmd_read(self->fd, 0, &now));
		EXPECT_LT(1000, now % base);
		ASSERT_EQ(0, pmd_write(self->fd, 0, base));
		/* On one CPU the child did not run in between. */
		ASSERT_EQ(0, pmd_read(self->fd, 0, &now));
		EXPECT_LE(base, now);
		EXPECT_GT(base + 100000000, now);
	}
	child_kill(child.pid);
}

TEST_F(exact, stop_others_while_counting)
{
	struct child child;
	uint64_t stopped, now;
	int i;

	NEED_EXACT();
	ASSERT_EQ(0, instructions_setup(self->fd, 0));
	ASSERT_EQ(0, measure_begin(self->fd, &child, ARGV(program("spin"))));
	EXPECT_COUNTS(self->fd);
	for (i = 0; i < 10; i++) {
		usleep(5000);
		ASSERT_EQ(0, context_stop(self->fd));
		ASSERT_EQ(0, pmd_read(self->fd, 0, &stopped));
		usleep(10000);
		ASSERT_EQ(0, pmd_read(self->fd, 0, &now));
		EXPECT_EQ(stopped, now);
		ASSERT_EQ(0, context_start(self->fd, 0));
		usleep(5000);
		ASSERT_EQ(0, pmd_read(self->fd, 0, &now));
		EXPECT_LT(stopped, now);
	}
	child_kill(child.pid);
}

/*
 * Followed children, each with its own counts.
 */

TEST_F(exact, follow_fork)
{
	TEST_PROVES(P1);
	const uint64_t k = 50, n = 10000;
	struct records recs = {};
	struct pfm_record *rec;
	uint32_t pid;

	NEED_EXACT();
	self->fd = reopen(self->fd, PFM_CTX_FOLLOW_FORK);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, instructions_setup(self->fd, 0));
	ASSERT_EQ(0, measure(self->fd, ARGV(program("forkloop"), text(k),
					    text(n))));
	EXPECT_EQ(forkloop_cost(k, n) + k * child_cost(n),
		  pmd_value(self->fd, 0));
	ASSERT_EQ(0, records_collect(self->fd, &recs, 4096));
	ASSERT_EQ(k + 1, recs.n);
	pid = 0;
	for_each_record(rec, &recs)
		pid = rec->pid;		/* the parent ends last */
	for_each_record(rec, &recs) {
		EXPECT_EQ(PFM_RECORD_EXIT, rec->reason);
		EXPECT_EQ(rec->pid == pid ? forkloop_cost(k, n) : child_cost(n),
			  record_value(rec, 0));
	}
}

TEST_F(exact, follow_fork_among_others)
{
	const uint64_t k = 50, n = 10000;
	struct child others[2];
	struct records recs = {};

	NEED_EXACT();
	compete(others, 2);
	self->fd = reopen(self->fd, PFM_CTX_FOLLOW_FORK);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, instructions_setup(self->fd, 0));
	ASSERT_EQ(0, measure(self->fd, ARGV(program("forkloop"), text(k),
					    text(n))));
	EXPECT_EQ(forkloop_cost(k, n) + k * child_cost(n),
		  pmd_value(self->fd, 0));
	ASSERT_EQ(0, records_collect(self->fd, &recs, 4096));
	EXPECT_EQ(k + 1, recs.n);
	EXPECT_EQ(pmd_value(self->fd, 0), records_sum(&recs, 0));
	compete_end(others, 2);
}

/*
 * The value that the context was loaded with belongs to the loaded thread, and so does its wrap,
 * although the counter is passed on to the children.
 */
TEST_F(exact, follow_start_value)
{
	TEST_PROVES(P2);
	const uint64_t start = (1ULL << 32) - 5000;
	struct records recs = {};
	struct pfm_record *rec;
	uint32_t pid = 0;

	NEED_EXACT();
	self->fd = reopen(self->fd, PFM_CTX_FOLLOW_FORK);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, instructions_setup(self->fd, start));
	ASSERT_EQ(0, measure(self->fd, ARGV(program("forkloop"), "5", "1000")));
	EXPECT_EQ(start + forkloop_cost(5, 1000) + 5 * child_cost(1000),
		  pmd_value(self->fd, 0));
	ASSERT_EQ(0, records_collect(self->fd, &recs, 4096));
	EXPECT_EQ(pmd_value(self->fd, 0), records_sum(&recs, 0));
	/* The parent ends last. */
	for_each_record(rec, &recs)
		pid = rec->pid;
	for_each_record(rec, &recs)
		EXPECT_EQ(rec->pid == pid ? start + forkloop_cost(5, 1000) :
					    child_cost(1000),
			  record_value(rec, 0));
}

TEST_F(exact, follow_threads)
{
	const uint64_t k = 20, n = 1000000;
	const uint64_t first = COST_NUMBER(2) + COST_NUMBER(7) + COST_ENDING +
			       k * (COST_NEW_THREAD + COST_IF_CHILD +
				    COST_REPEAT);
	struct records recs = {};
	struct pfm_record *rec;

	NEED_EXACT();
	self->fd = reopen(self->fd, PFM_CTX_FOLLOW_CLONE);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, instructions_setup(self->fd, 0));
	ASSERT_EQ(0, measure(self->fd, ARGV(program("threads"), text(k),
					    text(n))));
	EXPECT_EQ(first + k * child_cost(n), pmd_value(self->fd, 0));
	ASSERT_EQ(0, records_collect(self->fd, &recs, 4096));
	ASSERT_EQ(k + 1, recs.n);
	for_each_record(rec, &recs)
		EXPECT_EQ(rec->tid == rec->pid ? first : child_cost(n),
			  record_value(rec, 0));
}

TEST_F(exact, follow_exec)
{
	const uint64_t first = COST_NUMBER(5) + COST_LOOP(12345) + COST_EXECUTE;
	struct records recs = {};
	struct pfm_record *rec;

	NEED_EXACT();
	self->fd = reopen(self->fd, PFM_CTX_FOLLOW_EXEC);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, instructions_setup(self->fd, 0));
	ASSERT_EQ(0, measure(self->fd, ARGV(program("execloop"), "12345",
					    program("loop"), "678")));
	EXPECT_EQ(first + loop_cost(678), pmd_value(self->fd, 0));
	ASSERT_EQ(0, records_collect(self->fd, &recs, 4096));
	ASSERT_EQ(2, recs.n);
	rec = record_next(&recs, NULL);
	EXPECT_EQ(PFM_RECORD_EXEC, rec->reason);
	EXPECT_EQ(first, record_value(rec, 0));
	rec = record_next(&recs, rec);
	EXPECT_EQ(PFM_RECORD_EXIT, rec->reason);
	EXPECT_EQ(loop_cost(678), record_value(rec, 0));
}

TEST_F(exact, follow_vfork_exec)
{
	const uint64_t k = 20, n = 5000;
	const uint64_t parent = COST_NUMBER(2) + COST_ENDING +
				k * (COST_NEW + COST_IF_CHILD + COST_REAP +
				     COST_REPEAT);
	const uint64_t before = COST_IF_CHILD + COST_EXECUTE;
	struct records recs = {};
	struct pfm_record *rec;
	int execs = 0, loops = 0, parents = 0;

	NEED_EXACT();
	self->fd = reopen(self->fd, PFM_CTX_FOLLOW_ALL);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, instructions_setup(self->fd, 0));
	ASSERT_EQ(0, measure(self->fd, ARGV(program("vforkexec"), text(k),
					    program("loop"), text(n))));
	EXPECT_EQ(parent + k * (before + loop_cost(n)),
		  pmd_value(self->fd, 0));
	ASSERT_EQ(0, records_collect(self->fd, &recs, 4096));
	ASSERT_EQ(2 * k + 1, recs.n);
	for_each_record(rec, &recs) {
		if (rec->reason == PFM_RECORD_EXEC) {
			EXPECT_EQ(before, record_value(rec, 0));
			execs++;
		} else if (strstr(record_path(rec), "/loop")) {
			EXPECT_EQ(loop_cost(n), record_value(rec, 0));
			loops++;
		} else {
			EXPECT_EQ(parent, record_value(rec, 0));
			parents++;
		}
	}
	EXPECT_EQ(k, execs);
	EXPECT_EQ(k, loops);
	EXPECT_EQ(1, parents);
}

TEST_F(exact, follow_orphan)
{
	const uint64_t n = 50000;
	const uint64_t parent = COST_NUMBER(5) + COST_NEW + COST_IF_CHILD +
				COST_ENDING;
	const uint64_t child = COST_IF_CHILD + COST_NAP + COST_LOOP(n) +
			       COST_ENDING;
	struct records recs = {};
	struct pfm_record *rec;

	NEED_EXACT();
	self->fd = reopen(self->fd, PFM_CTX_FOLLOW_FORK);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, instructions_setup(self->fd, 0));
	ASSERT_EQ(0, measure(self->fd, ARGV(program("orphan"), text(n))));
	EXPECT_EQ(parent + child, pmd_value(self->fd, 0));
	ASSERT_EQ(0, records_collect(self->fd, &recs, 4096));
	ASSERT_EQ(2, recs.n);
	rec = record_next(&recs, NULL);
	EXPECT_EQ(parent, record_value(rec, 0));
	rec = record_next(&recs, rec);
	EXPECT_EQ(child, record_value(rec, 0));
}

/* Short-lived ones, far more than may wait for the consumer. */
TEST_F(exact, follow_five_thousand)
{
	const uint64_t k = 5000, n = 100;
	struct records recs = {};
	struct pfm_config cfg;

	NEED_EXACT();
	self->fd = reopen(self->fd, PFM_CTX_FOLLOW_ALL);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	cfg.records_max = 64;
	ASSERT_EQ(0, config_set(self->fd, &cfg));
	ASSERT_EQ(0, instructions_setup(self->fd, 0));
	ASSERT_EQ(0, measure(self->fd, ARGV(program("forkloop"), text(k),
					    text(n))));
	EXPECT_EQ(forkloop_cost(k, n) + k * child_cost(n),
		  pmd_value(self->fd, 0));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(0, cfg.follow_failed);
	EXPECT_EQ(0, cfg.unsplit);
	ASSERT_EQ(0, records_collect(self->fd, &recs, 4096));
	EXPECT_EQ(k + 1, records_tasks(&recs));
	EXPECT_EQ(forkloop_cost(k, n) + k * child_cost(n),
		  records_sum(&recs, 0));
}

TEST_HARNESS_MAIN
