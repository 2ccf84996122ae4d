/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A layout: a context's event sets made ready to load, and the order of their
 * values.
 */
#ifndef _PFM_LAYOUT_H
#define _PFM_LAYOUT_H

#include <linux/bits.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <perfmon/pmu.h>

struct pfm_context;

/* Values of a set that may sample: bits of a u64 tell which overflowed. */
#define PFM_SMPLS_MAX 64

/*
 * Values of a context that follows, all sets together: each task has memory for
 * them, which a fork cannot wait for.
 */
#define PFM_FOLLOW_VALS_MAX 4096

/* Registers of a set that a thread may read of its own without a lock, at once. */
#define PFM_OWN_MAX 8

/**
 * struct pfm_smpl - a value that samples
 * @at: index of the value in its set
 * @num: its register
 * @nsmpl: elements of @smpl
 * @nreset: elements of @reset
 * @flags: PFM_PMDF_*
 * @long_reset: see struct pfm_pmd_attr, also for what follows
 * @short_reset:
 * @random_mask: 0 without PFM_PMDF_RANDOM
 * @random_seed:
 * @eventid:
 * @switch_cnt: overflows after which the set is left; 0 without
 *	PFM_SETFL_OVFL_SWITCH
 * @smpl: indices in the set of the values that go into a sample
 * @reset: indices in the set of the values that are reset as well
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
	u64 switch_cnt;
	const u16 *smpl;
	const u16 *reset;
};

/**
 * struct pfm_cset - an event set in a layout
 * @prog_id: number of the program: tells whether a CPU's registers hold it.  Only
 *	compiled sets of different contexts share it, if their hardware programs are
 *	equal
 * @pass: the same in two compiled sets if a CPU may go on from a task with the one to a
 *	task with the other, and only values be between them; 0 if it may not
 *	from any task to any, not even with this very compiled set
 * @same: entry in the table of programs; see program.c
 * @set: its number
 * @own: its thread may read it as own.c does: it is the only one, set 0, and short,
 *	of a context that does not follow
 * @flags: PFM_SETFL_*
 * @next: index of the compiled set that follows when this one is left; its own when
 *	it is not left
 * @timeout: see struct pfm_set_desc; 0 without PFM_SETFL_TIME_SWITCH
 * @jitter: see struct pfm_set_desc
 * @at: index of its first value in pfm_target.vals
 * @nvals: its values: one a PMD in use, then ACTIVE, RUNS and, in the first
 *	compiled set, ENABLED when the layout keeps times
 * @times_at: index in pfm_target.vals of its ACTIVE, when the layout keeps times
 * @off: index in the compiled set of the first value of each part
 * @parts: the program of each part; no PMDs when the part is not used
 * @nums: register number of each value, ascending
 * @nsmpls: elements of @smpls
 * @smpl0: index of the first among all of the layout that sample
 * @base: index in pfm_target.vals of what the first of them counted beyond its
 *	value: in a context that follows, where the value is the lane's phase
 * @lean: an overflow concerns no value but the one that overflowed, so that the
 *	others need not be read: pfm_pmu_ops.take
 * @solo: moreover, one value samples, of the hardware, for a format, and switches
 *	no sets
 * @solo_at: index of that value in pfm_target.vals
 * @smpls: values that sample, ascending; NULL when none does
 *
 * Constant but for @same.
 */
struct pfm_cset {
	u64 prog_id;
	u64 pass;
	struct hlist_node same;
	u16 set;
	bool own;
	u32 flags;
	u32 next;
	u64 timeout;
	u64 jitter;
	u32 at;
	u32 times_at;
	u16 nvals;
	u16 off[PFM_CLASSES];
	struct pfm_prog progs[PFM_CLASSES];
	u16 *nums;
	u16 nsmpls;
	u32 smpl0;
	u32 base;
	bool lean;
	bool solo;
	u32 solo_at;
	struct pfm_smpl *smpls;
};

/**
 * struct pfm_layout - the sets of a loaded context
 * @shape: number of the combination of sets and registers, unique in the
 *	context: layouts that share it have the same values in the same places
 * @id: unique number of this very layout
 * @ncsets: elements of @csets
 * @nvals: values that each task has, of all sets
 * @nsmpls: values that sample, of all sets
 * @slots: elements of pfm_target.vals
 * @used_at: index in pfm_target.vals of the bitmap of used compiled sets, if @sparse
 * @max_smpl: most values that a sample has
 * @max_log: most values that an entry of the slice log has, 0 without a log
 * @timed: sets have times, as they were described; if not, there is one compiled set,
 *	and no clock is read for it
 * @kernel: a set counts more than user-level code, now or earlier; only set, by the
 *	one CPU that counts, when a format changes that
 * @sparse: many sets of a context that follows: a target tells which of them it
 *	has values of, so that what moves them need not look at the others
 * @ref: the context and each target
 * @rcu: switch hooks may use a replaced layout for a grace period
 * @lists: memory of all compiled sets' smpls
 * @csets: in ascending order of set number
 *
 * Constant (but for @ref and @kernel) once published in pfm_context.layout.
 */
struct pfm_layout {
	u32 shape;
	u64 id;
	u32 ncsets;
	u32 nvals;
	u32 nsmpls;
	u32 slots;
	u32 used_at;
	u16 max_smpl;
	u16 max_log;
	bool timed;
	bool kernel;
	bool sparse;
	refcount_t ref;
	struct rcu_head rcu;
	void *lists;
	struct pfm_cset csets[];
};

struct pfm_layout *pfm_layout_create(struct pfm_context *ctx);
struct pfm_layout *pfm_layout_get(struct pfm_layout *layout);
void pfm_layout_put(struct pfm_layout *layout);
const struct pfm_cset *pfm_layout_cset(const struct pfm_layout *layout,
				       u16 set);
bool pfm_layout_uses(const struct pfm_layout *layout, enum pfm_reg_class class);
void pfm_cset_renew(struct pfm_cset *cset);
int pfm_cset_index(const struct pfm_cset *cset, u16 num, u16 hint);
int pfm_cset_smpl(const struct pfm_cset *cset, u16 at);

/* The registers that follow the task, whatever set is active. */
static inline const struct pfm_prog *
pfm_layout_task(const struct pfm_layout *layout)
{
	return &layout->csets[0].progs[PFM_CLASS_TASK];
}

static inline u16 pfm_layout_task_at(const struct pfm_layout *layout)
{
	return layout->csets[0].off[PFM_CLASS_TASK];
}

/*
 * Values that are read, or move to the totals, with interrupts off: those of the compiled sets
 * whose first values are in the same block of so many.  A compiled set is in one piece.
 */
#define PFM_PIECE_BITS 8
#define PFM_PIECE      BIT(PFM_PIECE_BITS)

static inline u32 pfm_cset_piece(const struct pfm_cset *cset)
{
	return cset->at >> PFM_PIECE_BITS;
}

/* Index in pfm_target.vals of the value behind a compiled set. */
static inline u32 pfm_cset_end(const struct pfm_cset *cset)
{
	return cset->at + cset->nvals;
}

/* Values of a compiled set that belong to the CPU that counts: not those of the task. */
static inline u16 pfm_cset_nregs(const struct pfm_cset *cset)
{
	return cset->off[PFM_CLASS_TASK];
}

/* Where the times of a compiled set stand; only in a layout that is timed. */
static inline u32 pfm_cset_active_at(const struct pfm_cset *cset)
{
	return cset->times_at;
}

static inline u32 pfm_cset_runs_at(const struct pfm_cset *cset)
{
	return pfm_cset_active_at(cset) + 1;
}

static inline u32 pfm_layout_enabled_at(const struct pfm_layout *layout)
{
	return pfm_cset_active_at(&layout->csets[0]) + 2;
}

#endif /* _PFM_LAYOUT_H */
