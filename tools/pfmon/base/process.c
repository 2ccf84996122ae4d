// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading /proc/PID.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/process.h"

static int read_status(struct process *process, pid_t tid)
{
	char name[48], line[256];
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%d/status", tid);
	file = fopen(name, "re");
	if (!file)
		return -1;
	while (fgets(line, sizeof(line), file)) {
		if (!strncmp(line, "Tgid:", 5))
			process->pid = atoi(line + 5);
		else if (!strncmp(line, "PPid:", 5))
			process->ppid = atoi(line + 5);
		else if (!strncmp(line, "Uid:", 4))
			process->uid = strtoul(line + 4, NULL, 10);
	}
	fclose(file);
	return process->pid ? 0 : -1;
}

/* The name is in brackets and may contain any character, also brackets. */
static int read_stat(struct process *process, pid_t tid)
{
	char name[48], text[1024], *from, *to;
	size_t length;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%d/stat", tid);
	file = fopen(name, "re");
	if (!file)
		return -1;
	length = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[length] = '\0';
	from = strchr(text, '(');
	to = strrchr(text, ')');
	if (!from || !to)
		return -1;
	*to = '\0';
	snprintf(process->comm, sizeof(process->comm), "%s", from + 1);
	if (sscanf(to + 1,
		   " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %" SCNu64,
		   &process->started) != 1)
		return -1;
	return 0;
}

int process_read(struct process *process, pid_t tid)
{
	static const char deleted[] = " (deleted)";
	char name[48], *end;
	ssize_t length;

	memset(process, 0, sizeof(*process));
	if (read_status(process, tid) || read_stat(process, tid))
		return -1;
	snprintf(name, sizeof(name), "/proc/%d/exe", tid);
	length = readlink(name, process->name, sizeof(process->name) - 1);
	if (length <= 0) {
		snprintf(process->name, sizeof(process->name), "%s",
			 process->comm);
		return 0;
	}
	process->name[length] = '\0';
	end = process->name + length - (sizeof(deleted) - 1);
	if (end > process->name && !strcmp(end, deleted))
		*end = '\0';
	return 0;
}
