// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks of rights and limits.
 */
#include <stdbool.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check/doctor_checks.h"
#include "check/findings.h"
#include "check/remedies.h"

/* Reads a number from a file; -1 if that fails. */
static long long read_number(const char *name)
{
	long long number;
	FILE *file;

	file = fopen(name, "re");
	if (!file)
		return -1;
	if (fscanf(file, "%lld", &number) != 1)
		number = -1;
	fclose(file);
	return number;
}

static void check_tasks(struct findings *findings)
{
	long group = policy_group("task_group");
	char text[256];

	if (!policy_tasks()) {
		findings_add(
			findings, FINDING_FAILED, "tasks",
			"only members of group %ld may monitor tasks (policy/task_group)",
			group);
		findings_fix(findings, "%s",
			     policy_join(group, text, sizeof(text)));
	} else if (policy_capable()) {
		findings_add(
			findings, FINDING_OK, "tasks",
			"those of all users may be monitored (CAP_PERFMON)");
	} else {
		findings_add(
			findings, FINDING_LIMITED, "tasks",
			"those of this user may be monitored, others' take CAP_PERFMON");
		findings_fix(findings, "%s", policy_remedy());
	}
}

static void check_cpus(struct findings *findings)
{
	long group = policy_group("sys_group");
	char text[256];

	if (policy_cpus()) {
		findings_add(
			findings, FINDING_OK, "CPUs", "may be monitored (%s)",
			policy_capable() ? "CAP_PERFMON" : "policy/sys_group");
		return;
	}
	findings_add(findings, FINDING_LIMITED, "CPUs",
		     "may not be monitored: --system-wide takes CAP_PERFMON%s",
		     group >= 0 ? " or the group of policy/sys_group" : "");
	findings_fix(findings, "%s",
		     group >= 0 ? policy_join(group, text, sizeof(text))
				: policy_remedy());
}

static void check_kernel_level(struct findings *findings)
{
	if (policy_kernel()) {
		findings_add(findings, FINDING_OK, "kernel code",
			     "may be counted (%s)",
			     policy_capable() ? "CAP_PERFMON"
					      : "policy/kernel_level");
		return;
	}
	findings_add(findings, FINDING_LIMITED, "kernel code",
		     "may not be counted: -k takes CAP_PERFMON");
	findings_fix(
		findings,
		"%s; or let everybody with 'echo 1 | sudo tee /sys/kernel/perfmon/policy/kernel_level'",
		policy_remedy());
}

/*
 * Users who may not see kernel addresses read zeros.  Symbols of per-CPU data are offsets, and the
 * first of them, which may be first in the file, is 0 for everybody.
 */
static bool shows_addresses(FILE *file)
{
	unsigned long long address = 0;

	while (!address && fscanf(file, "%llx%*[^\n]", &address) == 1)
		;
	return address;
}

static void check_symbols(struct findings *findings)
{
	bool shown = false;
	FILE *file;

	if (!policy_capable())
		return;
	file = fopen("/proc/kallsyms", "re");
	if (file) {
		shown = shows_addresses(file);
		fclose(file);
	}
	if (shown) {
		findings_add(findings, FINDING_OK, "symbols",
			     "those of the kernel can be read");
		return;
	}
	findings_add(
		findings, FINDING_LIMITED, "symbols",
		"addresses in /proc/kallsyms are hidden, so kernel functions have no names");
	findings_fix(
		findings,
		"run 'sudo sysctl kernel.kptr_restrict=0', or give --sysmap-file");
}

static void check_memory(struct findings *findings)
{
	long long used = read_number("/sys/kernel/perfmon/smpl_buffer_mem_cur");
	long long most = read_number("/sys/kernel/perfmon/smpl_buffer_mem_max");
	struct rlimit limit;
	char text[64] = "";

	if (getrlimit(RLIMIT_MEMLOCK, &limit))
		return;
	if (most > 0)
		snprintf(text, sizeof(text), ", at most %lld kB", most / 1024);
	if (limit.rlim_cur == RLIM_INFINITY || policy_capable()) {
		findings_add(findings, FINDING_OK, "buffers",
			     "any size; %lld kB in use by all users%s",
			     used > 0 ? used / 1024 : 0, text);
		return;
	}
	findings_add(findings,
		     limit.rlim_cur < 1048576 ? FINDING_LIMITED : FINDING_OK,
		     "buffers",
		     "%llu kB a process; %lld kB in use by all users%s",
		     (unsigned long long)limit.rlim_cur / 1024,
		     used > 0 ? used / 1024 : 0, text);
	if (limit.rlim_cur < 1048576)
		findings_fix(
			findings,
			"for larger sampling buffers raise the limit on locked memory: 'ulimit -l', or memlock in /etc/security/limits.conf");
}

static void check_files(struct findings *findings)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	if (limit.rlim_cur >= (rlim_t)cpus + 32) {
		findings_add(findings, FINDING_OK, "descriptors", "%llu",
			     (unsigned long long)limit.rlim_cur);
		return;
	}
	findings_add(findings, FINDING_LIMITED, "descriptors",
		     "%llu are too few for --system-wide on %ld CPUs",
		     (unsigned long long)limit.rlim_cur, cpus);
	findings_fix(findings, "run 'ulimit -n %ld'", cpus + 1024);
}

static void check_perf(struct findings *findings)
{
	long long paranoid =
		read_number("/proc/sys/kernel/perf_event_paranoid");
	long long watchdog = read_number("/proc/sys/kernel/nmi_watchdog");

	if (paranoid != -1)
		findings_add(
			findings, FINDING_OK, "perf",
			"perf_event_paranoid is %lld; it is for perf, perfmon has its own policy",
			paranoid);
#if defined(__x86_64__) || defined(__i386__)
	if (watchdog == 1) {
		findings_add(
			findings, FINDING_LIMITED, "watchdog",
			access("/sys/module/perfmon_perf", F_OK)
				? "the NMI watchdog is on; while it has a counter, perfmon gets none"
				: "the NMI watchdog is on; while it has a counter, events are counted by perf's and not sampled");
		findings_fix(
			findings,
			"run 'sudo sysctl kernel.nmi_watchdog=0'; to keep it off after a boot, 'echo kernel.nmi_watchdog=0 | sudo tee /etc/sysctl.d/perfmon-watchdog.conf'; to count beside it, without samples, 'sudo modprobe perfmon_perf'");
	}
#else
	(void)watchdog;
#endif
}

void doctor_check_rights(struct findings *findings)
{
	check_tasks(findings);
	check_cpus(findings);
	check_kernel_level(findings);
	check_symbols(findings);
	check_memory(findings);
	check_files(findings);
	check_perf(findings);
}
