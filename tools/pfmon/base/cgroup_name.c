// SPDX-License-Identifier: GPL-2.0-only
/*
 * Short names of cgroups.  Managers of containers put the container's id into the path of its cgroup,
 * and show its first 12 digits themselves; those of pods show 8.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cgroup_name.h"

#define CONTAINER_DIGITS 12
#define POD_DIGITS 8
#define ID_LENGTH 64

/**
 * struct manager - how a manager names the cgroup of a container
 * @before: what stands before its id
 * @name: the manager
 */
struct manager {
	const char *before;
	const char *name;
};

static const struct manager managers[] = {
	{ "docker-", "docker" },
	{ "libpod-", "podman" },
	{ "cri-containerd-", "containerd" },
	{ "crio-", "cri-o" },
};

/* The id at the begin of a name; NULL if there is none, or if more than ".scope" follows it. */
static const char *find_id(const char *name)
{
	size_t length = strspn(name, "0123456789abcdef");

	if (length != ID_LENGTH)
		return NULL;
	return !name[length] || !strcmp(name + length, ".scope") ? name : NULL;
}

/* The id of the pod that a path is in; NULL if there is none.  It has "_" or "-" between its parts. */
static const char *find_pod(const char *path)
{
	const char *at = strstr(path, "kubepods"), *pod = NULL;

	for (; at && (at = strstr(at, "pod")); at += strlen("pod"))
		if ((at[-1] == '-' || at[-1] == '/') &&
		    strspn(at + strlen("pod"), "0123456789abcdef") >=
			    POD_DIGITS)
			pod = at + strlen("pod");
	return pod;
}

/* Length of the component before the last one, which begins at @last; it begins at *@start. */
static size_t parent(const char *path, const char *last, const char **start)
{
	const char *end = last > path ? last - 1 : path;

	for (*start = end; *start > path && (*start)[-1] != '/'; (*start)--)
		;
	return end - *start;
}

static char *container_name(const char *path, const char *last)
{
	const char *id = find_id(last), *name = "container", *start;
	char *text;
	size_t i, length = parent(path, last, &start);

	if (id && length == strlen("docker") &&
	    !strncmp(start, "docker", length))
		name = "docker";
	for (i = 0; !id && i < sizeof(managers) / sizeof(managers[0]); i++) {
		const struct manager *manager = &managers[i];

		if (strncmp(last, manager->before, strlen(manager->before)))
			continue;
		id = find_id(last + strlen(manager->before));
		name = manager->name;
	}
	if (!id)
		return NULL;
	if (asprintf(&text, "%s %.*s", name, CONTAINER_DIGITS, id) < 0)
		return NULL;
	return text;
}

/* A pod, or a container in one. */
static char *pod_name(const char *path, char *container)
{
	const char *pod = find_pod(path);
	char *text;
	int ret;

	if (!pod || (!container && strchr(pod, '/')))
		return container;
	ret = asprintf(&text, "pod %.*s%s%s", POD_DIGITS, pod,
		       container ? " " : "", container ? container : "");
	free(container);
	return ret < 0 ? NULL : text;
}

/* A name stays on its line, whatever it contains. */
static char *escape(const char *name)
{
	char *text = malloc(4 * strlen(name) + 1), *at = text;

	for (; text && *name; name++)
		if (iscntrl((unsigned char)*name))
			at += sprintf(at, "\\%03o", (unsigned char)*name);
		else
			*at++ = *name;
	if (text)
		*at = '\0';
	return text;
}

char *cgroup_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *last = slash ? slash + 1 : path;
	char *name = pod_name(path, container_name(path, last));

	return name ? name : escape(*last ? last : path);
}
