// SPDX-License-Identifier: GPL-2.0-only
/*
 * The reserve of a context: targets and paths that its probes take when an allocation
 * fails, as probes cannot wait for memory.  A work item refills the reserve.  So a task
 * is not followed for lack of memory only if tasks are created faster than the work item
 * can refill.
 *
 * Why no memory is used after it was freed: Documentation/change/locking/target.rst.
 */
#include "target/reserve.h"

#include <linux/cpumask.h>
#include <linux/perfmon.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#include "compat.h"
#include "core/context.h"
#include "set/layout.h"
#include "target/path.h"
#include "target/target.h"

/* Bytes of the targets in a reserve, unless RESERVE_MIN targets take more. */
#define RESERVE_BYTES SZ_128K
#define RESERVE_MIN   4

/*
 * Targets and paths for each CPU.  In a memory control group that has reached its
 * limit, every probe takes from the reserve, and each CPU may fork or exec several
 * times before the reserve is refilled.
 */
#define RESERVE_CPU 8

/*
 * Under memory pressure the work item waits, but no process is killed for the reserve.
 */
#define GFP_FILL (GFP_KERNEL_ACCOUNT | __GFP_NORETRY | __GFP_NOWARN)

/* Add a target unless the reserve is full.  Returns false without memory. */
static bool add_target(struct pfm_context *ctx)
{
	struct pfm_reserve *reserve = &ctx->reserve;
	struct pfm_target *target;

	target = pfm_target_create(ctx, reserve->layout, NULL, GFP_FILL);
	if (!target)
		return false;
	raw_spin_lock_irq(&ctx->targets_lock);
	if (reserve->ntargets < reserve->max) {
		reserve->targets[reserve->ntargets++] = target;
		target = NULL;
	}
	raw_spin_unlock_irq(&ctx->targets_lock);
	if (target)
		pfm_target_free(target);
	return true;
}

static bool add_path(struct pfm_context *ctx)
{
	struct pfm_reserve *reserve = &ctx->reserve;
	struct pfm_path *path;

	path = pfm_path_alloc(PFM_PATH_MAX, GFP_FILL);
	if (!path)
		return false;
	raw_spin_lock_irq(&ctx->targets_lock);
	if (reserve->npaths < reserve->max) {
		reserve->paths[reserve->npaths++] = path;
		path = NULL;
	}
	raw_spin_unlock_irq(&ctx->targets_lock);
	pfm_path_put(path);
	return true;
}

/* Fill the reserve.  Returns true when it is full, false without memory. */
static bool fill(struct pfm_context *ctx)
{
	const struct pfm_reserve *reserve = &ctx->reserve;
	struct mem_cgroup *old = pfm_memcg_enter(ctx->memcg);
	bool full = true;

	while (full && READ_ONCE(reserve->ntargets) < reserve->max)
		full = add_target(ctx);
	while (full && READ_ONCE(reserve->npaths) < reserve->max)
		full = add_path(ctx);
	pfm_memcg_leave(old);
	return full;
}

static void fill_work(struct work_struct *work)
{
	/*
	 * Without memory, the next probe that takes from the reserve queues this again.
	 */
	fill(container_of(work, struct pfm_context, reserve.work));
}

/**
 * pfm_reserve_init - initialise the reserve of a new context
 * @ctx: the context
 */
void pfm_reserve_init(struct pfm_context *ctx)
{
	INIT_WORK(&ctx->reserve.work, fill_work);
}

/**
 * pfm_reserve_load - fill the reserve if the context follows
 * @ctx: the context, about to be loaded; pfm_context.lock is held
 * @layout: layout of the load; the reserve takes a reference
 *
 * Context: process; may sleep.
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
	size = struct_size((struct pfm_target *)NULL, vals, layout->slots);
	reserve->max = clamp_t(size_t, RESERVE_BYTES / size, RESERVE_MIN, most);
	reserve->targets =
		kcalloc(reserve->max,
			sizeof(*reserve->targets) + sizeof(*reserve->paths),
			GFP_KERNEL_ACCOUNT);
	if (!reserve->targets)
		return -ENOMEM;
	reserve->paths = (struct pfm_path **)(reserve->targets + reserve->max);
	reserve->layout = pfm_layout_get(layout);
	if (fill(ctx))
		return 0;
	pfm_reserve_unload(ctx);
	return -ENOMEM;
}

/**
 * pfm_reserve_unload - free the reserve
 * @ctx: the context; all of its targets are dead, or it was never loaded;
 *	pfm_context.lock is held
 *
 * Context: process; may sleep.
 */
void pfm_reserve_unload(struct pfm_context *ctx)
{
	struct pfm_reserve *reserve = &ctx->reserve;

	lockdep_assert_held(&ctx->lock);
	if (!reserve->layout)
		return;
	/* M3 */
	cancel_work_sync(&reserve->work);
	while (reserve->ntargets)
		pfm_target_free(reserve->targets[--reserve->ntargets]);
	while (reserve->npaths)
		pfm_path_put(reserve->paths[--reserve->npaths]);
	pfm_layout_put(reserve->layout);
	reserve->layout = NULL;
	kfree(reserve->targets);
	reserve->targets = NULL;
	reserve->paths = NULL;
}

/**
 * pfm_reserve_target - take a target for a probe that found no memory
 * @ctx: the context, which has a target that is not dead; pfm_context.targets_lock is
 *	held
 *
 * Context: interrupts off.
 * Return: a target without a task, as pfm_target_create() makes it; NULL when the
 * reserve is empty.
 */
struct pfm_target *pfm_reserve_target(struct pfm_context *ctx)
{
	struct pfm_reserve *reserve = &ctx->reserve;

	lockdep_assert_held(&ctx->targets_lock);
	queue_work(pfm_unbound_wq, &reserve->work);
	return reserve->ntargets ? reserve->targets[--reserve->ntargets] : NULL;
}

/**
 * pfm_reserve_path - take a path for a probe that found no memory
 * @ctx: the context, which has a target that is not dead; pfm_context.targets_lock is
 *	held
 * @name: name to store, see pfm_path_set()
 *
 * Context: interrupts off.
 * Return: the path with one reference; NULL when the reserve is empty.
 */
struct pfm_path *pfm_reserve_path(struct pfm_context *ctx, const char *name)
{
	struct pfm_reserve *reserve = &ctx->reserve;
	struct pfm_path *path;

	lockdep_assert_held(&ctx->targets_lock);
	queue_work(pfm_unbound_wq, &reserve->work);
	if (!reserve->npaths)
		return NULL;
	path = reserve->paths[--reserve->npaths];
	pfm_path_set(path, name);
	return path;
}
