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
 * struct pfm_bank - an event set in a layout
 * @gen: number of the program: tells whether a CPU's registers hold it.  Only
 *	banks of different contexts share it, if their hardware programs are
 *	equal
 * @pass: the same in two banks if a CPU may go on from a task with the one to a
 *	task with the other, and only values be between them; 0 if it may not
 *	from any task to any, not even with this very bank
 * @same: entry in the table of programs; see program.c
 * @set: its number
 * @own: its thread may read it as own.c does: it is the only one, set 0, and short,
 *	of a context that does not follow
 * @flags: PFM_SETFL_*
 * @next: index of the bank that follows when this one is left; its own when
 *	it is not left
 * @timeout: see struct pfm_set_desc; 0 without PFM_SETFL_TIME_SWITCH
 * @jitter: see struct pfm_set_desc
 * @at: index of its first value in pfm_link.vals
 * @nvals: its values: one a PMD in use, then ACTIVE, RUNS and, in the first
 *	bank, ENABLED when the layout keeps times
 * @times_at: index in pfm_link.vals of its ACTIVE, when the layout keeps times
 * @off: index in the bank of the first value of each part
 * @parts: the program of each part; no PMDs when the part is not used
 * @nums: register number of each value, ascending
 * @nsmpls: elements of @smpls
 * @smpl0: index of the first among all of the layout that sample
 * @base: index in pfm_link.vals of what the first of them counted beyond its
 *	value: in a context that follows, where the value is the lane's phase
 * @lean: an overflow concerns no value but the one that overflowed, so that the
 *	others need not be read: pfm_pmu_ops.take
 * @solo: moreover, one value samples, of the hardware, for a format, and switches
 *	no sets
 * @solo_at: index of that value in pfm_link.vals
 * @smpls: values that sample, ascending; NULL when none does
 *
 * Constant but for @same.
 */
struct pfm_bank {
	u64 gen;
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
	struct pfm_prog parts[PFM_CLASSES];
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
 * @gen: unique number of this very layout
 * @nbanks: elements of @banks
 * @nvals: values that each task has, of all sets
 * @nsmpls: values that sample, of all sets
 * @slots: elements of pfm_link.vals
 * @used_at: index in pfm_link.vals of the bitmap of used banks, if @sparse
 * @max_smpl: most values that a sample has
 * @max_log: most values that an entry of the slice log has, 0 without a log
 * @timed: sets have times, as they were described; if not, there is one bank,
 *	and no clock is read for it
 * @kernel: a set counts more than user-level code, now or earlier; only set, by the
 *	one CPU that counts, when a format changes that
 * @sparse: many sets of a context that follows: a link tells which of them it
 *	has values of, so that what moves them need not look at the others
 * @ref: the context and each link
 * @rcu: switch hooks may use a replaced layout for a grace period
 * @lists: memory of all banks' smpls
 * @banks: in ascending order of set number
 *
 * Constant (but for @ref and @kernel) once published in pfm_context.layout.
 */
struct pfm_layout {
	u32 shape;
	u64 gen;
	u32 nbanks;
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
	struct pfm_bank banks[];
};

struct pfm_layout *pfm_layout_create(struct pfm_context *ctx);
struct pfm_layout *pfm_layout_get(struct pfm_layout *layout);
void pfm_layout_put(struct pfm_layout *layout);
const struct pfm_bank *pfm_layout_bank(const struct pfm_layout *layout,
				       u16 set);
bool pfm_layout_uses(const struct pfm_layout *layout, enum pfm_reg_class part);
void pfm_bank_renew(struct pfm_bank *bank);
int pfm_bank_index(const struct pfm_bank *bank, u16 num, u16 hint);
int pfm_bank_smpl(const struct pfm_bank *bank, u16 at);

/* The registers that follow the task, whatever set is active. */
static inline const struct pfm_prog *
pfm_layout_task(const struct pfm_layout *layout)
{
	return &layout->banks[0].parts[PFM_CLASS_TASK];
}

static inline u16 pfm_layout_task_at(const struct pfm_layout *layout)
{
	return layout->banks[0].off[PFM_CLASS_TASK];
}

/*
 * Values that are read, or move to the totals, with interrupts off: those of the banks
 * whose first values are in the same block of so many.  A bank is in one piece.
 */
#define PFM_PIECE_BITS 8
#define PFM_PIECE      BIT(PFM_PIECE_BITS)

static inline u32 pfm_bank_piece(const struct pfm_bank *bank)
{
	return bank->at >> PFM_PIECE_BITS;
}

/* Index in pfm_link.vals of the value behind a bank. */
static inline u32 pfm_bank_end(const struct pfm_bank *bank)
{
	return bank->at + bank->nvals;
}

/* Values of a bank that belong to the CPU that counts: not those of the task. */
static inline u16 pfm_bank_nregs(const struct pfm_bank *bank)
{
	return bank->off[PFM_CLASS_TASK];
}

/* Where the times of a bank stand; only in a layout that is timed. */
static inline u32 pfm_bank_active_at(const struct pfm_bank *bank)
{
	return bank->times_at;
}

static inline u32 pfm_bank_runs_at(const struct pfm_bank *bank)
{
	return pfm_bank_active_at(bank) + 1;
}

static inline u32 pfm_layout_enabled_at(const struct pfm_layout *layout)
{
	return pfm_bank_active_at(&layout->banks[0]) + 2;
}

#endif /* _PFM_LAYOUT_H */
