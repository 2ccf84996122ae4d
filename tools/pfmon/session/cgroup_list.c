// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens the cgroups that a session counts on its CPUs.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cgroup_name.h"
#include "base/message.h"
#include "options/options.h"
#include "session/attach.h"
#include "session/cgroup_list.h"

static int no_memory(void)
{
	say_error("out of memory for the cgroups");
	return -1;
}

static void free_cgroup(struct cgroup *cgroup)
{
	if (cgroup->fd >= 0)
		close(cgroup->fd);
	free(cgroup->path);
	free(cgroup->name);
	free(cgroup);
}

/* Makes a cgroup of a folder; NULL after a message. */
static struct cgroup *make(const char *folder)
{
	struct cgroup *cgroup = calloc(1, sizeof(*cgroup));

	if (!cgroup) {
		no_memory();
		return NULL;
	}
	cgroup->path = strdup(cgroup_path(folder));
	cgroup->name = cgroup->path ? cgroup_name(cgroup->path) : NULL;
	cgroup->fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (cgroup->fd >= 0 && cgroup->name)
		return cgroup;
	if (cgroup->fd < 0)
		say_error("cannot open the cgroup '%s': %s", folder,
			  strerror(errno));
	else
		no_memory();
	free_cgroup(cgroup);
	return NULL;
}

/* Adds the cgroup that has this folder. */
static int add(struct cgroup_list *cgroups, const char *folder)
{
	struct cgroup *cgroup = make(folder);

	if (!cgroup)
		return -1;
	if (array_reserve(&cgroups->list, sizeof(*cgroups->list),
			  &cgroups->room, cgroups->count + 1)) {
		free_cgroup(cgroup);
		return no_memory();
	}
	cgroups->list[cgroups->count++] = cgroup;
	return 0;
}

static int open_one(struct cgroup_list *cgroups, const char *path)
{
	char *folder = cgroup_find(path);
	int err = folder ? add(cgroups, folder) : -1;

	free(folder);
	return err;
}

/* Of names that are the same, and those are rare, all become paths. */
static int tell_apart(struct cgroup_list *cgroups)
{
	size_t i, k;

	for (i = 0; i < cgroups->count; i++) {
		struct cgroup *cgroup = cgroups->list[i];
		bool again = false;

		for (k = i + 1; k < cgroups->count; k++) {
			struct cgroup *other = cgroups->list[k];

			if (strcmp(cgroup->name, other->name))
				continue;
			free(other->name);
			other->name = strdup(other->path);
			if (!other->name)
				return no_memory();
			again = true;
		}
		if (!again)
			continue;
		free(cgroup->name);
		cgroup->name = strdup(cgroup->path);
		if (!cgroup->name)
			return no_memory();
	}
	return 0;
}

/* Says what of the patterns is not counted as it was meant. */
static int tell_search(const struct cgroup_search *search)
{
	const char *at = search->patterns;
	unsigned int i;

	if (!search->count) {
		say_error(
			"--for-each-cgroup: no cgroup below %s matches '%s'; 'systemd-cgls' or 'find %s -type d' shows those that there are; put patterns in quotes",
			cgroup_mount(), search->patterns, cgroup_mount());
		return -1;
	}
	for (i = 0; *at; i++) {
		if (!(search->matched >> i & 1))
			say_warning("--for-each-cgroup: no cgroup matches '%.*s'",
				    (int)strcspn(at, ","), at);
		at += strcspn(at, ",");
		at += *at == ',';
	}
	if (search->num_inner == 1)
		say_note(
			"cgroup '%s' has no row of its own: it is counted in '%s', which it is below",
			search->inner, search->outer);
	else if (search->num_inner)
		say_note(
			"%zu cgroups that match have no rows of their own, as they are counted in those that they are below, such as '%s' in '%s'",
			search->num_inner, search->inner, search->outer);
	return 0;
}

static int open_each(struct cgroup_list *cgroups, const char *patterns)
{
	struct cgroup_search search = { .patterns = patterns };
	int err = cgroup_search_run(&search);
	char *folder;
	size_t i;

	if (!err)
		err = tell_search(&search);
	for (i = 0; !err && i < search.count; i++) {
		if (asprintf(&folder, "%s%s", cgroup_mount(),
			     search.paths[i]) < 0) {
			err = no_memory();
			break;
		}
		err = add(cgroups, folder);
		free(folder);
	}
	cgroup_search_free(&search);
	return err ? err : tell_apart(cgroups);
}

int cgroup_list_open(struct cgroup_list *cgroups,
		     const struct scope_options *scope)
{
	if (scope->each_cgroup)
		return open_each(cgroups, scope->each_cgroup);
	return scope->cgroup ? open_one(cgroups, scope->cgroup) : 0;
}

static bool has(const struct cgroup_list *cgroups, const char *path)
{
	size_t i;

	for (i = 0; i < cgroups->count; i++)
		if (!strcmp(cgroups->list[i]->path, path))
			return true;
	return false;
}

void cgroup_list_tell_new(const struct cgroup_list *cgroups,
			  const struct scope_options *scope)
{
	struct cgroup_search search = { .patterns = scope->each_cgroup };
	const char *first = NULL;
	size_t count = 0, i;

	if (!scope->each_cgroup)
		return;
	if (!cgroup_search_run(&search))
		for (i = 0; i < search.count; i++) {
			if (has(cgroups, search.paths[i]))
				continue;
			if (!count++)
				first = search.paths[i];
		}
	if (count)
		say_warning(
			"%zu cgroup%s that came later match%s and %s not counted: '%s'%s",
			count, count == 1 ? "" : "s", count == 1 ? "es" : "",
			count == 1 ? "is" : "are", first,
			count == 1 ? "" : " and others");
	cgroup_search_free(&search);
}

void cgroup_list_free(struct cgroup_list *cgroups)
{
	size_t i;

	for (i = 0; i < cgroups->count; i++)
		free_cgroup(cgroups->list[i]);
	free(cgroups->list);
	*cgroups = (struct cgroup_list){ 0 };
}
