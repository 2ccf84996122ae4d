// SPDX-License-Identifier: GPL-2.0-only
/*
 * Explains to users why the kernel refused to load a context.
 */
#include <errno.h>
#include <perfmon/perfmon.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "base/message.h"
#include "base/process.h"
#include "check/holders.h"
#include "check/remedies.h"

static const char *user_name(uid_t uid, char *text, size_t size)
{
	struct passwd *user = getpwuid(uid);

	if (user)
		snprintf(text, size, "%s", user->pw_name);
	else
		snprintf(text, size, "user %u", (unsigned int)uid);
	return text;
}

static void tell_not_permitted(const struct process *process, pid_t task)
{
	char owner[64], join[256];

	if (!policy_tasks()) {
		say_error(
			"cannot monitor %d (%s): /sys/kernel/perfmon/policy/task_group lets group %ld only monitor tasks: %s",
			task, process->comm, policy_group("task_group"),
			policy_join(policy_group("task_group"), join,
				    sizeof(join)));
		return;
	}
	user_name(process->uid, owner, sizeof(owner));
	if (process->uid != geteuid())
		say_error(
			"cannot monitor %d (%s): it belongs to %s; tasks of others take CAP_PERFMON: %s",
			task, process->comm, owner, policy_remedy());
	else
		say_error(
			"cannot monitor %d (%s): it is protected from its own user (a program with set-user-ID or capabilities, or prctl(PR_SET_DUMPABLE)); that takes CAP_PERFMON: %s",
			task, process->comm, policy_remedy());
}

/*
 * The NMI watchdog holds a counter on x86.  arm64's kernels have none, or one that needs
 * no counter.
 */
static bool watchdog_is_on(void)
{
#if defined(__x86_64__) || defined(__i386__)
	FILE *file = fopen("/proc/sys/kernel/nmi_watchdog", "re");
	bool on = file && fgetc(file) == '1';

	if (file)
		fclose(file);
	return on;
#else
	return false;
#endif
}

const char *rights_end_perf(void)
{
	static char text[704];
	char who[512];

	snprintf(
		text, sizeof(text), "%s%s; %s",
		watchdog_is_on()
			? "the NMI watchdog is on: switch it off with 'sudo sysctl kernel.nmi_watchdog=0'; if it is not the only one, "
			: "",
		perf_events_tell(who, sizeof(who)),
		access("/sys/module/perfmon_perf", F_OK)
			? "or count beside it, without samples: 'sudo modprobe perfmon_perf'"
			: "or count beside it, without samples: --pmu-driver=perf");
	return text;
}

/* A hint for those who may take registers from others. */
static const char *how_to_take(void)
{
	return policy_take()
		       ? " (--take takes them, unless their user may do so, too)"
		       : "";
}

/*
 * The level from which on perf lets users count nothing, if it is set.  Then perfmon_perf refuses a
 * context with EPERM, whoever's the task is.
 */
#define PARANOID_ALL 3

static bool perf_bars_users(void)
{
	FILE *file;
	int level = 0;

	if (policy_capable() || access("/sys/module/perfmon_perf", F_OK))
		return false;
	file = fopen("/proc/sys/kernel/perf_event_paranoid", "re");
	if (!file)
		return false;
	if (fscanf(file, "%d", &level) != 1)
		level = 0;
	fclose(file);
	return level >= PARANOID_ALL;
}

/* EBUSY means this, unless contexts of perfmon hold the counters. */
static void tell_perf_has_it(const char *what)
{
	say_error("cannot monitor %s: perf uses the PMU; %s", what,
		  rights_end_perf());
}

/* @what: phrase for what is monitored; @pid: the process that it belongs to. */
static void tell_busy(const char *what, pid_t pid, int err)
{
	char who[512];

	if (err == -EEXIST)
		say_error(
			"cannot monitor %s: another session counts it, or a thread of it, with counters that are needed%s; %s",
			what, how_to_take(),
			holders_tell(HOLDERS_TASK, pid, who, sizeof(who)));
	else if (holders_none())
		tell_perf_has_it(what);
	else
		say_error(
			"cannot monitor %s: contexts of CPUs hold registers that it needs%s; %s",
			what, how_to_take(),
			holders_tell(HOLDERS_CPUS, 0, who, sizeof(who)));
}

void rights_tell_task(pid_t task, int err)
{
	struct process process;
	char what[96];

	if (process_read(&process, task))
		err = -ESRCH;
	snprintf(what, sizeof(what), "%d (%s)", task, process.comm);
	switch (err) {
	case -ESRCH:
		say_error("cannot monitor %d: it has ended", task);
		break;
	case -EPERM:
		tell_not_permitted(&process, task);
		break;
	case -EBUSY:
	case -EEXIST:
		tell_busy(what, process.pid, err);
		break;
	default:
		say_error("cannot monitor %s: %s", what,
			  pfm_ctx_strerror(PFM_IOC_LOAD_CONTEXT, err));
	}
}

void rights_tell_command(const char *command, int err)
{
	char what[256], join[256], who[512];

	snprintf(what, sizeof(what), "the command '%.200s'", command);
	switch (err) {
	case -EPERM:
		if (policy_tasks() && perf_bars_users()) {
			say_error(
				"cannot monitor %s: kernel.perf_event_paranoid is 3 or more, so perf's counters take CAP_PERFMON: %s; or let users have them for their own programs with 'sudo sysctl kernel.perf_event_paranoid=2'",
				what, policy_remedy());
			return;
		}
		if (policy_tasks())
			break;
		say_error(
			"cannot monitor %s: /sys/kernel/perfmon/policy/task_group lets group %ld only monitor tasks: %s",
			what, policy_group("task_group"),
			policy_join(policy_group("task_group"), join,
				    sizeof(join)));
		return;
	case -EBUSY:
		tell_busy(what, 0, err);
		return;
	case -EEXIST:
		say_error(
			"cannot monitor %s: pfmon itself is followed by another session, and the command with it, with counters that are needed; %s",
			what, holders_tell(HOLDERS_ALL, 0, who, sizeof(who)));
		return;
	}
	say_error("cannot monitor %s: %s", what,
		  pfm_ctx_strerror(PFM_IOC_LOAD_CONTEXT, err));
}

/* An administrator may let everybody monitor the cgroup of their container. */
static void tell_no_cgroup(unsigned int cpu, const char *cgroup)
{
	say_error(
		"cannot monitor cgroup '%s' on CPU %u: its processes may belong to any user, so it takes CAP_PERFMON: %s; or let containers monitor themselves, in user code (-u), with 'echo 1 | sudo tee /sys/kernel/perfmon/policy/own_cgroup'",
		cgroup, cpu, policy_remedy());
}

static void tell_no_cpus(unsigned int cpu, const char *cgroup)
{
	long group = policy_group("sys_group");
	char join[256];

	if (cgroup && group < 0)
		tell_no_cgroup(cpu, cgroup);
	else if (group < 0)
		say_error(
			"cannot monitor CPU %u: what runs on a CPU belongs to all users, so --system-wide takes CAP_PERFMON: %s; or let a group do so with 'echo GID | sudo tee /sys/kernel/perfmon/policy/sys_group'",
			cpu, policy_remedy());
	else
		say_error(
			"cannot monitor CPU %u: --system-wide takes CAP_PERFMON or membership of group %ld: %s",
			cpu, group, policy_join(group, join, sizeof(join)));
}

void rights_tell_cgroup(const char *cgroup, int err)
{
	switch (err) {
	case -EBADF:
		say_error(
			"cannot monitor cgroup '%s' on CPUs: it is no folder of cgroup2, which alone the kernel tells at each switch of tasks; 'findmnt -t cgroup2' says where that is, 'sudo mount -t cgroup2 none FOLDER' mounts it, and without -a --cgroup counts the processes of any group",
			cgroup);
		break;
	case -ENOTTY:
		say_error(
			"cannot monitor cgroup '%s' on CPUs: the loaded modules are older than this pfmon; install and load those of this version, or count its processes: --cgroup without --system-wide",
			cgroup);
		break;
	case -ERANGE:
		say_error(
			"cannot monitor cgroup '%s' on CPUs: it is 64 levels below the root, or deeper; name one above it",
			cgroup);
		break;
	case -EOPNOTSUPP:
		say_error(
			"cannot monitor cgroup '%s' on CPUs: this kernel is built without cgroups (CONFIG_CGROUPS); leave out --cgroup",
			cgroup);
		break;
	default:
		say_error("cannot monitor cgroup '%s' on CPUs: %s", cgroup,
			  pfm_ctx_strerror(PFM_IOC_SET_CGROUP, err));
	}
}

void rights_tell_cpu(unsigned int cpu, const char *cgroup, int err)
{
	char what[32], who[512];

	switch (err) {
	case -EPERM:
		tell_no_cpus(cpu, cgroup);
		break;
	case -EBUSY:
		if (holders_none() && !holders_fill(cpu)) {
			snprintf(what, sizeof(what), "CPU %u", cpu);
			tell_perf_has_it(what);
			break;
		}
		say_error(
			"cannot monitor CPU %u: other contexts hold registers that it needs, or the CPU has two contexts already%s%s; %s",
			cpu,
			cgroup ? ", as contexts of cgroups above this one, or below, count apart"
			       : "",
			how_to_take(),
			holders_tell(HOLDERS_ALL, 0, who, sizeof(who)));
		break;
	case -ERANGE:
		say_error(
			"there is no CPU %u; --cpu-list takes those of /sys/devices/system/cpu/present",
			cpu);
		break;
	case -ENODEV:
		say_error(
			"CPU %u is offline; leave it out of --cpu-list, or run 'echo 1 | sudo tee /sys/devices/system/cpu/cpu%u/online'",
			cpu, cpu);
		break;
	case -ENXIO:
		say_error(
			"CPU %u lacks something that the other CPUs' PMUs have, so these events cannot be counted there; name the CPUs without it: --cpu-list",
			cpu);
		break;
	default:
		say_error("cannot monitor CPU %u: %s", cpu,
			  pfm_ctx_strerror(PFM_IOC_LOAD_CONTEXT, err));
	}
}
