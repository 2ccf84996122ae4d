// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parses /sys/kernel/perfmon/holders, and held beside it.
 */
#include <stdarg.h>
#include <string.h>

#include "base/process.h"
#include "check/holders.h"

#define HOLDERS "/sys/kernel/perfmon/holders"
#define HELD	"/sys/kernel/perfmon/held"

/* So many contexts a CPU can have. */
#define CPU_CONTEXTS 2

/* Stands before the number of a cgroup. */
#define CGROUP " cgroup "

void holders_open(struct holders *holders)
{
	holders->file = fopen(HOLDERS, "re");
	holders->others = 0;
}

bool holders_next(struct holders *holders, struct holder *holder)
{
	unsigned int number;
	char line[256], kind[16];
	int length;

	while (holders->file && fgets(line, sizeof(line), holders->file)) {
		memset(holder, 0, sizeof(*holder));
		if (sscanf(line, "others %u", &holders->others) == 1)
			continue;
		if (sscanf(line, "%15s %u%n", kind, &number, &length) != 2)
			continue;
		/* A context of a CPU may count one cgroup alone. */
		holder->one_cgroup =
			!strncmp(line + length, CGROUP, strlen(CGROUP));
		if (holder->one_cgroup)
			length += strlen(CGROUP) +
				  strspn(line + length + strlen(CGROUP),
					 "0123456789");
		/* The name comes last because it may contain blanks. */
		if (sscanf(line + length, " pid %u uid %u comm %63[^\n]",
			   &holder->pid, &holder->uid, holder->comm) < 2)
			continue;
		holder->cpu = -1;
		if (!strcmp(kind, "cpu"))
			holder->cpu = number;
		else
			holder->thread = number;
		return true;
	}
	return false;
}

void holders_close(struct holders *holders)
{
	if (holders->file)
		fclose(holders->file);
	holders->file = NULL;
}

const char *holders_text(const struct holder *holder, char *text, size_t size)
{
	if (holder->cpu >= 0)
		snprintf(text, size, "CPU %d%s by process %u (%s)", holder->cpu,
			 holder->one_cgroup ? ", for one cgroup," : "",
			 holder->pid, holder->comm);
	else
		snprintf(text, size, "task %u by process %u (%s)",
			 holder->thread, holder->pid, holder->comm);
	return text;
}

/* Returns the number of contexts: all of them, or those that may be on a CPU; -1 if not known. */
static int count(int cpu)
{
	struct holders holders;
	struct holder holder;
	int found = 0;

	holders_open(&holders);
	if (!holders.file)
		return -1;
	while (holders_next(&holders, &holder))
		found += cpu < 0 || holder.cpu == cpu;
	holders_close(&holders);
	return found + holders.others;
}

bool holders_none(void)
{
	FILE *file = fopen(HELD, "re");
	unsigned int number;
	char line[1024];
	bool none = true;

	/* Older modules tell of contexts only, and then each holds the PMU. */
	if (!file)
		return !count(-1);
	while (none && fgets(line, sizeof(line), file))
		none = sscanf(line, "%*s %u", &number) != 1;
	fclose(file);
	return none;
}

bool holders_fill(unsigned int cpu)
{
	return count(cpu) >= CPU_CONTEXTS;
}

static void __attribute__((format(printf, 4, 5)))
add(char *text, size_t size, size_t *used, const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(text + *used, size - *used, format, args);
	va_end(args);
	if (length > 0)
		*used += length;
	if (*used >= size)
		*used = size - 1;
}

static bool concerns(const struct holder *holder, enum holders_which which,
		     uint32_t pid)
{
	struct process process;

	switch (which) {
	case HOLDERS_CPUS:
		return holder->cpu >= 0;
	case HOLDERS_TASK:
		return holder->thread &&
		       (holder->thread == pid ||
			(!process_read(&process, holder->thread) &&
			 (uint32_t)process.pid == pid));
	default:
		return true;
	}
}

/* Name no more than this: the text has to stay a sentence. */
#define NAMED_MAX 3

const char *holders_tell(enum holders_which which, uint32_t pid, char *text,
			 size_t size)
{
	unsigned int found = 0, hidden = 0;
	struct holders holders;
	struct holder holder;
	size_t used = 0, pids_used = 0;
	char pids[64] = "";
	uint32_t last = 0;

	*text = '\0';
	holders_open(&holders);
	while (holders_next(&holders, &holder)) {
		if (!concerns(&holder, which, pid))
			continue;
		/* Processes outside of pfmon's pid namespace have pid 0. */
		hidden += !holder.pid;
		/* Name a process once, even if it holds many CPUs. */
		if (!holder.pid || holder.pid == last)
			continue;
		last = holder.pid;
		if (found++ >= NAMED_MAX)
			continue;
		add(text, size, &used, "%sprocess %u (%s, user %u)",
		    found > 1 ? ", " : "held by ", holder.pid, holder.comm,
		    holder.uid);
		add(pids, sizeof(pids), &pids_used, " %u", holder.pid);
	}
	holders_close(&holders);
	if (found > NAMED_MAX)
		add(text, size, &used, " and %u more", found - NAMED_MAX);
	/*
	 * Do not suggest SIGINT: a process that a script started in the
	 * background ignores it.
	 */
	if (found)
		add(text, size, &used,
		    ": wait for it, or end it with 'kill -TERM%s'", pids);
	else if (hidden)
		add(text, size, &used,
		    "the holder is outside of this container: 'sudo cat " HOLDERS
		    "' names it there");
	else if (holders.others)
		add(text, size, &used,
		    "the holder belongs to another user: 'sudo cat " HOLDERS
		    "' names it");
	else
		add(text, size, &used,
		    "'sudo cat " HOLDERS "' says who holds what");
	return text;
}
