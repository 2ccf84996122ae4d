/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * The options of libIBS.
 */
#ifndef PERFMON_COMPAT_IBS_OPTION_H
#define PERFMON_COMPAT_IBS_OPTION_H

#include "ibs_cpu.h"

/**
 * struct pfmi_ibs_options - the options, as ibs-compat.h describes them
 * @is_fixed: there are contexts, so options that shape them cannot change
 * @debug: IBS_DEBUG
 * @kinds: IBS_OP, IBS_FETCH
 * @is_aggressive: IBS_AGGRESSIVE_READ
 * @reads_on_timeout: IBS_READ_ON_TIMEOUT
 * @timeout: IBS_POLL_TIMEOUT
 * @enough: IBS_POLL_NUM_SAMPLES
 * @max_cnt: IBS_MAX_CNT
 * @listed: copy of IBS_CPU_LIST; NULL: all CPUs that are online
 */
struct pfmi_ibs_options {
	bool is_fixed;
	bool debug;
	bool kinds[PFMI_IBS_KINDS];
	bool is_aggressive;
	bool reads_on_timeout;
	unsigned long timeout;
	unsigned long enough;
	unsigned long max_cnt;
	char *listed;
};

extern struct pfmi_ibs_options pfmi_ibs_options;

/* Set errno to -@err, and write a line to stderr.  Returns -1. */
int pfmi_ibs_fail(int err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* CPUs that the machine may have: elements of IBS_CPU_LIST. */
unsigned int pfmi_ibs_configured(void);

/* Check the options.  Returns 0, or -1 as pfmi_ibs_fail(). */
int pfmi_ibs_plan_make(struct pfmi_ibs_plan *plan);

#endif
