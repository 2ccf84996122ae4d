/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Waiting for samples of the CPUs that libIBS's functions have enabled.
 */
#ifndef PERFMON_COMPAT_IBS_WAIT_H
#define PERFMON_COMPAT_IBS_WAIT_H

#include "ibs_cpus.h"

/**
 * struct pfmi_ibs_wait - what is waited for
 * @flags: kinds of samples
 * @enough: number of samples of a CPU
 * @often: look at the buffers now and then, as poll(2) reports more samples only
 * @deadline: ns of CLOCK_MONOTONIC at which the wait ends; INT64_MAX: never
 */
struct pfmi_ibs_wait {
	int flags;
	uint64_t enough;
	bool often;
	int64_t deadline;
};

/* The deadline of a wait that begins now; @timeout -1: none. */
int64_t pfmi_ibs_deadline(int timeout);

/* True if the deadline has passed. */
bool pfmi_ibs_is_over(const struct pfmi_ibs_wait *wait);

/*
 * Wait until a CPU has enough samples.  Returns 1, 0 at the deadline, or -errno with a text
 * in ibs_error.c: -EINTR, -EBADF.
 */
int pfmi_ibs_wait(struct pfmi_ibs_cpus *cpus, const struct pfmi_ibs_wait *wait);

#endif
