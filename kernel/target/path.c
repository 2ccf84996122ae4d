// SPDX-License-Identifier: GPL-2.0-only
/*
 * Paths of programs.  exec makes a path, and the children that a task forks share it,
 * so that following a fork copies no string.  All functions: any context, no locks.
 */
#include "target/path.h"

#include <linux/jhash.h>
#include <linux/perfmon.h>
#include <linux/slab.h>
#include <linux/string.h>

/**
 * pfm_path_alloc - allocate memory for a path
 * @len: bytes of the longest name to store, without the terminating zero
 * @gfp: allocation flags
 *
 * Return: memory for pfm_path_set(), with one reference; NULL without memory.
 */
struct pfm_path *pfm_path_alloc(size_t len, gfp_t gfp)
{
	struct pfm_path *path;

	path = kmalloc(struct_size(path, name, len + 1), gfp);
	if (path)
		refcount_set(&path->ref, 1);
	return path;
}

/**
 * pfm_path_set - store a name in a path
 * @path: the path, not visible to others yet; has room for the name or for PFM_PATH_MAX
 *	bytes
 * @name: kernel string
 *
 * Of a name longer than PFM_PATH_MAX bytes only the end is kept, because the end names
 * the program.
 */
void pfm_path_set(struct pfm_path *path, const char *name)
{
	size_t len = strlen(name);

	if (len > PFM_PATH_MAX) {
		name += len - PFM_PATH_MAX;
		len = PFM_PATH_MAX;
	}
	memcpy(path->name, name, len);
	path->name[len] = '\0';
	path->len = len;
	path->hash = jhash(path->name, len, 0);
}

/**
 * pfm_path_create - make the path of a program that is being executed
 * @name: kernel string, see pfm_path_set()
 * @gfp: allocation flags
 *
 * Return: the path with one reference; NULL without memory.
 */
struct pfm_path *pfm_path_create(const char *name, gfp_t gfp)
{
	size_t len = min_t(size_t, strlen(name), PFM_PATH_MAX);
	struct pfm_path *path = pfm_path_alloc(len, gfp);

	if (path)
		pfm_path_set(path, name);
	return path;
}

/**
 * pfm_path_get - take a reference to a path
 * @path: the path, or NULL
 *
 * Return: @path.
 */
struct pfm_path *pfm_path_get(struct pfm_path *path)
{
	if (path)
		refcount_inc(&path->ref);
	return path;
}

/**
 * pfm_path_put - drop a reference to a path
 * @path: the path, or NULL
 *
 * Context: any but NMI; also under raw locks, where kfree() is not allowed.
 */
void pfm_path_put(struct pfm_path *path)
{
	if (path && refcount_dec_and_test(&path->ref))
		kfree_rcu(path, rcu);
}

/**
 * pfm_path_equal - compare two paths
 * @a: path or NULL
 * @b: path or NULL
 *
 * Return: true when both name the same command; NULL equals NULL only.
 */
bool pfm_path_equal(const struct pfm_path *a, const struct pfm_path *b)
{
	if (a == b)
		return true;
	if (!a || !b)
		return false;
	return a->hash == b->hash && a->len == b->len &&
	       !memcmp(a->name, b->name, a->len);
}
