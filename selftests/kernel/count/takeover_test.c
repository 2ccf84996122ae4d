// SPDX-License-Identifier: GPL-2.0-only
/*
 * perfmon_armv8 with takeover=1: when perf and when perfmon has the PMU, and that
 * neither changes the counts of the other.
 *
 * With one CPU that counts instructions (QEMU's with --icount) numbers are
 * compared for equality.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "exact_count.h"
#include "perf.h"
#include "sampling.h"

#include <time.h>

#include "kselftest_harness.h"
#include "progs/exact.h"

#define TAKEOVER    "/sys/module/perfmon_armv8/parameters/takeover"
#define ROUNDS	    "100000"
#define MANY_ROUNDS "20000000"

/* User-level instructions of "loop N". */
static uint64_t cost_of(const char *rounds)
{
	return COST_NUMBER(strlen(rounds)) +
	       COST_LOOP(strtoull(rounds, NULL, 10)) + COST_ENDING;
}

static bool takeover(void)
{
	const int fd = open(TAKEOVER, O_RDONLY);
	char c = 'N';

	if (fd < 0 || read(fd, &c, 1) != 1)
		c = 'N';
	close(fd);
	return c == 'Y';
}

static void ms_sleep(unsigned int ms)
{
	const struct timespec time = {
		.tv_sec = ms / 1000,
		.tv_nsec = ms % 1000 * 1000000,
	};

	nanosleep(&time, NULL);
}

static int cpu_switch(int cpu, bool online)
{
	char path[64];
	int fd, ret;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online",
		 cpu);
	fd = open(path, O_WRONLY);
	ret = fd < 0 || write(fd, online ? "1" : "0", 1) != 1 ? -errno : 0;
	close(fd);
	return ret;
}

/* The count of "loop" by perf. */
static int perf_measure(uint64_t config, const char *rounds,
			struct perf_count *count)
{
	struct perf_event_attr attr = perf_attr(config);
	struct child child;
	int fd, ret;

	attr.disabled = 1;
	attr.enable_on_exec = 1;
	child_exec(&child, ARGV(program("loop"), rounds));
	fd = perf_open(&attr, child.pid, -1, -1);
	child_go(&child);
	child_reap(child.pid);
	if (fd < 0)
		return fd;
	ret = perf_read(fd, count);
	close(fd);
	return ret == 1 ? 0 : ret ? ret : -EPROTO;
}

FIXTURE(takeover)
{
	int fd;
	int num;
	pid_t idle;
	uint64_t config;
	bool exact;
};

static int setup_counter(struct _test_data_takeover *self, int fd)
{
	return self->exact ? instructions_setup(fd, 0) : cycles_setup(fd, 0);
}

FIXTURE_SETUP(takeover)
{
	struct perf_count count;

	self->fd = -1;
	self->idle = 0;
	self->config = PERF_COUNT_HW_INSTRUCTIONS;
	self->exact = cpus_online() == 1 &&
		      !perf_measure(self->config, "1000", &count) &&
		      count.value == cost_of("1000");
	if (!self->exact)
		self->config = PERF_COUNT_HW_CPU_CYCLES;
	/* Before there is a context, of which it would keep a descriptor. */
	self->idle = child_idle();
	if (!takeover())
		return;
	self->fd = context_open(0);
	ASSERT_GE(self->fd, 0);
	self->num = setup_counter(self, self->fd);
	ASSERT_GE(self->num, 0);
}

FIXTURE_TEARDOWN(takeover)
{
	if (self->idle)
		child_kill(self->idle);
	close(self->fd);
}

/* The test goes on when the fixture's setup skips it. */
#define NEED_TAKEOVER()							\
	do {								\
		if (self->fd < 0)					\
			SKIP(return, "perfmon_armv8 has no takeover=1");\
	} while (0)

/* perf has the PMU, and has it all the time. */
#define EXPECT_PERF_COUNTS()                                                \
	do {                                                                \
		struct perf_count __count = {};                             \
										\
		EXPECT_EQ(0, perf_measure(self->config, ROUNDS, &__count)); \
		EXPECT_EQ(__count.enabled, __count.running);                \
		EXPECT_GT(__count.value, 0);                                \
		if (self->exact)                                            \
			EXPECT_EQ(cost_of(ROUNDS), __count.value);          \
	} while (0)

/* perf does not have the PMU. */
#define EXPECT_PERF_WAITS()                                                 \
	do {                                                                \
		struct perf_count __count = { .value = 1 };                 \
										\
		EXPECT_EQ(0, perf_measure(self->config, ROUNDS, &__count)); \
		EXPECT_GT(__count.enabled, 0);                              \
		EXPECT_EQ(0, __count.running);                              \
		EXPECT_EQ(0, __count.value);                                \
	} while (0)

TEST_F(takeover, event_of_a_sleeping_thread_refuses)
{
	struct perf_event_attr attr = perf_attr(self->config);
	int event;

	NEED_TAKEOVER();
	event = perf_open(&attr, self->idle, -1, -1);
	ASSERT_GE(event, 0);
	EXPECT_EQ(-EBUSY, context_load(self->fd, 0));
	EXPECT_EQ(-EBUSY, context_load(self->fd, self->idle));
	close(event);
	EXPECT_EQ(0, context_load(self->fd, 0));
}

TEST_F(takeover, disabled_event_refuses)
{
	struct perf_event_attr attr = perf_attr(self->config);
	int event;

	NEED_TAKEOVER();
	attr.disabled = 1;
	event = perf_open(&attr, 0, -1, -1);
	ASSERT_GE(event, 0);
	EXPECT_EQ(-EBUSY, context_load(self->fd, self->idle));
	close(event);
	EXPECT_EQ(0, context_load(self->fd, self->idle));
}

TEST_F(takeover, event_of_any_cpu_refuses)
{
	struct perf_event_attr attr = perf_attr(self->config);
	int cpu, event;

	NEED_TAKEOVER();
	for (cpu = 0; cpu < cpus_online(); cpu++) {
		event = perf_open(&attr, -1, cpu, -1);
		ASSERT_GE(event, 0);
		EXPECT_EQ(-EBUSY, context_load(self->fd, self->idle));
		close(event);
	}
	EXPECT_EQ(0, context_load(self->fd, self->idle));
}

TEST_F(takeover, refusal_changes_nothing_for_perf)
{
	TEST_PROVES(K2);
	struct perf_event_attr attr = perf_attr(self->config);
	struct perf_count count = {};
	struct child child;
	int event, i;

	NEED_TAKEOVER();
	attr.disabled = 1;
	attr.enable_on_exec = 1;
	child_exec(&child, ARGV(program("loop"), MANY_ROUNDS));
	event = perf_open(&attr, child.pid, -1, -1);
	child_go(&child);
	ASSERT_GE(event, 0);
	for (i = 0; i < 50; i++)
		EXPECT_EQ(-EBUSY, context_load(self->fd, self->idle));
	child_reap(child.pid);
	EXPECT_EQ(1, perf_read(event, &count));
	EXPECT_EQ(count.enabled, count.running);
	EXPECT_GT(count.value, 0);
	if (self->exact)
		EXPECT_EQ(cost_of(MANY_ROUNDS), count.value);
	close(event);
}

TEST_F(takeover, software_event_does_not_refuse)
{
	struct perf_event_attr attr = perf_attr(PERF_COUNT_SW_TASK_CLOCK);
	int event;

	NEED_TAKEOVER();
	attr.type = PERF_TYPE_SOFTWARE;
	event = perf_open(&attr, self->idle, -1, -1);
	ASSERT_GE(event, 0);
	EXPECT_EQ(0, context_load(self->fd, self->idle));
	close(event);
}

TEST_F(takeover, virtual_registers_leave_perf_alone)
{
	struct perf_event_attr attr = perf_attr(self->config);
	const int fd = context_open(0);
	int event;

	NEED_TAKEOVER();
	ASSERT_EQ(0, pmd_write(fd, CPU_TIME_NS, 0));
	event = perf_open(&attr, self->idle, -1, -1);
	ASSERT_GE(event, 0);
	EXPECT_EQ(0, context_load(fd, self->idle));
	EXPECT_PERF_COUNTS();
	close(event);
	close(fd);
}

TEST_F(takeover, perf_waits_while_loaded_and_has_it_at_once_after_unload)
{
	TEST_PROVES(K3);
	NEED_TAKEOVER();
	EXPECT_PERF_COUNTS();
	ASSERT_EQ(0, context_load(self->fd, self->idle));
	EXPECT_PERF_WAITS();
	EXPECT_EQ(0, context_start(self->fd, 0));
	EXPECT_PERF_WAITS();
	EXPECT_EQ(0, context_unload(self->fd));
	EXPECT_PERF_COUNTS();
}

TEST_F(takeover, perf_has_it_at_once_after_close)
{
	TEST_PROVES(K3);
	NEED_TAKEOVER();
	ASSERT_EQ(0, context_load(self->fd, self->idle));
	EXPECT_PERF_WAITS();
	close(self->fd);
	self->fd = -1;
	EXPECT_PERF_COUNTS();
}

/* No system call tells the kernel so. */
TEST_F(takeover, perf_has_it_when_the_last_thread_has_ended)
{
	struct perf_count count = {};
	int i;

	NEED_TAKEOVER();
	ASSERT_EQ(0, context_load(self->fd, self->idle));
	child_kill(self->idle);
	self->idle = 0;
	for (i = 0; i < 100; i++) {
		ms_sleep(10);
		ASSERT_EQ(0, perf_measure(self->config, ROUNDS, &count));
		if (count.running == count.enabled)
			break;
	}
	EXPECT_LT(i, 100);
	EXPECT_PERF_COUNTS();
}

TEST_F(takeover, second_context_needs_no_second_look)
{
	struct perf_event_attr attr = perf_attr(self->config);
	const int second = context_open(0);
	int event;

	NEED_TAKEOVER();
	ASSERT_EQ(self->num, setup_counter(self, second));
	ASSERT_EQ(0, context_load(self->fd, self->idle));
	event = perf_open(&attr, 0, -1, -1);
	ASSERT_GE(event, 0);
	EXPECT_EQ(0, context_load(second, 0));
	EXPECT_EQ(0, context_unload(self->fd));
	EXPECT_PERF_WAITS();
	EXPECT_EQ(-EBUSY, context_load(second, 0));
	EXPECT_EQ(0, context_unload(second));
	EXPECT_EQ(-EBUSY, context_load(second, 0));
	EXPECT_PERF_COUNTS();
	close(event);
	close(second);
}

TEST_F(takeover, event_opened_meanwhile_counts_afterwards)
{
	struct perf_event_attr attr = perf_attr(self->config);
	struct perf_count count = {}, later = {};
	int cpu, event, own;

	NEED_TAKEOVER();
	ASSERT_EQ(0, context_load(self->fd, self->idle));
	own = perf_open(&attr, 0, -1, -1);
	ASSERT_GE(own, 0);
	for (cpu = 0; cpu < cpus_online(); cpu++) {
		pin_to(cpu);
		event = perf_open(&attr, -1, cpu, -1);
		ASSERT_GE(event, 0);
		spin(10000000);
		ASSERT_EQ(1, perf_read(event, &count));
		EXPECT_GT(count.enabled, 0);
		EXPECT_EQ(0, count.running);
		EXPECT_EQ(0, count.value);
		close(event);
	}
	ASSERT_EQ(1, perf_read(own, &count));
	EXPECT_EQ(0, count.running);
	EXPECT_EQ(0, context_unload(self->fd));
	/* perf looks again after its interval, 4 ms. */
	ms_sleep(50);
	ASSERT_EQ(1, perf_read(own, &count));
	spin(1000000);
	ASSERT_EQ(1, perf_read(own, &later));
	EXPECT_GT(later.running, count.running);
	EXPECT_EQ(later.enabled - count.enabled, later.running - count.running);
	EXPECT_GE(later.value - count.value, self->exact ? 2000000 : 1);
	close(own);
}

/* perf would give it up for good: it is not opened, or there before. */
TEST_F(takeover, pinned_event_is_refused)
{
	TEST_PROVES(K4);
	struct perf_event_attr attr = perf_attr(self->config);
	struct perf_event_attr clock = perf_attr(PERF_COUNT_SW_TASK_CLOCK);
	struct perf_count count;
	int event, cpu;

	NEED_TAKEOVER();
	attr.pinned = 1;
	clock.type = PERF_TYPE_SOFTWARE;
	clock.pinned = 1;
	ASSERT_EQ(0, context_load(self->fd, self->idle));
	EXPECT_EQ(-EBUSY, perf_open(&attr, 0, -1, -1));
	EXPECT_EQ(-EBUSY, perf_open(&attr, self->idle, -1, -1));
	for (cpu = 0; cpu < cpus_online(); cpu++)
		EXPECT_EQ(-EBUSY, perf_open(&attr, -1, cpu, -1));
	event = perf_open(&clock, 0, -1, -1);
	EXPECT_GE(event, 0);
	close(event);
	EXPECT_EQ(0, context_unload(self->fd));
	/* Its counts are there from the first to the last. */
	event = perf_open(&attr, 0, -1, -1);
	ASSERT_GE(event, 0);
	EXPECT_EQ(-EBUSY, context_load(self->fd, self->idle));
	spin(1000);
	ASSERT_EQ(1, perf_read(event, &count));
	EXPECT_EQ(count.enabled, count.running);
	EXPECT_LT(1000, count.value);
	close(event);
	EXPECT_PERF_COUNTS();
}

#define MAX_PERCENT "/proc/sys/kernel/perf_cpu_time_max_percent"
#define MAX_RATE    "/proc/sys/kernel/perf_event_max_sample_rate"

/* Reads a file up to the end of the line, or writes a number to it. */
static long sysctl(const char *path, long value)
{
	char text[24] = "";
	int fd, ret;

	fd = open(path, (value ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (value)
		snprintf(text, sizeof(text), "%ld", value);
	ret = value ? write(fd, text, strlen(text))
		    : read(fd, text, sizeof(text) - 1);
	close(fd);
	return ret < 0 ? -EIO : atol(text);
}

/* Interrupts, however long they take, are not taken for perf's. */
TEST_F(takeover, interrupts_leave_perfs_rate_alone)
{
	const struct pfm_pmd_attr attr = {
		.num = CYCLES,
		.long_reset = -20000ULL,
		.short_reset = -20000ULL,
	};
	const long percent = sysctl(MAX_PERCENT, 0), rate = sysctl(MAX_RATE, 0);
	const struct pfm_default_hdr *hdr;
	unsigned int i;
	int fd;

	NEED_TAKEOVER();
	fd = default_open(0, buffer_bytes(2000, 0));
	ASSERT_GE(fd, 0);
	hdr = buffer_map(fd);
	ASSERT_NE(NULL, hdr);
	ASSERT_EQ(CYCLES, cycles_setup(fd, -20000ULL));
	ASSERT_EQ(0, attr_write(fd, &attr));
	ASSERT_EQ(0, context_load(fd, 0));
	/* 100 ns each, in the mean of some 128. */
	ASSERT_EQ(1, sysctl(MAX_PERCENT, 1));
	ASSERT_EQ(100000, sysctl(MAX_RATE, 100000));
	ASSERT_EQ(0, context_start(fd, 0));
	for (i = 0; i < 100000 && hdr->hdr_count < 1000; i++)
		spin(10000);
	EXPECT_EQ(0, context_stop(fd));
	EXPECT_LE(1000, hdr->hdr_count);
	EXPECT_EQ(100000, sysctl(MAX_RATE, 0));
	sysctl(MAX_PERCENT, percent);
	sysctl(MAX_RATE, rate);
	close(fd);
}

TEST_F(takeover, group_can_be_opened)
{
	struct perf_event_attr attr = perf_attr(self->config);
	struct perf_count count = { .running = 1 };
	int leader, event;

	NEED_TAKEOVER();
	ASSERT_EQ(0, context_load(self->fd, self->idle));
	leader = perf_open(&attr, 0, -1, -1);
	ASSERT_GE(leader, 0);
	attr.config = PERF_COUNT_HW_CPU_CYCLES;
	event = perf_open(&attr, 0, -1, leader);
	EXPECT_GE(event, 0);
	spin(1000);
	EXPECT_EQ(1, perf_read(leader, &count));
	EXPECT_EQ(0, count.running);
	close(event);
	close(leader);
}

TEST_F(takeover, in_turn)
{
	uint64_t value;
	int i;

	NEED_TAKEOVER();
	for (i = 0; i < 20; i++) {
		EXPECT_PERF_COUNTS();
		ASSERT_EQ(0, pmd_write(self->fd, self->num, 0));
		ASSERT_EQ(0, measure(self->fd, ARGV(program("loop"), ROUNDS)));
		value = pmd_value(self->fd, self->num);
		EXPECT_GT(value, 0);
		if (self->exact)
			EXPECT_EQ(cost_of(ROUNDS), value);
		ASSERT_EQ(0, context_unload(self->fd));
	}
}

/*
 * perf comes and goes on all CPUs all the time: on the thread, and on both CPUs.  A
 * busy host may leave no time for that while the program runs, so it runs again.
 */
TEST_F(takeover, counts_are_exact_while_perf_tries)
{
	TEST_PROVES(K1);
	struct perf_event_attr attr = perf_attr(self->config);
	unsigned int tries = 0, held = 0, runs = 0;
	struct perf_count count;
	struct pfm_config cfg;
	struct child child;
	uint64_t value;
	int cpu, event, status;

	NEED_TAKEOVER();
	do {
		ASSERT_EQ(0, pmd_write(self->fd, self->num, 0));
		ASSERT_EQ(0, measure_begin(self->fd, &child,
					   ARGV(program("loop"), MANY_ROUNDS)));
		while (!waitpid(child.pid, &status, WNOHANG)) {
			cpu = tries % cpus_online();
			if (tries % 3)
				event = perf_open(&attr, -1, cpu, -1);
			else
				event = perf_open(&attr, child.pid, -1, -1);
			if (event == -ESRCH)
				continue;
			ASSERT_GE(event, 0);
			spin(1000);
			ASSERT_EQ(1, perf_read(event, &count));
			ASSERT_EQ(0, config_get(self->fd, &cfg));
			/* It has not ended yet, so perf does not have the PMU. */
			if (cfg.tasks) {
				EXPECT_EQ(0, count.running);
				held++;
			}
			close(event);
			tries++;
		}
		value = pmd_value(self->fd, self->num);
		EXPECT_GT(value, 0);
		if (self->exact)
			EXPECT_EQ(cost_of(MANY_ROUNDS), value);
		ASSERT_EQ(0, context_unload(self->fd));
	} while (held < 3 && ++runs < 50);
	EXPECT_LE(3, held);
	EXPECT_PERF_COUNTS();
}

TEST_F(takeover, cpu_that_comes_online_is_not_perfs)
{
	TEST_PROVES(K1);
	struct perf_event_attr attr = perf_attr(self->config);
	const int cpu = cpus_online() - 1;
	struct perf_count count = {};
	struct child child;
	int event;

	NEED_TAKEOVER();
	if (!cpu)
		SKIP(return, "one CPU only");
	ASSERT_EQ(0, context_load(self->fd, self->idle));
	ASSERT_EQ(0, cpu_switch(cpu, false));
	ASSERT_EQ(0, cpu_switch(cpu, true));
	pin_to(cpu);
	event = perf_open(&attr, -1, cpu, -1);
	ASSERT_GE(event, 0);
	spin(10000000);
	ASSERT_EQ(1, perf_read(event, &count));
	EXPECT_EQ(0, count.running);
	close(event);
	ASSERT_EQ(0, context_unload(self->fd));
	/* Ours counts there, and perf's after it. */
	ASSERT_EQ(0, measure_begin(self->fd, &child,
				   ARGV(program("loop"), ROUNDS)));
	ASSERT_EQ(0, measure_end(self->fd, &child));
	EXPECT_GT(pmd_value(self->fd, self->num), 0);
	ASSERT_EQ(0, context_unload(self->fd));
	EXPECT_PERF_COUNTS();
}

/* Taken while the CPU is offline, and given back while it is. */
TEST_F(takeover, cpu_that_was_offline_meanwhile_is_perfs)
{
	const int cpu = cpus_online() - 1;

	NEED_TAKEOVER();
	if (!cpu)
		SKIP(return, "one CPU only");
	ASSERT_EQ(0, cpu_switch(cpu, false));
	ASSERT_EQ(0, context_load(self->fd, self->idle));
	ASSERT_EQ(0, cpu_switch(cpu, true));
	pin_to(cpu);
	EXPECT_PERF_WAITS();
	pin_to(0);
	ASSERT_EQ(0, cpu_switch(cpu, false));
	ASSERT_EQ(0, context_unload(self->fd));
	ASSERT_EQ(0, cpu_switch(cpu, true));
	pin_to(cpu);
	EXPECT_PERF_COUNTS();
}

TEST_HARNESS_MAIN
