// SPDX-License-Identifier: GPL-2.0-only
/*
 * command SIDE NAME COMMAND...: what following a command adds to it, with four
 * counters, in millionths of its time; and its time without, in thousands of
 * instructions.  It runs once without being measured, so that its files are in
 * memory.
 */
#include "bench.h"

#define COUNTERS 4
#define RUNS	 1

static uint64_t run(const char *const argv[], bool follow)
{
	const pid_t parent = getpid();
	struct group group;
	uint64_t ns;
	pid_t pid;

	ns = time_ns(CLOCK_MONOTONIC);
	if (follow) {
		group_open(&group, 0, COUNTERS, GROUP_FOLLOW);
		group_start(&group);
	}
	pid = fork();
	if (pid < 0)
		bench_fail("fork");
	if (!pid) {
		die_with_parent(parent);
		execvp(argv[0], (char *const *)argv);
		_exit(126);
	}
	if (child_reap(pid))
		bench_fail("the command failed");
	if (follow)
		group_close(&group);
	return time_ns(CLOCK_MONOTONIC) - ns;
}

int main(int argc, char *argv[])
{
	const char *const *command = (const char *const *)argv + 3;
	uint64_t with[RUNS], without[RUNS];
	double none, all;
	int i;

	bench_begin(argc, argv);
	if (argc < 4)
		bench_fail("usage: command SIDE NAME COMMAND...");
	bench_quiet();
	run(command, false);
	for (i = 0; i < RUNS; i++) {
		without[i] = run(command, false);
		with[i] = run(command, true);
		fprintf(stderr, "%llu %llu\n", (unsigned long long)without[i],
			(unsigned long long)with[i]);
	}
	none = bench_median(without, RUNS);
	all = bench_median(with, RUNS);
	bench_print(none / 1000, "%s/none-k", argv[2]);
	bench_print((all - none) / none * 1000000, "%s/followed-ppm", argv[2]);
	return 0;
}
