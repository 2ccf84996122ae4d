/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The cgroups whose tasks a session counts on its CPUs.
 */
#ifndef PFMON_SESSION_CGROUP_LIST_H
#define PFMON_SESSION_CGROUP_LIST_H

#include <stddef.h>

struct cgroup_list;
struct scope_options;

/**
 * struct cgroup - a cgroup
 * @path: as in /proc/PID/cgroup, or as it was given if it is elsewhere
 * @fd: descriptor of its folder
 */
struct cgroup {
	char *path;
	int fd;
};

/**
 * struct cgroup_list - cgroups
 * @list: the cgroups
 * @count: elements of @list
 * @room: elements that fit in @list
 */
struct cgroup_list {
	struct cgroup **list;
	size_t count;
	size_t room;
};

/* Opens what the command line names.  Returns 0, or -1 after a message. */
int cgroup_list_open(struct cgroup_list *cgroups,
		     const struct scope_options *scope);

void cgroup_list_free(struct cgroup_list *cgroups);

#endif
