/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Folders of control groups.
 */
#ifndef PFMON_SESSION_CGROUP_H
#define PFMON_SESSION_CGROUP_H

#include <stdbool.h>

/* The group's folder, to be freed; NULL after saying that there is none. */
char *cgroup_find(const char *path);

/* Such a group has threads of processes that belong to a group above it. */
bool cgroup_is_threaded(const char *path);

#endif
