/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the benchmarks share: groups of counters with two back ends, and timed
 * rounds.
 *
 * On a guest with one CPU that executes one instruction a nanosecond, times are
 * numbers of instructions.  What is measured must not leave the CPU idle: then
 * the time is the host's.
 *
 * Each program takes the back end as its argument, "perfmon" or "perf", and
 * prints a line "NAME VALUE" for each figure, or "NAME skip REASON".
 */
#ifndef _BENCH_H
#define _BENCH_H

#include "../child.h"
#include "../records.h"
#include "../sampling.h"

#include <linux/perf_event.h>

#define COUNTERS_MAX 6

/* The numbers of counters that are tried, up to 0. */
extern const unsigned int bench_sizes[];

/* Whether perf's calls are measured, not ours. */
extern bool bench_perf;

/**
 * struct group - counters that belong together
 * @n: their number
 * @fd: perf: one a counter; perfmon: the first is the context
 * @regs: perfmon: what to read, made once as by any program that reads often
 */
struct group {
	unsigned int n;
	int fd[COUNTERS_MAX];
	struct pfm_reg regs[COUNTERS_MAX];
};

#define GROUP_FOLLOW (1U << 0) /* with what the thread starts */
#define GROUP_OTHER  (1U << 1) /* other events than without */
#define GROUP_SUMS   (1U << 2) /* perfmon, with FOLLOW: sums only */

void bench_begin(int argc, char *argv[]);
void bench_fail(const char *what) __attribute__((noreturn));
void bench_print(double value, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void bench_skip(const char *name, const char *why);

/* Done before each run, without being measured; or NULL. */
extern void (*bench_between)(void);

/* The median time of a round, of several runs of n rounds. */
double bench_rounds(void (*rounds)(void *arg, unsigned int n), void *arg,
		    unsigned int n);
/* Let the kernel do what it put off. */
void bench_settle(void);
/* Until neither perfmon's hooks nor perf's are left from an earlier program. */
void bench_quiet(void);
/* The next processes get the ids from here on. */
void bench_next_pid(unsigned int pid);
uint64_t bench_median(uint64_t *values, unsigned int n);

/* Of n counters; without descriptors as yet. */
void group_set(struct group *group, unsigned int n);
void group_open(struct group *group, pid_t tid, unsigned int n,
		unsigned int flags);
void group_close(const struct group *group);
void group_start(const struct group *group);
void group_stop(const struct group *group);
void group_read(struct group *group);

/* Create a context with counters, and no more. */
int group_create(uint32_t flags);
void group_program(int fd, unsigned int n, unsigned int flags);

int perf_open(struct perf_event_attr *attr, pid_t tid, int leader);

/* A thread that sleeps, counted for: the hooks are in place. */
pid_t bench_hold(struct group *group);
void bench_release(struct group *group, pid_t pid);

/**
 * struct pair - two processes that wake each other
 * @child: the other one
 * @to: where it waits
 * @from: where we wait
 */
struct pair {
	pid_t child;
	int to;
	int from;
};

void pair_open(struct pair *pair);
void pair_close(struct pair *pair);
/* Argument is a struct pair: two switches a round. */
void pair_rounds(void *arg, unsigned int n);

#endif /* _BENCH_H */
