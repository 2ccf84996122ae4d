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
 * @ref: tasks and records that name it
 * @hash: hash of @name, to compare quickly
 * @len: bytes of @name without the zero byte
 * @rcu: to free it where kfree() may not be called
 * @name: the path
 *
 * Constant but for @ref.
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
