/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * Sampling format "callstack": the calls that led to each sample, in the kernel,
 * in the user's program, or both.
 *
 * A lane has 1 to 8 parts, which are filled, read and released as those of the
 * format "nway" (<linux/perfmon_nway.h>).  A lane begins with struct
 * pfm_callstack_hdr; each part begins with struct pfm_nway_part, and has behind it:
 *
 *  - without PFM_CALLSTACK_AGGREGATE: @count entries, struct pfm_callstack_entry,
 *    one for each sample;
 *  - with PFM_CALLSTACK_AGGREGATE: @count records, struct pfm_callstack_record, one
 *    for each distinct stack, with the number of samples that had this stack.
 *
 * Entries and records vary in size, always a multiple of 8; @cur_offs is the end of
 * the last one.  A stack is an array of addresses, innermost first.  The first
 * address of the kernel's stack, and that of the user's stack when the sample hit
 * user code, is the interrupted instruction.  The others are return addresses of
 * calls, or of the system call: each is the instruction after the call.
 *
 * Stacks are walked by frame pointers (the kernel's on x86 by its ORC tables).
 * A function that was interrupted before it had set up its frame, or that has no
 * frame, hides its caller; see PFM_CALLSTACK_LR for arm64.  Code without frame
 * pointers ends the walk or gives nonsense.  32-bit programs on arm64 give their
 * innermost address only.  A walk also ends at a page of the user's stack that
 * cannot be read without a fault: a page that was reclaimed; or, on arm64
 * processors on which software has to note that a page was used (before Armv8.1),
 * a page that was not touched since the process was forked.  The kernel's stack is
 * recorded only when the creator of the context may see kernel addresses.
 *
 * Aggregated parts
 *
 * Two stacks are the same when process, program, PMD, set, event id, flags and
 * every address are equal; all of them are compared.  The values in smpl_pmds are
 * not recorded.  Different parts and lanes may have records of the same stack; the
 * consumer adds them up.
 *
 * A part is full when another stack of the maximum depth might not fit.  If no other
 * part is free then, the context is masked.  With PFM_CALLSTACK_DROP, or in a
 * context that follows, the part stays in use instead: samples of stacks that it
 * has are counted as before.  Other samples are counted in records with
 * PFM_CALLSTACK_OTHER, one for each event, so that the sums over all records stay
 * exact, and in @lost and @lost_weight as well.  Up to half of a part is kept free
 * for these records.  If more registers sample, in all sets, than fit there, those
 * without a record of their own share a record of PMD PFM_REG_NONE.
 *
 * The part that is being filled may be read at any time, up to the value of a
 * load-acquire of its @count; the counts of its records still rise.
 *
 * Memory: an aggregated part of S bytes uses S/16 to S/8 for its index, and 64
 * bytes plus 8 for each frame for each stack.  A megabyte holds some 5,000 stacks
 * of 15 frames, whatever the number of samples.
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

/* When all parts are full, lose samples instead of masking the context. */
#define PFM_CALLSTACK_DROP	(1U << 0)
/* Record the kernel's stack of samples that hit the kernel. */
#define PFM_CALLSTACK_KERNEL	(1U << 1)
/*
 * Record the user's stack; for samples that hit the kernel, as it was when the
 * thread entered the kernel.
 */
#define PFM_CALLSTACK_USER	(1U << 2)
/* Count identical stacks instead of recording each sample. */
#define PFM_CALLSTACK_AGGREGATE	(1U << 3)
/*
 * Also record the link register (arm64 in 64-bit code; elsewhere without effect): as
 * the second frame of each stack, in samples that have PFM_CALLSTACK_LR_KERNEL or
 * PFM_CALLSTACK_LR_USER.  It is the return address of the innermost function if that
 * has not stored it on the stack: in a function that calls none, and in the first and
 * last instructions of others.  Otherwise it is no frame, but what the function's last
 * call has left in the register.  The consumer has to find out, by the unwind table
 * (.eh_frame) of the program.  It is one of the @depth frames.
 */
#define PFM_CALLSTACK_LR	(1U << 4)

#define PFM_CALLSTACK_PARTS_MAX	PFM_NWAY_PARTS_MAX
#define PFM_CALLSTACK_DEPTH_MAX	127

/* Smallest and largest part with PFM_CALLSTACK_AGGREGATE. */
#define PFM_CALLSTACK_AGGR_MIN	16384
#define PFM_CALLSTACK_AGGR_MAX	(64 << 20)

/**
 * struct pfm_callstack_arg - the format's argument at creation of a context
 * @part_size: bytes of a part, its header included; a multiple of 8 that holds
 *	the largest entry without values; aggregated: PFM_CALLSTACK_AGGR_MIN to
 *	PFM_CALLSTACK_AGGR_MAX
 * @parts: number of parts, 1 to PFM_CALLSTACK_PARTS_MAX
 * @flags: PFM_CALLSTACK_*; KERNEL, USER or both
 * @depth: most frames that are kept of either stack, the innermost ones; 1 to
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
 * struct pfm_callstack_hdr - header at the beginning of each lane
 * @nway: parts, samples and losses
 * @weight: sum of the periods of the samples in nway.samples
 * @lost_weight: sum of the periods of the samples in nway.lost
 * @collisions: aggregated: places of the index that were looked at and held another
 *	stack; tells how fast the index is, and nothing else
 * @depth: from the argument
 * @slots: aggregated: number of places of the index, which lies behind part_room;
 *	for the kernel
 * @reserved: zero
 *
 * The bytes of a part behind part_room belong to the kernel.
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

/* The kernel's or the user's stack has more frames than were recorded. */
#define PFM_CALLSTACK_CUT_KERNEL	(1U << 0)
#define PFM_CALLSTACK_CUT_USER	(1U << 1)
/*
 * The overflow occurred in code that cannot be interrupted, and the kernel noticed
 * it later, at a context switch.  The kernel's stack is not known, and the user's is
 * as it was when the thread entered the kernel.
 */
#define PFM_CALLSTACK_LATE	(1U << 2)
/*
 * A record without process and frames, for samples whose stack found no room.  If
 * the PMD is PFM_REG_NONE it is for all events that have no such record of their
 * own.
 */
#define PFM_CALLSTACK_OTHER	(1U << 3)
/*
 * The creator may not see the user's stack, because the thread was about to execute
 * another program, or runs one that may not be dumped.  It is not recorded.
 */
#define PFM_CALLSTACK_HIDDEN	(1U << 4)
/* The second frame of that stack is the link register: see PFM_CALLSTACK_LR. */
#define PFM_CALLSTACK_LR_KERNEL	(1U << 5)
#define PFM_CALLSTACK_LR_USER	(1U << 6)

/**
 * struct pfm_callstack_entry - one sample
 * @tid: thread id
 * @ovfl_pmd: PMD that overflowed
 * @reserved: zero
 * @last_reset_val: value that the last reset of the PMD wrote; its negation is the
 *	period
 * @ip: address of the interrupted instruction; 0 when it is not known, or is kernel
 *	code and the creator may not see kernel addresses, or user code that the
 *	creator may not look into
 * @tstamp: time of the overflow, ns of CLOCK_MONOTONIC
 * @cpu: CPU
 * @set: event set
 * @pid: process id
 * @nr_vals: number of values that follow
 * @nr_kernel: frames of the kernel's stack
 * @nr_user: frames of the user's stack
 * @flags: PFM_CALLSTACK_CUT_KERNEL, CUT_USER, LATE, HIDDEN, LR_KERNEL, LR_USER
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
 * @count: number of samples
 * @weight: sum of their periods
 * @first: time of the first of them, ns of CLOCK_MONOTONIC
 * @start: time at which the process was created, ns of CLOCK_MONOTONIC
 * @eventid: from struct pfm_pmd_attr
 * @pid: process id
 * @exec: number that rises with each program that the process executes
 * @pmd: PMD that overflowed
 * @set: event set
 * @nr_kernel: frames of the kernel's stack
 * @nr_user: frames of the user's stack
 * @flags: PFM_CALLSTACK_CUT_KERNEL, CUT_USER, LATE, OTHER, HIDDEN, LR_KERNEL,
 *	LR_USER
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
