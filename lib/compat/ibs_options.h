/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * The options of libIBS.  Functions that fail return -errno, with a text in ibs_error.c.
 */
#ifndef PERFMON_COMPAT_IBS_OPTIONS_H
#define PERFMON_COMPAT_IBS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <perfmon/ibs-compat.h>
#include <perfmon/perfmon.h>

/* Bits of a period that IBS_MAX_CNT does not have */
#define PFMI_IBS_PERIOD_SHIFT 4

/* CPUs that IBS_CPU_LIST can name: more than any kernel has */
#define PFMI_IBS_LISTED 8192

/**
 * struct pfmi_ibs_options - the options; each member is the option of its name
 * @debug: IBS_DEBUG
 * @op: IBS_OP
 * @fetch: IBS_FETCH
 * @aggressive_read: IBS_AGGRESSIVE_READ
 * @read_on_timeout: IBS_READ_ON_TIMEOUT
 * @poll_timeout: IBS_POLL_TIMEOUT, ms
 * @poll_num_samples: IBS_POLL_NUM_SAMPLES
 * @max_cnt: IBS_MAX_CNT
 * @all_cpus: IBS_CPU_LIST has its default
 * @cpus: otherwise: its CPUs, a bit each
 */
struct pfmi_ibs_options {
	bool debug;
	bool op;
	bool fetch;
	bool aggressive_read;
	bool read_on_timeout;
	int poll_timeout;
	unsigned int poll_num_samples;
	unsigned int max_cnt;
	bool all_cpus;
	word_t cpus[PFMI_IBS_LISTED / 64];
};

extern const struct pfmi_ibs_options pfmi_ibs_defaults;

/* Set an option.  @enabled: a CPU is enabled, so what shapes its context cannot change. */
int pfmi_ibs_set(struct pfmi_ibs_options *options, ibs_option_t option,
		 ibs_val_t value, bool enabled);

/* Refuse what does not go together. */
int pfmi_ibs_check_period(const struct pfmi_ibs_options *options);

/* True if the CPU is in IBS_CPU_LIST. */
bool pfmi_ibs_is_listed(const struct pfmi_ibs_options *options, int cpu);

#endif
