// SPDX-License-Identifier: GPL-2.0-only
/*
 * Executable mappings of tasks that are sampled: the queue that READ_MAPS empties.  Who
 * fills it is in maps_report.c.
 */
#include "sampling/maps.h"

#include <linux/kdev_t.h>
#include <linux/mm.h>
#include <linux/perfmon.h>
#include <linux/pid_namespace.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "core/context.h"
#include "sampling/space.h"

/**
 * struct map - a mapping that waits for the consumer
 * @node: entry in pfm_maps.list
 * @rec: the record that the consumer reads
 */
struct map {
	struct list_head node;
	struct pfm_map rec;
};

/**
 * pfm_maps_init - initialise the list of mappings of a new context
 * @ctx: the context
 */
void pfm_maps_init(struct pfm_context *ctx)
{
	spin_lock_init(&ctx->maps.lock);
	INIT_LIST_HEAD(&ctx->maps.list);
	pfm_space_init(&ctx->maps.spaces);
}

/**
 * pfm_maps_discard - free the mappings that no consumer will read
 * @ctx: the context, whose descriptor or last reference is gone
 *
 * Context: process.
 */
void pfm_maps_discard(struct pfm_context *ctx)
{
	struct map *map, *next;
	LIST_HEAD(list);

	spin_lock(&ctx->maps.lock);
	list_splice_init(&ctx->maps.list, &list);
	ctx->maps.count = 0;
	ctx->maps.bytes = 0;
	spin_unlock(&ctx->maps.lock);
	list_for_each_entry_safe(map, next, &list, node)
		kfree(map);
	pfm_space_discard(ctx);
}

/**
 * pfm_maps_stats - fill in how many mappings wait and how many were lost
 * @ctx: the context
 * @cfg: out: maps and maps_lost are set
 */
void pfm_maps_stats(struct pfm_context *ctx, struct pfm_config *cfg)
{
	cfg->maps = READ_ONCE(ctx->maps.count);
	cfg->maps_lost = atomic64_read(&ctx->maps.lost);
}

/* Put a record into the list, behind the others or before them. */
static void push(struct pfm_context *ctx, struct map *map, bool first)
{
	lockdep_assert_held(&ctx->maps.lock);
	if (first)
		list_add(&map->node, &ctx->maps.list);
	else
		list_add_tail(&map->node, &ctx->maps.list);
	ctx->maps.count++;
	WRITE_ONCE(ctx->maps.bytes, ctx->maps.bytes + map->rec.size);
}

/* True if one more record of that size may wait. */
static bool fits(const struct pfm_context *ctx, size_t size)
{
	return READ_ONCE(ctx->maps.bytes) + size <= PFM_MAPS_BYTES_MAX;
}

/**
 * pfm_maps_lose - count a mapping that is not reported
 * @ctx: the context
 *
 * Context: any.
 */
void pfm_maps_lose(struct pfm_context *ctx)
{
	atomic64_inc(&ctx->maps.lost);
}

/**
 * pfm_maps_add - queue a report of a mapping of the current process
 * @ctx: the context, whose control group pays: see pfm_memcg_enter()
 * @known: the mapping
 * @since: time from which the mapping was there, ns of CLOCK_MONOTONIC
 * @path: the file; empty without one, and when the mapping has gone
 *
 * Context: process; may sleep.
 * Return: false when the mapping is lost; then it was counted.
 */
bool pfm_maps_add(struct pfm_context *ctx, const struct pfm_known *known,
		  u64 since, const char *path)
{
	size_t len = strlen(path), size;
	struct map *map;
	bool fit;

	size = ALIGN(sizeof(map->rec) + len + 1, 8);
	map = NULL;
	if (fits(ctx, size))
		map = kzalloc(offsetof(struct map, rec) + size, PFM_MAPS_GFP);
	if (!map) {
		pfm_maps_lose(ctx);
		return false;
	}
	map->rec.size = size;
	map->rec.pid = task_tgid_nr_ns(current, ctx->pidns);
	map->rec.tstamp = since;
	map->rec.start = known->start;
	map->rec.end = known->end;
	map->rec.offset = (u64)known->pgoff << PAGE_SHIFT;
	map->rec.ino = known->ino;
	map->rec.dev = new_encode_dev(known->dev);
	map->rec.path_len = len;
	memcpy(map->rec.path, path, len);
	spin_lock(&ctx->maps.lock);
	/* Another task may have taken the room meanwhile. */
	fit = fits(ctx, size);
	if (fit)
		push(ctx, map, false);
	spin_unlock(&ctx->maps.lock);
	if (fit)
		return true;
	pfm_maps_lose(ctx);
	kfree(map);
	return false;
}

/* Take the oldest mapping off the list if it fits; *fits is false when it does not. */
static struct map *pop_map(struct pfm_context *ctx, u32 room, bool *fits)
{
	struct map *map;

	spin_lock(&ctx->maps.lock);
	map = list_first_entry_or_null(&ctx->maps.list, struct map, node);
	*fits = !map || map->rec.size <= room;
	if (map && *fits) {
		list_del(&map->node);
		ctx->maps.count--;
		WRITE_ONCE(ctx->maps.bytes, ctx->maps.bytes - map->rec.size);
	} else {
		map = NULL;
	}
	spin_unlock(&ctx->maps.lock);
	return map;
}

/**
 * pfm_maps_read - copy mappings to user space (PFM_IOC_READ_MAPS)
 * @ctx: the context; pfm_context.lock is held
 * @arg: argument of the ioctl; count and used are filled in
 *
 * Context: process; may sleep.
 * Return: 0; -ENOSPC when not even one mapping fits; -EFAULT; -EINVAL.
 */
int pfm_maps_read(struct pfm_context *ctx, struct pfm_read_records *arg)
{
	struct map *map;
	bool fits;
	int ret = 0;

	lockdep_assert_held(&ctx->lock);
	if (arg->flags || !IS_ALIGNED(arg->buf, 8))
		return -EINVAL;
	arg->count = 0;
	arg->used = 0;
	while ((map = pop_map(ctx, arg->size - arg->used, &fits))) {
		void __user *to = u64_to_user_ptr(arg->buf + arg->used);

		if (copy_to_user(to, &map->rec, map->rec.size)) {
			/* It may exceed the limit, by this one record. */
			spin_lock(&ctx->maps.lock);
			push(ctx, map, true);
			spin_unlock(&ctx->maps.lock);
			ret = -EFAULT;
			break;
		}
		arg->count++;
		arg->used += map->rec.size;
		kfree(map);
	}
	if (!fits && !ret)
		ret = -ENOSPC;
	/* Mappings that were copied are reported even if a later one failed. */
	return arg->count ? 0 : ret;
}
