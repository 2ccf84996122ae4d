/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The path of a program, shared by all tasks that run it.
 */
#ifndef _PFM_PATH_H
#define _PFM_PATH_H

#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/types.h>

/**
 * struct pfm_path - path of a program as it was given to execve(2)
 * @ref: references of the targets and records that have this program
 * @hash: hash of @name, for a quick comparison
 * @len: bytes of @name without the terminating zero
 * @rcu: defers the free for callers that must not use kfree()
 * @name: the path, terminated by zero
 *
 * Constant except for @ref.
 */
struct pfm_path {
	refcount_t ref;
	u32 hash;
	u32 len;
	struct rcu_head rcu;
	char name[];
};

struct pfm_path *pfm_path_alloc(size_t len, gfp_t gfp);
void pfm_path_set(struct pfm_path *path, const char *name);
struct pfm_path *pfm_path_create(const char *name, gfp_t gfp);
struct pfm_path *pfm_path_get(struct pfm_path *path);
void pfm_path_put(struct pfm_path *path);
bool pfm_path_equal(const struct pfm_path *a, const struct pfm_path *b);

#endif /* _PFM_PATH_H */
