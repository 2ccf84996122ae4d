// SPDX-License-Identifier: GPL-2.0-only
/*
 * command SIDE NAME COMMAND...: what following a command adds to it, with four
 * counters, in millionths of its time; and its time without, in thousands of
 * instructions.  It runs once without being measured, so that its files are in
 * memory.
 *
 * NAME/followed-ppm	by one context, or by perf's inherited counters
 * NAME/ptrace-ppm	for the record: by ptrace(2), as it was done before contexts
 *			could follow, with counters for each thread, which are
 *			read when it ends
 */
#include "bench.h"

#include <sys/ptrace.h>

#define COUNTERS 4
#define TIDS_MAX 32768

/* Of each thread that is traced; n is 0 of the others. */
static struct group groups[TIDS_MAX];

enum way {
	ALONE,
	FOLLOWED,
	TRACED,
};

static void trace_begin(pid_t pid)
{
	const long options = PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
			     PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXIT |
			     PTRACE_O_EXITKILL;

	if (ptrace(PTRACE_SEIZE, pid, NULL, options))
		bench_fail("PTRACE_SEIZE");
}

static void counters_begin(pid_t tid)
{
	errno = ERANGE;
	if (tid >= TIDS_MAX)
		bench_fail("thread number");
	group_open(&groups[tid], tid, COUNTERS, 0);
	group_start(&groups[tid]);
}

static void counters_end(pid_t tid)
{
	group_read(&groups[tid]);
	group_close(&groups[tid]);
	groups[tid].n = 0;
}

/* A new thread stops before its first instruction, and each before its last. */
static void handle_stop(pid_t tid, int status)
{
	const int event = status >> 16;
	int sig = event ? 0 : WSTOPSIG(status);

	if (event == PTRACE_EVENT_STOP && !groups[tid].n)
		counters_begin(tid);
	else if (event == PTRACE_EVENT_EXIT)
		counters_end(tid);
	if (ptrace(PTRACE_CONT, tid, NULL, sig) && errno != ESRCH)
		bench_fail("PTRACE_CONT");
}

/* The status of the first one, when all have ended. */
static int trace(pid_t pid)
{
	int status, first = -1;
	pid_t tid;

	for (;;) {
		tid = waitpid(-1, &status, __WALL);
		if (tid < 0)
			break;
		if (WIFSTOPPED(status))
			handle_stop(tid, status);
		else if (tid == pid)
			first = status;
	}
	return first;
}

static pid_t command_start(const char *const argv[], int go)
{
	const pid_t parent = getpid();
	const pid_t pid = fork();
	char c;

	if (pid < 0)
		bench_fail("fork");
	if (!pid) {
		die_with_parent(parent);
		if (read(go, &c, 1) == 1)
			execvp(argv[0], (char *const *)argv);
		_exit(126);
	}
	return pid;
}

static uint64_t run(const char *const argv[], enum way way)
{
	struct group group;
	int go[2], status;
	uint64_t ns;
	pid_t pid;

	if (pipe2(go, O_CLOEXEC))
		bench_fail("pipe");
	ns = time_ns(CLOCK_MONOTONIC);
	if (way == FOLLOWED) {
		group_open(&group, 0, COUNTERS, GROUP_FOLLOW);
		group_start(&group);
	}
	pid = command_start(argv, go[0]);
	if (way == TRACED) {
		trace_begin(pid);
		counters_begin(pid);
	}
	if (write(go[1], "", 1) != 1)
		bench_fail("pipe");
	status = way == TRACED ? trace(pid) : child_reap(pid);
	if (way == FOLLOWED)
		group_close(&group);
	ns = time_ns(CLOCK_MONOTONIC) - ns;
	close(go[0]);
	close(go[1]);
	errno = 0;
	if (status)
		bench_fail("the command failed");
	return ns;
}

int main(int argc, char *argv[])
{
	const char *const *command = (const char *const *)argv + 3;
	double none, followed, traced;

	bench_begin(argc, argv);
	if (argc < 4)
		bench_fail("usage: command SIDE NAME COMMAND...");
	bench_quiet();
	run(command, ALONE);
	none = run(command, ALONE);
	followed = run(command, FOLLOWED);
	traced = run(command, TRACED);
	bench_print(none / 1000, "%s/none-k", argv[2]);
	bench_print((followed - none) / none * 1000000, "%s/followed-ppm",
		    argv[2]);
	bench_print((traced - none) / none * 1000000, "%s/ptrace-ppm", argv[2]);
	return 0;
}
