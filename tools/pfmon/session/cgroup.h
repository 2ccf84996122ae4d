/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The folders of control groups.
 */
#ifndef PFMON_SESSION_CGROUP_H
#define PFMON_SESSION_CGROUP_H

#include <stdbool.h>

/*
 * Returns the folder of a group, which the caller frees; NULL after a message.
 */
char *cgroup_find(const char *path);

/*
 * True if the group is threaded: then it has no processes, but threads of
 * processes that belong to a group above it.
 */
bool cgroup_is_threaded(const char *path);

#endif
