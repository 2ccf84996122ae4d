// SPDX-License-Identifier: GPL-2.0-only
/*
 * userread: reading 1, 2, 4 or 6 running counters of the caller in user mode,
 * without a system call.
 *
 * For perf, the program runs the loop in the comment on struct perf_event_mmap_page
 * once for each counter.  It does only what counters need that are never multiplexed:
 * unlike libperf's perf_evsel__read() it reads neither the times enabled and running
 * nor the clock.
 */
#include "bench.h"

#include <sys/mman.h>

#include <perfmon/perfmon.h>

#define ROUNDS 2000
#ifdef __aarch64__
#define USER_ACCESS   "/proc/sys/kernel/perf_user_access"
#define CONFIG1_RDPMC 2 /* config1, bit 1 */
#else
#define USER_ACCESS   "/sys/bus/event_source/devices/cpu/rdpmc"
#define CONFIG1_RDPMC 0 /* every event that is mapped can be read */
#endif

static void empty(void *arg, unsigned int n)
{
	while (n--)
		asm volatile("");
}

/* Four reads in each iteration, so that the cost of the loop itself is small. */
static void page_reads(void *arg, unsigned int n)
{
	uint64_t vals[COUNTERS_MAX];
	unsigned int i;

	for (i = 0; i < n; i += 4) {
		pfm_user_page_read(arg, vals);
		pfm_user_page_read(arg, vals);
		pfm_user_page_read(arg, vals);
		pfm_user_page_read(arg, vals);
	}
}

static void print_perfmon(unsigned int n, double loop)
{
	struct pfm_reg regs[COUNTERS_MAX] = {};
	struct pfm_user_page_map *page;
	struct group group;
	char name[32];
	unsigned int i;

	snprintf(name, sizeof(name), "read-user/%u", n);
	for (i = 0; i < n; i++)
		regs[i].num = i;
	group_open(&group, 0, n, 0);
	group_start(&group);
	if (pfm_user_page_open(group.fd[0], regs, n, &page))
		bench_fail("pfm_user_page_open");
	if (pfm_user_page_state(page))
		bench_skip(name,
			   pfm_user_page_reason(pfm_user_page_state(page)));
	else
		bench_print(bench_rounds(page_reads, page, ROUNDS) - loop, "%s",
			    name);
	pfm_user_page_close(page);
	group_close(&group);
}

/**
 * struct events - counters with their pages
 * @n: number of counters
 * @fd: descriptor of each counter
 * @page: mapped page of each counter
 */
struct events {
	unsigned int n;
	int fd[COUNTERS_MAX];
	const struct perf_event_mmap_page *page[COUNTERS_MAX];
};

#ifdef __aarch64__

/* A counter's number is part of the instruction that reads it. */
#define EVCNTR(n)                                                         \
	do {                                                              \
		asm volatile("mrs %0, pmevcntr" #n "_el0" : "=r"(value)); \
	} while (0)

static inline uint64_t counter(unsigned int index)
{
	uint64_t value = 0;

	switch (index) {
	case 0:
		EVCNTR(0);
		break;
	case 1:
		EVCNTR(1);
		break;
	case 2:
		EVCNTR(2);
		break;
	case 3:
		EVCNTR(3);
		break;
	case 4:
		EVCNTR(4);
		break;
	case 5:
		EVCNTR(5);
		break;
	case 31:
		asm volatile("mrs %0, pmccntr_el0" : "=r"(value));
		break;
	}
	return value;
}

#else

/* perf sets bit 30 of the index of a fixed counter, as RDPMC wants it. */
static inline uint64_t counter(unsigned int index)
{
	uint32_t low, high;

	asm volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(index));
	return (uint64_t)high << 32 | low;
}

#endif

static inline uint32_t lock_of(const struct perf_event_mmap_page *page)
{
	return *(const volatile __u32 *)&page->lock;
}

/* Never uses read(2): if user mode cannot read the counters, events_check() fails. */
static inline uint64_t event_read(const struct perf_event_mmap_page *page)
{
	unsigned int width;
	uint32_t seq, index;
	uint64_t count;

	do {
		seq = lock_of(page);
		asm volatile("" : : : "memory");
		index = page->index;
		count = page->offset;
		if (page->cap_user_rdpmc && index) {
			width = 64 - page->pmc_width;
			count += (int64_t)(counter(index - 1) << width) >>
				 width;
		}
		asm volatile("" : : : "memory");
	} while (lock_of(page) != seq);
	return count;
}

static inline void events_read(const struct events *events, uint64_t *vals)
{
	unsigned int i;

	for (i = 0; i < events->n; i++)
		vals[i] = event_read(events->page[i]);
	asm volatile("" : : "r"(vals) : "memory");
}

static void event_reads(void *arg, unsigned int n)
{
	uint64_t vals[COUNTERS_MAX];

	while (n--)
		events_read(arg, vals);
}

static void events_open(struct events *events)
{
	unsigned int i;
	void *page;

	for (i = 0; i < events->n; i++) {
		struct perf_event_attr attr = {
			.type = PERF_TYPE_RAW,
			.config = EVENT_INST_RETIRED,
			.config1 = CONFIG1_RDPMC,
		};

		events->fd[i] = perf_open(&attr, 0, i ? events->fd[0] : -1);
		page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, events->fd[i],
			    0);
		if (page == MAP_FAILED)
			bench_fail("perf's page");
		events->page[i] = page;
	}
	for (i = 0; i < events->n; i++) {
		errno = ENODATA;
		if (!events->page[i]->cap_user_rdpmc || !events->page[i]->index)
			bench_fail("perf does not let user mode read");
	}
}

static void events_close(const struct events *events)
{
	unsigned int i;

	for (i = events->n; i--;) {
		munmap((void *)events->page[i], 4096);
		close(events->fd[i]);
	}
}

/* Check that the counters run: each value must lie between two values of read(2). */
static void events_check(const struct events *events)
{
	uint64_t before[COUNTERS_MAX], vals[COUNTERS_MAX], after;
	unsigned int i;

	for (i = 0; i < events->n; i++) {
		if (read(events->fd[i], &before[i], sizeof(before[i])) < 0)
			bench_fail("read");
	}
	events_read(events, vals);
	for (i = 0; i < events->n; i++) {
		if (read(events->fd[i], &after, sizeof(after)) < 0)
			bench_fail("read");
		errno = ERANGE;
		if (vals[i] <= before[i] || vals[i] >= after)
			bench_fail("perf's value in user mode");
	}
}

static void print_perf(unsigned int n, double loop)
{
	struct events events = { .n = n };

	events_open(&events);
	events_check(&events);
	bench_print(bench_rounds(event_reads, &events, ROUNDS) - loop,
		    "read-user/%u", n);
	events_close(&events);
}

static void write_access(const char *value)
{
	const int fd = open(USER_ACCESS, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, value, 1) != 1)
		bench_fail(USER_ACCESS);
	close(fd);
}

/*
 * On x86 the kernel gives access to those who map an event of perf.  It gives it to users
 * of perfmon only where it gives it to all.
 */
static void allow_user_access(void)
{
#ifdef __aarch64__
	if (bench_perf)
		write_access("1");
#else
	write_access(bench_perf ? "1" : "2");
#endif
}

/* Other programs measure without it. */
static void reset_user_access(void)
{
#ifndef __aarch64__
	write_access("1");
#endif
}

int main(int argc, char *argv[])
{
	const unsigned int *size;
	double loop;

	bench_begin(argc, argv);
	loop = bench_rounds(empty, NULL, ROUNDS);
	allow_user_access();
	for (size = bench_sizes; *size; size++)
		(bench_perf ? print_perf : print_perfmon)(*size, loop);
	reset_user_access();
	return 0;
}
