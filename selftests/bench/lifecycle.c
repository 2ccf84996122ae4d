// SPDX-License-Identifier: GPL-2.0-only
/*
 * lifecycle: create, program, load, unload and close a context with counters;
 * perf: open and close as many events.  Another thread is monitored meanwhile, so
 * that neither perfmon nor perf has to patch the scheduler each time.
 *
 * For perfmon also the cost of each step.
 */
#include "bench.h"

#define ROUNDS	   200
#define PARTS	   5
#define PARTS_SIZE 4

static const char *const part_names[PARTS] = {
	"create", "program", "load", "unload", "close",
};

static void cycles(void *arg, unsigned int n)
{
	const unsigned int size = *(unsigned int *)arg;
	struct group group;

	while (n--) {
		group_open(&group, 0, size, 0);
		if (!bench_perf)
			context_unload(group.fd[0]);
		group_close(&group);
	}
}

static void print_parts(void)
{
	static uint64_t ns[PARTS][ROUNDS];
	uint64_t t[PARTS + 1];
	unsigned int i, part;
	int fd;

	for (i = 0; i < ROUNDS; i++) {
		t[0] = time_ns(CLOCK_MONOTONIC);
		fd = group_create(0);
		t[1] = time_ns(CLOCK_MONOTONIC);
		group_program(fd, PARTS_SIZE, 0);
		t[2] = time_ns(CLOCK_MONOTONIC);
		context_load(fd, 0);
		t[3] = time_ns(CLOCK_MONOTONIC);
		context_unload(fd);
		t[4] = time_ns(CLOCK_MONOTONIC);
		close(fd);
		t[5] = time_ns(CLOCK_MONOTONIC);
		for (part = 0; part < PARTS; part++)
			ns[part][i] = t[part + 1] - t[part];
	}
	for (part = 0; part < PARTS; part++)
		bench_print(bench_median(ns[part], ROUNDS), "lifecycle/%u/%s",
			    PARTS_SIZE, part_names[part]);
}

int main(int argc, char *argv[])
{
	const unsigned int *size;
	struct group held;
	pid_t holder;

	bench_begin(argc, argv);
	holder = bench_hold(&held);
	for (size = bench_sizes; *size; size++)
		bench_print(bench_rounds(cycles, (void *)size, ROUNDS),
			    "lifecycle/%u", *size);
	if (!bench_perf)
		print_parts();
	bench_release(&held, holder);
	return 0;
}
