// SPDX-License-Identifier: GPL-2.0-only
/*
 * The reserve of a context: links and paths that its probes take when memory cannot
 * be had without waiting.  A work item fills it up again, so that what is lost for lack
 * of memory is what comes faster than that.
 *
 * Why nothing is used after it was freed: Documentation/locking.rst.
 */
#include "reserve.h"

#include <linux/cpumask.h>
#include <linux/perfmon.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#include "compat.h"
#include "context.h"
#include "layout.h"
#include "link.h"
#include "path.h"

/* Bytes of a reserve's links, unless RESERVE_MIN of them take more. */
#define RESERVE_BYTES SZ_128K
#define RESERVE_MIN   4

/*
 * In a memory control group that has reached its limit, every probe takes from the
 * reserve, and each CPU may fork or exec while it is filled up.
 */
#define RESERVE_CPU 8

/* Under memory pressure the reserve waits, but has no process killed for itself. */
#define GFP_FILL (GFP_KERNEL_ACCOUNT | __GFP_NORETRY | __GFP_NOWARN)

/* Returns whether there is one more link, or none is missing. */
static bool add_link(struct pfm_context *ctx)
{
	struct pfm_reserve *reserve = &ctx->reserve;
	struct pfm_link *link;

	link = pfm_link_create(ctx, reserve->layout, NULL, GFP_FILL);
	if (!link)
		return false;
	raw_spin_lock_irq(&ctx->links_lock);
	if (reserve->nlinks < reserve->max) {
		reserve->links[reserve->nlinks++] = link;
		link = NULL;
	}
	raw_spin_unlock_irq(&ctx->links_lock);
	if (link)
		pfm_link_free(link);
	return true;
}

static bool add_path(struct pfm_context *ctx)
{
	struct pfm_reserve *reserve = &ctx->reserve;
	struct pfm_path *path;

	path = pfm_path_alloc(PFM_PATH_MAX, GFP_FILL);
	if (!path)
		return false;
	raw_spin_lock_irq(&ctx->links_lock);
	if (reserve->npaths < reserve->max) {
		reserve->paths[reserve->npaths++] = path;
		path = NULL;
	}
	raw_spin_unlock_irq(&ctx->links_lock);
	pfm_path_put(path);
	return true;
}

/* Returns whether the reserve is full. */
static bool fill(struct pfm_context *ctx)
{
	const struct pfm_reserve *reserve = &ctx->reserve;
	struct mem_cgroup *old = pfm_memcg_enter(ctx->memcg);
	bool full = true;

	while (full && READ_ONCE(reserve->nlinks) < reserve->max)
		full = add_link(ctx);
	while (full && READ_ONCE(reserve->npaths) < reserve->max)
		full = add_path(ctx);
	pfm_memcg_leave(old);
	return full;
}

static void fill_work(struct work_struct *work)
{
	/* Without memory the next probe that finds none queues this again. */
	fill(container_of(work, struct pfm_context, reserve.work));
}

/**
 * pfm_reserve_init - of a new context
 * @ctx: the context
 */
void pfm_reserve_init(struct pfm_context *ctx)
{
	INIT_WORK(&ctx->reserve.work, fill_work);
}

/**
 * pfm_reserve_load - have a reserve, if the context follows
 * @ctx: the context, about to be loaded; pfm_context.lock is held
 * @layout: its layout
 *
 * Return: 0 or -ENOMEM.
 */
int pfm_reserve_load(struct pfm_context *ctx, struct pfm_layout *layout)
{
	struct pfm_reserve *reserve = &ctx->reserve;
	size_t size, most;

	lockdep_assert_held(&ctx->lock);
	if (!pfm_context_follows(ctx))
		return 0;
	most = min_t(size_t, RESERVE_CPU * (num_online_cpus() + 1),
		     PFM_RESERVE_MAX);
	size = struct_size((struct pfm_link *)NULL, vals, layout->slots);
	reserve->max = clamp_t(size_t, RESERVE_BYTES / size, RESERVE_MIN, most);
	reserve->layout = pfm_layout_get(layout);
	if (fill(ctx))
		return 0;
	pfm_reserve_unload(ctx);
	return -ENOMEM;
}

/**
 * pfm_reserve_unload - the reserve is not needed any more
 * @ctx: the context, all of whose links are dead, or which was not loaded;
 *	pfm_context.lock is held
 */
void pfm_reserve_unload(struct pfm_context *ctx)
{
	struct pfm_reserve *reserve = &ctx->reserve;

	lockdep_assert_held(&ctx->lock);
	if (!reserve->layout)
		return;
	cancel_work_sync(&reserve->work);
	while (reserve->nlinks)
		pfm_link_free(reserve->links[--reserve->nlinks]);
	while (reserve->npaths)
		pfm_path_put(reserve->paths[--reserve->npaths]);
	pfm_layout_put(reserve->layout);
	reserve->layout = NULL;
}

/**
 * pfm_reserve_link - a link for a probe that found no memory
 * @ctx: the context, which has a link that is not dead; links_lock is held
 *
 * Return: a link without a task, as pfm_link_create() makes it, or NULL.
 */
struct pfm_link *pfm_reserve_link(struct pfm_context *ctx)
{
	struct pfm_reserve *reserve = &ctx->reserve;

	lockdep_assert_held(&ctx->links_lock);
	queue_work(pfm_unbound_wq, &reserve->work);
	return reserve->nlinks ? reserve->links[--reserve->nlinks] : NULL;
}

/**
 * pfm_reserve_path - a path for a probe that found no memory
 * @ctx: the context, which has a link that is not dead; links_lock is held
 * @name: see pfm_path_create()
 *
 * Return: the path with one reference, or NULL.
 */
struct pfm_path *pfm_reserve_path(struct pfm_context *ctx, const char *name)
{
	struct pfm_reserve *reserve = &ctx->reserve;
	struct pfm_path *path;

	lockdep_assert_held(&ctx->links_lock);
	queue_work(pfm_unbound_wq, &reserve->work);
	if (!reserve->npaths)
		return NULL;
	path = reserve->paths[--reserve->npaths];
	pfm_path_set(path, name);
	return path;
}
