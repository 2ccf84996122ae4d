// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds control groups.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "session/attach.h"

/* Systems mount cgroups of both versions here. */
#define MOUNT "/sys/fs/cgroup/"

const char *cgroup_mount(void)
{
	static char mount[1024] = "";
	char line[4096], type[64];
	bool found = false;
	FILE *file;

	if (*mount)
		return mount;
	file = fopen("/proc/self/mounts", "re");
	if (!file)
		return strcpy(mount, "/sys/fs/cgroup");
	while (!found && fgets(line, sizeof(line), file))
		found = sscanf(line, "%*s %1023s %63s", mount, type) == 2 &&
			!strcmp(type, "cgroup2");
	fclose(file);
	if (!found)
		*mount = '\0';
	return mount;
}

const char *cgroup_path(const char *folder)
{
	const char *mount = cgroup_mount();
	size_t length = strlen(mount);

	if (!length || strncmp(folder, mount, length) ||
	    (folder[length] && folder[length] != '/'))
		return folder;
	return folder[length] ? folder + length : "/";
}

static bool is_group(const char *path)
{
	char *name;
	bool found;

	if (asprintf(&name, "%s/cgroup.procs", path) < 0)
		return false;
	found = !access(name, R_OK);
	free(name);
	return found;
}

bool cgroup_is_threaded(const char *path)
{
	char *name, type[32] = "";
	FILE *file;

	if (asprintf(&name, "%s/cgroup.type", path) < 0)
		return false;
	file = fopen(name, "re");
	free(name);
	if (file && !fgets(type, sizeof(type), file))
		type[0] = '\0';
	if (file)
		fclose(file);
	return !strncmp(type, "threaded", strlen("threaded"));
}

char *cgroup_find(const char *path)
{
	char *name;

	if (path[0] == '/' && is_group(path))
		return strdup(path);
	if (asprintf(&name, MOUNT "%s", path + strspn(path, "/")) < 0)
		return NULL;
	if (is_group(name))
		return name;
	free(name);
	if (asprintf(&name, "%s/%s", cgroup_mount(), path + strspn(path, "/")) <
	    0)
		return NULL;
	if (is_group(name))
		return name;
	free(name);
	say_error(
		"there is no control group '%s': it is neither a folder with a file cgroup.procs, nor one below " MOUNT
		"; 'cat /proc/PID/cgroup' says where a process is",
		path);
	return NULL;
}
