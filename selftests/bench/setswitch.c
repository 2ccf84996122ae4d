// SPDX-License-Identifier: GPL-2.0-only
/*
 * setswitch: leaving one set of six counters for another, when a timer says so;
 * beside perf's rotation of two groups of six.  Both include the timer's
 * interrupt, whose cost alone is timer/interrupt.
 */
#include "bench.h"

#include <sys/timerfd.h>

#define COUNTERS 6
#define LOOP	 20000000ULL
#define ROUNDS	 100
#define TIMEOUT	 100000ULL /* ns; perf's shortest is 1 ms */
#define MUX \
	"/sys/bus/event_source/devices/armv8_pmuv3/perf_event_mux_interval_ms"

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

/* Loop past the end of a timer, if it runs, and see whether it fired. */
static void timer_rounds(void *arg, unsigned int n)
{
	const int fd = *(int *)arg;
	uint64_t fired;

	while (n--) {
		loop(2 * TIMEOUT);
		if (read(fd, &fired, sizeof(fired)) < 0 && errno != EAGAIN)
			bench_fail("timerfd");
	}
}

/* A timer that does next to nothing when it fires, and is set again. */
static void print_interrupt(void)
{
	const struct itimerspec spec = {
		.it_interval.tv_nsec = TIMEOUT,
		.it_value.tv_nsec = TIMEOUT,
	};
	const int fd =
		timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	double without;

	if (fd < 0)
		bench_fail("timerfd");
	without = bench_rounds(timer_rounds, (void *)&fd, ROUNDS);
	if (timerfd_settime(fd, 0, &spec, NULL))
		bench_fail("timerfd");
	bench_print(bench_rounds(timer_rounds, (void *)&fd, ROUNDS) - without,
		    "timer/interrupt");
	close(fd);
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
		regs[i].value = i < COUNTERS ? EVENT_INST_RETIRED
					     : EVENT_CPU_CYCLES;
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

static uint64_t sets_ns(uint32_t flags, uint64_t *runs)
{
	const int fd = group_create(0);
	uint64_t ns;
	int ret;

	ret = sets_make(fd, flags);
	if (ret == -ENOTTY) {
		bench_skip("setswitch/6", "the modules have no event sets yet");
		exit(0);
	}
	if (ret || context_load(fd, 0) || context_start(fd, 0))
		bench_fail("sets");
	ns = loop_ns();
	context_stop(fd);
	*runs = runs_of(fd);
	close(fd);
	return ns;
}

static void print_perfmon(void)
{
	uint64_t without, with, runs, rest;

	without = sets_ns(0, &rest);
	with = sets_ns(PFM_SETFL_TIME_SWITCH, &runs);
	if (runs <= LOOP / TIMEOUT / 2)
		bench_fail("fewer switches of sets than there should be");
	bench_print((double)(with - without) / (runs - rest), "setswitch/6");
}

static void set_interval(const char *ms)
{
	const int fd = open(MUX, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, ms, strlen(ms)) < 0)
		bench_fail(MUX);
	close(fd);
}

static void print_perf(void)
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
	/* One rotation a millisecond. */
	bench_print((double)(with - without) / (with / 1000000), "setswitch/6");
}

int main(int argc, char *argv[])
{
	bench_begin(argc, argv);
	loop(LOOP);
	print_interrupt();
	if (bench_perf)
		print_perf();
	else
		print_perfmon();
	return 0;
}
