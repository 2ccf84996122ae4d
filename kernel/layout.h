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

/* Values of a set that may sample: bits of a u64 tell which overflowed. */
#define PFM_SMPLS_MAX 64

/**
 * struct pfm_smpl - a value that samples
 * @at: index of the value
 * @num: its register
 * @nsmpl: elements of @smpl
 * @nreset: elements of @reset
 * @flags: PFM_PMDF_*
 * @long_reset: see struct pfm_pmd_attr, also for what follows
 * @short_reset:
 * @random_mask: 0 without PFM_PMDF_RANDOM
 * @random_seed:
 * @eventid:
 * @smpl: indices of the values that go into a sample
 * @reset: indices of the values that are reset as well
 *
 * Constant.
 */
struct pfm_smpl {
	u16 at;
	u16 num;
	u16 nsmpl;
	u16 nreset;
	u32 flags;
	u64 long_reset;
	u64 short_reset;
	u64 random_mask;
	u64 random_seed;
	u64 eventid;
	const u16 *smpl;
	const u16 *reset;
};

/**
 * struct pfm_layout - programs of the parts and where their values stand
 * @gen: unique number: tells whether a CPU's registers hold this very layout,
 *	also when a later one has the same address
 * @nvals: values that each task has: one a PMD in use
 * @off: index of the first value of each part
 * @parts: the program of each part; no PMDs when the part is not used
 * @nums: register number of each value, ascending
 * @nsmpls: elements of @smpls
 * @max_smpl: most values that a sample has
 * @smpls: values that sample, ascending; NULL when none does
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
	u16 nsmpls;
	u16 max_smpl;
	struct pfm_smpl *smpls;
	refcount_t ref;
	struct rcu_head rcu;
};

struct pfm_layout *pfm_layout_create(const struct pfm_context *ctx,
				     const struct pfm_set *set);
struct pfm_layout *pfm_layout_get(struct pfm_layout *layout);
void pfm_layout_put(struct pfm_layout *layout);
int pfm_layout_smpl(const struct pfm_layout *layout, u16 at);
int pfm_layout_index(const struct pfm_layout *layout, u16 num, u16 hint);

/* Elements of pfm_link.vals. */
static inline u16 pfm_layout_slots(const struct pfm_layout *layout)
{
	return layout->nvals + layout->nsmpls;
}

static inline bool pfm_layout_uses(const struct pfm_layout *layout,
				   enum pfm_part part)
{
	return layout->parts[part].npmds;
}

#endif /* _PFM_LAYOUT_H */
