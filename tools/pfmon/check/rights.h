/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Messages for refused loads: which right is missing or who holds the target, and
 * what to do about it.
 */
#ifndef PFMON_CHECK_RIGHTS_H
#define PFMON_CHECK_RIGHTS_H

#include <sys/types.h>

/* A process or thread cannot be monitored. */
void rights_tell_task(pid_t task, int err);

/* A command that is about to be executed cannot be monitored. */
void rights_tell_command(const char *command, int err);

/* A CPU cannot be monitored. */
void rights_tell_cpu(unsigned int cpu, int err);

/* How to end whatever of perf holds the PMU. */
const char *rights_end_perf(void);

#endif
