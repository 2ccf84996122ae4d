/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a PMU module includes.
 *
 * A PMU module describes the registers of one family of processors, or a range
 * of virtual registers, and moves values between them and memory.  It knows
 * nothing of tasks, contexts or system calls; the core knows nothing of
 * registers beyond the tables given here.
 */
#ifndef _PERFMON_PMU_H
#define _PERFMON_PMU_H

#include <linux/bits.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/types.h>
#include <linux/perfmon.h>

struct pfm_lane_state;
struct pfm_period_state;
struct pfm_prog;
struct pfm_smpl;
struct pt_regs;
struct task_struct;

/**
 * enum pfm_reg_class - the ranges of logical registers, one PMU description each
 * @PFM_CLASS_HW: 0 to 255, the processor's own; moved at each switch
 * @PFM_CLASS_CPU: 256 to 319, virtual, moved at each switch like hardware
 * @PFM_CLASS_TASK: 320 to 511, virtual, a running count of the thread or the
 *	machine that goes on while the thread is not on a CPU: touched only when
 *	counting starts and ends
 */
enum pfm_reg_class {
	PFM_CLASS_HW,
	PFM_CLASS_CPU,
	PFM_CLASS_TASK,
	PFM_CLASSES,
};

/**
 * struct pfm_reg_desc - one logical register
 * @name: name in the processor's manual; NULL when the number is not used
 * @addr: see struct pfm_reg_info
 * @dfl: PMC: value that counts nothing
 * @rsvd: PMC: bits that user space must leave as in @dfl
 * @priv: PMC: bits in which a value that counts more than the caller's own
 *	user-level code differs from @priv_safe
 * @priv_safe: PMC: the value of the @priv bits that anybody may write
 * @width: PMD: bits that the hardware counts
 * @ctl: PMD: number of the PMC that drives it, or PFM_REG_NONE
 * @flags: PFM_REGI_*
 *
 * Constant once the description is registered.
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
	u32 flags;
};

/**
 * struct pfm_pmu_ops - how values move
 *
 * A counter's 64-bit value lives in memory.  The hardware holds its low bits,
 * so that it wraps exactly when they do.  A wrap that memory does not include
 * yet is for the module to know of (the overflow flag of the hardware); it must
 * be added by the next save, fold or read.  While a register counts, its element
 * of vals is private to the module.
 *
 * @restore, @save, @resume, @pass, @read, @fold, @take and @put are called on
 * the CPU concerned with interrupts off, the first four under the runqueue lock:
 * they must not sleep, wake or take a lock that is not raw.  Their vals has one
 * element for each PMD of the program, in ascending order of register number.
 */
struct pfm_pmu_ops {
	/**
	 * @prepare: fill prog->priv from the register values, and make these
	 * what the hardware is to be given.  In process context before the program
	 * is used, which an error prevents; and again, in any context, where a
	 * format changed values of the same registers, the others being as
	 * this left them
	 */
	int (*prepare)(struct pfm_prog *prog);
	/**
	 * @restore: write the counters from vals and let them run.  When
	 * loaded is true the configuration registers hold this program already.
	 */
	void (*restore)(const struct pfm_prog *prog, u64 *vals,
			struct task_struct *task, bool loaded);
	/**
	 * @save: stop the counters and bring vals up to date.  The registers
	 * keep program and counts, so that @resume can go on from them.
	 */
	void (*save)(const struct pfm_prog *prog, u64 *vals,
		     struct task_struct *task);
	/**
	 * @resume: run again after @save, nothing having touched the PMU
	 * since.  Optional: @restore is used instead.
	 */
	void (*resume)(const struct pfm_prog *prog);
	/**
	 * @pass: what save of one and restore of another would do, the program
	 * being the same.  The counters need not stop, nor hold the low bits of
	 * the other's values, until the next restore; the core does not use
	 * @resume, @take or the user page before that.  Optional.
	 */
	void (*pass)(const struct pfm_prog *prog, u64 *from, u64 *to);
	/**
	 * @read: bring copy up to date from vals without stopping or changing
	 * either.  For PFM_CLASS_TASK also called from another CPU.
	 */
	void (*read)(const struct pfm_prog *prog, const u64 *vals, u64 *copy,
		     struct task_struct *task);
	/**
	 * @fold: have vals include what wrapped, counters running
	 */
	void (*fold)(const struct pfm_prog *prog, u64 *vals);
	/**
	 * @take: like save, but for the counters that wrapped since; the other
	 * ones keep their counts, and their vals stay private.  For overflows:
	 * nothing else need be moved.  Optional, together with @put.
	 *
	 * Return: a bit for each element of vals that was brought up to date.
	 */
	u64 (*take)(const struct pfm_prog *prog, u64 *vals);
	/**
	 * @put: write the counters that take returned from vals, and let all
	 * run
	 */
	void (*put)(const struct pfm_prog *prog, const u64 *vals, u64 taken);
	/**
	 * @user_possible: whether user mode can be let read counters: the answer
	 * is always the same.  Optional, when it cannot; needs what follows
	 */
	bool (*user_possible)(void);
	/**
	 * @user_allow: user mode may read counters on this CPU from now on, and
	 * finds nothing in those that the program (NULL: none) does not use.
	 * With clear set they may hold counts of others, and are zeroed.
	 * Interrupts off, as for what follows
	 */
	void (*user_allow)(const struct pfm_prog *prog, bool clear);
	/** @user_deny: and now it may not any more */
	void (*user_deny)(void);
	/**
	 * @user_until: time of user mode's clock up to which no counter of the
	 * program can have counted its whole range from now on; U64_MAX when
	 * none ever does
	 */
	u64 (*user_until)(const struct pfm_prog *prog);
	/** @gauge: level of a PFM_REGI_GAUGE register; process context */
	u64 (*gauge)(u16 num);
	/**
	 * @acquire: a context that uses registers of this description is about
	 * to be loaded; an error is what LOAD_CONTEXT gives.  Process context.
	 * Optional, for a PMU that is somebody else's while nobody monitors;
	 * hardware part only, and then @release and @settle are needed as well
	 */
	int (*acquire)(void);
	/**
	 * @release: the end of what a successful @acquire began: no CPU counts
	 * for that context any more.  Must not sleep; raw locks are held and
	 * interrupts are off.  What sleeps may be done later
	 */
	void (*release)(void);
	/**
	 * @settle: return when all that @release left for later is done.
	 * Process context
	 */
	void (*settle)(void);
};

/**
 * struct pfm_pmu_events - which of 64 event codes the processor implements
 * @first: the lowest of them, a multiple of 64
 * @known: bit n: it is known whether code @first + n is implemented
 * @implemented: bit n: every CPU implements it; bits of @known only
 *
 * The module may clear bits of @implemented with WRITE_ONCE() while the
 * description is registered, when a CPU comes online that implements less.  Each
 * word is read by itself, so no lock is needed.
 */
struct pfm_pmu_events {
	u64 first;
	u64 known;
	u64 implemented;
};

/**
 * struct pfm_pmu - description of a PMU
 * @name: unique name; for the hardware part, what user space selects its event
 *	tables by
 * @owner: module that must stay while contexts exist
 * @reg_class: range of register numbers that it describes
 * @base: number of the first register in the tables
 * @npmcs: entries in @pmcs
 * @npmds: entries in @pmds
 * @pmcs: configuration registers, index 0 is register @base
 * @pmds: data registers
 * @ops: operations
 * @events: event codes of which it is known whether the processor implements
 *	them; hardware part only, NULL: of none
 * @nevents: entries in @events
 *
 * Constant from registration to unregistration.
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
};

/* Most registers of one kind that a PMU description has. */
#define PFM_CLASS_REGS 256

/**
 * struct pfm_prog_reg - a register and its value in a program
 * @num: logical register number
 * @value: PMC: value to write
 */
struct pfm_prog_reg {
	u16 num;
	u64 value;
};

/**
 * struct pfm_prog - the registers of one part that a set uses, ready to load
 * @pmu: description the registers belong to
 * @npmcs: elements in @pmcs
 * @npmds: elements in @pmds
 * @priv: for the PMU module, filled by pfm_pmu_ops.prepare
 * @pmcs: configuration registers in ascending order
 * @pmds: data registers in ascending order
 *
 * Constant once prepared.  Shared by all tasks of a context, hence never
 * changed: new values make a new program.
 */
struct pfm_prog {
	const struct pfm_pmu *pmu;
	u16 npmcs;
	u16 npmds;
	u64 priv[4];
	struct pfm_prog_reg *pmcs;
	u16 *pmds;
};

/**
 * pfm_pmu_register - make a PMU description available to contexts
 * @pmu: the description; must stay until pfm_pmu_unregister()
 *
 * Return: 0; -EBUSY the part has a description already, -EINVAL the tables
 * contradict each other, -ENOMEM.
 */
int pfm_pmu_register(const struct pfm_pmu *pmu);

/**
 * pfm_pmu_unregister - take a description back
 * @pmu: what was registered
 *
 * Called from the module's exit function, when no context uses it any more
 * (contexts hold a reference on the owner).
 */
void pfm_pmu_unregister(const struct pfm_pmu *pmu);

/**
 * pfm_cpu_overflow - counters wrapped on this CPU
 * @regs: interrupted registers, or NULL
 *
 * Called by the PMU module from its interrupt, interrupts off.  Ends up in the
 * module's fold or save when a context counts on this CPU, which clear the
 * overflow flags that they have added to the values.
 */
void pfm_cpu_overflow(struct pt_regs *regs);

/**
 * struct pfm_solo - the register of a CPU that samples alone
 * @prog: program that counts, or NULL when it has no such register
 * @val: value of the register: element of vals
 * @num: its number
 * @base: for the core, as are those that follow
 * @pstate:
 * @smpl:
 * @lane:
 *
 * A sample that nothing goes with is the most frequent one by far, and costs most
 * when periods are short.  A PMU module that finds that of the program's registers
 * just this one wrapped may deal with that as follows, interrupts off, instead of
 * calling pfm_cpu_overflow(): stop the counters, bring @val up to date, call
 * pfm_overflow_solo(), write the counter from @val, and let the counters run; or,
 * if the call returned something, leave that to pfm_cpu_overflow_more().
 *
 * Changed with interrupts off on that CPU, which is the only one to look at it.
 */
struct pfm_solo {
	const struct pfm_prog *prog;
	u64 *val;
	u16 num;
	u64 *base;
	struct pfm_period_state *pstate;
	const struct pfm_smpl *smpl;
	struct pfm_lane_state *lane;
};

DECLARE_PER_CPU(struct pfm_solo, pfm_solo);

/**
 * pfm_overflow_solo - the register that samples alone has wrapped
 * @solo: of this CPU
 * @regs: interrupted registers
 *
 * Return: 0, or what pfm_cpu_overflow_more() is to be called with.
 */
u32 pfm_overflow_solo(const struct pfm_solo *solo, struct pt_regs *regs);

/**
 * pfm_cpu_overflow_more - what is left to do after pfm_overflow_solo()
 * @what: what that returned
 * @regs: interrupted registers
 */
void pfm_cpu_overflow_more(u32 what, struct pt_regs *regs);

/**
 * pfm_cpu_suspend - this CPU's PMU may lose its state
 *
 * Called with interrupts off before a power state that may lose registers: the
 * counts are saved.  Followed by pfm_cpu_forget() in any case.
 */
void pfm_cpu_suspend(void);

/**
 * pfm_cpu_forget - this CPU's PMU lost its state
 *
 * Called with interrupts off after the registers of this CPU were reset (CPU
 * brought up, power state that loses them): the next switch-in reloads all, and
 * a context that is loaded now is loaded again.
 */
void pfm_cpu_forget(void);

#endif /* _PERFMON_PMU_H */
