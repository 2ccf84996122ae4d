// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the processes of programs that are named.
 */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "verbs/stat.h"

/* Letters that the kernel keeps of a name. */
#define COMM_MAX 15

static bool is_number(const char *text, size_t length)
{
	return length && strspn(text, "0123456789") >= length;
}

/* Reads the name of a process into @comm.  False if it has ended. */
static bool read_comm(const char *pid, char *comm, size_t size)
{
	char path[64];
	FILE *file;
	bool done;

	snprintf(path, sizeof(path), "/proc/%.20s/comm", pid);
	file = fopen(path, "re");
	if (!file)
		return false;
	done = fgets(comm, size, file);
	comm[strcspn(comm, "\n")] = '\0';
	fclose(file);
	return done;
}

/* Writes the processes of a program.  Returns their number. */
static unsigned int find(FILE *out, const char *name, size_t length)
{
	size_t kept = length < COMM_MAX ? length : COMM_MAX;
	DIR *folder = opendir("/proc");
	unsigned int count = 0;
	struct dirent *entry;
	char comm[64];

	while (folder && (entry = readdir(folder))) {
		if (!isdigit(entry->d_name[0]) ||
		    atoi(entry->d_name) == getpid() ||
		    !read_comm(entry->d_name, comm, sizeof(comm)) ||
		    strlen(comm) != kept || strncmp(comm, name, kept))
			continue;
		fprintf(out, "%s,", entry->d_name);
		count++;
	}
	if (folder)
		closedir(folder);
	return count;
}

static int write_list(FILE *out, const char *list, char *why)
{
	size_t length;

	for (; *list; list += length + !!list[length]) {
		length = strcspn(list, ", \t\n");
		if (!length || is_number(list, length)) {
			fprintf(out, "%.*s,", (int)length, list);
			continue;
		}
		if (!find(out, list, length))
			return option_refuse(why,
					     "-p: no process is called '%.*s'",
					     (int)length, list);
	}
	return 0;
}

char *stat_find_tasks(const char *list, char *why)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	int err = 0;

	if (out)
		err = write_list(out, list, why);
	if (!out || fclose(out)) {
		option_refuse(why, "out of memory for the processes");
		return NULL;
	}
	if (!err)
		return text;
	free(text);
	return NULL;
}
