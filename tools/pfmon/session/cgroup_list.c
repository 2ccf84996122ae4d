// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens the cgroups that a session counts on its CPUs.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
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
	free(cgroup);
}

/* Adds the cgroup that has this folder. */
static int add(struct cgroup_list *cgroups, const char *folder)
{
	struct cgroup *cgroup = calloc(1, sizeof(*cgroup));

	if (!cgroup)
		return no_memory();
	cgroup->path = strdup(cgroup_path(folder));
	cgroup->fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (cgroup->fd < 0)
		say_error("cannot open the cgroup '%s': %s", folder,
			  strerror(errno));
	else if (!cgroup->path ||
		 array_reserve(&cgroups->list, sizeof(*cgroups->list),
			       &cgroups->room, cgroups->count + 1))
		no_memory();
	else
		cgroups->list[cgroups->count++] = cgroup;
	if (cgroups->count && cgroups->list[cgroups->count - 1] == cgroup)
		return 0;
	free_cgroup(cgroup);
	return -1;
}

int cgroup_list_open(struct cgroup_list *cgroups,
		     const struct scope_options *scope)
{
	char *folder;
	int err;

	if (!scope->cgroup)
		return 0;
	folder = cgroup_find(scope->cgroup);
	if (!folder)
		return -1;
	err = add(cgroups, folder);
	free(folder);
	return err;
}

void cgroup_list_free(struct cgroup_list *cgroups)
{
	size_t i;

	for (i = 0; i < cgroups->count; i++)
		free_cgroup(cgroups->list[i]);
	free(cgroups->list);
	*cgroups = (struct cgroup_list){ 0 };
}
