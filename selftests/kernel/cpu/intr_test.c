// SPDX-License-Identifier: GPL-2.0-only
/*
 * Event sets of a CPU that count outside of interrupts only, or inside only: together they count
 * what one that takes no side counts.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "exact_count.h"
#include "hotplug.h"
#include "module.h"
#include "sampling.h"
#include "sets.h"

#include <sched.h>
#include <sys/resource.h>

#include "kselftest_harness.h"

#define PARAMETERS "/sys/module/intr_test/parameters/"
#define RT_RUNTIME "/proc/sys/kernel/sched_rt_runtime_us"

/* Instructions of the kernel within a loop that interrupts are to come into; 4 ms to a tick. */
#define LOOPS 12000000ULL

/* That often it may turn out that another thread ran, or an interrupt came between two reads. */
#define TRIES 50

/* That often a sum is tried again: see loop_counted(). */
#define SUMS 5

/* Reads of all contexts until the shortest way from the first to the last is known. */
#define READS 1000

/*
 * @whole: context of this thread, without sides
 * @outside: context of the CPU
 * @inside: and the other one
 */
FIXTURE(intr)
{
	int whole;
	int outside;
	int inside;
};

FIXTURE_SETUP(intr)
{
	pin_to(0);
	self->whole = context_open(0);
	self->outside = context_open(PFM_CTX_SYSTEM_WIDE);
	self->inside = context_open(PFM_CTX_SYSTEM_WIDE);
	ASSERT_LE(0, self->whole);
	ASSERT_LE(0, self->outside);
	ASSERT_LE(0, self->inside);
}

FIXTURE_TEARDOWN(intr)
{
	const struct sched_param other = {};

	sched_setscheduler(0, SCHED_OTHER, &other);
	close(self->whole);
	close(self->outside);
	close(self->inside);
}

static void number_write(const char *path, const char *text)
{
	const int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		abort();
	close(fd);
}

static uint64_t number_read(const char *path)
{
	char text[32] = "";
	const int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0)
		abort();
	close(fd);
	return strtoull(text, NULL, 10);
}

/* Counter num counts instructions at these levels, in a set with these flags. */
static int counting(int fd, uint16_t num, uint32_t flags, uint64_t levels)
{
	int ret = flags ? set_describe(fd, 0, flags) : 0;

	if (!ret)
		ret = pmc_write(fd, num, levels | EVENT_INST_RETIRED);
	return ret ? ret : pmd_write(fd, num, 0);
}

/* The values of the three contexts: that of the thread is read first and last. */
struct values {
	uint64_t whole;
	uint64_t outside;
	uint64_t inside;
	uint64_t way;
};

static void values_read(const FIXTURE_DATA(intr) * self, struct values *v)
{
	v->whole = pmd_value(self->whole, 0);
	v->outside = pmd_value(self->outside, 1);
	v->inside = pmd_value(self->inside, 2);
	v->way = pmd_value(self->whole, 0) - v->whole;
}

/*
 * Number of instructions from the first read of values_read() to the last one: the smallest one of
 * many.  The kernel's way from a system call to the read is not always the same, because it draws a
 * place on the stack.  If the sum of these ways is the smallest one, so is each of them.
 */
static uint64_t shortest_way(const FIXTURE_DATA(intr) * self)
{
	uint64_t least = ~0ULL;
	struct values v;
	int i;

	for (i = 0; i < READS; i++) {
		values_read(self, &v);
		if (v.way < least)
			least = v.way;
	}
	return least;
}

/* Read the values with no interrupt in between. */
static bool values_alone(const FIXTURE_DATA(intr) * self, struct values *v,
			 uint64_t way)
{
	int reads = 4 * READS;

	do {
		values_read(self, v);
	} while (v->way > way && --reads);
	/* If it is shorter, the way is not known yet. */
	return v->way == way;
}

static uint64_t switches(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_THREAD, &usage))
		abort();
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

/* Returns the counts of the contexts from v[0] to v[1]. */
static struct values between(const struct values v[2])
{
	return (struct values){
		.whole = v[1].whole - v[0].whole,
		.outside = v[1].outside - v[0].outside,
		.inside = v[1].inside - v[0].inside,
	};
}

/* No other thread is to run on this CPU.  Returns 0 or -errno. */
static int run_alone(void)
{
	const struct sched_param first = { .sched_priority = 99 };

	number_write(RT_RUNTIME, "-1");
	return sched_setscheduler(0, SCHED_FIFO, &first) ? -errno : 0;
}

/* All three count everything. */
static int all_begin(const FIXTURE_DATA(intr) * self, uint32_t other)
{
	int ret = counting(self->whole, 0, 0, ALL_LEVELS);

	if (!ret)
		ret = counting(self->outside, 1, PFM_SETFL_EXCL_INTR | other,
			       ALL_LEVELS);
	if (!ret)
		ret = counting(self->inside, 2, PFM_SETFL_INTR_ONLY | other,
			       ALL_LEVELS);
	if (!ret)
		ret = context_load(self->whole, 0);
	if (!ret)
		ret = context_load(self->outside, 0);
	if (!ret)
		ret = context_load(self->inside, 0);
	if (!ret)
		ret = context_start(self->whole, 0);
	if (!ret)
		ret = context_start(self->outside, 0);
	return ret ? ret : context_start(self->inside, 0);
}

static bool whole_is_sum(const struct values *counted)
{
	return counted->whole == counted->outside + counted->inside;
}

/*
 * Counts of the contexts while several ticks interrupt a loop.  If the shortest way to
 * the reads was not found, a sum is wrong by some instructions, and there is another try: what the
 * changes of the side lose or count twice would be in all of them.  False if the loop was never
 * alone.
 */
static bool loop_counted(const FIXTURE_DATA(intr) * self,
			 struct values *counted)
{
	int tries = TRIES, sums = SUMS;
	uint64_t way, before;
	bool alone = false;
	struct values v[2];

	do {
		way = shortest_way(self);
		before = switches();
		if (!values_alone(self, &v[0], way))
			continue;
		spin(LOOPS);
		if (!values_alone(self, &v[1], way) || switches() != before)
			continue;
		*counted = between(v);
		alone = true;
		if (whole_is_sum(counted) || !--sums)
			break;
	} while (--tries);
	return alone;
}

/* The kernel's own interrupts and softirqs: ticks. */
TEST_F(intr, both_sides_are_the_whole)
{
	TEST_PROVES(Z1, Z4);
	struct values counted;
	int i;

	NEED_EXACT();
	ASSERT_EQ(0, run_alone());
	ASSERT_EQ(0, all_begin(self, 0));
	for (i = 0; i < 5; i++) {
		ASSERT_TRUE(loop_counted(self, &counted));
		TH_LOG("whole %llu, outside %llu, inside %llu",
		       (unsigned long long)counted.whole,
		       (unsigned long long)counted.outside,
		       (unsigned long long)counted.inside);
		EXPECT_EQ(counted.whole, counted.outside + counted.inside);
		EXPECT_LE(2 * LOOPS, counted.outside);
		EXPECT_LT(0, counted.inside);
	}
}

/* Interrupts and softirqs of known length, interrupts within softirqs too. */
TEST_F(intr, nested)
{
	TEST_PROVES(Z5);
	uint64_t handlers, most;
	struct values counted = {}, v[2];
	int tries = TRIES, sums = SUMS;
	uint64_t way, before;
	bool alone = false;

	NEED_EXACT();
	LOAD_OR_SKIP("intr_test");
	ASSERT_EQ(0, run_alone());
	ASSERT_EQ(0, all_begin(self, 0));
	do {
		way = shortest_way(self);
		before = switches();
		if (!values_alone(self, &v[0], way))
			continue;
		number_write(PARAMETERS "period", "200000");
		spin(LOOPS);
		number_write(PARAMETERS "period", "0");
		if (!values_alone(self, &v[1], way) || switches() != before)
			continue;
		counted = between(v);
		alone = true;
		if (whole_is_sum(&counted) || !--sums)
			break;
	} while (--tries);
	handlers = 2 * (number_read(PARAMETERS "loops") +
			number_read(PARAMETERS "soft"));
	TH_LOG("whole %llu, outside %llu, inside %llu, loops in handlers %llu, nested %llu",
	       (unsigned long long)counted.whole,
	       (unsigned long long)counted.outside,
	       (unsigned long long)counted.inside, (unsigned long long)handlers,
	       (unsigned long long)number_read(PARAMETERS "nested"));
	EXPECT_TRUE(alone);
	EXPECT_LE(2, number_read(PARAMETERS "nested"));
	EXPECT_EQ(counted.whole, counted.outside + counted.inside);
	EXPECT_LE(handlers, counted.inside);
	EXPECT_LE(2 * LOOPS, counted.outside);
	/* Beside the loop, outside is the way to the handlers and back. */
	most = kernel_has_checkers() ? counted.whole : 3 * LOOPS;
	EXPECT_GE(most, counted.outside);
	EXPECT_EQ(0, system("rmmod intr_test >&2"));
}

/* Nothing of a handler is user code: outside is all of it, time and again. */
TEST_F(intr, user_code)
{
	TEST_PROVES(Z3);
	const uint64_t n = 3000000;
	uint64_t sum = 0;
	int i;

	NEED_EXACT();
	ASSERT_EQ(0, counting(self->outside, 1, PFM_SETFL_EXCL_INTR, USER));
	ASSERT_EQ(0, counting(self->inside, 2, PFM_SETFL_INTR_ONLY, USER));
	ASSERT_EQ(0, context_load(self->outside, 0));
	ASSERT_EQ(0, context_load(self->inside, 0));
	ASSERT_EQ(0, context_start(self->inside, 0));
	for (i = 1; i <= 3; i++) {
		ASSERT_EQ(0, self_loop(self->outside, n * i));
		sum += SELF_COST(n * i);
		EXPECT_EQ(sum, pmd_value(self->outside, 1));
		EXPECT_EQ(0, pmd_value(self->inside, 2));
	}
	ASSERT_EQ(0, context_unload(self->outside));
	ASSERT_EQ(0, context_unload(self->inside));
	EXPECT_EQ(sum, pmd_value(self->outside, 1));
	EXPECT_EQ(0, pmd_value(self->inside, 2));
}

/* Time slices end in an interrupt, and the next set begins there. */
TEST_F(intr, sets)
{
	const uint64_t n = 10000000;
	const uint32_t sides[] = { PFM_SETFL_EXCL_INTR, PFM_SETFL_INTR_ONLY };
	uint64_t runs = 0, user = 0, all = 0;
	uint16_t set, side;

	NEED_EXACT();
	for (set = 0; set < 4; set++) {
		const struct pfm_set_desc desc = {
			.set = set,
			.flags = PFM_SETFL_TIME_SWITCH | sides[set % 2],
			.timeout = 1000000,
		};

		ASSERT_EQ(0, set_create(self->outside, &desc));
		for (side = 0; side < 2; side++) {
			ASSERT_EQ(0, set_pmc_write(self->outside, set, 1 + side,
						   EVENT_INST_RETIRED |
							   (side ? ALL_LEVELS
								 : USER)));
			ASSERT_EQ(0, set_pmd_write(self->outside, set, 1 + side,
						   0));
		}
	}
	ASSERT_EQ(0, context_load(self->outside, 0));
	ASSERT_EQ(0, self_loop(self->outside, n));
	for (set = 0; set < 4; set++) {
		const uint64_t count = set_value(self->outside, set, 1);

		runs += set_value(self->outside, set, PFM_REG_SET_RUNS);
		if (set % 2) {
			EXPECT_EQ(0, count);
			all += set_value(self->outside, set, 2);
		} else {
			EXPECT_LT(0, count);
			EXPECT_LE(count, set_value(self->outside, set, 2));
			user += count;
		}
	}
	TH_LOG("%llu time slices, user code %llu of %llu, inside %llu",
	       (unsigned long long)runs, (unsigned long long)user,
	       (unsigned long long)SELF_COST(n), (unsigned long long)all);
	EXPECT_LE(10, runs);
	/* The sets that count inside only have had half of the time. */
	EXPECT_GT(SELF_COST(n) * 3 / 4, user);
	EXPECT_LT(SELF_COST(n) / 4, user);
	EXPECT_LT(0, all);
	EXPECT_GT(SELF_COST(n) / 4, all);
}

/* The idle task is left out as well: its interrupts too. */
TEST_F(intr, without_idle)
{
	struct values counted;

	NEED_EXACT();
	ASSERT_EQ(0, run_alone());
	ASSERT_EQ(0, all_begin(self, PFM_SETFL_EXCL_IDLE));
	usleep(20000);
	ASSERT_TRUE(loop_counted(self, &counted));
	EXPECT_EQ(counted.whole, counted.outside + counted.inside);
	EXPECT_LT(0, counted.inside);
}

/* A value that is written goes on from what was written. */
TEST_F(intr, written)
{
	const uint64_t from[] = { 0, 1000, -1000ULL, 1ULL << 32 };
	struct values counted;
	size_t i;

	NEED_EXACT();
	ASSERT_EQ(0, run_alone());
	ASSERT_EQ(0, all_begin(self, 0));
	for (i = 0; i < ARRAY_LEN(from); i++) {
		ASSERT_EQ(0, pmd_write(self->outside, 1, from[i]));
		ASSERT_EQ(0, pmd_write(self->inside, 2, from[i]));
		ASSERT_TRUE(loop_counted(self, &counted));
		EXPECT_EQ(counted.whole, counted.outside + counted.inside);
		EXPECT_LE(2 * LOOPS, pmd_value(self->outside, 1) - from[i]);
		EXPECT_GT(2 * LOOPS, pmd_value(self->inside, 2) - from[i]);
	}
}

TEST_F(intr, sampling_is_refused)
{
	const struct pfm_pmd_attr attr = {
		.num = CPU_TIME_NS,
		.flags = PFM_PMDF_NOTIFY,
		.long_reset = -1000000ULL,
		.short_reset = -1000000ULL,
	};

	ASSERT_EQ(0, set_describe(self->outside, 0, PFM_SETFL_EXCL_INTR));
	ASSERT_EQ(0, pmd_write(self->outside, CPU_TIME_NS, -1000000ULL));
	ASSERT_EQ(0, vector(self->outside, PFM_IOC_WRITE_PMDATTRS, &attr, 1,
			    NULL));
	EXPECT_EQ(-EOPNOTSUPP, context_load(self->outside, 0));
	/* The other side is loaded all the same, without samples. */
	ASSERT_EQ(0, set_describe(self->inside, 0, PFM_SETFL_INTR_ONLY));
	ASSERT_EQ(0, pmd_write(self->inside, CPU_TIME_NS, 0));
	EXPECT_EQ(0, context_load(self->inside, 0));
}

/* START, reads and STOP come to another CPU by interrupts, and the CPU goes and comes. */
TEST_F(intr, another_cpu)
{
	uint64_t outside, inside, seen = 0;
	pid_t pid;
	int i;

	NEED_HOTPLUG();
	ASSERT_EQ(0, set_describe(self->outside, 0, PFM_SETFL_EXCL_INTR));
	ASSERT_EQ(0, set_describe(self->inside, 0, PFM_SETFL_INTR_ONLY));
	ASSERT_EQ(0, pmd_write(self->outside, CPU_TIME_NS, 0));
	ASSERT_EQ(0, pmd_write(self->inside, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->outside, 1));
	ASSERT_EQ(0, context_load(self->inside, 1));
	for (i = 0; i < 3; i++) {
		ASSERT_EQ(0, context_start(self->outside, 0));
		ASSERT_EQ(0, context_start(self->inside, 0));
		pid = child_spin_on(1);
		outside = pmd_value(self->outside, CPU_TIME_NS);
		inside = pmd_value(self->inside, CPU_TIME_NS);
		while (pmd_value(self->outside, CPU_TIME_NS) <
			       outside + 20000000 ||
		       pmd_value(self->inside, CPU_TIME_NS) == inside)
			usleep(1000);
		child_kill(pid);
		ASSERT_TRUE(cpu1_online(false));
		outside = pmd_value(self->outside, CPU_TIME_NS);
		EXPECT_LT(seen, outside);
		seen = outside;
		ASSERT_TRUE(cpu1_online(true));
		ASSERT_EQ(0, context_stop(self->inside));
		ASSERT_EQ(0, context_stop(self->outside));
		outside = pmd_value(self->outside, CPU_TIME_NS);
		inside = pmd_value(self->inside, CPU_TIME_NS);
		usleep(10000);
		EXPECT_EQ(outside, pmd_value(self->outside, CPU_TIME_NS));
		EXPECT_EQ(inside, pmd_value(self->inside, CPU_TIME_NS));
		seen = outside;
	}
}

TEST_HARNESS_MAIN
