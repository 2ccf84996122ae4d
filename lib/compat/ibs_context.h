/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Contexts that take samples for libIBS's functions.
 */
#ifndef PERFMON_COMPAT_IBS_CONTEXT_H
#define PERFMON_COMPAT_IBS_CONTEXT_H

#include "ibs_options.h"

/*
 * Create a context for a CPU, which is not loaded.  A part of its buffer is full when it has
 * @entries samples, or earlier if there are both kinds.  The buffer has room for four times as
 * many, or more.
 *
 * Returns the descriptor, or -errno with a text in ibs_error.c: the errors of
 * ibs_initialize() and ibs_enable_cpu().
 */
int pfmi_ibs_context(const struct pfmi_ibs_options *options,
		     unsigned int entries);

/* Load the context on a CPU, and start it. */
int pfmi_ibs_context_start(int fd, int cpu);

#endif
