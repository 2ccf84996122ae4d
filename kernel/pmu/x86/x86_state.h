/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * x86 counters: what a vendor's module says of them, and the state of each CPU.
 */
#ifndef _PFM_X86_STATE_H
#define _PFM_X86_STATE_H

#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/types.h>
#include <asm/tsc.h>

#include "x86_msr.h"

struct pfm_pmu;
struct pfm_prog;

/*
 * Logical register numbers.  General counter n, and the control register that selects
 * its event, is register n.  Fixed counter k (Intel), and its field of
 * IA32_FIXED_CTR_CTRL, is register 32 + k.  So the number is the bit in
 * IA32_PERF_GLOBAL_CTRL and similar registers.  PMCs from 40 on belong to no counter;
 * some events need one of them as well, and the last one is the filter of branch records.
 */
#define X86_GENERAL_MAX	 16
#define X86_FIXED_FIRST	 32
#define X86_FIXED_MAX	 8
#define X86_COUNTERS_MAX (X86_FIXED_FIRST + X86_FIXED_MAX)
#define X86_EXTRA_FIRST	 X86_COUNTERS_MAX
#define X86_EXTRA_MAX	 3
#define X86_BRANCHES	 (X86_EXTRA_FIRST + X86_EXTRA_MAX)
#define X86_REGS	 (X86_BRANCHES + 1)

/*
 * PMDs of PERF_METRICS (Intel): the slots of each of its fields, and all slots.  They are
 * counts in memory that follow from the register and fixed counter 3, which then counts
 * for them only.
 */
#define X86_METRIC_FIRST  X86_COUNTERS_MAX
#define X86_METRIC_FIELDS 8
#define X86_METRIC_SLOTS  (X86_METRIC_FIRST + X86_METRIC_FIELDS)
#define X86_PMDS	  (X86_METRIC_SLOTS + 1)
/* Fixed counter 3, and the bit of PERF_METRICS, in IA32_PERF_GLOBAL_CTRL and _STATUS. */
#define X86_SLOTS_COUNTER (X86_FIXED_FIRST + 3)
#define X86_SLOTS_BIT	  BIT_ULL(X86_SLOTS_COUNTER)
#define X86_METRICS_BIT	  BIT_ULL(48)
/*
 * A buffer of Intel PT is full, in IA32_PERF_GLOBAL_STATUS.  It has nothing to do with counters:
 * perf uses PT while the counters are ours, and handles it.
 */
#define X86_STATUS_TRACE BIT_ULL(55)
/* The branch records are frozen, in the same register: an overflow has stopped them. */
#define X86_STATUS_FROZEN BIT_ULL(58)
/* Operand of RDPMC that reads PERF_METRICS. */
#define X86_METRICS_RDPMC BIT(29)

/* IA32_DEBUGCTL, DbgCtl; bits of it: an overflow stops the branch records, and the counters. */
#define X86_DEBUGCTL	    0x1d9
#define X86_DEBUGCTL_FREEZE GENMASK_ULL(12, 11)

#define X86_MAGIC_CODES 4

/* Most branches that a processor records. */
#define X86_LBR_DEPTH_MAX 64

/* IA32_PERFEVTSEL<n> (Intel), PERF_CTL<n> (AMD): bits that both have. */
#define X86_SEL_EVENT GENMASK_ULL(7, 0)
#define X86_SEL_UMASK GENMASK_ULL(15, 8)
#define X86_SEL_USR   BIT_ULL(16)
#define X86_SEL_OS    BIT_ULL(17)
#define X86_SEL_EDGE  BIT_ULL(18)
#define X86_SEL_INT   BIT_ULL(20)
#define X86_SEL_EN    BIT_ULL(22)
#define X86_SEL_INV   BIT_ULL(23)
#define X86_SEL_CMASK GENMASK_ULL(31, 24)

/* A counter's field of IA32_FIXED_CTR_CTRL. */
#define X86_FIXED_OS	BIT_ULL(0)
#define X86_FIXED_USR	BIT_ULL(1)
#define X86_FIXED_ANY	BIT_ULL(2)
#define X86_FIXED_PMI	BIT_ULL(3)
#define X86_FIXED_WIDTH 4

/**
 * struct x86_counter - a counter
 * @msr: register to which it is written
 * @rdpmc: operand of RDPMC that reads it
 * @upper: mask of the bits of a value that are in memory, not in the counter: all from bit
 *	w-1 on, where w is the number of bits that can be written.  As a signed number it
 *	is -2^(w-1)
 * @sign: the counter's highest bit, clear when the counter has wrapped
 * @bias: see x86_low()
 * @mask: bits that the counter has
 *
 * The size is a power of two, so that an index takes one instruction.
 */
struct x86_counter {
	u32 msr;
	u32 rdpmc;
	u64 upper;
	u64 sign;
	u64 bias;
	u64 mask;
} __aligned(64);

/**
 * enum x86_unmask - when the local APIC's entry is unmasked in an NMI
 * @X86_UNMASK_NEVER: the processor does not mask it
 * @X86_UNMASK_EARLY: before the overflow is acknowledged
 * @X86_UNMASK_MIDDLE: after that, before the counters run again
 * @X86_UNMASK_LATE: after the counters run again
 *
 * Done at another moment, some processors send an NMI too many.
 */
enum x86_unmask {
	X86_UNMASK_NEVER,
	X86_UNMASK_EARLY,
	X86_UNMASK_MIDDLE,
	X86_UNMASK_LATE,
};

/**
 * enum x86_lbr_format - where branch records are, and what they have
 * @X86_LBR_PLAIN: Intel until Ice Lake, addresses only
 * @X86_LBR_FLAGS: with a flag in the upper bits of an address: mispredicted
 * @X86_LBR_FLAGS_TSX: with two more, of transactions
 * @X86_LBR_INFO: with a register for these flags, and cycles
 * @X86_LBR_ARCH: Intel's architectural LBR
 * @X86_LBR_AMD: AMD's LbrExtV2
 */
enum x86_lbr_format {
	X86_LBR_PLAIN,
	X86_LBR_FLAGS,
	X86_LBR_FLAGS_TSX,
	X86_LBR_INFO,
	X86_LBR_ARCH,
	X86_LBR_AMD,
};

/**
 * struct x86_lbr - branch records
 * @format: where they are
 * @depth: number of branches; 0: there are none
 * @typed: architectural LBR: records have the kind of the branch
 * @predicted: architectural LBR: records tell of mispredictions
 */
struct x86_lbr {
	enum x86_lbr_format format;
	u16 depth;
	bool typed;
	bool predicted;
};

/**
 * struct x86_desc - the counters of the machine
 * @pmu: their description; pfm_x86_register() sets pmu->pmi
 * @counters: bitmap of the counters, as in IA32_PERF_GLOBAL_CTRL
 * @counter: the counters
 * @sel: control register of general counter 0
 * @sel_step: number of registers from one control register to the next
 * @reserve_counter: register of counter 0 by which the kernel knows the reservation
 * @extra: registers of the PMCs from X86_EXTRA_FIRST on; 0: there is none
 * @fixed_ctrl: control register of all fixed counters; 0: there is none
 * @global_ctrl: register with a bit for each counter that may run; 0: there is none
 * @global_status: register with a bit for each counter that overflowed; 0: none
 * @global_ack: register that clears bits of @global_status
 * @off: more registers that are zero while the counters are ours; 0 ends the list
 * @debugctl: register of which @debugctl_off is cleared meanwhile; 0: none
 * @debugctl_off: bits of @debugctl
 * @shortest: the least that a counter may be written with to its wrap, in events
 * @shortest_of: the same for a program, if one of its events needs more; NULL: none does
 * @unmask: when the local APIC's entry is unmasked
 * @overflows: bits of @global_status that tell of overflows, and
 * @acked: those that an NMI acknowledges; pfm_x86_register() sets both
 * @late: ticks of the time stamp counter by which an NMI may be late; pfm_x86_register() sets it
 * @late_nmis: an NMI may come long after its overflow, when the overflow has been found
 *	and acknowledged in another way
 * @host_only: bit of a control register (count the host only).  It may be set only while
 *	virtualization is on; 0: there is none
 * @host_guest: that bit and the one for guests: both set mean the same as both clear
 * @merge: value of the control register of a counter that holds the upper bits of the one
 *	before it; 0: there are none such
 * @metrics: the register PERF_METRICS; 0: there is none
 * @lbr: branch records; only with @global_status and @debugctl
 * @check: returns an error for a program that the processor would not count right; NULL:
 *	there is none
 * @magic: values that the control registers of the first general counters are given
 *	before they are programmed; 0: none are.  See intel_models.h
 * @same: returns false when this CPU differs from those before it
 *
 * Constant while registered.
 */
struct x86_desc {
	struct pfm_pmu *pmu;
	u64 counters;
	struct x86_counter counter[X86_COUNTERS_MAX];
	u32 sel;
	u32 sel_step;
	u32 reserve_counter;
	u32 extra[X86_EXTRA_MAX];
	u32 fixed_ctrl;
	u32 global_ctrl;
	u32 global_status;
	u32 global_ack;
	u32 off[3];
	u32 debugctl;
	u64 debugctl_off;
	u32 shortest;
	u32 (*shortest_of)(const struct pfm_prog *prog);
	enum x86_unmask unmask;
	u64 overflows;
	u64 acked;
	u64 late;
	bool late_nmis;
	u64 host_only;
	u64 host_guest;
	u64 merge;
	u32 metrics;
	struct x86_lbr lbr;
	u32 magic[X86_MAGIC_CODES];
	int (*check)(const struct pfm_prog *prog);
	bool (*same)(void);
};

/**
 * struct x86_cpu - state of a CPU's counters
 * @armed: counters that run for the present program; see "Overflow as an NMI" in
 *	Documentation/change/locking/pmu-x86.rst
 * @noted: counters among them of which an NMI has noted that they wrapped
 * @ctrl: what the global control is meant to hold; others write to it, too
 * @behind: what is missing in a counter that would have been written with less to its wrap than
 *	it may be; see write_counter() in x86_ops.c
 * @careful: programs that have one of these bits in X86_PRIV_CAREFUL have their values moved by the
 *	longer functions: a bit for each counter that may be @behind, X86_METRICS_BIT, and all bits
 *	where there is no global control
 * @late: time stamp until which NMIs that find nothing are taken for ours: one, or with
 *	x86_desc.late_nmis each; 0: not at all.  Not in jiffies: an NMI that wakes an idle CPU finds
 *	those of when it fell asleep
 * @unseen: with a status register: an NMI came that may have been about a counter that was not
 *	armed
 * @strayed: counters that were found running and were meant to stand still
 * @shared: programs of several slots have been in the registers since they were reset
 * @ours: the counters are perfmon's
 * @lbr: counters whose overflow stops the branch records; 0 while no program records any
 * @lvtpc: the local APIC's entry as it was before
 * @sel: what the control registers of general counters hold
 * @fixed_ctrl: what the one of the fixed counters holds
 * @extra: what the registers of the PMCs from X86_EXTRA_FIRST on hold; 0 where there is
 *	none
 * @metric: slots of the PMDs from X86_METRIC_FIRST on that neither a value nor the
 *	registers have
 * @metrics_until: time, in jiffies, until which the slots' counter cannot have wrapped
 * @slots_wrapped: an NMI has acknowledged that it wrapped, and the wrap is not in @metric
 * @slots_taken: the wrap is in @metric, and the NMI that acknowledges it is to come
 *
 * Used on that CPU, in a critical section or in an NMI.  An NMI that interrupts a section writes
 * nothing but @noted, @late, @unseen, @strayed, @slots_wrapped and @slots_taken.
 */
struct x86_cpu {
	u64 armed;
	u64 noted;
	u64 ctrl;
	u8 behind[X86_COUNTERS_MAX];
	u64 careful;
	u64 late;
	u64 strayed;
	bool unseen;
	bool shared;
	bool ours;
	u32 lvtpc;
	u64 lbr;
	u64 sel[X86_GENERAL_MAX];
	u64 fixed_ctrl;
	u64 extra[X86_EXTRA_MAX];
	u64 metric[X86_METRIC_FIELDS + 1];
	unsigned long metrics_until;
	bool slots_wrapped;
	bool slots_taken;
};

extern struct x86_desc x86;
DECLARE_PER_CPU(struct x86_cpu, x86_cpus);

/* Elements of pfm_prog.priv. */
enum {
	X86_PRIV_RUN, /* counters that run, as in IA32_PERF_GLOBAL_CTRL */
	X86_PRIV_PMDS, /* those of them that are PMDs of the program; X86_METRICS_BIT */
	X86_PRIV_FIXED, /* value of IA32_FIXED_CTR_CTRL */
	X86_PRIV_MERGE, /* counters whose upper bits are in the next one */
	X86_PRIV_HOST, /* not 0: a control register has x86_desc.host_only */
	X86_PRIV_COUNTERS, /* number of PMDs that are counters; those of metrics follow */
	X86_PRIV_MORE, /* X86_MORE_*; 0 for most programs */
	X86_PRIV_FIRST, /* the least to the wrap that a counter is written with, negative */
	X86_PRIV_LBR, /* value of the register that selects branches */
	X86_PRIV_CAREFUL, /* X86_PRIV_PMDS, and X86_METRICS_BIT with X86_MORE_LBR */
};

/* Bits of X86_PRIV_MORE: what few programs have. */
#define X86_MORE_METRICS BIT_ULL(0) /* PMDs of PERF_METRICS */
#define X86_MORE_LBR	 BIT_ULL(1) /* branch records */

/* A counter at all ones: some processors do not interrupt at its overflow. */
#define X86_SHORTEST 2

static inline u32 x86_sel_msr(unsigned int n)
{
	return x86.sel + n * x86.sel_step;
}

/* A register occupies its bit in the global control, a further one the bit of its number. */
static inline u64 x86_holds_pmc(unsigned int n)
{
	return BIT_ULL(n);
}

/* Those of PERF_METRICS have neither a bit nor a control register of their own. */
static inline u64 x86_holds_pmd(unsigned int n)
{
	return n < X86_METRIC_FIRST ? BIT_ULL(n)
				    : X86_METRICS_BIT | X86_SLOTS_BIT;
}

/*
 * Write the global control.  @ctrl comes first: an NMI in between does what the write is
 * about to do.
 */
static __always_inline void x86_write_ctrl(struct x86_cpu *cpu, u64 value)
{
	WRITE_ONCE(cpu->ctrl, value);
	x86_wrmsr(x86.global_ctrl, value);
}

/*
 * What the counter adds to the value: 2^(w-1) plus the counter as a signed number.  After
 * a wrap it is 2^(w-1) or more, and so carries into the upper bits.
 */
static __always_inline u64 x86_low(const struct x86_counter *c, u64 raw)
{
	return (raw ^ c->sign) - c->bias;
}

/*
 * Take NMIs that find nothing for ours: see x86_cpu.late.  The compiler must not move this
 * behind the change of @armed that may follow.
 */
static inline void x86_expect_late(struct x86_cpu *cpu)
{
	/* 0 has a meaning of its own. */
	WRITE_ONCE(cpu->late, (rdtsc() + x86.late) | 1);
}

#endif /* _PFM_X86_STATE_H */
