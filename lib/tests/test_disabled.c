// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * The PMUs of libpfm4 that are initialized: not perf's, for which it reads each tracepoint of the
 * kernel.  The environment stays as it was.
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <perfmon/perfmon.h>
#include <perfmon/pfmlib.h>

#include "forced.h"
#include "machine.h"

#define DISABLED "LIBPFM_DISABLED_PMUS"

/* A table that libpfm4 has for this architecture. */
#if defined(__x86_64__) || defined(__i386__)
#define FORCED "skl"
#else
#define FORCED "arm_ac57"
#endif

static bool has_table(const char *name)
{
	pfm_pmu_info_t info;
	int i;

	for (i = 0; i < PFM_PMU_MAX; i++) {
		memset(&info, 0, sizeof(info));
		info.size = sizeof(info);
		if (pfm_get_pmu_info(i, &info) == PFM_SUCCESS &&
		    info.is_present && !strcmp(info.name, name))
			return true;
	}
	return false;
}

/* True if the environment has what it had. */
static bool unchanged(const char *before)
{
	const char *after = getenv(DISABLED);

	return before ? after && !strcmp(before, after) : !after;
}

static void *idle(void *arg)
{
	return arg;
}

/* The library is initialized once, so each case has a process; the result is its exit status. */
static int try_case(const char *before, bool threads, bool forced)
{
	struct pfm_reg_map *map = armv8_machine(4);
	pthread_t thread;
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid) {
		pfm_reg_map_free(map);
		waitpid(pid, &status, 0);
		return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	}
	if (before)
		setenv(DISABLED, before, 1);
	else
		unsetenv(DISABLED);
	unsetenv("LIBPFM_FORCE_PMU");
	if (forced)
		setenv("LIBPFM_FORCE_PMU", FORCED, 1);
	if (threads && pthread_create(&thread, NULL, idle, NULL))
		_exit(99);
	pfm_event_table(map);
	_exit((has_table("perf") ? 1 : 0) | (has_table("perf_raw") ? 2 : 0) |
	      (unchanged(before) ? 0 : 4) | (has_table(FORCED) ? 8 : 0));
}

int main(void)
{
	ok(try_case(NULL, false, false) == 0, "perf's PMUs are left out");
	ok(try_case("nothing", false, false) == 0,
	   "and what the environment leaves out stays");
	ok(try_case(NULL, false, true) == 8, "a PMU that is forced is there");
	ok(try_case(FORCED, false, true) == 0,
	   "one that the environment leaves out is not");
	ok(try_case(NULL, true, false) == 3,
	   "with threads the environment is not touched");
	return tap_end();
}
