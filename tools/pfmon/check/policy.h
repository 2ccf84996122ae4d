/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the administrator lets users do: /sys/kernel/perfmon/policy, and whether
 * this user may.
 */
#ifndef PFMON_CHECK_POLICY_H
#define PFMON_CHECK_POLICY_H

#include <stdbool.h>
#include <stddef.h>

/* A group of the policy: its number, -1 none.  @name "sys_group" ... */
long policy_group(const char *name);

/* Whether pfmon has CAP_PERFMON, or what stands for it. */
bool policy_capable(void);

/* Whether this user may monitor CPUs, any task, kernel code. */
bool policy_cpus(void);
bool policy_tasks(void);
bool policy_kernel(void);

/*
 * What gives the rights that CAP_PERFMON gives; without final dot, valid until
 * the next call.
 */
const char *policy_remedy(void);

/* What makes the user a member of a group. */
const char *policy_join(long group, char *text, size_t size);

#endif
