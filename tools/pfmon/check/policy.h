/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The administrator's policy (/sys/kernel/perfmon/policy), and what it allows
 * this user.
 */
#ifndef PFMON_CHECK_POLICY_H
#define PFMON_CHECK_POLICY_H

#include <stdbool.h>
#include <stddef.h>

/* Group id of a policy file such as "sys_group"; -1 if it names none. */
long policy_group(const char *name);

/* True if pfmon has CAP_PERFMON, or a capability that includes it. */
bool policy_capable(void);

/* True if this user may monitor CPUs, tasks of any user, kernel code. */
bool policy_cpus(void);
bool policy_tasks(void);
bool policy_kernel(void);

/*
 * Text that says how to get the rights of CAP_PERFMON, without final full stop.
 * Valid until the next call.
 */
const char *policy_remedy(void);

/* Writes the command that makes the user a member of a group. */
const char *policy_join(long group, char *text, size_t size);

#endif
