/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cgroups for tests, and processes in them.
 */
#ifndef _SELFTESTS_CGROUP_H
#define _SELFTESTS_CGROUP_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "child.h"
#include "context.h"

/* Two cgroups side by side, and one below the first */
enum group_nr { GROUP_A, GROUP_B, GROUP_BELOW_A, GROUPS };

static const char *const group_names[GROUPS] = { "a", "b", "a/below" };

/**
 * struct groups - cgroups of a test
 * @top: directory of the file system
 * @fds: descriptors of their directories
 */
struct groups {
	char top[64];
	int fds[GROUPS];
};

/* Returns 0 or -errno. */
static inline int groups_create(struct groups *groups)
{
	char path[128];

	strcpy(groups->top, "/tmp/cgroup.XXXXXX");
	if (!mkdtemp(groups->top) ||
	    mount("none", groups->top, "cgroup2", 0, NULL))
		return -errno;
	for (unsigned int i = 0; i < GROUPS; i++) {
		snprintf(path, sizeof(path), "%s/%s", groups->top,
			 group_names[i]);
		if (mkdir(path, 0755))
			return -errno;
		groups->fds[i] = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (groups->fds[i] < 0)
			return -errno;
	}
	return 0;
}

/* All processes in them have ended. */
static inline void groups_remove(struct groups *groups)
{
	char path[128];

	for (int i = GROUPS - 1; i >= 0; i--) {
		close(groups->fds[i]);
		snprintf(path, sizeof(path), "%s/%s", groups->top,
			 group_names[i]);
		rmdir(path);
	}
	umount(groups->top);
	rmdir(groups->top);
}

/* Move a process, 0: this one, to a cgroup; GROUPS stands for the root. */
static inline void group_enter(const struct groups *groups, unsigned int group,
			       pid_t pid)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/%s/cgroup.procs", groups->top,
		 group < GROUPS ? group_names[group] : "");
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || dprintf(fd, "%d", pid) <= 0)
		abort();
	close(fd);
}

static inline int cgroup_set(int fd, int cgroup)
{
	const struct pfm_cgroup arg = { .fd = cgroup };

	return call(fd, PFM_IOC_SET_CGROUP, &arg);
}

/* A child that waits for child_go() on CPU 0, runs a function and ends. */
static inline void child_call(struct child *child, void (*fn)(void *),
			      void *arg)
{
	if (!child_begin(child, 0))
		return;
	fn(arg);
	_exit(0);
}

#endif /* _SELFTESTS_CGROUP_H */
