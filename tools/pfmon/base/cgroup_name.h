/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Short names of cgroups.
 */
#ifndef PFMON_BASE_CGROUP_NAME_H
#define PFMON_BASE_CGROUP_NAME_H

/*
 * The name by which a user knows the container or service that has a cgroup, by its path.  The caller
 * frees it; NULL without memory.
 */
char *cgroup_name(const char *path);

#endif
