/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * Sampling format "callstack": the calls that led to each sample, in the kernel,
 * in the user's program, or both.
 *
 * The buffer is in 1 to 8 parts, which are filled, read and released as those of
 * the format "nway" (<linux/perfmon_nway.h>).  A lane begins with struct
 * pfm_callstack_hdr; each part begins with struct pfm_nway_part.  Behind that:
 *
 *  - without PFM_CALLSTACK_AGGREGATE @count entries, struct
 *    pfm_callstack_entry, one a sample;
 *  - with it @count records, struct pfm_callstack_record, one for each distinct
 *    stack, with the number of samples that found it.
 *
 * Entries and records vary in size, which is a multiple of 8; @cur_offs is where
 * the last one ends.  A stack is a row of addresses, innermost first.  The first
 * address of the kernel's stack, and that of the user's when the sample hit user
 * code, is the interrupted instruction.  The others are where a call, or a
 * system call, will return to: the instruction after it.
 *
 * Stacks are walked by frame pointers (the kernel's on x86 by its ORC tables).
 * A function that was interrupted before it set up its frame, or that has none,
 * hides its caller; code without frame pointers ends the walk or gives nonsense.
 * 32-bit programs on arm64 give their innermost address only.  A walk also ends at
 * a page of the user's stack that cannot be read without a fault: one that was
 * reclaimed or, on arm64 processors that leave it to software to note that a page
 * was used (before Armv8.1), not touched since the process was forked.  The
 * kernel's stack is recorded only for owners who may see kernel addresses.
 *
 * Aggregated parts
 *
 * Stacks are one when process, program, PMD, set, event id, flags and every
 * address are the same, which is compared in full; the values in smpl_pmds are
 * not recorded.  Records of one stack in different parts or lanes are for the
 * reader to add up.
 *
 * A part is full when another stack of the depth limit might not fit.  When then
 * no other part is free, the context is masked or, with PFM_CALLSTACK_DROP and
 * in a context that follows, the part stays in use: samples of stacks that it has
 * are counted as before, and other samples in records with PFM_CALLSTACK_OTHER,
 * one for each event, so that the sums over all records stay exact.  They are in
 * @lost and @lost_weight as well.  Up to half of a part is kept free for such
 * records.  Where the registers that sample, of all sets, are more than that has
 * room for, those that find none share a record of PMD PFM_REG_NONE.
 *
 * The part that is being filled may be read at any time, up to a load-acquire of
 * its @count; records in it go on counting.
 *
 * Memory: an aggregated part of S bytes uses S/16 to S/8 for its index, and 64
 * bytes plus 8 a frame for each stack.  A megabyte holds some 5,000 stacks of 15
 * frames, whatever the number of samples.
 */
#ifndef _UAPI_LINUX_PERFMON_CALLSTACK_H
#define _UAPI_LINUX_PERFMON_CALLSTACK_H

#include <linux/perfmon_nway.h>
#include <linux/types.h>

/* 6aa5f35a-d6ca-46ec-befb-32ef8fea9330 */
#define PFM_CALLSTACK_UUID \
	{ 0x6a, 0xa5, 0xf3, 0x5a, 0xd6, 0xca, 0x46, 0xec, \
	  0xbe, 0xfb, 0x32, 0xef, 0x8f, 0xea, 0x93, 0x30 }

#define PFM_CALLSTACK_VERSION	0x10000

/* When all parts are full, lose samples rather than stop counting. */
#define PFM_CALLSTACK_DROP	(1U << 0)
/* Record the kernel's stack of samples that hit the kernel. */
#define PFM_CALLSTACK_KERNEL	(1U << 1)
/* Record the user's stack: for samples that hit the kernel, where it was left. */
#define PFM_CALLSTACK_USER	(1U << 2)
/* Count identical stacks instead of recording each sample. */
#define PFM_CALLSTACK_AGGREGATE	(1U << 3)

#define PFM_CALLSTACK_PARTS_MAX	PFM_NWAY_PARTS_MAX
#define PFM_CALLSTACK_DEPTH_MAX	127

/* Smallest and largest part with PFM_CALLSTACK_AGGREGATE. */
#define PFM_CALLSTACK_AGGR_MIN	16384
#define PFM_CALLSTACK_AGGR_MAX	(64 << 20)

/**
 * struct pfm_callstack_arg - argument at creation of the context
 * @part_size: bytes of a part, its header included; a multiple of 8 that holds
 *	the largest entry without values; aggregated: PFM_CALLSTACK_AGGR_MIN to
 *	PFM_CALLSTACK_AGGR_MAX
 * @parts: number of parts, 1 to PFM_CALLSTACK_PARTS_MAX
 * @flags: PFM_CALLSTACK_*; KERNEL, USER or both
 * @depth: frames kept of either stack, the innermost; 1 to
 *	PFM_CALLSTACK_DEPTH_MAX
 * @reserved: zero
 * @reserved2: zero
 */
struct pfm_callstack_arg {
	__u64 part_size;
	__u32 parts;
	__u32 flags;
	__u32 depth;
	__u32 reserved;
	__u64 reserved2[5];
};

/**
 * struct pfm_callstack_hdr - at the beginning of each lane
 * @nway: parts, samples and losses
 * @weight: sum of the periods of the samples in nway.samples
 * @lost_weight: sum of the periods of the samples in nway.lost
 * @collisions: aggregated: places of the index that were looked at and held
 *	another stack: a measure of its speed, of nothing else
 * @depth: from the argument
 * @slots: aggregated: places of the index, behind part_room; for the kernel
 * @reserved: zero
 *
 * What part_room does not use of a part is the kernel's.
 */
struct pfm_callstack_hdr {
	struct pfm_nway_hdr nway;
	__u64 weight;
	__u64 lost_weight;
	__u64 collisions;
	__u32 depth;
	__u32 slots;
	__u64 reserved[12];
};

/* The kernel's or the user's stack goes on behind the last frame recorded. */
#define PFM_CALLSTACK_CUT_KERNEL	(1U << 0)
#define PFM_CALLSTACK_CUT_USER	(1U << 1)
/*
 * The overflow was noticed late, when the thread was switched: it occurred in
 * code that cannot be interrupted.  The kernel's stack is not known, and the
 * user's is the one that it was left with.
 */
#define PFM_CALLSTACK_LATE	(1U << 2)
/*
 * Samples of stacks that found no room: a record without process and frames; of all
 * events that have no record of their own when the PMD is PFM_REG_NONE.
 */
#define PFM_CALLSTACK_OTHER	(1U << 3)
/*
 * The owner may not see the user's stack: the thread was about to execute another
 * program, or runs one that may not be dumped.  There are no frames of it.
 */
#define PFM_CALLSTACK_HIDDEN	(1U << 4)

/**
 * struct pfm_callstack_entry - one sample
 * @tid: thread id
 * @ovfl_pmd: PMD that overflowed
 * @reserved: zero
 * @last_reset_val: value the PMD was reset to; its negation is the period
 * @ip: interrupted instruction; 0 when it is not known, or is kernel code and
 *	the owner may not know kernel addresses, or user code that the owner may
 *	not look into
 * @tstamp: ns of CLOCK_MONOTONIC
 * @cpu: CPU
 * @set: event set
 * @pid: process id
 * @nr_vals: values that follow
 * @nr_kernel: frames of the kernel's stack
 * @nr_user: frames of the user's stack
 * @flags: CUT, LATE, HIDDEN
 *
 * Begins like struct pfm_default_entry.  The values of the PMDs in smpl_pmds
 * follow, then the kernel's frames, then the user's, 8 bytes each.
 */
struct pfm_callstack_entry {
	__u32 tid;
	__u16 ovfl_pmd;
	__u16 reserved;
	__u64 last_reset_val;
	__u64 ip;
	__u64 tstamp;
	__u16 cpu;
	__u16 set;
	__u32 pid;
	__u16 nr_vals;
	__u16 nr_kernel;
	__u16 nr_user;
	__u16 flags;
};

/**
 * struct pfm_callstack_record - samples with one stack
 * @count: samples
 * @weight: sum of their periods
 * @first: when the first of them was taken, ns of CLOCK_MONOTONIC
 * @start: when the process was made, ns of CLOCK_MONOTONIC
 * @eventid: from struct pfm_pmd_attr
 * @pid: process id
 * @exec: number that is higher for each program that the process executed
 * @pmd: PMD that overflowed
 * @set: event set
 * @nr_kernel: frames of the kernel's stack
 * @nr_user: frames of the user's stack
 * @flags: CUT, LATE, OTHER, HIDDEN
 * @reserved: zero
 * @frames: the kernel's frames, then the user's
 */
struct pfm_callstack_record {
	__u64 count;
	__u64 weight;
	__u64 first;
	__u64 start;
	__u64 eventid;
	__u32 pid;
	__u32 exec;
	__u16 pmd;
	__u16 set;
	__u16 nr_kernel;
	__u16 nr_user;
	__u16 flags;
	__u16 reserved[3];
	__u64 frames[];
};

#endif /* _UAPI_LINUX_PERFMON_CALLSTACK_H */
