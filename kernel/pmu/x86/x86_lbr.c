// SPDX-License-Identifier: GPL-2.0-only
/*
 * x86 counters: the branches that the processor records, last branch records (LBR).
 *
 * While a program with a branch filter counts, the processor writes each branch that the filter
 * lets through to a stack of registers.  An overflow of one of the program's counters freezes the
 * stack (DebugCtl.FREEZE_LBRS_ON_PMI).  The NMI of the overflow switches recording off before it
 * acknowledges the overflow, which ends the freeze.  The stack stands still then until the sample
 * was recorded and the counters run again.
 *
 * There are three kinds of these registers: Intel's since Nehalem, in several formats (SDM, volume
 * 3, "Last Branch Records"), Intel's architectural LBR (chapter of that name), and AMD's LbrExtV2
 * (PPR of family 19h, "Last Branch Record").  Each has a struct x86_lbr_ops.
 *
 * All functions run on the CPU concerned, in a critical section, but for those that say otherwise.
 * "Branch records" in Documentation/change/locking/pmu-x86.rst says why NMIs do no harm, and why
 * branches of a task are in no sample of another.
 */
#include "x86_lbr.h"

#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/irqflags.h>
#include <linux/percpu.h>
#include <linux/perfmon.h>
#include <linux/smp.h>

#include "x86_msr.h"
#include "x86_state.h"

/* Intel until Ice Lake.  IA32_DEBUGCTL switches them on. */
#define OLD_SELECT 0x1c8
#define OLD_TOS	   0x1c9
#define OLD_FROM   0x680
#define OLD_TO	   0x6c0
#define OLD_INFO   0xdc0

/* Bits of OLD_SELECT, and of AMD_SELECT, leave branches out, but for this one. */
#define OLD_SELECT_STACK BIT_ULL(9)

/* OLD_INFO, and ARCH_INFO */
#define INFO_CYCLES GENMASK_ULL(15, 0)
#define INFO_ABORT  BIT_ULL(61)
#define INFO_TX	    BIT_ULL(62)
#define INFO_MISP   BIT_ULL(63)

/* Intel's architectural LBR */
#define ARCH_CONTROL 0x14ce
#define ARCH_DEPTH   0x14cf
#define ARCH_INFO    0x1200
#define ARCH_FROM    0x1500
#define ARCH_TO	     0x1600

#define ARCH_ENABLE	BIT_ULL(0)
#define ARCH_OS		BIT_ULL(1)
#define ARCH_USR	BIT_ULL(2)
#define ARCH_STACK	BIT_ULL(3)
#define ARCH_TYPE_SHIFT 56
#define ARCH_TYPE	GENMASK_ULL(59, 56)
#define ARCH_TIMED	BIT_ULL(60)

/* AMD: FROM and TO of a branch follow each other, the last branch has the lowest registers. */
#define AMD_SELECT	0xc000010e
#define AMD_EXTN_CONFIG 0xc000010f
#define AMD_FROM	0xc0010300
#define AMD_TO		0xc0010301

#define AMD_ENABLE  BIT_ULL(6) /* of AMD_EXTN_CONFIG */
#define AMD_MISP    BIT_ULL(63) /* of AMD_FROM */
#define AMD_VALID   BIT_ULL(63) /* of AMD_TO */
#define AMD_ADDRESS 57 /* highest bit of an address */

/* Bits of X86_DEBUGCTL */
#define DEBUGCTL_LBR	BIT_ULL(0)
#define DEBUGCTL_FREEZE BIT_ULL(11)

/**
 * struct lbr_cpu - branch records of a CPU
 * @select: value for the register that selects branches; for architectural LBR that of
 *	ARCH_CONTROL
 * @found: value of that register when the counters were taken
 * @foreign: somebody else was recording then: nothing is changed
 * @halted: an NMI has switched recording off, because a counter of the program has wrapped
 * @fresh: the stack has branches that no sample had
 * @entries: the stack, as it was last read
 *
 * An NMI writes @halted only, while x86_cpu.lbr is not 0.
 */
struct lbr_cpu {
	u64 select;
	u64 found;
	bool foreign;
	bool halted;
	bool fresh;
	struct pfm_branch entries[X86_LBR_DEPTH_MAX];
};

static DEFINE_PER_CPU(struct lbr_cpu, lbr_cpus);

/**
 * struct x86_lbr_ops - what differs between processors
 * @select: the register that selects branches
 * @on: begin to record, with struct lbr_cpu.select
 * @off: record no more.  Returns true if the CPU did
 * @is_on: tell whether the CPU records
 * @reset: empty the stack, which stands still
 * @read: read the stack, which stands still; returns the number of branches
 */
struct x86_lbr_ops {
	u32 select;
	void (*on)(const struct lbr_cpu *lbr);
	bool (*off)(void);
	bool (*is_on)(void);
	void (*reset)(void);
	u16 (*read)(struct pfm_branch *to);
};

/*
 * Change bits of a register whose other bits are others'.  The kernel changes those of
 * X86_DEBUGCTL with interrupts off.
 */
static bool change(u32 msr, u64 clear, u64 set)
{
	const u64 value = x86_rdmsr(msr);

	x86_wrmsr(msr, (value & ~clear) | set);
	return value & clear;
}

static u64 prediction(bool mispredicted)
{
	return mispredicted ? PFM_BRANCH_INFO_MISPREDICTED
			    : PFM_BRANCH_INFO_PREDICTED;
}

static u64 common_info(u64 info)
{
	return prediction(info & INFO_MISP) |
	       (info & INFO_TX ? PFM_BRANCH_INFO_TX : 0) |
	       (info & INFO_ABORT ? PFM_BRANCH_INFO_ABORT : 0) |
	       (info & INFO_CYCLES);
}

/* Intel until Ice Lake */

static void old_on(const struct lbr_cpu *lbr)
{
	change(X86_DEBUGCTL, 0, DEBUGCTL_LBR | DEBUGCTL_FREEZE);
}

static bool old_off(void)
{
	const u64 value = x86_rdmsr(X86_DEBUGCTL);

	x86_wrmsr(X86_DEBUGCTL, value & ~(DEBUGCTL_LBR | DEBUGCTL_FREEZE));
	return value & DEBUGCTL_LBR;
}

static bool old_is_on(void)
{
	return x86_rdmsr(X86_DEBUGCTL) & DEBUGCTL_LBR;
}

/* The stack ends with a branch from 0.  A branch that is recorded later has all its registers. */
static void old_reset(void)
{
	u16 i;

	for (i = 0; i < x86.lbr.depth; i++)
		x86_wrmsr(OLD_FROM + i, 0);
}

/* Flags in the upper bits of an address, below which is its sign. */
static u64 old_flags(u64 *from)
{
	const u64 flags = *from;

	switch (x86.lbr.format) {
	case X86_LBR_FLAGS:
		*from = sign_extend64(flags, 62);
		return prediction(flags & INFO_MISP);
	case X86_LBR_FLAGS_TSX:
		*from = sign_extend64(flags, 60);
		return common_info(flags & GENMASK_ULL(63, 61));
	default:
		return 0;
	}
}

static u16 old_read(struct pfm_branch *to)
{
	const u16 depth = x86.lbr.depth;
	const u64 tos = x86_rdmsr(OLD_TOS);
	u16 i;

	for (i = 0; i < depth; i++, to++) {
		const u32 at = (tos - i) & (depth - 1);

		to->from = x86_rdmsr(OLD_FROM + at);
		if (!to->from)
			break;
		to->to = x86_rdmsr(OLD_TO + at);
		to->info = old_flags(&to->from);
		if (x86.lbr.format == X86_LBR_INFO)
			to->info = common_info(x86_rdmsr(OLD_INFO + at)) |
				   PFM_BRANCH_INFO_TIMED;
	}
	return i;
}

static const struct x86_lbr_ops old_ops = {
	.select = OLD_SELECT,
	.on = old_on,
	.off = old_off,
	.is_on = old_is_on,
	.reset = old_reset,
	.read = old_read,
};

/* Architectural LBR */

static void arch_on(const struct lbr_cpu *lbr)
{
	change(X86_DEBUGCTL, 0, DEBUGCTL_FREEZE);
	x86_wrmsr(ARCH_CONTROL, lbr->select | ARCH_ENABLE);
}

static bool arch_is_on(void)
{
	return x86_rdmsr(ARCH_CONTROL) & ARCH_ENABLE;
}

static bool arch_off(void)
{
	const bool was = arch_is_on();

	x86_wrmsr(ARCH_CONTROL, 0);
	change(X86_DEBUGCTL, DEBUGCTL_FREEZE, 0);
	return was;
}

/* A write of the depth empties the stack. */
static void arch_reset(void)
{
	x86_wrmsr(ARCH_DEPTH, x86.lbr.depth);
}

static u64 arch_info(u64 info)
{
	static const u8 kinds[] = {
		PFM_BRANCH_IS_COND,	PFM_BRANCH_IS_IND_JUMP,
		PFM_BRANCH_IS_JUMP,	PFM_BRANCH_IS_IND_CALL,
		PFM_BRANCH_IS_CALL,	PFM_BRANCH_IS_RETURN,
		PFM_BRANCH_IS_UNKNOWN,	PFM_BRANCH_IS_UNKNOWN,
	};
	const unsigned int type = (info & ARCH_TYPE) >> ARCH_TYPE_SHIFT;
	u64 kind = PFM_BRANCH_IS_FAR;

	if (!x86.lbr.typed)
		kind = PFM_BRANCH_IS_UNKNOWN;
	else if (type < ARRAY_SIZE(kinds))
		kind = kinds[type];
	info = common_info(info) | kind << PFM_BRANCH_INFO_KIND_SHIFT |
	       (info & ARCH_TIMED ? PFM_BRANCH_INFO_TIMED : 0);
	if (!x86.lbr.predicted)
		info &= ~(PFM_BRANCH_INFO_PREDICTED |
			  PFM_BRANCH_INFO_MISPREDICTED);
	return info & PFM_BRANCH_INFO_TIMED ? info : info & ~INFO_CYCLES;
}

static u16 arch_read(struct pfm_branch *to)
{
	u16 i;

	for (i = 0; i < x86.lbr.depth; i++, to++) {
		to->from = x86_rdmsr(ARCH_FROM + i);
		to->to = x86_rdmsr(ARCH_TO + i);
		/* Only one of them is 0 if the other level is left out. */
		if (!to->from && !to->to)
			break;
		to->info = arch_info(x86_rdmsr(ARCH_INFO + i));
	}
	return i;
}

static const struct x86_lbr_ops arch_ops = {
	.select = ARCH_CONTROL,
	.on = arch_on,
	.off = arch_off,
	.is_on = arch_is_on,
	.reset = arch_reset,
	.read = arch_read,
};

/* AMD */

static void amd_on(const struct lbr_cpu *lbr)
{
	change(X86_DEBUGCTL, 0, DEBUGCTL_FREEZE);
	change(AMD_EXTN_CONFIG, 0, AMD_ENABLE);
}

static bool amd_off(void)
{
	const bool was = change(AMD_EXTN_CONFIG, AMD_ENABLE, 0);

	change(X86_DEBUGCTL, DEBUGCTL_FREEZE, 0);
	return was;
}

static bool amd_is_on(void)
{
	return x86_rdmsr(AMD_EXTN_CONFIG) & AMD_ENABLE;
}

static void amd_reset(void)
{
	u16 i;

	for (i = 0; i < x86.lbr.depth; i++) {
		x86_wrmsr(AMD_FROM + 2 * i, 0);
		x86_wrmsr(AMD_TO + 2 * i, 0);
	}
}

/* A branch that is not valid was taken on a path that turned out to be wrong. */
static u16 amd_read(struct pfm_branch *to)
{
	u16 i, n = 0;

	for (i = 0; i < x86.lbr.depth; i++) {
		const u64 target = x86_rdmsr(AMD_TO + 2 * i);
		u64 from;

		if (!(target & AMD_VALID))
			continue;
		from = x86_rdmsr(AMD_FROM + 2 * i);
		to[n++] = (struct pfm_branch){
			.from = sign_extend64(from, AMD_ADDRESS),
			.to = sign_extend64(target, AMD_ADDRESS),
			.info = prediction(from & AMD_MISP),
		};
	}
	return n;
}

static const struct x86_lbr_ops amd_ops = {
	.select = AMD_SELECT,
	.on = amd_on,
	.off = amd_off,
	.is_on = amd_is_on,
	.reset = amd_reset,
	.read = amd_read,
};

static const struct x86_lbr_ops *ops(void)
{
	switch (x86.lbr.format) {
	case X86_LBR_ARCH:
		return &arch_ops;
	case X86_LBR_AMD:
		return &amd_ops;
	default:
		return &old_ops;
	}
}

/* Software's kinds in the order of their bits, from PFM_BRANCH_COND on */
static const u8 old_kinds[] = { 2, 3, 4, 5, 7, 6, 8 };
static const u8 arch_kinds[] = { 16, 19, 20, 21, 17, 18, 22 };

static_assert(ARRAY_SIZE(old_kinds) == ARRAY_SIZE(arch_kinds));
static_assert(PFM_BRANCH_KINDS ==
	      GENMASK(1 + ARRAY_SIZE(old_kinds), 2));

static u64 kinds_of(u64 filter, const u8 *bits)
{
	unsigned int i;
	u64 kinds = 0;

	for (i = 0; i < ARRAY_SIZE(old_kinds); i++) {
		if (filter & (PFM_BRANCH_COND << i))
			kinds |= BIT_ULL(bits[i]);
	}
	return kinds;
}

/* The value of the register that selects branches. */
static u64 select_of(u64 filter)
{
	const u64 left_out = ~filter;
	u64 select;

	if (x86.lbr.format == X86_LBR_ARCH) {
		select = kinds_of(filter, arch_kinds);
		return select | (filter & PFM_BRANCH_KERNEL ? ARCH_OS : 0) |
		       (filter & PFM_BRANCH_USER ? ARCH_USR : 0) |
		       (filter & PFM_BRANCH_STACK ? ARCH_STACK : 0);
	}
	select = kinds_of(left_out, old_kinds);
	return select | (left_out & PFM_BRANCH_KERNEL ? BIT_ULL(0) : 0) |
	       (left_out & PFM_BRANCH_USER ? BIT_ULL(1) : 0) |
	       (filter & PFM_BRANCH_STACK ? OLD_SELECT_STACK : 0);
}

static void look_foreign(void *found)
{
	const bool foreign = this_cpu_read(x86_cpus.ours)
				     ? this_cpu_read(lbr_cpus.foreign)
				     : ops()->is_on();

	if (foreign)
		WRITE_ONCE(*(bool *)found, true);
}

/* True if somebody else records branches on a CPU. */
static bool is_foreign(void)
{
	bool found = false;

	on_each_cpu(look_foreign, &found, 1);
	return READ_ONCE(found);
}

#define STACK_KINDS \
	(PFM_BRANCH_CALL | PFM_BRANCH_IND_CALL | PFM_BRANCH_RETURN)

/**
 * x86_lbr_prepare - compute what the other functions need
 * @prog: the program, whose filter is not reserved
 * @filter: value of its PMC
 *
 * Context: as pfm_pmu_ops.prepare.
 * Return: 0; -EINVAL for a filter without a level, and for a call stack of the kernel or of jumps;
 * -EBUSY if somebody else records branches, which is logged.
 */
int x86_lbr_prepare(struct pfm_prog *prog, u64 filter)
{
	const u64 levels = PFM_BRANCH_USER | PFM_BRANCH_KERNEL;

	/* A format may change the value later, so there is room in any case. */
	prog->nbranches = x86.lbr.depth;
	prog->sample = filter;
	prog->priv[X86_PRIV_LBR] = 0;
	if (!filter)
		return 0;
	if (!(filter & levels))
		return -EINVAL;
	if (filter & PFM_BRANCH_STACK) {
		if (filter & PFM_BRANCH_KERNEL ||
		    filter & PFM_BRANCH_KINDS & ~STACK_KINDS)
			return -EINVAL;
		filter |= STACK_KINDS;
	}
	if (!(filter & PFM_BRANCH_KINDS))
		filter |= PFM_BRANCH_KINDS;
	prog->priv[X86_PRIV_MORE] |= X86_MORE_LBR;
	prog->priv[X86_PRIV_LBR] = select_of(filter);
	/* A format may change PMCs in an overflow, where other CPUs cannot be called. N12 */
	if (irqs_disabled() || !is_foreign())
		return 0;
	pfm_refusal_notice("context not loaded: somebody else records branches (LBR) on this machine\n");
	return -EBUSY;
}

/**
 * x86_lbr_start - record branches for a program
 * @prog: the program, which has a filter; its counters stand still
 * @cpu: this CPU
 * @again: keep the branches of the stack, as they are of the same task
 */
void x86_lbr_start(const struct pfm_prog *prog, struct x86_cpu *cpu, bool again)
{
	struct lbr_cpu *lbr = this_cpu_ptr(&lbr_cpus);
	const struct x86_lbr_ops *do_ = ops();
	const u64 select = prog->priv[X86_PRIV_LBR];

	if (unlikely(lbr->foreign))
		return;
	/* N10 */
	if (!again) {
		/* Others may have switched it on, see N12. */
		do_->off();
		do_->reset();
	}
	if (lbr->select != select) {
		lbr->select = select;
		/* That of architectural LBR is written when recording begins. */
		if (x86.lbr.format != X86_LBR_ARCH)
			x86_wrmsr(do_->select, select);
	}
	lbr->halted = false;
	lbr->fresh = false;
	WRITE_ONCE(cpu->lbr, prog->priv[X86_PRIV_PMDS]);
	barrier();
	do_->on(lbr);
}

/**
 * x86_lbr_stop - record no branches any more; the stack keeps those that there are
 * @cpu: this CPU
 */
void x86_lbr_stop(struct x86_cpu *cpu)
{
	struct lbr_cpu *lbr = this_cpu_ptr(&lbr_cpus);
	bool went_on;

	if (!cpu->lbr)
		return;
	/* From here on an NMI leaves all as it is. */
	WRITE_ONCE(cpu->lbr, 0);
	barrier();
	went_on = ops()->off() && lbr->halted;
	/* Somebody has switched it on again behind the NMI: these are not the overflow's. N12 */
	lbr->fresh = !went_on;
}

/**
 * x86_lbr_halt - stop recording in an NMI, before overflows are acknowledged
 *
 * Context: NMI, x86_cpu.lbr is not 0.
 */
void x86_lbr_halt(void)
{
	struct lbr_cpu *lbr = this_cpu_ptr(&lbr_cpus);

	if (lbr->halted)
		return;
	ops()->off();
	WRITE_ONCE(lbr->halted, true);
}

/**
 * x86_lbr_go_on - record again, because the NMI was about no counter of the program
 *
 * Context: NMI, after x86_lbr_halt(), overflows are acknowledged.
 */
void x86_lbr_go_on(void)
{
	struct lbr_cpu *lbr = this_cpu_ptr(&lbr_cpus);

	WRITE_ONCE(lbr->halted, false);
	ops()->on(lbr);
}

/** x86_lbr_sample - see pfm_pmu_ops.sample; the branches, if no sample has had them */
enum pfm_sample x86_lbr_sample(const struct pfm_prog *prog, u64 *vals, u16 num,
			       struct pfm_hw_sample *sample)
{
	struct lbr_cpu *lbr = this_cpu_ptr(&lbr_cpus);

	if (lbr->fresh) {
		lbr->fresh = false;
		sample->nbranches = ops()->read(lbr->entries);
		sample->branches = lbr->entries;
	}
	return PFM_SAMPLE_NONE;
}

/**
 * x86_lbr_take_here - find out who has the records of this CPU, as the counters are taken
 *
 * Context: on the CPU, interrupts off.
 */
void x86_lbr_take_here(void)
{
	struct lbr_cpu *lbr = this_cpu_ptr(&lbr_cpus);

	if (!x86.lbr.depth)
		return;
	lbr->foreign = ops()->is_on();
	lbr->found = x86_rdmsr(ops()->select);
}

/**
 * x86_lbr_reset_here - record nothing, and forget what there is
 * @cpu: this CPU
 *
 * Context: on the CPU, interrupts off, the counters are ours.
 */
void x86_lbr_reset_here(struct x86_cpu *cpu)
{
	struct lbr_cpu *lbr = this_cpu_ptr(&lbr_cpus);

	if (!x86.lbr.depth || lbr->foreign)
		return;
	WRITE_ONCE(cpu->lbr, 0);
	barrier();
	ops()->off();
	ops()->reset();
	x86_wrmsr(ops()->select, 0);
	lbr->select = 0;
	lbr->halted = false;
	lbr->fresh = false;
}

/**
 * x86_lbr_give_here - put back what x86_lbr_take_here() found, after x86_lbr_reset_here()
 *
 * Context: on the CPU, interrupts off.
 */
void x86_lbr_give_here(void)
{
	const struct lbr_cpu *lbr = this_cpu_ptr(&lbr_cpus);

	if (x86.lbr.depth && !lbr->foreign)
		x86_wrmsr(ops()->select, lbr->found);
}
