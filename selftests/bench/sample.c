// SPDX-License-Identifier: GPL-2.0-only
/*
 * sample: the cost of a sample.  A loop of known length is timed with and without
 * sampling.  The difference, divided by the number of samples, is the cost of one
 * sample, its interrupt included.
 *
 * sample/FORMAT/PERIOD		samples of a loop in user mode
 * sample/user-stack/PERIOD	with the user's call stack, ten frames deep
 * sample/stack/PERIOD		with the kernel's and the user's, of a loop that
 *				makes system calls
 * sample/aggregated/PERIOD	the same, with identical stacks counted in the kernel
 *
 * perf records instruction pointer, thread, time and period of each sample into
 * its ring; for call stacks what "perf record -g" does.
 */
#include "bench.h"

#include <linux/perfmon_callstack.h>
#include <linux/perfmon_nway.h>

#define CYCLES_LOOP 30000000ULL /* approximate length of both loops */
#define CALL_CYCLES 1000 /* approximate length of a read() of BLOCK */
#define BLOCK	    4096
#define DEPTH	    10
#define RUNS	    3
#define RING_PAGES  512
#define PART_SIZE   (1 << 20)

/* 7f87756c-c076-4309-a22e-47d49f79363b */
#define TRACE_UUID                                                          \
	{                                                                   \
		0x7f, 0x87, 0x75, 0x6c, 0xc0, 0x76, 0x43, 0x09, 0xa2, 0x2e, \
			0x47, 0xd4, 0x9f, 0x79, 0x36, 0x3b                  \
	}

/**
 * struct kind - a way to sample
 * @name: name of the figure
 * @mixed: the loop that makes system calls, counted in the kernel as well
 * @stack: perf: with call stacks
 * @open: perfmon: makes the context
 * @samples: perfmon: number of samples taken
 */
struct kind {
	const char *name;
	bool mixed;
	bool stack;
	int (*open)(void);
};

static const uint64_t periods[] = { 100000, 20000 };
static int zero;

static void user_loop(void)
{
	uint64_t n = CYCLES_LOOP / 2;

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

static void mixed_loop(void)
{
	static char block[BLOCK];
	unsigned int n = CYCLES_LOOP / CALL_CYCLES;

	while (n--) {
		if (read(zero, block, sizeof(block)) != sizeof(block))
			bench_fail("/dev/zero");
	}
}

/* Calls itself, so that the loop runs below that many frames. */
static __attribute__((noinline)) void descend(bool mixed, unsigned int depth)
{
	if (depth)
		descend(mixed, depth - 1);
	else if (mixed)
		mixed_loop();
	else
		user_loop();
	asm volatile(""); /* no tail call */
}

static int open_default(void)
{
	return default_open(0, PART_SIZE);
}

static int open_nway(void)
{
	const uint8_t uuid[PFM_UUID_LEN] = PFM_NWAY_UUID;
	const struct pfm_nway_arg arg = { .part_size = PART_SIZE, .parts = 2 };

	return format_open(0, uuid, &arg, sizeof(arg));
}

static int open_trace(void)
{
	const uint8_t uuid[PFM_UUID_LEN] = TRACE_UUID;

	return format_open(0, uuid, NULL, 0);
}

static int open_stack(uint32_t flags)
{
	const uint8_t uuid[PFM_UUID_LEN] = PFM_CALLSTACK_UUID;
	const struct pfm_callstack_arg arg = {
		.part_size = PART_SIZE,
		.parts = 2,
		.flags = flags,
		.depth = PFM_CALLSTACK_DEPTH_MAX,
	};

	return format_open(0, uuid, &arg, sizeof(arg));
}

static int open_user_stack(void)
{
	return open_stack(PFM_CALLSTACK_USER);
}

static int open_both_stacks(void)
{
	return open_stack(PFM_CALLSTACK_USER | PFM_CALLSTACK_KERNEL);
}

static int open_aggregated(void)
{
	return open_stack(PFM_CALLSTACK_USER | PFM_CALLSTACK_KERNEL |
			  PFM_CALLSTACK_AGGREGATE);
}

static const struct kind kinds[] = {
	{ "default", false, false, open_default },
	{ "nway", false, false, open_nway },
	{ "trace", false, false, open_trace },
	{ "user-stack", false, true, open_user_stack },
	{ "mixed", true, false, open_default },
	{ "stack", true, true, open_both_stacks },
	{ "aggregated", true, true, open_aggregated },
};

/*
 * Nanoseconds of one run; period 0 counts without sampling.  No samples if perfmon paused
 * because they took more than its share of the time.
 */
static uint64_t run_perfmon(const struct kind *kind, uint64_t period,
			    uint64_t *samples)
{
	const struct pfm_pmd_attr attr = {
		.num = CYCLES,
		.long_reset = -period,
		.short_reset = -period,
	};
	struct pfm_config cfg;
	uint64_t ns;
	int fd;

	fd = kind->open();
	if (fd < 0 ||
	    pmc_write(fd, CYCLES, CYCLES_AT(kind->mixed ? ALL_LEVELS : USER)) ||
	    pmd_write(fd, CYCLES, -period) ||
	    (period && attr_write(fd, &attr)) || context_load(fd, 0))
		bench_fail(kind->name);
	ns = time_ns(CLOCK_MONOTONIC);
	if (context_start(fd, 0))
		bench_fail("START");
	descend(kind->mixed, DEPTH);
	if (context_stop(fd))
		bench_fail("STOP");
	ns = time_ns(CLOCK_MONOTONIC) - ns;
	if (config_get(fd, &cfg) || cfg.state != PFM_STATE_LOADED ||
	    cfg.fmt_errors || (cfg.skipped && !cfg.throttled))
		bench_fail("samples were lost");
	*samples = cfg.throttled ? 0 : cfg.overflows;
	close(fd);
	return ns;
}

static uint64_t count_records(const struct perf_event_mmap_page *page)
{
	const char *data = (const char *)page + page->data_offset;
	const struct perf_event_header *header;
	uint64_t pos, samples = 0;

	for (pos = 0; pos < page->data_head; pos += header->size) {
		header = (const void *)(data + pos);
		if (header->type == PERF_RECORD_SAMPLE)
			samples++;
		else if (header->type == PERF_RECORD_LOST ||
			 header->type == PERF_RECORD_THROTTLE)
			bench_fail("perf lost samples");
	}
	return samples;
}

static uint64_t run_perf(const struct kind *kind, uint64_t period,
			 uint64_t *samples)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.sample_period = period,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD |
			       (kind->stack ? PERF_SAMPLE_CALLCHAIN : 0),
		.disabled = 1,
		.exclude_kernel = !kind->mixed,
		.exclude_hv = 1,
		.exclude_callchain_kernel = !kind->mixed,
	};
	const size_t size = (RING_PAGES + 1) * 4096;
	void *ring = NULL;
	uint64_t ns;
	int fd;

	fd = perf_open(&attr, 0, -1);
	if (period) {
		ring = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			    0);
		if (ring == MAP_FAILED)
			bench_fail("perf's ring");
	}
	ns = time_ns(CLOCK_MONOTONIC);
	if (ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
		bench_fail("ENABLE");
	descend(kind->mixed, DEPTH);
	if (ioctl(fd, PERF_EVENT_IOC_DISABLE, 0))
		bench_fail("DISABLE");
	ns = time_ns(CLOCK_MONOTONIC) - ns;
	*samples = ring ? count_records(ring) : 0;
	if (ring)
		munmap(ring, size);
	close(fd);
	return ns;
}

/*
 * Wait for a fixed point between two timer ticks, so that the same number of ticks
 * interrupts each run: one tick costs as much as ten samples.
 */
static void settle(void)
{
	const uint64_t tick = 20000000;
	struct timespec ts;
	uint64_t ns;

	bench_settle();
	ns = (time_ns(CLOCK_MONOTONIC) / tick + 1) * tick;
	ts.tv_sec = ns / 1000000000;
	ts.tv_nsec = ns % 1000000000;
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
}

/* The median, because kernel threads that run now and then are not a cost of samples. */
static uint64_t median(const struct kind *kind, uint64_t period,
		       uint64_t *samples)
{
	uint64_t ns[RUNS];
	int i;

	for (i = 0; i < RUNS; i++) {
		settle();
		ns[i] = bench_perf ? run_perf(kind, period, samples)
				   : run_perfmon(kind, period, samples);
	}
	return bench_median(ns, RUNS);
}

static void print_kind(const struct kind *kind)
{
	const uint64_t without = median(kind, 0, &(uint64_t){ 0 });
	uint64_t with, samples;
	char name[64];
	size_t i;

	for (i = 0; i < ARRAY_LEN(periods); i++) {
		snprintf(name, sizeof(name), "sample/%s/%llu", kind->name,
			 (unsigned long long)periods[i]);
		with = median(kind, periods[i], &samples);
		if (!bench_perf && !samples) {
			bench_skip(name, "over a quarter of the time: paused");
			continue;
		}
		if (samples < CYCLES_LOOP / periods[i] / 2)
			bench_fail("fewer samples than there should be");
		bench_print((double)(with - without) / samples, "%s", name);
	}
}

int main(int argc, char *argv[])
{
	size_t i;

	bench_begin(argc, argv);
	zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	for (i = 0; i < ARRAY_LEN(kinds); i++)
		print_kind(&kinds[i]);
	return 0;
}
