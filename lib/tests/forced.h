/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Tests on a table of libpfm4, which is chosen once in a process: each table has a process of
 * its own, which prints its results with the numbers that come next.
 */
#ifndef TESTS_FORCED_H
#define TESTS_FORCED_H

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <perfmon/perfmon.h>

#include "tap.h"

/* True if the libpfm4 of this machine has tables for x86. */
static inline bool has_x86_tables(void)
{
#if defined(__x86_64__) || defined(__i386__)
	return true;
#else
	return false;
#endif
}

/* Runs the tests in a process of their own; takes over their results. */
static inline void in_process(const char *name, void (*tests)(const void *arg),
			      const void *arg)
{
	int results[2];
	int ends[2];
	pid_t pid;

	fflush(stdout);
	if (pipe(ends))
		abort();
	pid = fork();
	if (pid < 0)
		abort();
	if (!pid) {
		tests(arg);
		results[0] = tap_count;
		results[1] = tap_failures;
		fflush(stdout);
		_exit(write(ends[1], results, sizeof(results)) !=
		      sizeof(results));
	}
	close(ends[1]);
	/* A process that dies sends nothing. */
	if (read(ends[0], results, sizeof(results)) == sizeof(results)) {
		tap_count = results[0];
		tap_failures = results[1];
	} else {
		ok(false, "%s: the tests ran to their end", name);
	}
	close(ends[0]);
	waitpid(pid, NULL, 0);
}

/* A table of libpfm4, and tests on it */
struct forced {
	const char *table;
	void (*tests)(const char *table);
};

static inline void run_forced(const void *arg)
{
	const struct forced *forced = arg;

	setenv("LIBPFM_FORCE_PMU", forced->table, 1);
	forced->tests(forced->table);
}

/* Runs the tests with libpfm4 told to use @table. */
static inline void with_table(const char *table,
			      void (*tests)(const char *table))
{
	const struct forced forced = { .table = table, .tests = tests };

	in_process(table, run_forced, &forced);
}

#endif
