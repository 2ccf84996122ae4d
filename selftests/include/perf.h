/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events of the kernel's perf, for tests in which perf and perfmon share a PMU.
 */
#ifndef _SELFTESTS_PERF_H
#define _SELFTESTS_PERF_H

#include <sys/syscall.h>

#include <linux/perf_event.h>

#include "context.h"

/* The values that read(2) gives for an event. */
struct perf_count {
	uint64_t value;
	uint64_t enabled;
	uint64_t running;
};

/* Attributes of a hardware event at user level, whose reads include the times. */
static inline struct perf_event_attr perf_attr(uint64_t config)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(struct perf_event_attr),
		.config = config,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
}

/* Open an event.  Returns its descriptor or -errno. */
static inline int perf_open(const struct perf_event_attr *attr, pid_t pid,
			    int cpu, int leader)
{
	const long fd = syscall(SYS_perf_event_open, attr, pid, cpu, leader,
				PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/*
 * Read an event.  Returns 1; 0 at end of file, when perf has given the event up, as it does
 * with a pinned event that cannot be scheduled; or -errno.
 */
static inline int perf_read(int fd, struct perf_count *count)
{
	const ssize_t ret = read(fd, count, sizeof(*count));

	return ret < 0 ? -errno : ret == sizeof(*count);
}

#endif /* _SELFTESTS_PERF_H */
