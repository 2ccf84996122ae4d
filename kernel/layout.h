/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A layout: an event set made ready to load, and the order of its values.
 */
#ifndef _PFM_LAYOUT_H
#define _PFM_LAYOUT_H

#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <perfmon/pmu.h>

struct pfm_context;
struct pfm_set;

/**
 * struct pfm_layout - programs of the parts and where their values stand
 * @gen: unique number: tells whether a CPU's registers hold this very layout,
 *	also when a later one has the same address
 * @nvals: values that each task has: one a PMD in use
 * @off: index of the first value of each part
 * @parts: the program of each part; no PMDs when the part is not used
 * @nums: register number of each value, ascending
 * @ref: the context and each link
 * @rcu: switch hooks may use a replaced layout for a grace period
 *
 * Constant (but for @ref) once published in pfm_context.layout.  The program of a part, its
 * registers and @nums share one allocation with it.
 */
struct pfm_layout {
	u64 gen;
	u16 nvals;
	u16 off[PFM_PARTS];
	struct pfm_prog parts[PFM_PARTS];
	u16 *nums;
	refcount_t ref;
	struct rcu_head rcu;
};

struct pfm_layout *pfm_layout_create(const struct pfm_context *ctx,
				     const struct pfm_set *set);
struct pfm_layout *pfm_layout_get(struct pfm_layout *layout);
void pfm_layout_put(struct pfm_layout *layout);
int pfm_layout_index(const struct pfm_layout *layout, u16 num, u16 hint);

static inline bool pfm_layout_uses(const struct pfm_layout *layout,
				   enum pfm_part part)
{
	return layout->parts[part].npmds;
}

#endif /* _PFM_LAYOUT_H */
