/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Interface of the core for PMU modules.
 *
 * A PMU module describes the registers of one family of processors, or a range of
 * virtual registers, and moves values between the registers and memory.  It knows
 * nothing of tasks, contexts or system calls; the core knows nothing of registers
 * beyond the tables given here.  The terms are those of <linux/perfmon.h>.
 */
#ifndef _PERFMON_PMU_H
#define _PERFMON_PMU_H

#include <linux/bits.h>
#include <linux/capability.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/ratelimit.h>
#include <linux/types.h>
#include <linux/perfmon.h>

struct pfm_lane_state;
struct pfm_period_state;
struct pfm_pmi;
struct pfm_pmis;
struct pfm_prog;
struct pfm_smpl;
struct pt_regs;
struct task_struct;

/**
 * enum pfm_reg_class - classes of registers: ranges of the logical register numbers
 * @PFM_CLASS_HW: 0 to 127, the processor's counters; restored and saved at each context
 *	switch
 * @PFM_CLASS_SHARED: 128 to 191, counters that another subsystem programs and that are only
 *	read; restored and saved likewise.  They do not sample
 * @PFM_CLASS_UNIT: 192 to 255, a unit beside the counters that samples by itself, with
 *	an interrupt and a reservation of its own; restored and saved likewise
 * @PFM_CLASS_CPU: 256 to 319, virtual; restored and saved at each context switch,
 *	as the hardware's
 * @PFM_CLASS_TASK: 320 to 511, virtual: counts of a thread or of the whole system
 *	that go on while the thread is not on a CPU; restored when counting begins
 *	and saved when it ends
 * @PFM_CLASSES: number of classes
 *
 * Each class has at most one PMU description at a time.
 */
enum pfm_reg_class {
	PFM_CLASS_HW,
	PFM_CLASS_SHARED,
	PFM_CLASS_UNIT,
	PFM_CLASS_CPU,
	PFM_CLASS_TASK,
	PFM_CLASSES,
};

/* First register numbers of PFM_CLASS_SHARED and PFM_CLASS_UNIT. */
#define PFM_REG_SHARED_BASE 128
#define PFM_REG_UNIT_BASE   192

/**
 * struct pfm_reg_desc - one logical register
 * @name: name in the processor's manual; NULL when the number is not used
 * @addr: see struct pfm_reg_info
 * @dfl: PMC: default, a value that counts nothing
 * @rsvd: PMC: reserved bits; user space must leave them as in @dfl
 * @priv: PMC: mask of the privileged bits.  A value that counts any code but the
 *	caller's own user-level code differs from @priv_safe in at least one of them
 * @priv_safe: PMC: value of the privileged bits that a caller without rights may write
 * @ctl: PMD: number of the PMC that controls it, or PFM_REG_NONE
 * @width: PMD: bits of the hardware's counter that hold low bits of the value.  PMC with
 *	PFM_REGI_BRANCHES: most branches that an overflow comes with
 * @index: PMD: number by which user mode reads the counter; see struct pfm_user_page_reg
 * @min_period: PMD: see struct pfm_reg_info
 * @holds: PFM_CLASS_HW and PFM_CLASS_UNIT only: parts of the hardware that the register
 *	occupies, a bit each.  The module gives the bits their meaning.  A PMD has those of
 *	its PMC.  Two sessions count at the same time only if they have no bit in common.
 *	0: the register cannot be told apart from the others of the PMU, see PFM_HOLDS_ALL
 * @flags: PFM_REGI_*
 *
 * Constant while the description is registered.
 */
struct pfm_reg_desc {
	const char *name;
	u64 addr;
	u64 dfl;
	u64 rsvd;
	u64 priv;
	u64 priv_safe;
	u16 ctl;
	u8 width;
	u32 index;
	u32 min_period;
	u64 holds;
	u32 flags;
};

/* The bit of registers that any two sessions have in common. */
#define PFM_HOLDS_ALL BIT_ULL(63)

/**
 * enum pfm_sample - what became of an overflow's record, see pfm_pmu_ops.sample
 * @PFM_SAMPLE_NONE: the hardware recorded nothing for this overflow, but for branches; it is
 *	recorded with the registers of the interrupt
 * @PFM_SAMPLE_RECORD: the hardware recorded it
 * @PFM_SAMPLE_DROP: the PMCs say that code as that of the record is left out: the value is
 *	reset, and nothing else happens
 * @PFM_SAMPLE_VOID: the hardware records less often than the value overflows, and has no
 *	record left: as PFM_SAMPLE_DROP, for this overflow and those of the value that follow
 */
enum pfm_sample {
	PFM_SAMPLE_NONE,
	PFM_SAMPLE_RECORD,
	PFM_SAMPLE_DROP,
	PFM_SAMPLE_VOID,
};

/* The module sets this in pfm_hw_sample.flags: ip and user are filled in. */
#define PFM_HW_SAMPLE_IP   BIT(0)
/* The module sets this in pfm_hw_sample.flags: tstamp is filled in. */
#define PFM_HW_SAMPLE_TIME BIT(1)

/**
 * struct pfm_hw_sample - what the hardware recorded of an overflow
 * @ip: out: address of the sampled instruction
 * @tstamp: out: time of the sample, ns of CLOCK_MONOTONIC
 * @flags: out: PFM_HW_SAMPLE_*
 * @branches: out: branches that were taken before, the last one first.  The core changes them, and
 *	uses them until the handler of the format returns
 * @nbranches: out: elements of @branches, at most pfm_prog.nbranches
 * @user: out: the sampled instruction is user code
 * @user_ok: the creator of the context may see addresses of the task's user code and data
 * @kernel_ok: the creator may see addresses of the kernel, and physical addresses
 */
struct pfm_hw_sample {
	u64 ip;
	u64 tstamp;
	struct pfm_branch *branches;
	u32 flags;
	u16 nbranches;
	bool user;
	bool user_ok;
	bool kernel_ok;
};

/**
 * struct pfm_run - what operations know of the place where a program counts
 * @keep: for the module of PFM_CLASS_HW: how the counters are related to the values in
 *	memory since the last restore or pass; 0 before the first
 * @task: task that is counted, NULL if a CPU is; for all classes but PFM_CLASS_HW
 * @beside: other programs of PFM_CLASS_HW may be in the registers: they count, or may go on from
 *	where they are
 * @others: parts of the hardware that these occupy; set before a restore that writes a program,
 *	and valid during that
 * @again: during a restore: the program goes on with the values that save has just updated, after
 *	an overflow
 * @index: number of the place on its CPU, less than PFM_RUNS; constant
 *
 * For programs of PFM_CLASS_TASK there is no such place: only @task is valid.  Otherwise it
 * is used on one CPU only, with interrupts off and in a critical section, or in an NMI that
 * has interrupted none.
 */
struct pfm_run {
	u64 keep;
	struct task_struct *task;
	u64 others;
	bool beside;
	bool again;
	u8 index;
};

/* Number of places on a CPU where programs count at the same time. */
#define PFM_RUNS 6

/**
 * struct pfm_pmu_ops - operations that move values
 *
 * A program is the registers of one class that an event set uses (struct pfm_prog).
 * Its values are in an array vals, with one element for each PMD of the program, in
 * ascending order of register number.
 *
 * The 64-bit value of a counter lives in memory.  The counter in the hardware holds
 * the low bits, so that it wraps exactly when they do.  The module must find out, by
 * the hardware's overflow flag or by the counter itself, about each wrap that the value
 * in memory does not include yet, and add it in the next save, fold or read.  While a
 * register counts, its element of vals is private to the module.
 *
 * The core calls @restore, @save, @resume, @pass, @read, @fold, @take and @put on the
 * CPU concerned, in a critical section, and the first four under the runqueue lock:
 * they must not sleep, wake a task or take a lock that is not raw.
 */
struct pfm_pmu_ops {
	/**
	 * @prepare: compute prog->priv from the values of the PMCs, and replace
	 * these values by those that the hardware is to be given.  Called in process
	 * context before the program is used for the first time; an error refuses the
	 * program.  Called again, in any context, when a format has changed values of
	 * PMCs; PMCs that the format has not changed have the values that the previous
	 * call gave them.  If it returns an error, it is called once more with the
	 * values from before.  From these it must compute the same as at first, even if
	 * it refuses them by now
	 */
	int (*prepare)(struct pfm_prog *prog);
	/**
	 * @unprepare: free what @prepare has taken for the program, which no CPU counts
	 * with and none will.  Called at least once for each program for which @prepare
	 * was called, even if that failed: a further call must do nothing.  Any context
	 * but NMI: what sleeps is left for @settle or for work.  Optional
	 */
	void (*unprepare)(struct pfm_prog *prog);
	/**
	 * @restore: write the counters from vals and start them.  When loaded
	 * is true, the configuration registers hold this program already
	 */
	void (*restore)(const struct pfm_prog *prog, u64 *vals,
			struct pfm_run *run, bool loaded);
	/**
	 * @save: stop the counters and update vals.  The registers keep the
	 * program and the counts, so that @resume can go on from them
	 */
	void (*save)(const struct pfm_prog *prog, u64 *vals,
		     struct pfm_run *run);
	/**
	 * @resume: start the counters again after @save, when perfmon has not
	 * touched the PMU since.  If somebody else may have, the module calls
	 * pfm_cpu_restore() instead.  Optional: the core uses @restore
	 */
	void (*resume)(const struct pfm_prog *prog, struct pfm_run *run);
	/**
	 * @pass: save the values of one target in from and restore those of the
	 * next in to, where both use the same program.  The counters need not
	 * stop, and until the next @restore they need not hold the low bits of
	 * the values in to: the core does not use @resume, @take or the user page
	 * before that.  Optional
	 */
	void (*pass)(const struct pfm_prog *prog, u64 *from, u64 *to,
		     struct pfm_run *run);
	/**
	 * @read: store the values as of now in copy, without a change of vals
	 * and without stopping the counters.  For PFM_CLASS_TASK also called on
	 * another CPU
	 */
	void (*read)(const struct pfm_prog *prog, const u64 *vals, u64 *copy,
		     struct pfm_run *run);
	/**
	 * @fold: add to vals every wrap that has happened, without stopping the
	 * counters.  Called at an interrupt of a set that does not sample.  Optional but
	 * for PFM_CLASS_HW
	 */
	void (*fold)(const struct pfm_prog *prog, u64 *vals);
	/**
	 * @take: stop the program's counters, but update only the elements of vals whose
	 * counters have wrapped; the others stay private.  For overflows, for
	 * which no other value has to be moved.  Optional, together with @put
	 *
	 * Return: a bit for each element of vals that was updated.  Not called for a
	 * program with more than 64 elements.
	 */
	u64 (*take)(const struct pfm_prog *prog, u64 *vals,
		    struct pfm_run *run);
	/**
	 * @put: after @take: write the counters in taken, which @take returned,
	 * from vals, and start the program's counters
	 */
	void (*put)(const struct pfm_prog *prog, const u64 *vals, u64 taken,
		    struct pfm_run *run);
	/**
	 * @sample: store in vals the registers with PFM_REGI_SNAPSHOT that belong to an
	 * overflow of the PMD num, and fill in sample, which is zero but for user_ok and
	 * kernel_ok.  Addresses that may not be seen are stored as 0.  Called for
	 * each overflow, the oldest first, while the counters stand still, before it is
	 * recorded.  Needed if @prepare sets prog->sample
	 *
	 * Return: what became of the record; unless it is PFM_SAMPLE_RECORD the registers
	 * stay 0, as the core has cleared them.  Branches may come with PFM_SAMPLE_NONE, too.
	 */
	enum pfm_sample (*sample)(const struct pfm_prog *prog, u64 *vals,
				  u16 num, struct pfm_hw_sample *sample);
	/**
	 * @user_possible: whether user mode can be allowed to read counters; asked when
	 * a user page is created.  Process context.  Optional: without it user mode is
	 * never allowed to.  Needs @user_allow, @user_deny and @user_until
	 */
	bool (*user_possible)(void);
	/**
	 * @user_allow: from now on user mode may read counters on this CPU.
	 * Counters that the program does not use (NULL: all counters) must be
	 * zero: when clear is set they may hold counts of somebody else, and this
	 * call zeroes them.  Interrupts are off, as for @user_deny and @user_until
	 */
	void (*user_allow)(const struct pfm_prog *prog, bool clear);
	/** @user_deny: from now on user mode may not read counters on this CPU */
	void (*user_deny)(void);
	/**
	 * @user_until: time on user mode's clock before which no counter of the
	 * program can count through its whole range, if all begin now; U64_MAX when
	 * no counter ever can; 0 when user mode may not read counters any more
	 */
	u64 (*user_until)(const struct pfm_prog *prog);
	/** @gauge: current level of a PFM_REGI_GAUGE register; process context */
	u64 (*gauge)(u16 num);
	/**
	 * @acquire: take the PMU, because a context that uses registers of this
	 * description is about to be loaded; LOAD_CONTEXT returns the error.
	 * Process context.  Optional, PFM_CLASS_HW and PFM_CLASS_UNIT only: for a PMU
	 * that another subsystem uses while no context is loaded.  Needs @release and
	 * @settle
	 */
	int (*acquire)(void);
	/**
	 * @release: give back the PMU.  Called once for each successful @acquire,
	 * when no CPU counts for that context any more.  Must not sleep: raw locks are
	 * held and interrupts are off.  Work that sleeps may be done later
	 */
	void (*release)(void);
	/**
	 * @settle: do the work that @release has left for later, or see to it that it
	 * is done.  Must not wait for a worker, which a real-time task may keep from
	 * running.  Process context
	 */
	void (*settle)(void);
};

/**
 * struct pfm_pmu_events - which of 64 event codes the processor implements
 * @first: the lowest of the codes, a multiple of 64
 * @known: bit n: it is known whether code @first + n is implemented
 * @implemented: bit n: every CPU implements code @first + n; a subset of @known
 *
 * While the description is registered, the module may clear bits of @implemented
 * with WRITE_ONCE(), when a CPU comes online that does not implement a code.  Each
 * word is read separately, so no lock is needed.
 */
struct pfm_pmu_events {
	u64 first;
	u64 known;
	u64 implemented;
};

/**
 * struct pfm_old_regs - registers that perfmon2's module for the PMU had under other numbers
 * @old: number of the first in perfmon2
 * @num: number of the first today
 * @count: number of registers, whose numbers follow each other
 * @desc: description of the one register @old that perfmon2 had for all of them; NULL if it had
 *	each
 */
struct pfm_old_regs {
	u16 old;
	u16 num;
	u16 count;
	const struct pfm_reg_desc *desc;
};

/**
 * struct pfm_pmu - description of a PMU
 * @name: unique name; that of the hardware PMU tells user space which event tables
 *	to use
 * @owner: module that must stay loaded while contexts exist
 * @reg_class: class of the registers
 * @base: number of the first register in the tables
 * @npmcs: number of entries in @pmcs
 * @npmds: number of entries in @pmds
 * @pmcs: configuration registers; index 0 is register @base
 * @pmds: data registers, likewise
 * @ops: operations
 * @events: PFM_CLASS_HW only: event codes of which it is known whether the processor
 *	implements them; NULL: none
 * @nevents: number of entries in @events
 * @user_all: PFM_CLASS_HW only: the kernel decides who reads counters in user mode.  Whoever may,
 *	may read them all, so pfm_pmu_ops.user_allow and user_deny need change nothing
 * @old_model: PFM_CLASS_HW only: name of perfmon2's module for the PMU; NULL: there was none
 * @old_pmcs: configuration registers that had other numbers in perfmon2; NULL: none.  Only the
 *	folder pmu_desc of sysfs has the old numbers, and only if the description of PFM_CLASS_HW
 *	has no register under any of them
 * @old_pmds: data registers, likewise
 * @nold_pmcs: number of entries in @old_pmcs
 * @nold_pmds: number of entries in @old_pmds
 * @pmi: PFM_CLASS_HW and PFM_CLASS_UNIT only: record from pfm_pmi_create(), if the PMU
 *	interrupts by an NMI; otherwise NULL
 *
 * Constant while registered.
 */
struct pfm_pmu {
	const char *name;
	struct module *owner;
	enum pfm_reg_class reg_class;
	u16 base;
	u16 npmcs;
	u16 npmds;
	const struct pfm_reg_desc *pmcs;
	const struct pfm_reg_desc *pmds;
	const struct pfm_pmu_ops *ops;
	const struct pfm_pmu_events *events;
	u16 nevents;
	bool user_all;
	const char *old_model;
	const struct pfm_old_regs *old_pmcs;
	const struct pfm_old_regs *old_pmds;
	u16 nold_pmcs;
	u16 nold_pmds;
	struct pfm_pmis __percpu *pmi;
};

/* Words that pfm_pmu_ops.prepare has for what it computes. */
#define PFM_PROG_PRIV 10

/* Most PMCs, and most PMDs, of a PMU description. */
#define PFM_CLASS_REGS 256

/**
 * struct pfm_prog_reg - a register and its value in a program
 * @num: logical register number
 * @value: PMC: value of the register
 * @undo: for pfm_mod_write_pmcs(): the value before
 */
struct pfm_prog_reg {
	u16 num;
	u64 value;
	u64 undo;
};

/**
 * struct pfm_prog - program: the registers of one class that an event set uses
 * @pmu: description that the registers belong to
 * @npmcs: number of elements in @pmcs
 * @npmds: number of elements in @pmds
 * @holds: parts of the hardware that the registers occupy, see struct pfm_reg_desc
 * @sample: set by pfm_pmu_ops.prepare: overflows come with registers, an address, a time or
 *	branches of their own; see pfm_pmu_ops.sample
 * @nbranches: set by pfm_pmu_ops.prepare: most branches that an overflow comes with, whatever the
 *	values of the PMCs
 * @priv: for the PMU module, computed by pfm_pmu_ops.prepare
 * @pmcs: configuration registers in ascending order
 * @pmds: numbers of the data registers in ascending order
 *
 * All tasks of a context share a program, hence it is constant once it is prepared:
 * new values of PMCs make a new program.  Only pfm_mod_write_pmcs(), which refuses
 * contexts that follow, changes values in place.
 */
struct pfm_prog {
	const struct pfm_pmu *pmu;
	u16 npmcs;
	u16 npmds;
	u64 holds;
	bool sample;
	u16 nbranches;
	u64 priv[PFM_PROG_PRIV];
	struct pfm_prog_reg *pmcs;
	u16 *pmds;
};

/**
 * pfm_pmu_register - make a PMU description available to contexts
 * @pmu: the description; must exist until pfm_pmu_unregister()
 *
 * Return: 0; -EBUSY: the class has a description already; -EINVAL: the tables
 * contradict each other; -ENOMEM.
 */
int pfm_pmu_register(const struct pfm_pmu *pmu);

/**
 * pfm_pmu_unregister - make a description unavailable
 * @pmu: the description
 *
 * Called from the exit function of the module.  No context uses the description
 * then, because contexts hold a reference on the owner.
 */
void pfm_pmu_unregister(const struct pfm_pmu *pmu);

/**
 * pfm_cpu_overflow - handle counters that have wrapped on this CPU
 * @pmu: description of the counters
 * @holds: the counters, see pfm_reg_desc.holds; U64_MAX: all that may have wrapped
 * @regs: interrupted registers, or NULL.  If an NMI has noted the overflow, its registers
 *	are used instead
 *
 * Called by the PMU module from its interrupt, interrupts off.  Where that is an NMI, it is
 * called by the function that was given to pfm_pmi_create(), which runs in a critical section.
 * When a context counts on this CPU, the core calls fold or save of the module, which add the
 * wraps to the values and clear their overflow flags.
 */
void pfm_cpu_overflow(const struct pfm_pmu *pmu, u64 holds,
		      struct pt_regs *regs);

/**
 * pfm_cpu_overflow_run - the same for a register that only one place uses
 * @run: the place
 * @regs: interrupted registers, or NULL
 */
void pfm_cpu_overflow_run(struct pfm_run *run, struct pt_regs *regs);

/**
 * pfm_policy_timer_min - tell how soon a timer may expire
 *
 * Context: any.
 * Return: shortest time from where a timer is set until it expires, ns, not 0:
 * /sys/kernel/perfmon/policy/timer_min_ns, or several times of what an interrupt takes on
 * this machine, if that is longer.
 */
u64 pfm_policy_timer_min(void);

/**
 * pfm_pmi_create - create the record of a PMU that interrupts by an NMI
 * @overflow: handles the overflows of this CPU, as an interrupt handler would: it calls
 *	pfm_cpu_overflow() or the functions of struct pfm_solo.  Called some time after
 *	pfm_pmi_note(), interrupts off, with the registers that this call interrupted, or
 *	NULL.  The overflows may have been handled already, by code that stopped the
 *	counters; then it finds none
 *
 * Context: process; may sleep.
 * Return: the record, for struct pfm_pmu; NULL when there is no memory.
 */
struct pfm_pmis __percpu *
pfm_pmi_create(void (*overflow)(struct pt_regs *regs));

/**
 * pfm_pmi_destroy - free the record of a PMU
 * @pmis: the record, or NULL.  No NMI calls pfm_pmi_note() any more
 *
 * Context: process; waits until no CPU handles an overflow.
 */
void pfm_pmi_destroy(struct pfm_pmis __percpu *pmis);

/**
 * pfm_pmi_note - note in an NMI that counters of this CPU have wrapped
 * @pmis: the record
 * @holds: the counters, see pfm_reg_desc.holds
 * @regs: interrupted registers
 *
 * Call it if and only if a counter that runs for the present program is found wrapped:
 * one that save, take and put have not dealt with yet.
 *
 * Context: NMI; also an interrupt, or any other with interrupts off.
 */
void pfm_pmi_note(struct pfm_pmis __percpu *pmis, u64 holds,
		  struct pt_regs *regs);

/**
 * struct pfm_solo - a CPU's counter, if it is the only one that samples
 * @prog: program that counts, or NULL when the CPU has no such counter
 * @run: what is known of the place of the program
 * @val: value of the counter: its element of vals
 * @num: register number of the counter
 * @paths: for the core: pfm_cset.paths; see pfm_overflow_direct()
 * @base: for the core: base value of the value
 * @pstate: for the core: period state of the value
 * @smpl: for the core: how the value samples
 * @lane: for the core: lane of the samples
 * @pmi: for the core: notes of NMIs for this program, if the PMU interrupts by an NMI; otherwise
 *	NULL
 *
 * Samples of a single counter, without other values, are the most frequent ones by far,
 * and cost most when periods are short.  So a PMU module may handle them separately.
 * If it finds that of the program's counters only this one has wrapped, it may do the
 * following, with interrupts off, instead of calling pfm_cpu_overflow(): stop the
 * counters, update @val, call pfm_overflow_solo(), and write the counter from @val.  If
 * pfm_overflow_solo() returned 0, let the counters run; otherwise call
 * pfm_cpu_overflow_more().
 *
 * Used on that CPU only, in a critical section, or in an NMI that has interrupted none
 * (<perfmon/critical.h>).
 */
struct pfm_solo {
	const struct pfm_prog *prog;
	struct pfm_run *run;
	u64 *val;
	u16 num;
	u16 paths;
	u64 *base;
	struct pfm_period_state *pstate;
	const struct pfm_smpl *smpl;
	struct pfm_lane_state *lane;
	struct pfm_pmi *pmi;
};

DECLARE_PER_CPU(struct pfm_solo, pfm_solo);

/* The same for a PMD of PFM_CLASS_UNIT whose overflows come with a record, in an NMI. */
DECLARE_PER_CPU(struct pfm_solo, pfm_unit_solo);

/**
 * pfm_overflow_direct - ask whether an NMI may handle an overflow at once
 * @solo: pfm_solo or pfm_unit_solo of this CPU
 * @irqs_on: the NMI has interrupted code with interrupts on
 *
 * Call it only in an NMI.  If that has interrupted no critical section, nothing is in the
 * middle of a change, so the NMI may do what an interrupt might do: "An overflow that is
 * handled in the NMI" in Documentation/change/locking/sampling.rst.
 *
 * Return: true: pfm_solo.prog is not NULL, and instead of calling pfm_pmi_note() the module
 * may stop the counters or the unit, update the value, call pfm_overflow_solo() or
 * pfm_overflow_unit(), and write the counter or let the unit go on.
 */
bool pfm_overflow_direct(const struct pfm_solo *solo, bool irqs_on);

/**
 * pfm_overflow_unit - handle an overflow of the only PMD of a unit that samples
 * @solo: pfm_unit_solo of this CPU; the unit stands still, and the value is up to date
 * @regs: interrupted registers
 *
 * A value that has not wrapped is left alone.
 *
 * Context: an NMI for which pfm_overflow_direct() has returned true.
 * Return: 0, or the argument with which to call pfm_cpu_overflow_more().
 */
u32 pfm_overflow_unit(const struct pfm_solo *solo, struct pt_regs *regs);

/**
 * pfm_overflow_solo - handle a wrap of the only counter that samples
 * @solo: struct pfm_solo of this CPU
 * @regs: interrupted registers; NULL only if the PMU interrupts by an NMI.  If the NMI has
 *	noted the overflow, its registers are used instead
 *
 * Return: 0, or the argument with which to call pfm_cpu_overflow_more().
 */
u32 pfm_overflow_solo(const struct pfm_solo *solo, struct pt_regs *regs);

/**
 * pfm_cpu_overflow_more - do the rest of the work after pfm_overflow_solo()
 * @solo: the same as for pfm_overflow_solo()
 * @what: result of pfm_overflow_solo(), not 0
 * @regs: the same as for pfm_overflow_solo()
 */
void pfm_cpu_overflow_more(const struct pfm_solo *solo, u32 what,
			   struct pt_regs *regs);

/**
 * pfm_cpu_restore - write the counters that this CPU is about to count with
 * @run: argument of the operation resume
 *
 * For the operation resume of PFM_CLASS_HW, when the counters do not hold any more what
 * the operation save left there.  It calls the operation restore, so the counters run
 * afterwards.
 */
void pfm_cpu_restore(struct pfm_run *run);

/**
 * pfm_cpu_suspend - save the counts, because this CPU's PMU may lose its state
 * @pmu: description of the registers that may be lost
 *
 * Called with interrupts off before a power state that may lose registers; saves the
 * counts.  The caller must call pfm_cpu_forget() afterwards, whether the registers
 * were lost or not.
 */
void pfm_cpu_suspend(const struct pfm_pmu *pmu);

/**
 * pfm_cpu_sleep - stop counting on this CPU, because the machine is about to be suspended
 *
 * For modules whose interrupts are NMIs, in place of pfm_cpu_suspend().  Called with interrupts
 * off, on the last CPU, while the kernel's clock still runs.  Handles overflows as a context
 * switch does, and runs the irq_work that NMIs have queued: the interrupt for it is lost in the
 * suspend.  The caller must call pfm_cpu_forget() and then pfm_cpu_wake() afterwards.
 */
void pfm_cpu_sleep(void);

/**
 * pfm_cpu_wake - count on this CPU again after pfm_cpu_sleep()
 *
 * Called once for each pfm_cpu_sleep(), with interrupts off, when the registers of the caller are
 * set up again.  The CPU counts again from the last of these calls on.
 */
void pfm_cpu_wake(void);

/**
 * pfm_cpu_forget - restore the counters, because this CPU's PMU lost its state
 * @pmu: description of the registers that were lost
 *
 * Called with interrupts off after the registers of this CPU were reset, because the
 * CPU came online or left a power state that loses them.  The core restores what is
 * loaded on this CPU now, and the next context switch writes the whole configuration.
 */
void pfm_cpu_forget(const struct pfm_pmu *pmu);

/**
 * pfm_cpu_admit - let contexts count with a PMU's registers on this CPU
 * @pmu: the PMU
 *
 * A module that decides about each CPU calls this or pfm_cpu_bar() in its hotplug callback, on
 * each CPU that comes online and on those that are online when the module is loaded.  The
 * registers have been set up: the core may load a context at once.
 */
void pfm_cpu_admit(const struct pfm_pmu *pmu);

/**
 * pfm_cpu_bar - let no context count with a PMU's registers on this CPU
 * @pmu: the PMU, something of whose description the CPU lacks
 *
 * The core does not call the PMU's operations here as long as the CPU is online.
 */
void pfm_cpu_bar(const struct pfm_pmu *pmu);

/**
 * pfm_cpu_barred - tell whether pfm_cpu_bar() was called on this CPU
 * @pmu: the PMU
 *
 * Context: on one CPU.
 * Return: true if it was, or if the CPU has not been decided about since it came online.
 */
bool pfm_cpu_barred(const struct pfm_pmu *pmu);

/**
 * pfm_cpu_uncounted - note that the target's counters do not count
 * @run: argument of the operation
 *
 * For restore and save of a PMU whose counters somebody else may have stopped: the values are
 * too small by what has happened meanwhile.  pfm_config.barred tells user space, as it does of
 * CPUs that are barred.
 *
 * Context: as restore and save.
 */
void pfm_cpu_uncounted(const struct pfm_run *run);

/**
 * pfm_cpu_undecided - forget which CPUs are barred: the PMU's module decides no more
 * @pmu: the PMU, which is not registered; the hotplug callback has been removed
 *
 * Context: process; takes cpus_read_lock().
 */
void pfm_cpu_undecided(const struct pfm_pmu *pmu);

/**
 * pfm_refusal_notice - log why an ioctl of the current process is refused
 * @fmt: format of the line, followed by its arguments
 *
 * For reasons that errno cannot tell.  Any user may have ioctls refused as often as they
 * like.  So each place logs one line in a boot for callers without CAP_PERFMON, and a few in
 * a second for those who have it and look for the reason.
 *
 * Context: process; may sleep or not, but not in an interrupt.
 */
#define pfm_refusal_notice(fmt, ...)                                   \
	do {                                                           \
		static DEFINE_RATELIMIT_STATE(__limit,                 \
					      DEFAULT_RATELIMIT_INTERVAL, \
					      DEFAULT_RATELIMIT_BURST); \
		static bool __logged;                                  \
		if (perfmon_capable() ? __ratelimit(&__limit)          \
				      : !xchg(&__logged, true))        \
			pr_notice(fmt, ##__VA_ARGS__);                 \
	} while (0)

#endif /* _PERFMON_PMU_H */
