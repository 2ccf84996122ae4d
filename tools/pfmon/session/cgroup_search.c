// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the cgroups that match shell patterns.
 *
 * Of two of which one is below the other, the outer one is taken: its counts have those of the inner
 * one, and a CPU has no counters for both.
 */
#include <dirent.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/message.h"
#include "session/attach.h"
#include "session/cgroup_list.h"

/* A bit of @matched for each */
#define PATTERNS_MAX 64

static int no_memory(void)
{
	say_error("out of memory for the cgroups");
	return -1;
}

/* A pattern with a slash is for the whole path, one without for the last name in it. */
static bool matches_one(const char *pattern, const char *path)
{
	if (strchr(pattern, '/'))
		return !fnmatch(pattern + (*pattern == '/'), path + 1,
				FNM_PATHNAME);
	return !fnmatch(pattern, strrchr(path, '/') + 1, 0);
}

static bool matches(struct cgroup_search *search, const char *path)
{
	const char *at = search->patterns;
	bool found = false;
	char pattern[1024];
	unsigned int i;

	for (i = 0; i < PATTERNS_MAX && *at; i++) {
		snprintf(pattern, sizeof(pattern), "%.*s",
			 (int)strcspn(at, ","), at);
		if (matches_one(pattern, path)) {
			search->matched |= 1ULL << i;
			found = true;
		}
		at += strcspn(at, ",");
		at += *at == ',';
	}
	return found;
}

static int add(struct cgroup_search *search, const char *path)
{
	if (array_reserve(&search->paths, sizeof(*search->paths), &search->room,
			  search->count + 1))
		return no_memory();
	search->paths[search->count] = strdup(path);
	return search->paths[search->count++] ? 0 : no_memory();
}

static int add_inner(struct cgroup_search *search, const char *path,
		     const char *outer)
{
	if (search->num_inner++)
		return 0;
	search->inner = strdup(path);
	search->outer = strdup(outer);
	return search->inner && search->outer ? 0 : no_memory();
}

static int look_below(struct cgroup_search *search, const char *path,
		      const char *outer);

/* @outer: the cgroup above that matches; NULL if there is none. */
static int look_at(struct cgroup_search *search, const char *path,
		   const char *outer)
{
	int err = 0;

	if (matches(search, path)) {
		err = outer ? add_inner(search, path, outer)
			    : add(search, path);
		if (!outer)
			outer = path;
	}
	return err ? err : look_below(search, path, outer);
}

static bool is_group(const char *path)
{
	bool found;
	char *name;

	if (asprintf(&name, "%s%s/cgroup.procs", cgroup_mount(), path) < 0)
		return false;
	found = !access(name, F_OK);
	free(name);
	return found;
}

/* Groups that have gone meanwhile are not there. */
static int look_below(struct cgroup_search *search, const char *path,
		      const char *outer)
{
	struct dirent *entry;
	char *name;
	DIR *folder;
	int err = 0;

	if (asprintf(&name, "%s%s", cgroup_mount(), path) < 0)
		return no_memory();
	folder = opendir(name);
	free(name);
	while (!err && folder && (entry = readdir(folder))) {
		if (entry->d_name[0] == '.' ||
		    (entry->d_type != DT_DIR && entry->d_type != DT_UNKNOWN))
			continue;
		if (asprintf(&name, "%s/%s", path, entry->d_name) < 0) {
			err = no_memory();
			break;
		}
		if (is_group(name))
			err = look_at(search, name, outer);
		free(name);
	}
	if (folder)
		closedir(folder);
	return err;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int cgroup_search_run(struct cgroup_search *search)
{
	if (!*cgroup_mount()) {
		say_error(
			"--for-each-cgroup: cgroup2 is not mounted; mount it with 'sudo mkdir -p /run/cgroup2; sudo mount -t cgroup2 none /run/cgroup2'");
		return -1;
	}
	if (look_below(search, "", NULL))
		return -1;
	if (search->count)
		qsort(search->paths, search->count, sizeof(*search->paths),
		      compare);
	return 0;
}

void cgroup_search_free(struct cgroup_search *search)
{
	size_t i;

	for (i = 0; i < search->count; i++)
		free(search->paths[i]);
	free(search->paths);
	free(search->inner);
	free(search->outer);
}
