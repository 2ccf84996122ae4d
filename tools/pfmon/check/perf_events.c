// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds processes with events of perf by their descriptors in /proc.
 */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/process.h"
#include "check/remedies.h"

/* Name no more than this: the text has to stay a sentence. */
#define NAMED_MAX 3

/* True if a process has an event of perf open. */
static bool has_event(int pid)
{
	char path[64], name[384], target[64];
	struct dirent *entry;
	bool found = false;
	ssize_t length;
	DIR *fds;

	snprintf(path, sizeof(path), "/proc/%d/fd", pid);
	fds = opendir(path);
	while (fds && !found && (entry = readdir(fds))) {
		snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
		length = readlink(name, target, sizeof(target) - 1);
		if (length < 0)
			continue;
		target[length] = '\0';
		found = !strcmp(target, "anon_inode:[perf_event]");
	}
	if (fds)
		closedir(fds);
	return found;
}

const char *perf_events_tell(char *text, size_t size)
{
	char who[3 * 96] = "", pids[64] = "";
	struct process process;
	struct dirent *entry;
	unsigned int found = 0;
	DIR *proc;
	int pid;

	proc = opendir("/proc");
	while (proc && (entry = readdir(proc))) {
		pid = atoi(entry->d_name);
		/* pfmon's own events count nothing: sampling/perf_rings.h. */
		if (pid <= 0 || pid == getpid() || !has_event(pid) || process_read(&process, pid))
			continue;
		if (found++ >= NAMED_MAX)
			continue;
		snprintf(who + strlen(who), sizeof(who) - strlen(who),
			 "%sprocess %d (%s, user %u)", found > 1 ? ", " : "",
			 pid, process.comm, process.uid);
		snprintf(pids + strlen(pids), sizeof(pids) - strlen(pids),
			 " %d", pid);
	}
	if (proc)
		closedir(proc);
	if (!found && geteuid())
		snprintf(
			text, size,
			"'sudo pfmon --doctor' names the processes that have events of perf, and 'sudo dmesg' says where: end them");
	else if (!found)
		snprintf(
			text, size,
			"'sudo dmesg' says where the kernel has events, as no process has one open");
	else if (found > NAMED_MAX)
		snprintf(
			text, size,
			"events of perf are open in %s and %u more: wait for them, or end them, first with 'kill -TERM%s'",
			who, found - NAMED_MAX, pids);
	else
		snprintf(
			text, size,
			"events of perf are open in %s: wait for it, or end it with 'kill -TERM%s'",
			who, pids);
	return text;
}
