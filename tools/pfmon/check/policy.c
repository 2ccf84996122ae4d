// SPDX-License-Identifier: GPL-2.0-only
/*
 * Evaluates the policy in the same way as the kernel.
 */
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/remedies.h"

#define FOLDER "/sys/kernel/perfmon/policy/"

#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#endif

#define GROUPS_MAX 1024

static long read_number(const char *name, long none)
{
	char path[96];
	long number;
	FILE *file;

	snprintf(path, sizeof(path), FOLDER "%s", name);
	file = fopen(path, "re");
	if (!file)
		return none;
	if (fscanf(file, "%ld", &number) != 1)
		number = none;
	fclose(file);
	return number;
}

long policy_group(const char *name)
{
	return read_number(name, -1);
}

static bool in_group(long group)
{
	gid_t groups[GROUPS_MAX];
	int count, i;

	if (group < 0)
		return false;
	if (getegid() == (gid_t)group)
		return true;
	count = getgroups(GROUPS_MAX, groups);
	for (i = 0; i < count; i++)
		if (groups[i] == (gid_t)group)
			return true;
	return false;
}

bool policy_capable(void)
{
	uint64_t caps = 0;
	char line[256];
	FILE *file;

	file = fopen("/proc/self/status", "re");
	while (file && fgets(line, sizeof(line), file))
		if (!strncmp(line, "CapEff:", 7))
			caps = strtoull(line + 7, NULL, 16);
	if (file)
		fclose(file);
	return caps >> CAP_PERFMON & 1 || caps >> CAP_SYS_ADMIN & 1;
}

bool policy_cpus(void)
{
	return policy_capable() || in_group(policy_group("sys_group"));
}

bool policy_tasks(void)
{
	long group = policy_group("task_group");

	return group < 0 || policy_capable() || in_group(group);
}

bool policy_take(void)
{
	return policy_capable() || in_group(policy_group("take_group"));
}

bool policy_kernel(void)
{
	return policy_capable() || read_number("kernel_level", 0) > 0;
}

const char *policy_remedy(void)
{
	static char text[512];
	char path[400];
	ssize_t length;

	length = readlink("/proc/self/exe", path, sizeof(path) - 1);
	if (length <= 0)
		return "run pfmon as root ('sudo pfmon ...')";
	path[length] = '\0';
	snprintf(
		text, sizeof(text),
		"run it as root ('sudo pfmon ...'), or give it the capability with 'sudo setcap cap_perfmon+ep %s'",
		path);
	return text;
}

const char *policy_join(long group, char *text, size_t size)
{
	struct passwd *user = getpwuid(getuid());
	struct group *entry = getgrgid(group);
	const char *name = user ? user->pw_name : "$USER";

	if (entry)
		snprintf(text, size,
			 "run 'sudo usermod -aG %s %s' and log in again",
			 entry->gr_name, name);
	else
		snprintf(
			text, size,
			"group %ld has no name here; create it with 'sudo groupadd -g %ld perfmon-users', run 'sudo usermod -aG perfmon-users %s' and log in again",
			group, group, name);
	return text;
}
