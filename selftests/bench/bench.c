// SPDX-License-Identifier: GPL-2.0-only
/*
 * The base of the benchmarks.
 */
#include "bench.h"

#include <stdarg.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#define RUNS 5

const unsigned int bench_sizes[] = { 1, 2, 4, 6, 0 };
bool bench_perf;
void (*bench_between)(void);

void bench_fail(const char *what)
{
	fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what,
		strerror(errno));
	exit(1);
}

void bench_begin(int argc, char *argv[])
{
	if (argc < 2 ||
	    (strcmp(argv[1], "perf") && strcmp(argv[1], "perfmon"))) {
		fprintf(stderr, "usage: %s perfmon|perf\n",
			program_invocation_short_name);
		exit(1);
	}
	bench_perf = !strcmp(argv[1], "perf");
	if (cpus_online() != 1)
		bench_fail("needs exactly one CPU");
	/* A woken process does not preempt its waker, so events always have the same order. */
	if (sched_setscheduler(0, SCHED_BATCH, &(struct sched_param){ 0 }))
		bench_fail("SCHED_BATCH");
	/* Fault in all pages now, so that no page fault is part of a measurement. */
	if (mlockall(MCL_CURRENT | MCL_FUTURE))
		bench_fail("mlockall");
}

void bench_print(double value, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf(" %.0f\n", value);
}

void bench_skip(const char *name, const char *why)
{
	printf("%s skip %s\n", name, why);
}

static int by_value(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

uint64_t bench_median(uint64_t *values, unsigned int n)
{
	qsort(values, n, sizeof(values[0]), by_value);
	return values[n / 2];
}

void bench_settle(void)
{
	usleep(20000);
}

void bench_quiet(void)
{
	usleep(1200000); /* perfmon and perf disable them one second after the last use */
}

void bench_next_pid(unsigned int pid)
{
	FILE *f = fopen("/proc/sys/kernel/ns_last_pid", "w");

	if (!f || fprintf(f, "%u", pid) < 0 || fclose(f))
		bench_fail("/proc/sys/kernel/ns_last_pid");
}

double bench_rounds(void (*rounds)(void *arg, unsigned int n), void *arg,
		    unsigned int n)
{
	uint64_t ns[RUNS];
	int i;

	bench_settle();
	rounds(arg, n / 10 + 1);
	for (i = 0; i < RUNS; i++) {
		if (bench_between)
			bench_between();
		ns[i] = time_ns(CLOCK_MONOTONIC);
		rounds(arg, n);
		ns[i] = time_ns(CLOCK_MONOTONIC) - ns[i];
	}
	return (double)bench_median(ns, RUNS) / n;
}

/*
 * Both back ends count this event at user and kernel level, in every counter.  perf adds
 * the levels itself; for perfmon they are part of the control register.
 */
static uint64_t event_of(unsigned int flags)
{
	return flags & GROUP_OTHER ? EVENT_CPU_CYCLES : EVENT_INST_RETIRED;
}

int group_create(uint32_t flags)
{
	static int device = -1;
	int fd;

	if (device < 0)
		device = device_open();
	fd = context_create(device, flags);
	if (fd < 0) {
		errno = -fd;
		bench_fail("CREATE_CONTEXT");
	}
	return fd;
}

void group_program(int fd, unsigned int n, unsigned int flags)
{
	struct pfm_reg regs[COUNTERS_MAX] = {};
	unsigned int i;

	for (i = 0; i < n; i++) {
		regs[i].num = i;
		regs[i].value = ALL_LEVELS | event_of(flags);
	}
	if (vector(fd, PFM_IOC_WRITE_PMCS, regs, n, NULL))
		bench_fail("WRITE_PMCS");
	for (i = 0; i < n; i++)
		regs[i].value = 0;
	if (vector(fd, PFM_IOC_WRITE_PMDS, regs, n, NULL))
		bench_fail("WRITE_PMDS");
}

int perf_open(struct perf_event_attr *attr, pid_t tid, int leader)
{
	int fd;

	attr->size = sizeof(*attr);
	fd = syscall(SYS_perf_event_open, attr, tid, -1, leader,
		     PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		bench_fail("perf_event_open");
	return fd;
}

static void perf_group_open(struct group *group, pid_t tid, unsigned int flags)
{
	unsigned int i;

	for (i = 0; i < group->n; i++) {
		struct perf_event_attr attr = {
			.type = PERF_TYPE_RAW,
			.config = event_of(flags),
			.disabled = !i,
			.inherit = !!(flags & GROUP_FOLLOW),
			/* The kernel refuses PERF_FORMAT_GROUP for inherited events. */
			.read_format = flags & GROUP_FOLLOW ? 0
							    : PERF_FORMAT_GROUP,
		};

		group->fd[i] = perf_open(&attr, tid, i ? group->fd[0] : -1);
	}
}

void group_set(struct group *group, unsigned int n)
{
	unsigned int i;

	group->n = n;
	for (i = 0; i < n; i++)
		group->regs[i] = (struct pfm_reg){ .num = i };
}

void group_open(struct group *group, pid_t tid, unsigned int n,
		unsigned int flags)
{
	group_set(group, n);
	if (bench_perf) {
		perf_group_open(group, tid, flags);
		return;
	}
	group->fd[0] =
		group_create((flags & GROUP_FOLLOW ? PFM_CTX_FOLLOW_ALL : 0) |
			     (flags & GROUP_SUMS ? PFM_CTX_AGGREGATE : 0));
	group_program(group->fd[0], n, flags);
	if (context_load(group->fd[0], tid))
		bench_fail("LOAD_CONTEXT");
}

void group_close(const struct group *group)
{
	unsigned int i;

	for (i = 0; i < (bench_perf ? group->n : 1); i++)
		close(group->fd[i]);
}

void group_start(const struct group *group)
{
	if (bench_perf ? ioctl(group->fd[0], PERF_EVENT_IOC_ENABLE, 0)
		       : ioctl(group->fd[0], PFM_IOC_START, NULL))
		bench_fail("start");
}

void group_stop(const struct group *group)
{
	if (bench_perf ? ioctl(group->fd[0], PERF_EVENT_IOC_DISABLE, 0)
		       : ioctl(group->fd[0], PFM_IOC_STOP, NULL))
		bench_fail("stop");
}

void group_read(struct group *group)
{
	uint64_t values[COUNTERS_MAX + 1];
	struct pfm_regs arg;

	if (bench_perf) {
		if (read(group->fd[0], values, sizeof(values)) <= 0)
			bench_fail("read");
		return;
	}
	arg = (struct pfm_regs){
		.regs = (uintptr_t)group->regs,
		.count = group->n,
	};
	if (ioctl(group->fd[0], PFM_IOC_READ_PMDS, &arg))
		bench_fail("READ_PMDS");
}

pid_t bench_hold(struct group *group)
{
	const pid_t pid = child_idle();

	group_open(group, pid, 1, 0);
	group_start(group);
	return pid;
}

void bench_release(struct group *group, pid_t pid)
{
	group_close(group);
	child_kill(pid);
}

static void answer(int from, int to)
{
	char c;

	while (read(from, &c, 1) == 1) {
		if (write(to, &c, 1) != 1)
			break;
	}
	_exit(0);
}

void pair_open(struct pair *pair)
{
	const pid_t parent = getpid();
	int to[2], from[2];

	if (pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC))
		bench_fail("pipe");
	pair->child = fork();
	if (pair->child < 0)
		bench_fail("fork");
	if (!pair->child) {
		die_with_parent(parent);
		close(to[1]);
		close(from[0]);
		answer(to[0], from[1]);
	}
	close(to[0]);
	close(from[1]);
	pair->to = to[1];
	pair->from = from[0];
}

void pair_close(struct pair *pair)
{
	close(pair->to);
	child_reap(pair->child);
	close(pair->from);
}

void pair_rounds(void *arg, unsigned int n)
{
	const struct pair *pair = arg;
	char c = 0;

	while (n--) {
		if (write(pair->to, &c, 1) != 1 || read(pair->from, &c, 1) != 1)
			bench_fail("pipe");
	}
}
