/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A layout: the event sets of a context, compiled for the hardware, and the order of
 * their values in a target.
 */
#ifndef _PFM_LAYOUT_H
#define _PFM_LAYOUT_H

#include <linux/bits.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <perfmon/pmu.h>

struct pfm_context;

/* Largest number of values of a set that sample: a u64 has a bit for each of them. */
#define PFM_SMPLS_MAX 64

/*
 * Largest number of values of a context that follows, all sets together.  Each task has
 * memory for all of them, and fork must not wait for that memory.
 */
#define PFM_FOLLOW_VALS_MAX 4096

/* Classes whose PMU may interrupt by an NMI are PFM_CLASS_HW and PFM_CLASS_UNIT. */
#define PFM_PMIS (PFM_CLASS_UNIT + 1)

/* Largest number of registers that a thread may read of its own set without a lock. */
#define PFM_OWN_MAX 8

/**
 * struct pfm_smpl - how one value samples
 * @at: index of the value in its compiled set
 * @num: register number of the value
 * @nsmpl: number of elements of @smpl
 * @nreset: number of elements of @reset
 * @flags: PFM_PMDF_*
 * @long_reset: reset value after a RESTART
 * @short_reset: reset value after an overflow that does not wait for a RESTART
 * @random_mask: bits of the random number that lengthens a period; 0 without
 *	PFM_PMDF_RANDOM
 * @random_seed: seed of the random numbers; 0: the kernel chooses one
 * @interval: ns between two overflows; 0 without PFM_PMDF_FREQUENCY
 * @shortest: with PFM_PMDF_FREQUENCY: shortest period, in events
 * @varies: periods are random or adapted
 * @eventid: number that is passed to the format with each sample
 * @switch_cnt: number of overflows that end the set's time slice; 0 without
 *	PFM_SETFL_OVFL_SWITCH
 * @smpl: indices in the compiled set of the values that go into a sample
 * @reset: indices in the compiled set of the other values that are reset as well
 *
 * Constant.  See struct pfm_pmd_attr.
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
	u64 interval;
	u64 shortest;
	bool varies;
	u64 eventid;
	u64 switch_cnt;
	const u16 *smpl;
	const u16 *reset;
};

/**
 * enum pfm_cset_path - ways that a compiled set takes, bits of pfm_cset.paths
 * @PFM_PATH_OWN: the monitored thread may read the set without a lock, as own.c does: it is the
 *	only set of a context that does not follow, has no times, and has no more than
 *	PFM_OWN_MAX registers
 * @PFM_PATH_OTHERS: the set uses registers of class PFM_CLASS_SHARED, PFM_CLASS_UNIT or
 *	PFM_CLASS_CPU
 * @PFM_PATH_SAMPLE: overflows of a program come with registers or an address of their own; see
 *	pfm_pmu_ops.sample
 * @PFM_PATH_NMI: an element of pfm_cset.pmis is not NULL
 * @PFM_PATH_LEAN: handling an overflow needs only the value that overflowed, so the others need
 *	not be read; see pfm_pmu_ops.take
 * @PFM_PATH_SOLO: PFM_PATH_LEAN, and the only value that samples is a hardware counter, for a
 *	format, whose overflows do not end the time slice
 * @PFM_PATH_UNIT_SOLO: the only value that samples, for a format, is one of a unit whose
 *	overflows come with a record, and all values of a sample are of that record.  Never
 *	together with PFM_PATH_SOLO
 * @PFM_PATH_DIRECT: PFM_PATH_SOLO or PFM_PATH_UNIT_SOLO, and an NMI may handle overflows at once:
 *	the format allows it, and nothing is done that needs a lock
 * @PFM_PATH_FREQUENCY: a value has PFM_PMDF_FREQUENCY, so the time for which it counts is measured
 * @PFM_PATH_RESUME: the PMU of the hardware counters has pfm_pmu_ops.resume
 *
 * They follow from the set, its programs and the format.  They are worked out once, when the
 * layout is made, because a switch or an overflow has no time for it.
 */
enum pfm_cset_path {
	PFM_PATH_OWN = BIT(0),
	PFM_PATH_OTHERS = BIT(1),
	PFM_PATH_SAMPLE = BIT(2),
	PFM_PATH_NMI = BIT(3),
	PFM_PATH_LEAN = BIT(4),
	PFM_PATH_SOLO = BIT(5),
	PFM_PATH_UNIT_SOLO = BIT(6),
	PFM_PATH_DIRECT = BIT(7),
	PFM_PATH_FREQUENCY = BIT(8),
	PFM_PATH_RESUME = BIT(9),
};

/**
 * struct pfm_cset - a compiled set: an event set made ready for the hardware
 * @prog_id: program id, which tells whether a CPU's registers hold this program.
 *	Compiled sets share it only if they belong to different contexts and their
 *	hardware programs are equal
 * @pass: @prog_id if a CPU that switches between two tasks may pass its running counters
 *	on, which requires that both compiled sets have the same @pass.  To the counters,
 *	such tasks differ in nothing but their values.  0: the counters are never passed
 *	on, not even between two tasks with this very compiled set
 * @same: entry in the table of programs; see program.c
 * @set: number of the event set
 * @paths: bits of enum pfm_cset_path
 * @flags: PFM_SETFL_*
 * @next: index of the compiled set that becomes active after this one; its own index
 *	when its time slice does not end by itself
 * @timeout: length of a time slice, ns of counting; 0 without PFM_SETFL_TIME_SWITCH
 * @jitter: width in ns of the random variation of @timeout
 * @first: length in ns of the first time slices; 0: see struct pfm_set_desc
 * @at: index of the set's first value in pfm_target.vals
 * @times_at: index in pfm_target.vals of the set's PFM_REG_SET_ACTIVE; only in a timed
 *	layout
 * @nvals: number of values: one for each PMD in use; then, in a timed layout,
 *	PFM_REG_SET_ACTIVE, PFM_REG_SET_RUNS and, in the first compiled set only,
 *	PFM_REG_SET_ENABLED
 * @off: for each register class, index in the compiled set of its first value
 * @progs: for each register class, its program; without PMDs when the set does not use
 *	the class
 * @nums: register number of each value, ascending
 * @nsmpls: number of elements of @smpls
 * @smpl0: number of values that sample in the compiled sets before this one
 * @base: index in pfm_target.vals of the first of @nsmpls base values.  In a context
 *	that follows, a value that samples holds the lane's current period while a CPU
 *	counts; value and base value together give the task's count
 * @solo_at: if PFM_PATH_SOLO or PFM_PATH_UNIT_SOLO is set, index in pfm_target.vals of the only
 *	value that samples
 * @snap: if PFM_PATH_UNIT_SOLO is set, index in the compiled set of the first register of the
 *	record, and
 * @nsnaps: number of these registers; none other is between them
 * @pmis: pfm_pmu.pmi of the counters and of the unit, if any value samples and the set uses
 *	their registers; otherwise NULL
 * @smpls: the values that sample, ascending; NULL when none does
 *
 * Constant but for @same, which program.c changes, and @prog_id and the programs, see
 * struct pfm_layout.
 */
struct pfm_cset {
	u64 prog_id;
	u64 pass;
	struct hlist_node same;
	u16 set;
	u16 paths;
	u32 flags;
	u32 next;
	u64 timeout;
	u64 jitter;
	u64 first;
	u32 at;
	u32 times_at;
	u16 nvals;
	u16 off[PFM_CLASSES];
	struct pfm_prog progs[PFM_CLASSES];
	u16 *nums;
	u16 nsmpls;
	u32 smpl0;
	u32 base;
	u32 solo_at;
	u16 snap;
	u16 nsnaps;
	struct pfm_pmis __percpu *pmis[PFM_PMIS];
	struct pfm_smpl *smpls;
};

/**
 * struct pfm_layout - the compiled sets of a loaded context, and the order of the
 * values
 * @shape: number of the combination of sets and registers, unique in the context:
 *	layouts of the same shape have the same values in the same places
 * @id: number of this layout, unique in the system
 * @ncsets: number of elements of @csets
 * @nvals: number of values of all sets, times included
 * @nsmpls: number of values that sample, in all sets
 * @slots: number of elements of pfm_target.vals
 * @used_at: index in pfm_target.vals of the bitmap of used compiled sets, if @sparse
 * @gate_at: index in pfm_target.vals of the frames of the gate, in a context with ranges:
 *	for each range 1 + @nvals elements
 * @ngates: number of ranges
 * @sides_at: index in pfm_target.vals of what sets that take a side of interrupts need while they
 *	count, if @max_side: three times @max_side elements, see intr.c
 * @max_side: largest number of values of such a set, 0 if there is none
 * @classes: bitmap of the register classes that a set uses
 * @holds: for each register class, union of pfm_prog.holds of all sets
 * @idle_out: a set has PFM_SETFL_EXCL_IDLE
 * @max_smpl: largest number of values that go into a sample
 * @max_log: largest number of values in an entry of the slice log, 0 without a log
 * @max_branches: most branches that a sample carries
 * @timed: the kernel keeps times for each set, because user space described sets.
 *	Without it there is one compiled set, and no clock is read for it
 * @kernel: a set counts, or once counted, more than user-level code.  Never cleared.  A
 *	format's handler may change a PMC later so that this becomes true; then the CPU
 *	that runs the handler sets the flag, and no other CPU counts
 * @sparse: the context follows and has several sets: each target has a bitmap of the
 *	compiled sets that it has values of, so that moving its values skips the others
 * @lanes: the context follows, and a CPU that counts for one of its tasks uses the CPU's
 *	lane: values sample, or there are time slices
 * @unprepare: the PMU module of a program has pfm_pmu_ops.unprepare
 * @ref: references of the context and of each target
 * @rcu: defers the free: switch probes may use a replaced layout for a grace period
 * @lists: memory of pfm_cset.smpls of all compiled sets
 * @csets: the compiled sets, in ascending order of set number
 *
 * Constant once published in pfm_context.layout, except for @ref and for what
 * pfm_mod_write_pmcs() changes, on the only CPU that counts with the layout: @kernel, values
 * of PMCs, and pfm_cset.prog_id.
 */
struct pfm_layout {
	u32 shape;
	u64 id;
	u32 ncsets;
	u32 nvals;
	u32 nsmpls;
	u32 slots;
	u32 used_at;
	u32 gate_at;
	u32 ngates;
	u32 sides_at;
	u16 max_side;
	u16 max_smpl;
	u16 max_log;
	u16 max_branches;
	u8 classes;
	u64 holds[PFM_CLASSES];
	bool idle_out;
	bool timed;
	bool kernel;
	bool sparse;
	bool lanes;
	bool unprepare;
	refcount_t ref;
	struct rcu_head rcu;
	void *lists;
	struct pfm_cset csets[];
};

/* True if at least one set of the layout uses a PMD of the class. */
static inline bool pfm_layout_uses(const struct pfm_layout *layout,
				   enum pfm_reg_class class)
{
	return layout->classes & BIT(class);
}

/* True if a session occupies any part of the hardware. */
static inline bool pfm_holds_any(const u64 *holds)
{
	enum pfm_reg_class class;

	for (class = 0; class < PFM_CLASSES; class++) {
		if (holds[class])
			return true;
	}
	return false;
}

/* True if two sessions want the same part of the hardware: see pfm_layout.holds. */
static inline bool pfm_holds_meet(const u64 *a, const u64 *b)
{
	enum pfm_reg_class class;

	for (class = 0; class < PFM_CLASSES; class++) {
		if (a[class] & b[class])
			return true;
	}
	return false;
}

struct pfm_layout *pfm_layout_create(struct pfm_context *ctx);
struct pfm_layout *pfm_layout_get(struct pfm_layout *layout);
void pfm_layout_end(struct pfm_layout *layout);
void pfm_layout_put(struct pfm_layout *layout);
const struct pfm_cset *pfm_layout_cset(const struct pfm_layout *layout,
				       u16 set);
void pfm_cset_renew(struct pfm_cset *cset);
int pfm_cset_index(const struct pfm_cset *cset, u16 num, u16 hint);
int pfm_cset_smpl(const struct pfm_cset *cset, u16 at);

/* Program of the registers that follow the task; the same whatever set is active. */
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
 * A read, or a move to the totals, keeps interrupts off for one piece at a time.  A
 * piece consists of the compiled sets whose first values are in the same block of
 * PFM_PIECE values; hence a compiled set is never divided.
 */
#define PFM_PIECE_BITS 8
#define PFM_PIECE      BIT(PFM_PIECE_BITS)

static inline u32 pfm_cset_piece(const struct pfm_cset *cset)
{
	return cset->at >> PFM_PIECE_BITS;
}

/* Index in pfm_target.vals of the element that follows a compiled set's last value. */
static inline u32 pfm_cset_end(const struct pfm_cset *cset)
{
	return cset->at + cset->nvals;
}

/* Number of the values that belong to the CPU that counts: all but PFM_CLASS_TASK. */
static inline u16 pfm_cset_nregs(const struct pfm_cset *cset)
{
	return cset->off[PFM_CLASS_TASK];
}

/* True if the set counts inside of the handlers of interrupts only, or outside of them only. */
static inline bool pfm_cset_sided(const struct pfm_cset *cset)
{
	return cset->flags & (PFM_SETFL_EXCL_INTR | PFM_SETFL_INTR_ONLY);
}

/* Indices in pfm_target.vals of a compiled set's times; only in a timed layout. */
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
