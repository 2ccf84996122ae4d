// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include "ibs_wait.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <time.h>

#include "ibs_error.h"

#define NS_PER_MS 1000000

/* Samples that poll(2) does not report are looked for so often. */
#define SLICE_MS 10

static int64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000LL * NS_PER_MS + time.tv_nsec;
}

int64_t pfmi_ibs_deadline(int timeout)
{
	return timeout < 0 ? INT64_MAX : now() + (int64_t)timeout * NS_PER_MS;
}

bool pfmi_ibs_is_over(const struct pfmi_ibs_wait *wait)
{
	return wait->deadline != INT64_MAX && now() >= wait->deadline;
}

/* Milliseconds that are left; -1: no limit, 0: the wait is over. */
static int time_left(const struct pfmi_ibs_wait *wait)
{
	int64_t left;

	if (wait->deadline == INT64_MAX)
		return -1;
	left = wait->deadline - now();
	if (left <= 0)
		return 0;
	left = (left + NS_PER_MS - 1) / NS_PER_MS;
	return left > INT_MAX ? INT_MAX : left;
}

static bool any_ready(const struct pfmi_ibs_cpus *cpus,
		      const struct pfmi_ibs_wait *wait)
{
	unsigned int i;

	for (i = 0; i < cpus->count; i++)
		if (pfmi_ibs_cpu_ready(cpus->cpus[i], wait->flags,
				       wait->enough))
			return true;
	return false;
}

/*
 * Wait until poll(2) reports a CPU that it did not report before.  Those that it did have not
 * enough samples yet, so they are looked at now and then.
 */
static int poll_cpus(struct pfmi_ibs_cpus *cpus, bool often, int timeout)
{
	const struct pfmi_ibs_cpu *cpu;
	unsigned int i;
	int ret;

	for (i = 0; i < cpus->count; i++) {
		cpu = cpus->cpus[i];
		/* poll(2) ignores those that are not enabled. */
		cpus->fds[i] = (struct pollfd){ .fd = cpu->fd };
		if (cpu->fd >= 0 && pfmi_ibs_cpu_is_reported(cpu))
			often = true;
		else
			cpus->fds[i].events = POLLIN;
	}
	if (often && (timeout < 0 || timeout > SLICE_MS))
		timeout = SLICE_MS;
	ret = poll(cpus->fds, cpus->count, timeout);
	if (ret < 0)
		return pfmi_ibs_refuse(errno, "cannot wait for samples: %s",
				       strerror(errno));
	for (i = 0; ret && i < cpus->count; i++)
		if (cpus->fds[i].revents & (POLLNVAL | POLLERR))
			return pfmi_ibs_refuse(
				EBADF,
				"CPU %d: the descriptor of its context was closed by the program",
				cpus->cpus[i]->cpu);
	return 0;
}

int pfmi_ibs_wait(struct pfmi_ibs_cpus *cpus, const struct pfmi_ibs_wait *wait)
{
	int timeout, ret;

	while (!any_ready(cpus, wait)) {
		timeout = time_left(wait);
		if (!timeout || !pfmi_ibs_cpus_enabled(cpus))
			return 0;
		ret = poll_cpus(cpus, wait->often, timeout);
		if (ret < 0)
			return ret;
	}
	return 1;
}
