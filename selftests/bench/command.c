// SPDX-License-Identifier: GPL-2.0-only
/*
 * command SIDE NAME COMMAND...: the overhead of following a command with four
 * counters, in millionths of the time that the command takes unmonitored, and that
 * time in thousands of instructions.  The command runs once before the measurement, so
 * that its files are in the page cache.
 *
 * NAME/followed-ppm	by one context whose records are read, or by perf's
 *			inherited counters: the shortest of five monitored runs less
 *			the shortest of five unmonitored ones.  Monitored and
 *			unmonitored runs alternate.  The shortest counts, because
 *			other activity can only lengthen a run
 * NAME/spread-ppm	difference of the two shortest runs, monitored or unmonitored,
 *			whichever is larger
 * NAME/ptrace-ppm	for comparison, one run: followed by ptrace(2), as before
 *			contexts could follow.  Each thread has counters of its own,
 *			which are read when it ends
 *
 * The measured time includes reading the counts.  The program checks that the counts
 * cover nearly everything that was executed, and that each thread left a record.
 *
 * The cost of a process varies with its id by more than the overhead to be measured
 * (see fork.c), so the processes of each run have the same ids.  Only the time in which
 * the CPU was not idle is measured, because the time of a wait for a file depends on
 * the host.
 */
#include "bench.h"

#include <sys/ptrace.h>

#define COUNTERS 4
#define ROUNDS	 5
#define FIRST	 10000
#define TIDS_MAX 32768

/* Counters of each traced thread, by thread id; n is 0 for all other ids. */
static struct group groups[TIDS_MAX];
static unsigned int traced;

/**
 * struct results - counts of a followed command
 * @sums: sums over all threads
 * @recorded: sums over the records of the threads that ended
 * @ended: number of these threads
 */
struct results {
	uint64_t sums[COUNTERS];
	uint64_t recorded[COUNTERS];
	unsigned int ended;
};

enum way {
	ALONE,
	FOLLOWED,
	TRACED,
};

/* The kernel adds the run time of a thread when the thread stops running. */
static uint64_t busy_ns(void)
{
	unsigned long long ns;
	bool found = false;
	char line[256];
	FILE *f;

	usleep(1000);
	f = fopen("/proc/schedstat", "r");
	while (f && !found && fgets(line, sizeof(line), f))
		found = sscanf(line, "cpu0 %*u %*u %*u %*u %*u %*u %llu",
			       &ns) == 1;
	if (!found)
		bench_fail("/proc/schedstat");
	fclose(f);
	return ns;
}

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
	traced++;
}

static void counters_end(pid_t tid)
{
	group_read(&groups[tid]);
	group_close(&groups[tid]);
	groups[tid].n = 0;
}

/* Each thread stops before its first instruction and before it exits. */
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

/* Trace until all threads have ended.  Returns the status of the first process. */
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

static void record_add(struct results *results, const struct pfm_record *rec)
{
	unsigned int i;

	errno = ENODATA;
	if (rec->reason == PFM_RECORD_MERGED || rec->nregs != COUNTERS)
		bench_fail("a record of one thread");
	if (rec->reason == PFM_RECORD_EXIT)
		results->ended++;
	for (i = 0; i < COUNTERS; i++)
		results->recorded[i] += rec->regs[i].value;
}

static void perfmon_results(const struct group *group, struct results *results)
{
	struct pfm_reg regs[COUNTERS] = {};
	struct records recs = {};
	struct pfm_record *rec;
	unsigned int i;

	if (records_collect(group->fd[0], &recs, 1 << 18))
		bench_fail("READ_RECORDS");
	for_each_record(rec, &recs)
		record_add(results, rec);
	free(recs.buf);
	for (i = 0; i < COUNTERS; i++)
		regs[i].num = i;
	if (vector(group->fd[0], PFM_IOC_READ_PMDS, regs, COUNTERS, NULL))
		bench_fail("READ_PMDS");
	for (i = 0; i < COUNTERS; i++)
		results->sums[i] = regs[i].value;
}

/* perf cannot read a group of inherited events in one system call. */
static void perf_results(const struct group *group, struct results *results)
{
	unsigned int i;

	for (i = 0; i < COUNTERS; i++) {
		if (read(group->fd[i], &results->sums[i], sizeof(uint64_t)) !=
		    sizeof(uint64_t))
			bench_fail("read");
	}
}

/* One instruction takes one nanosecond, and the command executes nearly all of them. */
static void results_check(const struct results *results, uint64_t ns)
{
	unsigned int i;

	for (i = 0; i < COUNTERS; i++) {
		errno = ERANGE;
		if (results->sums[i] > ns || results->sums[i] < ns / 10 * 9)
			bench_fail("the sum of the threads followed");
		if (!bench_perf && (results->recorded[i] > results->sums[i] ||
				    results->recorded[i] < ns / 10 * 9))
			bench_fail("the sum of the records");
	}
}

static uint64_t run(const char *const argv[], enum way way,
		    struct results *results)
{
	struct group group;
	int go[2], status;
	uint64_t ns;
	pid_t pid;

	if (pipe2(go, O_CLOEXEC))
		bench_fail("pipe");
	/* Wait until the tracepoint probes of the previous run are disabled. */
	bench_quiet();
	bench_next_pid(FIRST);
	ns = busy_ns();
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
	if (way == FOLLOWED) {
		(bench_perf ? perf_results : perfmon_results)(&group, results);
		group_close(&group);
	}
	ns = busy_ns() - ns;
	close(go[0]);
	close(go[1]);
	errno = 0;
	if (status)
		bench_fail("the command failed");
	return ns;
}

static int by_value(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Difference of two runs, in millionths of an unmonitored run. */
static double ppm(uint64_t ns, uint64_t less, uint64_t none)
{
	return ((double)ns - (double)less) / (double)none * 1000000;
}

/* Only the traced run tells how many threads the command has. */
static void threads_check(const struct results *results)
{
	unsigned int i;

	errno = ERANGE;
	for (i = 0; i < ROUNDS; i++) {
		if (!bench_perf && results[i].ended != traced)
			bench_fail("the number of records");
	}
}

int main(int argc, char *argv[])
{
	const char *const *command = (const char *const *)argv + 3;
	struct results results[ROUNDS] = {};
	uint64_t none[ROUNDS], followed[ROUNDS], ns;
	double spreads[2];
	unsigned int i;

	bench_begin(argc, argv);
	if (argc < 4)
		bench_fail("usage: command SIDE NAME COMMAND...");
	run(command, ALONE, NULL);
	for (i = 0; i < ROUNDS; i++) {
		none[i] = run(command, ALONE, NULL);
		followed[i] = run(command, FOLLOWED, &results[i]);
		results_check(&results[i], followed[i]);
	}
	ns = run(command, TRACED, NULL);
	threads_check(results);
	qsort(none, ROUNDS, sizeof(none[0]), by_value);
	qsort(followed, ROUNDS, sizeof(followed[0]), by_value);
	spreads[0] = ppm(none[1], none[0], none[0]);
	spreads[1] = ppm(followed[1], followed[0], none[0]);
	bench_print(ppm(ns, none[0], none[0]), "%s/ptrace-ppm", argv[2]);
	bench_print(none[0] / 1000, "%s/none-k", argv[2]);
	bench_print(ppm(followed[0], none[0], none[0]), "%s/followed-ppm",
		    argv[2]);
	bench_print(spreads[0] > spreads[1] ? spreads[0] : spreads[1],
		    "%s/spread-ppm", argv[2]);
	return 0;
}
