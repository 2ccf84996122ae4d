/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The cgroups whose tasks a session counts on its CPUs.
 */
#ifndef PFMON_SESSION_CGROUP_LIST_H
#define PFMON_SESSION_CGROUP_LIST_H

#include <stddef.h>

struct scope_options;

/**
 * struct cgroup - a cgroup
 * @path: as in /proc/PID/cgroup, or as it was given if it is elsewhere
 * @name: its short name, which no other one of the session has
 * @fd: descriptor of its folder
 */
struct cgroup {
	char *path;
	char *name;
	int fd;
};

/**
 * struct cgroup_list - cgroups, none of which is below another
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

/* Warns of cgroups that match the command line and came after those that were opened. */
void cgroup_list_tell_new(const struct cgroup_list *cgroups,
			  const struct scope_options *scope);

void cgroup_list_free(struct cgroup_list *cgroups);

/* cgroup_search.c */

/**
 * struct cgroup_search - cgroups that match patterns
 * @patterns: the patterns; shell patterns with commas between them
 * @paths: paths that match, outermost only, sorted
 * @count: elements of @paths
 * @room: elements that fit in @paths
 * @num_inner: matches that are below others
 * @inner: the first of these; NULL if there is none
 * @outer: what it is below
 * @matched: bits of the patterns that match anything
 */
struct cgroup_search {
	const char *patterns;
	char **paths;
	size_t count;
	size_t room;
	size_t num_inner;
	char *inner;
	char *outer;
	unsigned long long matched;
};

/* Returns 0, or -1 after a message; cgroup_search_free() is needed in both cases. */
int cgroup_search_run(struct cgroup_search *search);

void cgroup_search_free(struct cgroup_search *search);

#endif
