/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The base of the benchmarks: groups of counters with two back ends, and timed
 * rounds.
 *
 * On a guest with one CPU that executes one instruction a nanosecond, times are
 * numbers of instructions.  This does not hold while the CPU is idle, when the time
 * depends on the host, so the measured code must keep the CPU busy.
 *
 * Each program takes the back end as its argument, "perfmon" or "perf", and
 * prints a line "NAME VALUE" for each figure, or "NAME skip REASON".
 */
#ifndef _BENCH_H
#define _BENCH_H

#include "child.h"
#include "records.h"
#include "sampling.h"

#include <linux/perf_event.h>

#define COUNTERS_MAX 6

/* The numbers of counters to measure with; 0 ends the array. */
extern const unsigned int bench_sizes[];

/* True: measure perf; false: measure perfmon. */
extern bool bench_perf;

/**
 * struct group - counters that belong together
 * @n: number of counters
 * @fd: perf: a descriptor for each counter; perfmon: the first element is the context
 * @regs: perfmon: vector for READ_PMDS, which is made once and used for every read, as
 *	programs do that read often
 */
struct group {
	unsigned int n;
	int fd[COUNTERS_MAX];
	struct pfm_reg regs[COUNTERS_MAX];
};

#define GROUP_FOLLOW (1U << 0) /* also count the tasks that the thread creates */
#define GROUP_OTHER  (1U << 1) /* count another event than without this flag */
#define GROUP_SUMS   (1U << 2) /* perfmon, with GROUP_FOLLOW: sums only */

void bench_begin(int argc, char *argv[]);
void bench_fail(const char *what) __attribute__((noreturn));
void bench_print(double value, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void bench_skip(const char *name, const char *why);

/* Called before each run, outside of the measured time; may be NULL. */
extern void (*bench_between)(void);

/* Run n rounds several times.  Returns the median of the time that one round takes. */
double bench_rounds(void (*rounds)(void *arg, unsigned int n), void *arg,
		    unsigned int n);
/* Sleep a moment, so that the kernel finishes its deferred work. */
void bench_settle(void);
/*
 * Wait until the tracepoint probes of perfmon and the scheduler hooks of perf that an
 * earlier program needed are disabled.
 */
void bench_quiet(void);
/* Give the next processes the ids that follow @pid. */
void bench_next_pid(unsigned int pid);
uint64_t bench_median(uint64_t *values, unsigned int n);

/* Prepare a group of n counters, without opening descriptors. */
void group_set(struct group *group, unsigned int n);
void group_open(struct group *group, pid_t tid, unsigned int n,
		unsigned int flags);
void group_close(const struct group *group);
void group_start(const struct group *group);
void group_stop(const struct group *group);
void group_read(struct group *group);

/* Create a context; group_program() writes its counters. */
int group_create(uint32_t flags);
void group_program(int fd, unsigned int n, unsigned int flags);

int perf_open(struct perf_event_attr *attr, pid_t tid, int leader);

/*
 * Monitor a thread that sleeps, so that the tracepoint probes stay enabled until
 * bench_release().
 */
pid_t bench_hold(struct group *group);
void bench_release(struct group *group, pid_t pid);

/**
 * struct pair - two processes that wake each other
 * @child: the other process
 * @to: pipe that the child reads
 * @from: pipe that the caller reads
 */
struct pair {
	pid_t child;
	int to;
	int from;
};

void pair_open(struct pair *pair);
void pair_close(struct pair *pair);
/* @arg is a struct pair.  Each round is two thread switches. */
void pair_rounds(void *arg, unsigned int n);

#endif /* _BENCH_H */
