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

/* Whether the libpfm4 of this machine has tables for x86. */
static inline bool has_x86_tables(void)
{
#if defined(__x86_64__) || defined(__i386__)
	return true;
#else
	return false;
#endif
}

/* Runs the tests with libpfm4 told to use @table; takes over their results. */
static inline void with_table(const char *table, void (*tests)(const char *table))
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
		setenv("LIBPFM_FORCE_PMU", table, 1);
		tests(table);
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
		ok(false, "%s: the tests ran to their end", table);
	}
	close(ends[0]);
	waitpid(pid, NULL, 0);
}

#endif
