// SPDX-License-Identifier: GPL-2.0-only
/*
 * sample_bench perfmon|perf: what a sample costs, in instructions of the guest.
 *
 * On the guest that executes one instruction a nanosecond, a loop of known
 * length is timed with sampling and without: the difference by the number of
 * samples is the cost of one.  Both ways count the user's cycles, and record
 * instruction pointer, thread, time and period of each sample: perfmon by the
 * format "default", perf, on a kernel without our modules, into its ring.
 *
 * Prints a line for each period: period, samples, cost.
 */
#include "../sampling.h"

#include <linux/perf_event.h>
#include <sys/syscall.h>

#define ROUNDS	    20000000ULL /* of the loop, two instructions each */
#define CYCLES_LOOP (2 * ROUNDS)
#define RUNS	    5
#define RING_PAGES  256

static const uint64_t periods[] = { 100000, 20000 };

static void fail(const char *what)
{
	fprintf(stderr, "sample_bench: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void loop(void)
{
	uint64_t n = ROUNDS;

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

/* Nanoseconds of one run; period 0 counts without sampling. */
static uint64_t run_perfmon(uint64_t period, uint64_t *samples)
{
	const struct pfm_pmd_attr attr = {
		.num = CYCLES,
		.long_reset = -period,
		.short_reset = -period,
	};
	const struct pfm_default_hdr *hdr;
	uint64_t ns;
	int fd;

	fd = default_open(0, buffer_bytes(CYCLES_LOOP / 10000, 0));
	hdr = fd < 0 ? NULL : buffer_map(fd);
	if (!hdr || pmc_write(fd, CYCLES, TYPE_P) ||
	    pmd_write(fd, CYCLES, -period) ||
	    (period && attr_write(fd, &attr)) || context_load(fd, 0))
		fail("perfmon");
	ns = time_ns(CLOCK_MONOTONIC);
	if (context_start(fd, 0))
		fail("START");
	loop();
	if (context_stop(fd))
		fail("STOP");
	ns = time_ns(CLOCK_MONOTONIC) - ns;
	*samples = hdr->hdr_count;
	if (hdr->hdr_lost || hdr->hdr_overflows)
		fail("the buffer was too small");
	munmap((void *)hdr, buffer_bytes(CYCLES_LOOP / 10000, 0));
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
			fail("perf lost samples");
	}
	return samples;
}

static uint64_t run_perf(uint64_t period, uint64_t *samples)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.sample_period = period,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	const size_t size = (RING_PAGES + 1) * 4096;
	void *ring = NULL;
	uint64_t ns;
	int fd;

	fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1,
		     PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		fail("perf_event_open");
	if (period) {
		ring = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			    0);
		if (ring == MAP_FAILED)
			fail("perf's ring");
	}
	ns = time_ns(CLOCK_MONOTONIC);
	if (ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
		fail("ENABLE");
	loop();
	if (ioctl(fd, PERF_EVENT_IOC_DISABLE, 0))
		fail("DISABLE");
	ns = time_ns(CLOCK_MONOTONIC) - ns;
	*samples = ring ? count_records(ring) : 0;
	if (ring)
		munmap(ring, size);
	close(fd);
	return ns;
}

static int by_value(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* The median: a timer tick or a kernel thread more or less is no sample's. */
static uint64_t median(uint64_t (*run)(uint64_t period, uint64_t *samples),
		       uint64_t period, uint64_t *samples)
{
	uint64_t ns[RUNS];
	int i;

	for (i = 0; i < RUNS; i++)
		ns[i] = run(period, samples);
	qsort(ns, RUNS, sizeof(ns[0]), by_value);
	return ns[RUNS / 2];
}

int main(int argc, char *argv[])
{
	uint64_t (*run)(uint64_t period, uint64_t * samples);
	uint64_t without, with, samples;
	size_t i;

	if (argc == 2 && !strcmp(argv[1], "perfmon"))
		run = run_perfmon;
	else if (argc == 2 && !strcmp(argv[1], "perf"))
		run = run_perf;
	else
		return fprintf(stderr, "usage: sample_bench perfmon|perf\n"), 1;
	without = median(run, 0, &samples);
	for (i = 0; i < ARRAY_LEN(periods); i++) {
		with = median(run, periods[i], &samples);
		if (samples < CYCLES_LOOP / periods[i] ||
		    samples > CYCLES_LOOP / periods[i] + 1)
			fail("not as many samples as there should be");
		printf("%llu %llu %llu\n", (unsigned long long)periods[i],
		       (unsigned long long)samples,
		       (unsigned long long)((with - without) / samples));
	}
	return 0;
}
