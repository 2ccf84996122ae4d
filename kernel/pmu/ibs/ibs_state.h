/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * AMD's instruction-based sampling: what the processor has of it, and the state of each
 * CPU.
 *
 * A flavour, fetch or op, is counted and sampled by an engine of its own on each CPU.
 */
#ifndef _PFM_IBS_STATE_H
#define _PFM_IBS_STATE_H

#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/perfmon_ibs.h>
#include <linux/types.h>
#include <asm/tsc.h>
#include <perfmon/pmu.h>

enum {
	IBS_FETCH,
	IBS_OP,
	IBS_FLAVOURS,
};

/* Bits of CPUID leaf 0x8000001b EAX. */
#define IBS_CAP_AVAIL	  BIT(0)
#define IBS_CAP_FETCH	  BIT(1)
#define IBS_CAP_OP	  BIT(2)
#define IBS_CAP_RDWROPCNT BIT(3)
#define IBS_CAP_OPCNT	  BIT(4)
#define IBS_CAP_BRTARGET  BIT(5)
#define IBS_CAP_OPCNTEXT  BIT(6)
#define IBS_CAP_RIPCHECK  BIT(7)
#define IBS_CAP_EXTDCTL	  BIT(9)
#define IBS_CAP_OPDATA4	  BIT(10)
#define IBS_CAP_L3MISS	  BIT(11)
#define IBS_CAP_LDLAT	  BIT(12)
#define IBS_CAP_FETCHLAT  BIT(14)
#define IBS_CAP_STREAMING BIT(16)

/* IBS_FETCH_CTL.  MaxCnt and Cnt hold bits 19:4 of the period and of the count. */
#define IBS_FETCH_MAX	     GENMASK_ULL(15, 0)
#define IBS_FETCH_CUR	     GENMASK_ULL(31, 16)
#define IBS_FETCH_EN	     BIT_ULL(48)
#define IBS_FETCH_VALID	     BIT_ULL(49)
#define IBS_FETCH_PHYS_VALID BIT_ULL(52)
#define IBS_FETCH_RAND	     BIT_ULL(57)
#define IBS_FETCH_L3MISS     BIT_ULL(59)

/* IBS_OP_CTL.  Bits 26:20 of the period are at their own positions. */
#define IBS_OP_MAX	  GENMASK_ULL(15, 0)
#define IBS_OP_L3MISS	  BIT_ULL(16)
#define IBS_OP_EN	  BIT_ULL(17)
#define IBS_OP_VALID	  BIT_ULL(18)
#define IBS_OP_COUNT_OPS  BIT_ULL(19)
#define IBS_OP_MAX_EXT	  GENMASK_ULL(26, 20)
#define IBS_OP_CUR	  GENMASK_ULL(58, 32)
#define IBS_OP_CUR_OLD	  GENMASK_ULL(51, 32)
#define IBS_OP_LATENCY	  GENMASK_ULL(62, 59)
#define IBS_OP_LATENCY_EN BIT_ULL(63)

/* The second control registers, which have the filters; newer kernels have names for them. */
#define IBS_MSR_OP_CTL2	   0xc001103e
#define IBS_MSR_FETCH_CTL2 0xc001103f
#define IBS_FETCH2_LATENCY GENMASK_ULL(4, 1)
#define IBS_OP2_STREAMING  BIT_ULL(3)

/* Low bits of the count that the processor sets at random when it has a sample. */
#define IBS_OP_RANDOM GENMASK_ULL(6, 0)

/*
 * Random low bits that the processor begins a count of fetches with are 0 to 15: half of the
 * time this mean is meant, and half of the time one more.
 */
#define IBS_FETCH_MEAN 7

/* IBS_OP_DATA and IBS_OP_DATA3 */
#define IBS_DATA_BRANCH	     BIT_ULL(37)
#define IBS_DATA_RIP_INVALID BIT_ULL(38)
#define IBS_DATA3_LIN_VALID  BIT_ULL(17)
#define IBS_DATA3_PHYS_VALID BIT_ULL(18)
#define IBS_DATA3_PREFETCH   BIT_ULL(21)

/* Periods are multiples of this. */
#define IBS_UNIT 16

/* Both leave out all code: the engine does not run. */
#define IBS_EXCLUDE (PFM_IBS_EXCLUDE_KERNEL | PFM_IBS_EXCLUDE_USER)

/* Errata; the table is in ibs.c. */
#define IBS_ERRATUM_420 \
	BIT(0) /* stop: the period is zeroed before the engine is */
#define IBS_ERRATUM_718 \
	BIT(1) /* bits of DATA3 are never cleared by the processor */
#define IBS_ERRATUM_1197 BIT(2) /* fetch samples with address 0 are wrong */
#define IBS_ERRATUM_1606 \
	BIT(3) /* the filter for latencies needs that for L3 misses */
#define IBS_FETCH_EDGE \
	BIT(4) /* fetches: only an enable bit that rises begins anew */
#define IBS_ERRATUM_1215 \
	BIT(5) /* sleep (CC6): an NMI comes, and the bit of its sample is lost */

/**
 * struct ibs_flavour - a flavour
 * @msr: control register; 0: the processor does not have the flavour
 * @en: bit of it: enable
 * @valid: bit of it: there is a sample, and nothing is counted
 * @conf: bits of it that user space writes
 * @msr2: second control register; 0: the processor has no filter of it
 * @filter: bits of the PMC that are the filter
 * @shift: how far they are moved to the right in @msr2
 * @min: shortest period
 * @max: longest period, a multiple of IBS_UNIT
 */
struct ibs_flavour {
	u32 msr;
	u64 en;
	u64 valid;
	u64 conf;
	u32 msr2;
	u8 shift;
	u64 filter;
	u64 min;
	u64 max;
};

/**
 * struct ibs_desc - the machine's IBS
 * @pmu: its description
 * @caps: IBS_CAP_*
 * @errata: IBS_ERRATUM_*, IBS_FETCH_EDGE
 * @cur: field of IBS_OP_CTL with the count
 * @late: ticks of the time stamp counter by which an NMI may be late
 * @flavour: the flavours
 *
 * Constant once the module is loaded.
 */
struct ibs_desc {
	struct pfm_pmu *pmu;
	u32 caps;
	u32 errata;
	u64 cur;
	u64 late;
	struct ibs_flavour flavour[IBS_FLAVOURS];
};

/**
 * struct ibs_engine - a CPU's engine of a flavour
 * @started: it runs for the present program, or has a sample that nobody has taken: NMIs
 *	look at it
 * @noted: an NMI has found the sample and made a note of it.  Cleared before @started is
 *	set
 * @user: valid while @noted: the NMI interrupted user mode
 * @tsc: time stamp counter in the NMI, or when the sample was found without it
 * @late: time stamp until which one NMI that finds nothing is taken for this engine's; 0:
 *	none is
 * @unexplained: an NMI that found nothing was taken for this engine's since it was armed, by
 *	erratum 1215
 * @record: there is a sample that ibs_sample() has not taken yet; its control register was
 *	@ctl
 * @waits: the control register still has the bit that there is a sample
 * @ctl: control register when the sample was found
 * @max: period that the engine was armed with
 * @start: value that the count began with; of fetches with random bits, the mean
 * @most: what it may have counted without a sample: one less than the stretch, and than what is
 *	left of the value
 * @odd: fetches: the mean was rounded up
 * @random: random low bits of the count after the last sample; 0: none
 * @filter: value of the second control register
 *
 * Used on that CPU, in a critical section or in an NMI.  An NMI that interrupts a section writes
 * nothing but @noted, @user, @tsc, @late and @unexplained, the first three only while @started is
 * set and @noted is not.
 */
struct ibs_engine {
	bool started;
	bool noted;
	bool user;
	bool unexplained;
	bool record;
	bool waits;
	bool odd;
	u64 tsc;
	u64 late;
	u64 ctl;
	u64 max;
	u64 start;
	u64 most;
	u64 random;
	u64 filter;
};

/**
 * struct ibs_cpu - state of a CPU
 * @engine: its engines
 * @ours: IBS of this CPU is perfmon's
 * @masked: the local APIC's entry was masked when it became so
 */
struct ibs_cpu {
	struct ibs_engine engine[IBS_FLAVOURS];
	bool ours;
	bool masked;
};

extern struct ibs_desc ibs;
DECLARE_PER_CPU(struct ibs_cpu, ibs_cpus);

/*
 * Elements of pfm_prog.priv: a bitmap of the engines that run; for each flavour the value of
 * its PMC, the index of the PMD that counts, and the index of its first snapshot register if
 * the program has all of them, otherwise 0; a bitmap of the flavours with snapshot registers.
 */
enum {
	IBS_PRIV_RUN,
	IBS_PRIV_CONF,
	IBS_PRIV_AT = IBS_PRIV_CONF + IBS_FLAVOURS,
	IBS_PRIV_ALL = IBS_PRIV_AT + IBS_FLAVOURS,
	IBS_PRIV_SOME = IBS_PRIV_ALL + IBS_FLAVOURS,
};

static_assert(IBS_PRIV_SOME < PFM_PROG_PRIV);

/* PMC and PMD that counts, of a flavour: the numbers are the same. */
#define IBS_NUM(f) (PFM_IBS_PMD_FETCH + (f))
/* The registers of an engine occupy this part of the hardware, see struct pfm_reg_desc. */
#define IBS_HOLDS(f) BIT_ULL(f)
static_assert(IBS_NUM(IBS_FETCH) == PFM_IBS_PMC_FETCH_CTL);
static_assert(IBS_NUM(IBS_OP) == PFM_IBS_PMC_OP_CTL);
static_assert(IBS_NUM(IBS_OP) == PFM_IBS_PMD_OP);

/* The value of a flavour's PMC. */
static inline u64 ibs_conf(const struct pfm_prog *prog, unsigned int f)
{
	return prog->priv[IBS_PRIV_CONF + f];
}

/* True if the program lets the engine of a flavour run. */
static inline bool ibs_runs(const struct pfm_prog *prog, unsigned int f)
{
	return prog->priv[IBS_PRIV_RUN] & BIT(f);
}

/*
 * Take an NMI that finds nothing for this engine's, for a while.  The compiler must not move
 * this behind the change of @started that may follow.
 */
static inline void ibs_expect_late(struct ibs_engine *engine)
{
	/* 0 has a meaning of its own. */
	WRITE_ONCE(engine->late, (rdtsc() + ibs.late) | 1);
}

#endif /* _PFM_IBS_STATE_H */
