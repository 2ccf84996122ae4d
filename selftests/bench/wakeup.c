// SPDX-License-Identifier: GPL-2.0-only
/*
 * wakeup: the time from an overflow until the consumer that waits for it runs.  A child
 * uses the CPU and is sampled; the consumer waits in poll(2), then compares the clock
 * with the time of the sample.  For perfmon also with a consumer that waits in read(2)
 * for the message.
 */
#include "bench.h"

#define PERIOD	1000000ULL
#define WAKEUPS 101

static pid_t child_busy(void)
{
	const pid_t parent = getpid();
	const pid_t pid = fork();

	if (pid < 0)
		bench_fail("fork");
	if (!pid) {
		die_with_parent(parent);
		for (;;)
			;
	}
	return pid;
}

static void wait_in(int fd)
{
	struct pollfd pollfd = { .fd = fd, .events = POLLIN };

	if (poll(&pollfd, 1, -1) != 1)
		bench_fail("poll");
}

/* One entry fills the buffer. */
static double wakeup_perfmon(pid_t pid, bool by_read)
{
	const struct pfm_pmd_attr attr = {
		.num = CYCLES,
		.flags = PFM_PMDF_NOTIFY,
		.long_reset = -PERIOD,
		.short_reset = -PERIOD,
	};
	const struct pfm_default_hdr *hdr;
	uint64_t ns[WAKEUPS];
	union pfm_msg msg;
	int fd, i;

	fd = default_open(0, buffer_bytes(1, 0));
	hdr = fd < 0 ? NULL : buffer_map(fd);
	if (!hdr || pmc_write(fd, CYCLES, CYCLES_AT(USER)) ||
	    pmd_write(fd, CYCLES, -PERIOD) || attr_write(fd, &attr) ||
	    context_load(fd, pid) || context_start(fd, 0))
		bench_fail("perfmon");
	for (i = 0; i < WAKEUPS; i++) {
		if (!by_read)
			wait_in(fd);
		else if (message_read(fd, &msg) != sizeof(msg))
			bench_fail("read");
		ns[i] = time_ns(CLOCK_MONOTONIC) - entry_at(hdr, 0, 0)->tstamp;
		if (!by_read && message_read(fd, &msg) != sizeof(msg))
			bench_fail("read");
		if (context_restart(fd, PFM_LANE_ALL))
			bench_fail("RESTART");
	}
	munmap((void *)hdr, buffer_bytes(1, 0));
	close(fd);
	return bench_median(ns, WAKEUPS);
}

/**
 * struct record - what perf writes for a sample
 * @header: type and size
 * @time: ns of CLOCK_MONOTONIC
 */
struct record {
	struct perf_event_header header;
	uint64_t time;
};

static double wakeup_perf(pid_t pid)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.sample_period = PERIOD,
		.sample_type = PERF_SAMPLE_TIME,
		.exclude_kernel = 1,
		.wakeup_events = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};
	struct perf_event_mmap_page *page;
	const struct record *record;
	uint64_t ns[WAKEUPS];
	int fd, i;

	fd = perf_open(&attr, pid, -1);
	page = mmap(NULL, 2 * 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED)
		bench_fail("perf's ring");
	for (i = 0; i < WAKEUPS; i++) {
		wait_in(fd);
		ns[i] = time_ns(CLOCK_MONOTONIC);
		record = (const void *)((const char *)page + page->data_offset +
					page->data_tail % page->data_size);
		if (record->header.type != PERF_RECORD_SAMPLE)
			bench_fail("perf's sample");
		ns[i] -= record->time;
		page->data_tail = page->data_head;
	}
	munmap(page, 2 * 4096);
	close(fd);
	return bench_median(ns, WAKEUPS);
}

int main(int argc, char *argv[])
{
	pid_t pid;

	bench_begin(argc, argv);
	/* A woken SCHED_BATCH task would not preempt; here the consumer has to run at once. */
	if (sched_setscheduler(0, SCHED_OTHER, &(struct sched_param){ 0 }))
		bench_fail("SCHED_OTHER");
	pid = child_busy();
	if (bench_perf) {
		bench_print(wakeup_perf(pid), "wakeup/poll");
	} else {
		bench_print(wakeup_perfmon(pid, false), "wakeup/poll");
		bench_print(wakeup_perfmon(pid, true), "wakeup/read");
	}
	child_kill(pid);
	return 0;
}
