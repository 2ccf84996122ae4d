/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Remedies: why something cannot be measured, and what to do.
 */
#ifndef PFMON_CHECK_REMEDIES_H
#define PFMON_CHECK_REMEDIES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct stat;

/* device.c */

/*
 * The commands that let this user open the device, of which *@st is the state, for example "run
 * 'sudo chmod 660 /dev/perfmon'".  Returns @text.
 */
const char *device_remedy(const struct stat *st, char *text, size_t size);

/* no_pmu.c */

/**
 * struct no_pmu - explanation for a machine on which perfmon offers no counters
 * @why: the cause, or "no module for one is loaded" where it is not known, as the end of
 *	a sentence
 * @fix: the next step
 */
struct no_pmu {
	char why[256];
	char fix[512];
};

void no_pmu_explain(struct no_pmu *no_pmu);

/* perf_events.c */

/*
 * Writes a phrase that names processes with open events of perf, and says how to end them.  Which
 * events they are the kernel does not tell.  Those of other users are visible to root only.
 */
const char *perf_events_tell(char *text, size_t size);

/* policy.c */

/* Group id of a policy file such as "sys_group"; -1 if it names none. */
long policy_group(const char *name);

/* True if pfmon has CAP_PERFMON, or a capability that includes it. */
bool policy_capable(void);

/* True if this user may monitor CPUs, tasks of any user, kernel code. */
bool policy_cpus(void);
bool policy_tasks(void);
bool policy_take(void);
bool policy_kernel(void);

/*
 * Text that says how to get the rights of CAP_PERFMON, without final full stop.
 * Valid until the next call.
 */
const char *policy_remedy(void);

/* Writes the command that makes the user a member of a group. */
const char *policy_join(long group, char *text, size_t size);

/* rights.c */

/* A process or thread cannot be monitored. */
void rights_tell_task(pid_t task, int err);

/* A command that is about to be executed cannot be monitored. */
void rights_tell_command(const char *command, int err);

/* A CPU, or the tasks of a cgroup on it if there is one, cannot be monitored. */
void rights_tell_cpu(unsigned int cpu, const char *cgroup, int err);

/* A cgroup cannot be chosen for a CPU. */
void rights_tell_cgroup(const char *cgroup, int err);

/* Says how to end the user of perf that holds the PMU. */
const char *rights_end_perf(void);

#endif
