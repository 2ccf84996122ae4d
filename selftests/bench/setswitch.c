// SPDX-License-Identifier: GPL-2.0-only
/*
 * setswitch: a switch by timeout from one set of six counters to another, compared with
 * perf's rotation of two groups of six.  Both figures include the timer's interrupt.
 * timer/interrupt is the cost of such an interrupt with an almost empty handler; the
 * table has the difference.  "log": each time slice is also written to the sampling
 * buffer (PFM_SETFL_LOG), as pfmon does.
 */
#include "bench.h"

#include <linux/perfmon_nway.h>
#include <sys/timerfd.h>

#define COUNTERS 6
#define LOOP	 50000000ULL
#define ROUNDS	 500
#define TIMEOUT	 100000ULL /* ns; perf's shortest is 1 ms */
#ifdef __aarch64__
#define PERF_PMU "armv8_pmuv3"
#else
#define PERF_PMU "cpu"
#endif
#define MUX \
	"/sys/bus/event_source/devices/" PERF_PMU "/perf_event_mux_interval_ms"

static void loop(uint64_t n)
{
	n /= 2;

#ifdef __aarch64__
	asm volatile("1:	subs	%0, %0, #1\n"
		     "	b.ne	1b\n"
		     : "+r"(n)
		     :
		     : "cc");
#else
	while (n--)
		asm volatile("");
#endif
}

static uint64_t loop_ns(void)
{
	const uint64_t ns = time_ns(CLOCK_MONOTONIC);

	loop(LOOP);
	return time_ns(CLOCK_MONOTONIC) - ns;
}

struct alarm {
	int fd;
	long delay;
};

/* Set a timer, then run a loop that is longer than the shorter of the two delays. */
static void alarm_rounds(void *arg, unsigned int n)
{
	const struct alarm *alarm = arg;
	const struct itimerspec spec = {
		.it_value.tv_sec = alarm->delay / 1000000000,
		.it_value.tv_nsec = alarm->delay % 1000000000,
	};

	while (n--) {
		if (timerfd_settime(alarm->fd, 0, &spec, NULL))
			bench_fail("timerfd");
		loop(2 * TIMEOUT);
	}
}

/*
 * The cost of the interrupt of a timer whose handler does next to nothing and does not
 * set the timer again: loops with a timer that fires less loops with one that is set
 * but does not fire.
 */
static double interrupt_cost(void)
{
	struct alarm alarm = {
		.fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC),
		.delay = 3600L * 1000000000,
	};
	double without, with;

	if (alarm.fd < 0)
		bench_fail("timerfd");
	without = bench_rounds(alarm_rounds, &alarm, ROUNDS);
	alarm.delay = TIMEOUT;
	with = bench_rounds(alarm_rounds, &alarm, ROUNDS);
	close(alarm.fd);
	return with - without;
}

static int sets_make(int fd, uint32_t flags)
{
	const struct pfm_set_desc sets[] = {
		{ .set = 0, .flags = flags, .timeout = flags ? TIMEOUT : 0 },
		{ .set = 1, .flags = flags, .timeout = flags ? TIMEOUT : 0 },
	};
	struct pfm_reg regs[2 * COUNTERS] = {};
	unsigned int i;
	int ret;

	ret = vector(fd, PFM_IOC_CREATE_EVTSET, sets, 2, NULL);
	if (ret)
		return ret;
	for (i = 0; i < 2 * COUNTERS; i++) {
		regs[i].num = i % COUNTERS;
		regs[i].set = i / COUNTERS;
		regs[i].value = ALL_LEVELS | (i < COUNTERS ? EVENT_INST_RETIRED
							   : EVENT_CPU_CYCLES);
	}
	if (vector(fd, PFM_IOC_WRITE_PMCS, regs, 2 * COUNTERS, NULL))
		bench_fail("WRITE_PMCS");
	for (i = 0; i < 2 * COUNTERS; i++)
		regs[i].value = 0;
	if (vector(fd, PFM_IOC_WRITE_PMDS, regs, 2 * COUNTERS, NULL))
		bench_fail("WRITE_PMDS");
	return 0;
}

static uint64_t runs_of(int fd)
{
	struct pfm_set_info info[2] = { { .set = 0 }, { .set = 1 } };

	if (vector(fd, PFM_IOC_GETINFO_EVTSET, info, 2, NULL))
		bench_fail("GETINFO_EVTSET");
	return info[0].runs + info[1].runs;
}

/* The buffer must not become full, because no consumer reads it. */
static int log_create(void)
{
	const struct pfm_nway_arg arg = {
		.parts = 2,
		.part_size = 1U << 20,
		.flags = PFM_NWAY_DROP,
	};
	static const uint8_t uuid[PFM_UUID_LEN] = PFM_NWAY_UUID;

	return format_open(0, uuid, &arg, sizeof(arg));
}

static uint64_t sets_ns(uint32_t flags, uint64_t *runs)
{
	const int fd = flags & PFM_SETFL_LOG ? log_create() : group_create(0);
	uint64_t ns;
	int ret;

	if (fd < 0)
		bench_fail("sets");
	ret = sets_make(fd, flags);
	if (ret || context_load(fd, 0) || context_start(fd, 0))
		bench_fail("sets");
	ns = loop_ns();
	context_stop(fd);
	*runs = runs_of(fd);
	close(fd);
	return ns;
}

static double perfmon_cost(uint32_t log)
{
	uint64_t without, with, runs, rest;

	/*
	 * The first session of a kind leaves some 90,000 instructions of work to the kernel's
	 * workers, which execute them during the loop.
	 */
	sets_ns(PFM_SETFL_TIME_SWITCH | log, &runs);
	without = sets_ns(0, &rest);
	with = sets_ns(PFM_SETFL_TIME_SWITCH | log, &runs);
	if (runs <= LOOP / TIMEOUT / 2)
		bench_fail("fewer switches of sets than there should be");
	return (double)(with - without) / (runs - rest);
}

static void set_interval(const char *ms)
{
	const int fd = open(MUX, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, ms, strlen(ms)) < 0)
		bench_fail(MUX);
	close(fd);
}

static double perf_cost(void)
{
	struct group one, two;
	uint64_t with, without;

	set_interval("1");
	group_open(&one, 0, COUNTERS, 0);
	group_start(&one);
	without = loop_ns();
	group_open(&two, 0, COUNTERS, GROUP_OTHER);
	group_start(&two);
	with = loop_ns();
	group_close(&two);
	group_close(&one);
	/* perf rotates once a millisecond. */
	return (double)(with - without) / (with / 1000000);
}

int main(int argc, char *argv[])
{
	bench_begin(argc, argv);
	loop(LOOP);
	bench_print(interrupt_cost(), "timer/interrupt");
	bench_print(bench_perf ? perf_cost() : perfmon_cost(0), "setswitch/6");
	if (!bench_perf)
		bench_print(perfmon_cost(PFM_SETFL_LOG), "setswitch/6-log");
	return 0;
}
