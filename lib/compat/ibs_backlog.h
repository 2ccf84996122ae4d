/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Samples of one CPU and kind that have left the kernel's buffer before the program asked for
 * them: those that lie there among samples of the other kind, and those that were there when
 * the CPU was disabled.
 */
#ifndef PERFMON_COMPAT_IBS_BACKLOG_H
#define PERFMON_COMPAT_IBS_BACKLOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <perfmon/ibs-compat.h>
#include <perfmon/perfmon.h>

/**
 * struct pfmi_ibs_backlog - a queue
 * @samples: memory for @room samples; those that wait are in it from @first on
 * @first: index of the oldest
 * @count: number of samples that wait
 * @room: number of samples that the memory holds
 */
struct pfmi_ibs_backlog {
	ibs_sample_t *samples;
	size_t first;
	size_t count;
	size_t room;
};

/* Add a sample.  False when there are @limit samples, or no memory: the sample is lost. */
bool pfmi_ibs_backlog_add(struct pfmi_ibs_backlog *backlog,
			  const ibs_sample_t *sample, size_t limit);

/* Take the oldest sample.  False when there is none. */
bool pfmi_ibs_backlog_take(struct pfmi_ibs_backlog *backlog,
			   ibs_sample_t *sample);

void pfmi_ibs_backlog_free(struct pfmi_ibs_backlog *backlog);

#endif
