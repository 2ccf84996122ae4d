// SPDX-License-Identifier: GPL-2.0-only
/*
 * Spaces: the executable mappings of a process that a context has reported.
 *
 * With them a task reports only the mappings that have changed, and knows which ones have
 * gone.  A context keeps those of the processes that it has looked at lately.  A process
 * whose space was dropped reports all its mappings anew.
 */
#include "sampling/space.h"

#include <linux/mm.h>
#include <linux/perfmon.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "core/context.h"
#include "sampling/maps.h"

/* Number of processes that a context remembers; look-ups walk over them. */
#define SPACES_MAX 256

/**
 * pfm_space_init - initialise the spaces of a new context
 * @spaces: pfm_maps.spaces
 */
void pfm_space_init(struct pfm_spaces *spaces)
{
	INIT_LIST_HEAD(&spaces->list);
}

/**
 * pfm_space_put - drop a reference to a space
 * @space: the space, or NULL
 *
 * Context: process.
 */
void pfm_space_put(struct pfm_space *space)
{
	if (!space || !refcount_dec_and_test(&space->ref))
		return;
	kvfree(space->maps);
	kfree(space);
}

/* Take the space that was not used for longest off the list, if that is not @but. */
static struct pfm_space *evict(struct pfm_context *ctx,
			       const struct pfm_space *but)
{
	struct pfm_spaces *spaces = &ctx->maps.spaces;
	struct pfm_space *space;

	lockdep_assert_held(&ctx->maps.lock);
	if (list_empty(&spaces->list))
		return NULL;
	space = list_last_entry(&spaces->list, struct pfm_space, node);
	if (space == but)
		return NULL;
	list_del(&space->node);
	space->listed = false;
	spaces->count--;
	/* Only who has the space listed changes its number of mappings, below the lock. */
	spaces->bytes -= space->n * sizeof(*space->maps);
	return space;
}

static bool is_current(const struct pfm_space *space)
{
	return space->mm == current->mm && space->tgid == current->tgid &&
	       space->exec_id == current->self_exec_id &&
	       space->begun == current->group_leader->start_boottime;
}

/* Find the space of the current process, and take a reference. */
static struct pfm_space *find(struct pfm_context *ctx)
{
	struct pfm_space *space;

	lockdep_assert_held(&ctx->maps.lock);
	list_for_each_entry(space, &ctx->maps.spaces.list, node) {
		if (!is_current(space))
			continue;
		list_move(&space->node, &ctx->maps.spaces.list);
		refcount_inc(&space->ref);
		return space;
	}
	return NULL;
}

static struct pfm_space *create(void)
{
	struct pfm_space *space = kzalloc(sizeof(*space), PFM_MAPS_GFP);

	if (!space)
		return NULL;
	refcount_set(&space->ref, 1);
	mutex_init(&space->lock);
	space->mm = current->mm;
	space->tgid = current->tgid;
	space->exec_id = current->self_exec_id;
	space->begun = current->group_leader->start_boottime;
	return space;
}

/**
 * pfm_space_get - find or create the space of the current process
 * @ctx: the context
 *
 * Context: process; may sleep.
 * Return: the space, of which the caller has a reference; NULL without memory.
 */
struct pfm_space *pfm_space_get(struct pfm_context *ctx)
{
	struct pfm_space *space, *new, *old = NULL;

	spin_lock(&ctx->maps.lock);
	space = find(ctx);
	spin_unlock(&ctx->maps.lock);
	if (space)
		return space;
	new = create();
	if (!new)
		return NULL;
	spin_lock(&ctx->maps.lock);
	/* Another thread of the process may have been faster. */
	space = find(ctx);
	if (!space) {
		list_add(&new->node, &ctx->maps.spaces.list);
		new->listed = true;
		refcount_inc(&new->ref);
		if (++ctx->maps.spaces.count > SPACES_MAX)
			old = evict(ctx, new);
	}
	spin_unlock(&ctx->maps.lock);
	pfm_space_put(old);
	if (!space)
		return new;
	pfm_space_put(new);
	return space;
}

/**
 * pfm_space_replace - store the result of a look at the mappings
 * @ctx: the context
 * @space: the space; its lock is held
 * @maps: the mappings, from kvmalloc_array(); the space takes them over
 * @n: number of elements of @maps
 *
 * If all spaces take more memory than the limit, others are dropped.
 *
 * Context: process; may sleep.
 */
void pfm_space_replace(struct pfm_context *ctx, struct pfm_space *space,
		       struct pfm_known *maps, u32 n)
{
	struct pfm_spaces *spaces = &ctx->maps.spaces;
	struct pfm_known *before = space->maps;
	struct pfm_space *old;
	LIST_HEAD(evicted);

	lockdep_assert_held(&space->lock);
	spin_lock(&ctx->maps.lock);
	if (space->listed)
		spaces->bytes += (n - (size_t)space->n) * sizeof(*maps);
	space->maps = maps;
	space->n = n;
	space->looked = true;
	while (spaces->bytes > PFM_MAPS_BYTES_MAX && (old = evict(ctx, space)))
		list_add(&old->node, &evicted);
	spin_unlock(&ctx->maps.lock);
	kvfree(before);
	while (!list_empty(&evicted)) {
		old = list_first_entry(&evicted, struct pfm_space, node);
		list_del(&old->node);
		pfm_space_put(old);
	}
}

/**
 * pfm_space_discard - drop all spaces
 * @ctx: the context, whose descriptor or last reference is gone
 *
 * Context: process; may sleep.
 */
void pfm_space_discard(struct pfm_context *ctx)
{
	struct pfm_space *space;

	do {
		spin_lock(&ctx->maps.lock);
		space = evict(ctx, NULL);
		spin_unlock(&ctx->maps.lock);
		pfm_space_put(space);
	} while (space);
}

/**
 * pfm_space_find - find a mapping that was reported, and has not changed since
 * @space: the space; its lock is held
 * @map: the mapping as it is now
 *
 * Return: the mapping as it was reported, or NULL.
 */
const struct pfm_known *pfm_space_find(const struct pfm_space *space,
				       const struct pfm_known *map)
{
	const struct pfm_known *known;
	u32 low = 0, high = space->n;

	while (low < high) {
		const u32 middle = low + (high - low) / 2;

		if (space->maps[middle].start < map->start)
			low = middle + 1;
		else
			high = middle;
	}
	known = &space->maps[low];
	if (low == space->n || known->start != map->start ||
	    known->end != map->end || known->pgoff != map->pgoff ||
	    known->ino != map->ino || known->dev != map->dev ||
	    known->generation != map->generation || !known->since)
		return NULL;
	return known;
}
