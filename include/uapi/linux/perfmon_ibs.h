/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * AMD's instruction-based sampling (IBS): numbers of its registers, and the sampling
 * format "ibs".
 *
 * IBS tags an instruction fetch, or an op of an instruction, each time that a period
 * has been counted, and records what happens to it.  Each of the two flavours has a PMC,
 * which is the control register; a PMD that counts and that overflows when there is a
 * sample; and PMDs that hold the registers of the sample (PFM_REGI_SNAPSHOT).  The value
 * of the counting PMD is in fetches, or in ops or cycles, as of each other PMD: a period
 * is written as a negative number.  The hardware counts multiples of 16, at least 16
 * fetches or 144 ops; what it counts beyond a period belongs to the next one.
 *
 * A flavour that the processor does not have is absent, with all its registers, as
 * PFM_IOC_GETREGINFO tells.  All registers of a flavour that it does have exist; those of
 * a sample that it lacks are 0.
 *
 * The format "ibs" packs the registers of each sample into an entry.  The event's smpl_pmds
 * must name all registers of its flavour, and no others: word PFM_IBS_SMPL_WORD is
 * PFM_IBS_FETCH_SMPL or PFM_IBS_OP_SMPL, the other words are 0.  Otherwise, and for overflows
 * of other registers, the format records nothing, and the overflow counts as an error of the
 * format (fmt_errors).  The samples of any other format carry the registers that smpl_pmds
 * names.
 *
 * Parts, notifications, PFM_IOC_RESTART and losses are those of the format "nway"
 * (<linux/perfmon_nway.h>).  A part holds entries of both flavours, one behind the other
 * in the order of their recording.
 */
#ifndef _UAPI_LINUX_PERFMON_IBS_H
#define _UAPI_LINUX_PERFMON_IBS_H

#include <linux/perfmon_nway.h>
#include <linux/types.h>

/* Control registers: the bits of MSR C001_1030 and C001_1033 */
#define PFM_IBS_PMC_FETCH_CTL	192
#define PFM_IBS_PMC_OP_CTL	193

/*
 * Bits of both control registers that the hardware does not know: the kernel leaves out
 * samples of kernel code, or of user code.  What is sampled decides, not what was
 * interrupted.  IBS counts all code nevertheless: the value and the periods include the
 * code that is left out.  Both bits, the default: nothing is counted.  In the MSR these
 * are bits that the hardware writes.
 *
 * The other bits that may be written are those of the MSR that choose what is counted and
 * sampled: fetch 57 and 59, op 16, 19 and 63:59, as far as the processor has them.
 */
#define PFM_IBS_EXCLUDE_KERNEL	(1ULL << 33)
#define PFM_IBS_EXCLUDE_USER	(1ULL << 34)

/*
 * Filters of the second control registers, MSR C001_103F and C001_103E, as far as the processor
 * has them; these, too, are bits that the hardware writes in the MSR.  FETCH_LATENCY: a number
 * n; not 0: only fetches that take longer than n * 128 cycles are sampled.  OP_STREAMING: only
 * stores that go past the caches are.  As with the filters of the MSR (fetch 59, op 16 and
 * 63:59), the hardware drops other samples and begins a new period, so that the count is that of
 * the last period only.
 */
#define PFM_IBS_FETCH_LATENCY	(0xfULL << 35)
#define PFM_IBS_OP_STREAMING	(1ULL << 35)

/* Counting registers */
#define PFM_IBS_PMD_FETCH	192
#define PFM_IBS_PMD_OP		193

/* The fetch sample that overflowed last */
#define PFM_IBS_PMD_FETCH_CTL	 200 /* MSR C001_1030 */
#define PFM_IBS_PMD_FETCH_LINAD	 201 /* C001_1031 */
#define PFM_IBS_PMD_FETCH_PHYSAD 202 /* C001_1032 */
#define PFM_IBS_PMD_FETCH_EXTD	 203 /* C001_103C */
#define PFM_IBS_PMD_FETCH_PERIOD 204 /* fetches counted since the engine was armed (1) */
#define PFM_IBS_PMD_FETCH_TSC	 205 /* time stamp counter when the interrupt came */

/*
 * (1) With random bits (fetch 57) the mean of what may have been counted: the true number is up to
 * 8 less or more, as the processor does not tell these bits.
 */

/* The op sample that overflowed last */
#define PFM_IBS_PMD_OP_CTL	  208 /* MSR C001_1033 */
#define PFM_IBS_PMD_OP_RIP	  209 /* C001_1034 */
#define PFM_IBS_PMD_OP_DATA	  210 /* C001_1035 */
#define PFM_IBS_PMD_OP_DATA2	  211 /* C001_1036 */
#define PFM_IBS_PMD_OP_DATA3	  212 /* C001_1037 */
#define PFM_IBS_PMD_OP_DC_LINAD	  213 /* C001_1038 */
#define PFM_IBS_PMD_OP_DC_PHYSAD  214 /* C001_1039 */
#define PFM_IBS_PMD_OP_BR_TARGET  215 /* C001_103B */
#define PFM_IBS_PMD_OP_DATA4	  216 /* C001_103D */
#define PFM_IBS_PMD_OP_PERIOD	  217 /* ops or cycles counted since the engine was armed */
#define PFM_IBS_PMD_OP_TSC	  218 /* time stamp counter when the interrupt came */

/* Registers of a sample, and their bits in word PFM_IBS_SMPL_WORD of smpl_pmds */
#define PFM_IBS_FETCH_VALS	6
#define PFM_IBS_OP_VALS		11
#define PFM_IBS_SMPL_WORD	3
#define PFM_IBS_FETCH_SMPL	(0x3fULL << 8)
#define PFM_IBS_OP_SMPL		(0x7ffULL << 16)

/* 39d51ec7-25b8-4690-8298-d255c1e2593e */
#define PFM_IBS_UUID \
	{ 0x39, 0xd5, 0x1e, 0xc7, 0x25, 0xb8, 0x46, 0x90, \
	  0x82, 0x98, 0xd2, 0x55, 0xc1, 0xe2, 0x59, 0x3e }

#define PFM_IBS_VERSION		0x10000

/* When all parts are full, lose samples instead of masking the context. */
#define PFM_IBS_DROP		(1U << 0)

#define PFM_IBS_PARTS_MAX	PFM_NWAY_PARTS_MAX

/**
 * struct pfm_ibs_arg - the format's argument at creation of a context
 * @part_size: bytes of a part, its header included; a multiple of 8 that holds
 *	an entry of the larger kind
 * @parts: number of parts, PFM_NWAY_PARTS_MIN to PFM_IBS_PARTS_MAX
 * @flags: PFM_IBS_*
 * @reserved: zero
 */
struct pfm_ibs_arg {
	__u64 part_size;
	__u32 parts;
	__u32 flags;
	__u64 reserved[6];
};

/* Kinds of entries */
#define PFM_IBS_KIND_FETCH	1
#define PFM_IBS_KIND_OP		2

/* The sampled instruction is one of the kernel. */
#define PFM_IBS_ENTRY_KERNEL	(1U << 0)

/**
 * struct pfm_ibs_entry - what entries of both kinds begin with
 * @kind: PFM_IBS_KIND_*, which tells the size of the entry
 * @flags: PFM_IBS_ENTRY_*
 * @cpu: CPU
 * @set: event set
 * @reserved: zero
 * @pid: process id in the pid namespace of the context's creator
 * @tid: thread id, likewise
 * @tstamp: time, ns of CLOCK_MONOTONIC
 * @tsc: time stamp counter when the interrupt came
 */
struct pfm_ibs_entry {
	__u8 kind;
	__u8 flags;
	__u16 cpu;
	__u16 set;
	__u16 reserved;
	__u32 pid;
	__u32 tid;
	__u64 tstamp;
	__u64 tsc;
};

/**
 * struct pfm_ibs_fetch - entry of a fetch sample
 * @head: kind is PFM_IBS_KIND_FETCH
 * @period: fetches counted since the engine was armed; with random bits (bit 57 of @ctl) the
 *	mean, and the true number is up to 8 less or more
 * @extd: IC_IBS_EXTD_CTL, or 0
 * @ctl: IBS_FETCH_CTL
 * @linad: IBS_FETCH_LINAD; 0 if the creator of the context may not see it
 * @physad: IBS_FETCH_PHYSAD, likewise; 0 if it is not valid
 *
 * An engine is armed after each sample, and when counting goes on after a switch; a
 * period that is longer than the hardware's longest takes it several times.
 */
struct pfm_ibs_fetch {
	struct pfm_ibs_entry head;
	__u32 period;
	__u32 extd;
	__u64 ctl;
	__u64 linad;
	__u64 physad;
};

/**
 * struct pfm_ibs_op - entry of an op sample
 * @head: kind is PFM_IBS_KIND_OP
 * @period: ops or cycles counted since the engine was armed
 * @data2: IBS_OP_DATA2, bits 15:0
 * @data4: IBS_OP_DATA4, bits 15:0, or 0
 * @ctl: IBS_OP_CTL
 * @rip: IBS_OP_RIP; 0 if the creator of the context may not see it, or if it is not valid
 * @data: IBS_OP_DATA
 * @data3: IBS_OP_DATA3
 * @dc_linad: IBS_DC_LINAD, likewise
 * @dc_physad: IBS_DC_PHYSAD, likewise
 * @br_target: IBS_BR_TARGET, likewise, or 0
 *
 * @period as that of struct pfm_ibs_fetch.
 */
struct pfm_ibs_op {
	struct pfm_ibs_entry head;
	__u32 period;
	__u16 data2;
	__u16 data4;
	__u64 ctl;
	__u64 rip;
	__u64 data;
	__u64 data3;
	__u64 dc_linad;
	__u64 dc_physad;
	__u64 br_target;
};

#endif /* _UAPI_LINUX_PERFMON_IBS_H */
