/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * perfmon: interface between the kernel modules and user space.
 *
 * open("/dev/perfmon") and PFM_IOC_CREATE_CONTEXT give a context: a file
 * descriptor that holds the whole state of a performance monitoring unit (PMU) as
 * logical registers, 64 bits wide.  Configuration registers (PMC) select what is
 * counted, data registers (PMD) hold the counts.  All other requests are ioctls on the
 * context's descriptor.
 *
 * Terms:
 *
 *  - creator: the process that created the context.  Whether it had CAP_PERFMON at
 *    that time decides what samples and messages may show.
 *  - task: a thread, as the kernel schedules it.
 *  - event set: the registers that count at the same time.  A context has one or
 *    more event sets, of which one is active at a time.
 *  - time slice of an event set: the time from when the set becomes active until
 *    the kernel goes on to the next set.
 *  - to follow: to monitor also the tasks that monitored tasks create
 *    (PFM_CTX_FOLLOW_*).
 *  - lane: a per-CPU sampling buffer of a context.  A context that follows has one
 *    lane for each CPU number, and CPU n fills lane n; any other context has lane
 *    0 only.
 *  - to mask: to stop counting, from an overflow until PFM_IOC_RESTART.
 *  - consumer: the process that takes samples, messages, records and mappings.
 *
 * Rules for all ioctls:
 *
 *  - Structures have the same layout on every architecture and for 32-bit
 *    callers: fixed-width fields, no holes, pointers carried in __u64.
 *  - The size of a structure is part of the ioctl number.  A caller built
 *    against a newer header works on an older kernel as long as the fields that
 *    the kernel does not know are zero (E2BIG otherwise); a caller built
 *    against an older header works on a newer kernel.
 *  - Reserved fields must be zero and flags must be known: EINVAL otherwise.
 *  - A vector takes effect completely or not at all.  When an element is refused,
 *    pfm_regs.failed is its index.
 *  - Times are nanoseconds of CLOCK_MONOTONIC.
 *
 * The list of ioctls at the end of this file gives the errors of each ioctl, with
 * their causes.  Errors that every ioctl can give: EFAULT (bad pointer),
 * EINVAL (unknown flag, non-zero reserved field, or a structure shorter than its
 * first version), E2BIG (an unknown field is not zero, or a vector is longer than
 * PFM_REGS_MAX), ENOMEM, ENOTTY (unknown ioctl, or the descriptor is not of the type
 * that the ioctl is for).
 */
#ifndef _UAPI_LINUX_PERFMON_H
#define _UAPI_LINUX_PERFMON_H

#include <linux/ioctl.h>
#include <linux/types.h>

/* Version of this interface: major << 16 | minor. */
#define PFM_ABI_VERSION		0x00040003

/*
 * Register numbers come in three classes.  0 to 255: registers of the hardware, as
 * the PMU modules number them; 128 to 191 are counters of perf (<linux/perfmon_perf.h>).
 * 256 to 319: virtual registers of a CPU, which may interrupt.  320 to 511: virtual
 * registers of a thread or of the whole system.
 */
#define PFM_REGS_MAX		512
#define PFM_REG_VIRT_BASE	256
#define PFM_REG_TASK_BASE	320

/*
 * Registers that the kernel keeps for each event set, read-only.  They exist only in
 * contexts in which CREATE_EVTSET has described at least one set.  They are in no
 * bitmap of registers, and come last in records.
 *
 * ACTIVE:  nanoseconds that the set was loaded and counted.
 * RUNS:    number of the set's time slices.
 * ENABLED: of set 0 only: nanoseconds that any set of the context counted.  The
 *	    estimate for an event of a set is its count * ENABLED / ACTIVE.
 */
#define PFM_REG_SET_ACTIVE	0xff00
#define PFM_REG_SET_RUNS	0xff01
#define PFM_REG_SET_ENABLED	0xff02

/* 64-bit words of a bitmap that has a bit for each register. */
#define PFM_BV_WORDS		(PFM_REGS_MAX / 64)

#define PFM_NAME_LEN		32

#define PFM_UUID_LEN		16

/**
 * struct pfm_create - argument of PFM_IOC_CREATE_CONTEXT
 * @flags: PFM_CTX_*
 * @reserved: zero
 * @fmt_uuid: sampling format, all zero for none; the bytes in the order in which
 *	a UUID is written
 * @fmt_arg: pointer to the format's argument
 * @fmt_arg_size: bytes of the format's argument, exactly what the format defines
 * @reserved2: zero
 *
 * The first version ends before @fmt_uuid.
 */
struct pfm_create {
	__u32 flags;
	__u32 reserved;
	__u8 fmt_uuid[PFM_UUID_LEN];
	__u64 fmt_arg;
	__u32 fmt_arg_size;
	__u32 reserved2;
};

#define PFM_CREATE_SIZE_VER0	8

/*
 * When an overflow notifies, the monitored thread sleeps until RESTART or until
 * monitoring ends.  A signal lets the thread go on for some 40 microseconds, so that a
 * handler can run; then the thread sleeps again, in the handler if that takes longer.
 * Its instructions in that time are not counted, but the time is: escaped_ns in struct
 * pfm_config.  A worker thread of the kernel's in a process (io_uring, vhost) cannot
 * sleep so: LOAD refuses it.
 */
#define PFM_CTX_NOTIFY_BLOCK	(1U << 0)
/*
 * Report the executable mappings of the tasks that are sampled, as they were at
 * that time (PFM_IOC_READ_MAPS).  With them addresses can be resolved when the
 * task has ended.
 */
#define PFM_CTX_MAPS		(1U << 1)
/*
 * Monitor a CPU, whatever it runs, instead of threads.  Cannot be combined with
 * NOTIFY_BLOCK, MAPS, AGGREGATE and the FOLLOW flags.  A CPU counts for up to two such
 * contexts, and for those of threads, at the same time, if no two of them use the same
 * register of the hardware.
 */
#define PFM_CTX_SYSTEM_WIDE	(1U << 2)
/*
 * Count only the sums over all followed tasks, which READ_PMDS gives; the records
 * of the tasks have no registers.  A context switch between two such tasks costs
 * next to nothing, unless the context samples or has described sets.  Without a
 * FOLLOW flag this flag has no effect.
 */
#define PFM_CTX_AGGREGATE	(1U << 3)
/*
 * Notify by poll(2) and signal only; no overflow message is queued.  poll(2)
 * reports POLLIN until every lane that has notified was restarted.
 */
#define PFM_CTX_NO_MSG		(1U << 7)

/*
 * Which tasks a context follows.  A followed task gets counts of its own, which
 * begin at zero, and leaves a record (struct pfm_record) when it ends.
 *
 * FORK:  new processes with memory of their own.
 * VFORK: new processes that share the memory of their parent until they exec
 *        (vfork, posix_spawn, clone with CLONE_VM).
 * CLONE: new threads, also those that the kernel creates for the process (the
 *        workers of io_uring).
 * EXEC:  a followed task stays monitored when it executes a program.  Without
 *        this flag monitoring of the task ends there; the thread that the context
 *        was loaded on stays monitored in any case.
 *
 * A context whose creator lacked CAP_PERFMON stops monitoring a task, whatever the
 * flags, when the task executes a program that gives it rights that it did not
 * have (set-user-ID, set-group-ID, file capabilities), or a program that the
 * task's user may not read.  Such a context records samples without addresses when
 * they occur in the middle of an exec, or in a program that may not be dumped.
 */
#define PFM_CTX_FOLLOW_FORK	(1U << 8)
#define PFM_CTX_FOLLOW_VFORK	(1U << 9)
#define PFM_CTX_FOLLOW_CLONE	(1U << 10)
#define PFM_CTX_FOLLOW_EXEC	(1U << 11)
#define PFM_CTX_FOLLOW_ALL	(PFM_CTX_FOLLOW_FORK | PFM_CTX_FOLLOW_VFORK | \
				 PFM_CTX_FOLLOW_CLONE | PFM_CTX_FOLLOW_EXEC)

/**
 * struct pfm_reg - one register in a vector
 * @num: register number
 * @set: event set; 0 always exists
 * @flags: zero
 * @value: value to write, or value that was read
 */
struct pfm_reg {
	__u16 num;
	__u16 set;
	__u32 flags;
	__u64 value;
};

/*
 * In a sample, in place of the value of a register of the thread (320 and up) that another
 * CPU was starting or stopping at that moment, and was held up.
 */
#define PFM_VALUE_NOT_READ	(~0ULL)

/**
 * struct pfm_pmd_attr - how a PMD samples (WRITE_PMDATTRS, READ_PMDATTRS)
 * @num: register number
 * @set: event set
 * @flags: PFM_PMDF_*
 * @long_reset: value that the PMD gets at a RESTART; for a period of p events
 *	this is -p.  With FREQUENCY: -p for the period p that is tried first
 * @short_reset: value that the PMD gets after an overflow that does not wait for a
 *	RESTART; for a period of p events this is -p.  With FREQUENCY: number of overflows
 *	in a second of counting, 1 to PFM_FREQUENCY_MAX
 * @random_mask: with RANDOM: a random number is added to the length of each
 *	period; the mask selects the bits of the random number that are used
 * @random_seed: with RANDOM: seed of the random numbers; 0: the kernel chooses one
 * @last_reset: out: value that the last reset wrote, randomisation included
 * @eventid: passed to the sampling format with each sample
 * @ovfl_switch_cnt: in a set with PFM_SETFL_OVFL_SWITCH: number of overflows of
 *	this PMD after which the set's time slice ends; with 0 its overflows end no
 *	time slice.  READ_PMDATTRS: number of overflows that are left
 * @smpl_pmds: PMDs whose values go into each sample, in ascending order.  Each is a value
 *	that the register had, or PFM_VALUE_NOT_READ
 * @reset_pmds: PMDs that are reset, each to its own reset value, when this PMD
 *	overflows
 *
 * A PMD that has attributes overflows when it wraps from 2^64 - 1 to 0.  Events
 * that occur between the wrap and the reset count towards the next period.
 *
 * With FREQUENCY each reset, also that of a RESTART, chooses a period for the frequency from how
 * long the last one took.  Time counts while the PMD counts, on each CPU of a context that
 * follows for itself.  The new period is half of the old one plus half of the one that would have
 * been right, which is taken to be within 1/8 and 8 times of the old one.  It has at least the
 * shortest period of the PMD (struct pfm_reg_info), and at most 2^48 events.  @last_reset and the
 * samples tell each period.  Units whose hardware has periods of its own, as IBS, have no FREQUENCY
 * (EOPNOTSUPP).
 */
struct pfm_pmd_attr {
	__u16 num;
	__u16 set;
	__u32 flags;
	__u64 long_reset;
	__u64 short_reset;
	__u64 random_mask;
	__u64 random_seed;
	__u64 last_reset;
	__u64 eventid;
	__u64 ovfl_switch_cnt;
	__u64 smpl_pmds[PFM_BV_WORDS];
	__u64 reset_pmds[PFM_BV_WORDS];
};

/**
 * struct pfm_set_desc - an event set (CREATE_EVTSET, DELETE_EVTSET)
 * @set: its number
 * @next: with EXPL_NEXT: number of the set that follows this one; it must exist
 *	when the context is loaded
 * @flags: PFM_SETFL_*
 * @timeout: with TIME_SWITCH: length of a time slice, nanoseconds of counting, at
 *	least PFM_SET_TIMEOUT_MIN
 * @jitter: with TIME_SWITCH: each time slice is longer or shorter than @timeout by
 *	a random time of up to half of @jitter nanoseconds, so that the sets do not
 *	change in step with a program that repeats itself; at most @timeout
 * @first: with TIME_SWITCH: length of the first time slices, nanoseconds of counting, from
 *	PFM_SET_TIMEOUT_MIN to @timeout; 0: all time slices have the length @timeout
 * @reserved: zero
 *
 * One set is active at a time, and only its registers count.  When its time slice
 * ends, the set with the next higher number becomes active, after the highest
 * number the lowest, unless EXPL_NEXT names another one.  The time slice of a set
 * that has neither OVFL_SWITCH nor TIME_SWITCH does not end by itself.
 *
 * With @first, a time slice has a PFM_SET_FIRST_PART of the time for which sets have counted
 * since LOAD, in a context that follows on the same CPU; but at least @first, and at most
 * @timeout.  @jitter is shortened by the same part as @timeout.  So a program that ends soon is
 * counted by each set many times, and a longer one by time slices of the length @timeout.
 *
 * DELETE_EVTSET uses @set only.
 */
struct pfm_set_desc {
	__u16 set;
	__u16 next;
	__u32 flags;
	__u64 timeout;
	__u64 jitter;
	__u64 first;
	__u64 reserved[4];
};

/* The first two have the values and the spelling of perfmon v2.x. */
#define PFM_SETFL_OVFL_SWITCH	0x1	/* overflows end its time slice */
#define PFM_SETFL_TIME_SWITCH	0x2	/* a timeout ends its time slice */
#define PFM_SETFL_EXPL_NEXT	0x4	/* @next names the set that follows */
#define PFM_SETFL_EXCL_IDLE	0x8	/* system-wide: do not count the idle task */
/*
 * At the end of each time slice of the set, write the counts of that time slice to
 * the sampling buffer, as a sample of register PFM_REG_SET_ACTIVE.  The fields of this
 * sample have other meanings than those of a sample of a PMD:
 *
 *  - last reset value: number of nanoseconds that the set counted;
 *  - address: time at which the time slice began;
 *  - time stamp: time at which the set stopped counting;
 *  - values: what the set's PMDs 0 to 319 counted, in ascending order.
 *
 * No such sample is written for a time slice that ends because START chooses another
 * set, or because monitoring ends.
 */
#define PFM_SETFL_LOG		0x10
/*
 * In a system-wide context: count outside of interrupts only, or inside only.  Not both.  Inside
 * is what the handlers of interrupts and of softirqs execute, from where the kernel calls a handler
 * to where that has returned (tracepoints irq_handler_entry, softirq_entry, and on x86 those of
 * irq_vectors); also softirq handlers that ksoftirqd calls.  The kernel's way to a handler and back
 * is outside, as are handlers in threads.  An NMI belongs to what it interrupts.  What a set with
 * EXCL_INTR and one with INTR_ONLY count together is what one without these flags would count.
 * The times that the kernel keeps for the set (PFM_REG_SET_*) are those of both sides.
 *
 * The values are those of the PFM_ITA_SETFL_* of perfmon v2.x.
 */
#define PFM_SETFL_EXCL_INTR	0x10000
#define PFM_SETFL_INTR_ONLY	0x20000

/*
 * Largest number of sets of a context, without CAP_PERFMON and with it.  A set number has
 * 16 bits.
 */
#define PFM_SETS_DFL		1024
#define PFM_SETS_MAX		65536

/* Part of the time counted that a time slice has at the beginning: see struct pfm_set_desc. */
#define PFM_SET_FIRST_PART	32

/* Shortest timeout, ns.  With less the monitored program would make no progress. */
#define PFM_SET_TIMEOUT_MIN	10000

/**
 * struct pfm_set_info - state of an event set (GETINFO_EVTSET)
 * @set: its number, set by the caller
 * @next: as in struct pfm_set_desc
 * @flags: as in struct pfm_set_desc
 * @timeout: as in struct pfm_set_desc
 * @jitter: as in struct pfm_set_desc
 * @remaining: nanoseconds that are left of the time slice.  While the set is
 *	counting, this is the value at the time when a CPU last loaded the set
 * @runs: number of its time slices
 * @active_ns: nanoseconds that it was loaded and counted
 * @enabled_ns: nanoseconds that any set of the context counted
 * @ovfl_pmds: PMDs that have overflowed and were not reset yet
 * @active: 1 when it is the active set, otherwise 0
 * @npmcs: number of PMCs that it uses
 * @npmds: number of PMDs that it uses
 * @first: as in struct pfm_set_desc
 * @reserved: zero
 *
 * In a context that follows, @runs and the times are sums over all tasks, and
 * @remaining, @ovfl_pmds and @active are those of CPU 0.
 */
struct pfm_set_info {
	__u16 set;
	__u16 next;
	__u32 flags;
	__u64 timeout;
	__u64 jitter;
	__u64 remaining;
	__u64 runs;
	__u64 active_ns;
	__u64 enabled_ns;
	__u64 ovfl_pmds[PFM_BV_WORDS];
	__u32 active;
	__u16 npmcs;
	__u16 npmds;
	__u64 first;
	__u64 reserved[4];
};

#define PFM_PMDF_NOTIFY		(1U << 0)	/* its overflows may notify */
#define PFM_PMDF_RANDOM		(1U << 1)	/* periods are randomised */
#define PFM_PMDF_FREQUENCY	(1U << 2)	/* periods are adapted to a frequency */

#define PFM_FREQUENCY_MAX	1000000		/* overflows in a second */

/**
 * struct pfm_regs - argument of the ioctls that take a vector
 * @regs: pointer to the elements: struct pfm_reg for WRITE_PMCS, WRITE_PMDS and
 *	READ_PMDS, struct pfm_pmd_attr for WRITE_PMDATTRS and READ_PMDATTRS,
 *	struct pfm_reg_info for GETINFO_PMCS and GETINFO_PMDS, struct
 *	pfm_event_info for GETINFO_EVENTS, struct pfm_set_desc for CREATE_EVTSET
 *	and DELETE_EVTSET, struct pfm_set_info for GETINFO_EVTSET, struct pfm_range for
 *	SET_RANGES, struct pfm_range_info for GETINFO_RANGES
 * @count: number of elements, 0 to PFM_REGS_MAX
 * @failed: out, when the ioctl fails: index of the element that was refused;
 *	@count when the error does not concern an element
 */
struct pfm_regs {
	__u64 regs;
	__u32 count;
	__u32 failed;
};

/**
 * struct pfm_reg_info - description of a register (GETINFO_PMCS, GETINFO_PMDS)
 * @num: register number, set by the caller
 * @width: PMD: bits of the hardware's counter; the kernel extends it to 64.  PMC with
 *	PFM_REGI_BRANCHES: most branches that a sample carries.  Otherwise 0
 * @flags: PFM_REGI_*
 * @ctl: PMD: number of the PMC that controls it, PFM_REG_NONE when none does
 * @reserved: zero
 * @min_period: PMD: shortest sampling period that the hardware has, in events; 0: any.  The
 *	kernel takes shorter ones as well: then several overflows come with one interrupt
 * @addr: address of the register: the MSR number on x86; on arm64 the encoding of
 *	the system register (op0, op1, CRn, CRm, op2 as in the MRS instruction,
 *	shifted right by 5); 0 for virtual registers
 * @dfl: PMC: default value
 * @rsvd: PMC: reserved bits, which must be as in @dfl
 * @name: name of the register in the processor's manual, ends with a zero byte
 */
struct pfm_reg_info {
	__u16 num;
	__u16 width;
	__u32 flags;
	__u16 ctl;
	__u16 reserved;
	__u32 min_period;
	__u64 addr;
	__u64 dfl;
	__u64 rsvd;
	char name[PFM_NAME_LEN];
};

#define PFM_REG_NONE		0xffff

#define PFM_REGI_COUNTER	(1U << 0)	/* counts up; users see 64 bits */
#define PFM_REGI_READONLY	(1U << 1)	/* cannot be written */
#define PFM_REGI_VIRTUAL	(1U << 2)	/* kept by software */
#define PFM_REGI_CYCLES		(1U << 3)	/* counts processor cycles, nothing else */
#define PFM_REGI_GAUGE		(1U << 4)	/* a level at the time of the read, not a count */
#define PFM_REGI_OVERFLOW	(1U << 5)	/* interrupts when it wraps, so it can sample */
#define PFM_REGI_THREAD		(1U << 6)	/* exists for threads only, not for a CPU */
#define PFM_REGI_SNAPSHOT	(1U << 7)	/* what the last overflow came with, not a count */
#define PFM_REGI_BRANCHES	(1U << 8)	/* PMC: filter of the samples' branches */

/*
 * Branches of samples.  Some processors record the last branches that were taken.  There one PMC
 * has PFM_REGI_BRANCHES.  If a set has that PMC and its value is not 0, samples of the set's
 * hardware counters carry the branches that the task had taken before the overflow, and formats
 * that have room for branches record them.  The value is a filter: a branch is recorded if it is of
 * a level and of a kind that the value has.  Bits that the processor lacks are reserved.
 *
 * The branches are those of the monitored thread, or CPU, since it began to run, or, if the context
 * monitors a CPU, since counting began: none is of another task's context.  Of several registers
 * that overflow at the same time, the first one to be recorded has them.
 *
 * A context whose creator lacked CAP_PERFMON sees no address of the kernel, neither where a branch
 * came from nor where it went: it is 0 then.
 */
#define PFM_BRANCH_USER		(1U << 0)	/* branches that end in user code */
#define PFM_BRANCH_KERNEL	(1U << 1)	/* branches that end in the kernel */
/* Kinds; without any of them all are recorded. */
#define PFM_BRANCH_COND		(1U << 2)	/* conditional, taken */
#define PFM_BRANCH_CALL		(1U << 3)	/* direct calls */
#define PFM_BRANCH_IND_CALL	(1U << 4)	/* indirect calls */
#define PFM_BRANCH_RETURN	(1U << 5)	/* returns */
#define PFM_BRANCH_JUMP		(1U << 6)	/* direct jumps */
#define PFM_BRANCH_IND_JUMP	(1U << 7)	/* indirect jumps */
#define PFM_BRANCH_FAR		(1U << 8)	/* system calls, interrupts, faults, returns */
#define PFM_BRANCH_KINDS	0x1fc
/* Only mispredicted ones. */
#define PFM_BRANCH_MISPREDICTED	(1U << 9)
/*
 * Calls of user code that have not returned yet, the last one first: a return removes its call.
 * Not together with PFM_BRANCH_KERNEL, nor with kinds other than calls and returns.
 */
#define PFM_BRANCH_STACK	(1U << 10)

/**
 * struct pfm_branch - a branch that was taken
 * @from: address of the branch; 0 if it is not known, or if the creator may not see it
 * @to: where it went; 0 likewise
 * @info: PFM_BRANCH_INFO_*
 */
struct pfm_branch {
	__u64 from;
	__u64 to;
	__u64 info;
};

/* Cycles since the branch before it was recorded, if PFM_BRANCH_INFO_TIMED is set. */
#define PFM_BRANCH_INFO_CYCLES	0xffffULL
/* PFM_BRANCH_IS_*: its kind, if the processor records that. */
#define PFM_BRANCH_INFO_KIND	0xf0000ULL
#define PFM_BRANCH_INFO_KIND_SHIFT 16
#define PFM_BRANCH_INFO_TIMED	(1ULL << 20)	/* the cycles are known */
/* One of the two is set if the processor records it. */
#define PFM_BRANCH_INFO_MISPREDICTED (1ULL << 21)
#define PFM_BRANCH_INFO_PREDICTED (1ULL << 22)
#define PFM_BRANCH_INFO_TX	(1ULL << 23)	/* it was in a transaction */
#define PFM_BRANCH_INFO_ABORT	(1ULL << 24)	/* it is the abort of a transaction */

#define PFM_BRANCH_IS_UNKNOWN	0
#define PFM_BRANCH_IS_COND	1
#define PFM_BRANCH_IS_CALL	2
#define PFM_BRANCH_IS_IND_CALL	3
#define PFM_BRANCH_IS_RETURN	4
#define PFM_BRANCH_IS_JUMP	5
#define PFM_BRANCH_IS_IND_JUMP	6
#define PFM_BRANCH_IS_FAR	7

/* Event codes in a struct pfm_event_info. */
#define PFM_EVENTS_PER_WORD	64

/**
 * struct pfm_event_info - which of 64 event codes the processor implements
 *	(GETINFO_EVENTS)
 * @first: lowest of the codes, a multiple of 64, set by the caller.  An event code
 *	is what selects an event in a PMC of the hardware PMU
 * @known: bit n: the kernel knows whether code @first + n is implemented
 * @implemented: bit n: every CPU implements code @first + n; a subset of @known
 * @reserved: zero
 *
 * A counter that is programmed with an event that is known and not implemented
 * does not change.  Without a hardware PMU @known is 0.
 */
struct pfm_event_info {
	__u64 first;
	__u64 known;
	__u64 implemented;
	__u64 reserved;
};

/**
 * struct pfm_held - registers that other contexts hold (GETINFO_HELD)
 * @cpu: set by the caller: CPU that a system-wide context would be loaded on; PFM_CPU_NONE:
 *	the context would monitor threads
 * @tid: set by the caller: thread of the caller's process that it would be loaded on, 0 for the
 *	calling one; 0 for a CPU.  A caller with CAP_PERFMON may name any thread
 * @pmcs: bit n: PMC n is held.  So is a register that cannot be told apart from one that is
 * @pmds: bit n: PMD n is held
 * @slots: number of further contexts that the CPU, or the thread, can have
 * @pid: process that has loaded a context that holds one of them; 0: there is none, it is of
 *	another user, or its id is of another pid namespace
 * @uid: user id of that process, valid if @comm is not empty
 * @reserved: zero
 * @comm: name of that process, ends with a zero byte; empty if there is none, or if it is of
 *	another user
 *
 * A context without CAP_PERFMON sees the processes of its own user only.
 */
struct pfm_held {
	__u32 cpu;
	__u32 tid;
	__u64 pmcs[PFM_BV_WORDS];
	__u64 pmds[PFM_BV_WORDS];
	__u32 slots;
	__u32 pid;
	__u32 uid;
	__u32 reserved;
	char comm[16];
};

/**
 * struct pfm_cgroup - argument of PFM_IOC_SET_CGROUP
 * @fd: descriptor of a directory of the cgroup2 file system; -1: none
 * @flags: zero
 *
 * Once such a system-wide context is loaded on a CPU, the CPU counts for it while a task of that
 * cgroup runs, or of a cgroup below it, and at no other time.  A task that is moved to another
 * cgroup while it runs counts for its old one for a moment.  Contexts that monitor different
 * cgroups may use the same registers of a CPU, and are one context in its limit of two, unless one
 * of the cgroups is below the other.
 *
 * LOAD asks the right to monitor a CPU of the caller, or, if policy/own_cgroup in
 * /sys/kernel/perfmon is 1, that the cgroup is the root of the caller's cgroup namespace or below
 * it.
 */
struct pfm_cgroup {
	__s32 fd;
	__u32 flags;
};

/**
 * struct pfm_range - a function, or a stretch of code, that a context counts in; or a point that
 *	belongs to it (SET_RANGES)
 * @fd: descriptor of the program or library, open for reading.  The context keeps the file
 *	until its ranges are set anew
 * @flags: PFM_RANGE_*
 * @start: offset in the file of the first instruction, bytes
 * @end: with SPAN or TRIGGER: offset in the file of the instruction at which the range ends, which
 *	is not of the range any more; otherwise 0
 * @reserved: zero
 *
 * A context with ranges counts a task only while it is in at least one of them.  A task enters
 * a range when it executes the first instruction.  It is in the function until that returns, and so
 * in all that the function calls; with SPAN, until it executes the instruction at @end.
 *
 * An element without flags is a function.  If elements with EXIT follow it, each is an
 * instruction at which the function ends before that is executed, if the stack is as it was at
 * the entry: a return, or a jump to another function.  Without them the kernel notices the
 * return by changing the return address on the stack.  Then a function that hands over to
 * another one (a tail call) ends when that one returns; the return of a call within more than 64
 * such functions is missed; and a program is ended by SIGILL if it calls such a function on one
 * stack, switches to another one that is above it, and calls one there.  An alternate signal
 * stack may be such a one.
 *
 * The outermost call counts: a range that is entered while the task is in it already
 * goes on.  A function that is left by longjmp or by an exception ends when the task next comes
 * to a begin or an end of any of the context's ranges, with more of its stack free than it had
 * at the entry; or comes to a point with UNWIND, which is no range but the place to notice
 * that.  A range also ends when its thread ends or executes another program.  The child of fork
 * is in the ranges of its parent; a new thread is in none.  A thread that is in a function
 * already at START counts from its next entry on.
 *
 * An element with TRIGGER is a range as well.  A thread enters it at @start and leaves it at @end,
 * wherever its stack is then; if @end is 0, it stays there until it ends.  With ONCE, too, each
 * thread enters it once.
 *
 * In programs that switch between stacks themselves ranges may end too early.  A PMD that is
 * written while a range goes on makes what that call counts meaningless.
 */
struct pfm_range {
	__s32 fd;
	__u32 flags;
	__u64 start;
	__u64 end;
	__u64 reserved;
};

#define PFM_RANGE_SPAN		(1U << 0)	/* from @start to @end, not a function */
#define PFM_RANGE_UNWIND	(1U << 1)	/* no range: frames of the stack have gone here */
#define PFM_RANGE_EXIT		(1U << 2)	/* no range: an end of the function before it */
#define PFM_RANGE_TRIGGER	(1U << 3)	/* from @start to @end, on any part of the stack */
#define PFM_RANGE_ONCE		(1U << 4)	/* with TRIGGER: each thread enters it once */

/* Largest number of ranges of a context, and of elements of the vector. */
#define PFM_RANGES_MAX		64
#define PFM_RANGE_POINTS_MAX	1024

/**
 * struct pfm_range_info - what one register has counted in one range (GETINFO_RANGES)
 * @range: number of the range, from 0 on in the order of the vector of SET_RANGES, in which
 *	elements with UNWIND and EXIT have no number; set by the caller
 * @num: number of a PMD of set 0, set by the caller; PFM_REG_NONE: no register
 * @flags: zero
 * @calls: number of times that tasks entered the range
 * @outer: number of these that were not within another call of it.  Those that are neither in
 *	@returned, @left nor @cut go on
 * @returned: number of outermost calls that returned, or came to the end of a SPAN
 * @left: number of those that did not return: longjmp, exceptions
 * @cut: number of those that ended because their thread did, executed another program, or was not
 *	monitored any more
 * @missed: number of calls whose return the kernel does not report, because the task was in more
 *	than 64 functions with a probe.  They are in @calls, and not in @outer
 * @sum: what the PMD counted in all calls of @returned
 * @min: what it counted in that which counted the least; 0 if there is none
 * @max: and the most
 * @rest: what it counted in calls of @left and @cut, and in the children of fork that began within
 *	a call
 * @reserved: zero
 *
 * All numbers are since LOAD, over all tasks of the context.  A call that goes on is in @calls and
 * @outer only.  A range that is called in another one counts in both.
 */
struct pfm_range_info {
	__u16 range;
	__u16 num;
	__u32 flags;
	__u64 calls;
	__u64 outer;
	__u64 returned;
	__u64 left;
	__u64 cut;
	__u64 missed;
	__u64 sum;
	__u64 min;
	__u64 max;
	__u64 rest;
	__u64 reserved[2];
};

/**
 * struct pfm_load - argument of PFM_IOC_LOAD_CONTEXT
 * @tid: thread id in the caller's pid namespace; 0 is the calling thread.  For a
 *	system-wide context: number of the CPU
 * @set: event set that is active first
 * @flags: PFM_LOAD_*
 */
struct pfm_load {
	__u32 tid;
	__u16 set;
	__u16 flags;
};

/*
 * Attach to all threads of the process that the thread belongs to, including threads
 * that are created during the ioctl.  The context needs PFM_CTX_FOLLOW_CLONE.
 */
#define PFM_LOAD_PROCESS	(1U << 0)

/*
 * End started sessions that hold what this LOAD needs, if who loaded them had no right to do
 * the same; needs CAP_PERFMON, or the group in /sys/kernel/perfmon/policy/take_group.  For such
 * a caller, sessions that are not started give way without this flag.
 */
#define PFM_LOAD_TAKE		(1U << 1)

/**
 * struct pfm_start - argument of PFM_IOC_START; with a null pointer the active set
 *	stays active
 * @set: event set that becomes active; without effect when the context is started
 *	already
 * @reserved: zero
 * @flags: PFM_START_*
 */
struct pfm_start {
	__u16 set;
	__u16 reserved;
	__u32 flags;
};

/* Begin to count when the monitored thread executes a program the next time. */
#define PFM_START_ON_EXEC	(1U << 0)

/* Context states. */
#define PFM_STATE_UNLOADED	1
#define PFM_STATE_LOADED	2
#define PFM_STATE_MASKED	3
#define PFM_STATE_OFFLINE	4	/* loaded on a CPU that is offline */

/**
 * struct pfm_config - state and limits of a context (GET_CONFIG, SET_CONFIG)
 * @abi_version: PFM_ABI_VERSION of the kernel
 * @flags: PFM_CTX_* of the context; SET_CONFIG may change the FOLLOW bits while
 *	the context is unloaded
 * @state: PFM_STATE_*
 * @running: 1 when the context is started, otherwise 0
 * @records_max: number of task records that may wait for the consumer.  When more
 *	tasks end, the kernel merges the records of the same command.  SET_CONFIG may
 *	change it at any time, 1 to PFM_RECORDS_MAX
 * @records: records that wait for the consumer
 * @merged: tasks whose record was merged with that of another task, since the
 *	context was created
 * @follow_failed: tasks that should have been followed and could not be for
 *	lack of memory
 * @unsplit: times that a task executed another program and there was no memory for
 *	a record of the old one.  The counts of the old program are in the record of
 *	the new one
 * @tasks: tasks that are monitored now
 * @reserved: zero
 * @impl_pmcs: bitmap of the PMCs that exist
 * @impl_pmds: bitmap of the PMDs that exist
 * @pmu: name of the hardware PMU's description, empty when there is none
 * @buffer_size: bytes of the sampling buffer, which mmap(2) maps at offset 0: all
 *	lanes, one after the other
 * @lane_size: bytes of one lane
 * @lanes: number of lanes
 * @reserved2: zero
 * @overflows: 64-bit overflows of PMDs with attributes that the kernel handled
 * @skipped: such overflows that the kernel did not handle, because they came faster
 *	than interrupts can, or because they were found only after an exec had ended
 *	monitoring.  A pause (see @throttled) prevents overflows; these are not
 *	included
 * @fmt_errors: overflows for which the handler of the format returned an error
 * @throttled: times that the kernel stopped counting until the end of a
 *	millisecond, because the overflows in it had taken a quarter of it
 * @throttled_ns: nanoseconds that were not counted because of these pauses; a pause
 *	that has not ended yet is not included
 * @maps: mappings that wait for the consumer
 * @maps_lost: mappings that were not reported: too many bytes waited, or there was no
 *	memory; and reports that came late, see struct pfm_map.  If this is not 0, samples
 *	may seem to be in files that were not mapped at their time any more
 * @sets: number of event sets
 * @set: active event set; of CPU 0 when the context follows
 * @reserved3: zero
 * @cpu: CPU that a system-wide context is loaded on, otherwise PFM_CPU_NONE
 * @offlines: times that this CPU went offline since the context was loaded
 * @offline_ns: nanoseconds that it was offline since then
 * @unfollowed_threads: threads that monitored tasks created and that are not
 *	counted, because the context does not have PFM_CTX_FOLLOW_CLONE
 * @unfollowed_processes: processes likewise, without PFM_CTX_FOLLOW_FORK or
 *	PFM_CTX_FOLLOW_VFORK
 * @msgs_merged: overflow notifications that got no message of their own, because
 *	the queue was full.  Each lane has one place in the queue for itself, and a
 *	message about an earlier overflow of the lane was waiting there.  That message
 *	stands for these notifications too
 * @escapes: times that a signal ended the sleep of PFM_CTX_NOTIFY_BLOCK before the
 *	RESTART
 * @escaped_ns: nanoseconds from these signals to the next sleep, the RESTART or the end
 *	of monitoring.  What the thread executed in this time was not counted; some of the
 *	time it may have waited for a CPU.  An escape that goes on is not included
 * @barred: times that a monitored task came to a CPU where the context does not count,
 *	because the CPU lacks a register that the context uses, or something of it.
 *	The CPU came online after the module of the PMU was loaded
 *
 * @unfollowed_threads and @unfollowed_processes count what monitored tasks created
 * since the context was created, while it was loaded, started or not.  With
 * PFM_START_ON_EXEC, threads that were created before the exec are not counted:
 * they end at the exec.
 *
 * Throttling works for each lane separately.  A millisecond begins with the first
 * overflow after the previous millisecond has ended.  The time that an overflow
 * takes is the time of its handling, measured for at least one of 33 overflows and
 * assumed to be the same for the others, plus 500 nanoseconds for the interrupt.
 * Overflows that are found late, at a context switch, count as well.  During a
 * pause nothing is counted for any task that is switched in on that CPU.
 *
 * When its CPU goes offline, a system-wide context stays loaded and keeps its
 * counts; it goes on counting when the CPU is online again.
 *
 * SET_CONFIG uses @flags and @records_max and ignores the other fields, so a caller
 * may change the result of GET_CONFIG and hand it back.
 */
struct pfm_config {
	__u32 abi_version;
	__u32 flags;
	__u32 state;
	__u32 running;
	__u32 records_max;
	__u32 records;
	__u64 merged;
	__u64 follow_failed;
	__u64 unsplit;
	__u32 tasks;
	__u32 reserved;
	__u64 impl_pmcs[PFM_BV_WORDS];
	__u64 impl_pmds[PFM_BV_WORDS];
	char pmu[PFM_NAME_LEN];
	__u64 buffer_size;
	__u64 lane_size;
	__u32 lanes;
	__u32 reserved2;
	__u64 overflows;
	__u64 skipped;
	__u64 fmt_errors;
	__u64 throttled;
	__u64 throttled_ns;
	__u64 maps;
	__u64 maps_lost;
	__u32 sets;
	__u16 set;
	__u16 reserved3;
	__u32 cpu;
	__u32 offlines;
	__u64 offline_ns;
	__u64 unfollowed_threads;
	__u64 unfollowed_processes;
	__u64 msgs_merged;
	__u64 escapes;
	__u64 escaped_ns;
	__u64 barred;
};

#define PFM_CPU_NONE		0xffffffff

#define PFM_CONFIG_SIZE_VER0	216

#define PFM_RECORDS_MAX		65536
#define PFM_RECORDS_DFL		1024

/**
 * struct pfm_record - what one task counted while it ran one program
 * @size: bytes of this record, a multiple of 8; the next record follows
 * @reason: PFM_RECORD_*: why the record was closed
 * @nregs: number of registers in @regs; 0 with PFM_CTX_AGGREGATE
 * @pid: process id, in the pid namespace of the context's creator; 0 when merged
 * @tid: thread id, likewise
 * @ppid: process id of the parent at the time when monitoring of the task began;
 *	0 when merged
 * @status: reason EXIT: the thread's exit status, as wait(2) gives it
 * @start: time when monitoring of the task in this program began
 * @end: time when that monitoring ended; in a merged record, the latest such time;
 *	for reason RUNNING, the time of the read
 * @tasks: number of tasks in this record: 1, more in a merged record
 * @path_len: bytes of the path, without the zero byte
 * @reserved: zero
 * @comm: name of the thread when the record was closed, or read for reason RUNNING;
 *	for reason EXEC, when monitoring in this program began, because the thread has
 *	the name of the new program already
 * @regs: the registers.  Behind them is the path of the program, as it was given
 *	to execve(2), and then zero bytes up to @size.  The path is empty when the task
 *	was running the program already when the context was attached to it, or
 *	when there was no memory for the path.
 */
struct pfm_record {
	__u32 size;
	__u16 reason;
	__u16 nregs;
	__u32 pid;
	__u32 tid;
	__u32 ppid;
	__u32 status;
	__u64 start;
	__u64 end;
	__u64 tasks;
	__u32 path_len;
	__u32 reserved;
	char comm[16];
	struct pfm_reg regs[];
};

#define PFM_RECORD_EXIT		1	/* the task ended */
#define PFM_RECORD_EXEC		2	/* the task executed another program */
#define PFM_RECORD_UNLOAD	3	/* the context was unloaded, or its registers taken */
#define PFM_RECORD_MERGED	4	/* several tasks that ran the same command */
#define PFM_RECORD_RUNNING	5	/* the task is monitored still: its counts so far */

/* Largest size of a path.  Of a longer path the end is kept, with the program's name. */
#define PFM_PATH_MAX		256

/**
 * struct pfm_read_records - argument of PFM_IOC_READ_RECORDS and
 *	PFM_IOC_READ_MAPS
 * @buf: pointer to the buffer, aligned to 8 bytes
 * @size: bytes of the buffer
 * @count: out: number of records written
 * @used: out: bytes written
 * @flags: READ_RECORDS: PFM_RECORDS_*; READ_MAPS: zero
 */
struct pfm_read_records {
	__u64 buf;
	__u32 size;
	__u32 count;
	__u32 used;
	__u32 flags;
};

/*
 * Instead of finished records, write one of reason RUNNING for each task that is
 * monitored now, and take none.  A task that ends, or executes another program,
 * meanwhile may be left out: then a finished record with the same @tid and @start waits, or
 * is about to.  So a consumer that reads these records first and the finished ones
 * afterwards misses no count, and those of a task that is in both are complete in the
 * finished one.  A merged record has no @tid, so this does not hold for tasks whose
 * records were merged: see merged in struct pfm_config, and records_max.
 */
#define PFM_RECORDS_RUNNING	(1U << 0)

/**
 * struct pfm_map - an executable mapping of a process that was sampled
 * @size: bytes of this record, a multiple of 8; the next record follows
 * @pid: process id, in the pid namespace of the context's creator
 * @tstamp: time from which the mapping was there: of the first sample that found the
 *	mappings of the process changed, or of the look at them
 * @start: first address
 * @end: address after the last one
 * @offset: offset of @start in the file, bytes
 * @ino: inode number of the file, 0 without a file
 * @dev: device of the file, major << 20 | minor
 * @path_len: bytes of @path, without the zero byte
 * @path: the file, or "[vdso]"; zero bytes fill up to @size.  It is empty for memory
 *	without a file, for a path of 4096 bytes or more, and where a mapping has gone
 *
 * A process reports its mappings at its first sample, and what has changed at the first
 * sample afterwards.  For the address of a sample, the latest mapping that covers it and
 * is not younger than the sample is the right one; of several with the same time, the
 * one that was read last.  The first report of a process, or of a program that it
 * executes, begins with a record without path that covers all addresses: what was
 * reported earlier under that id has gone.  The kernel remembers what it has reported of
 * a limited number of processes, so a process may report everything anew.
 *
 * If a walk over the mappings takes longer than 100 microseconds, the next one waits for
 * three times as long.  Samples of that time may have been taken in mappings that came
 * and went: then maps_lost (PFM_IOC_GET_CONFIG) is incremented.  A program
 * that may not be dumped reports no mappings when the creator of the context
 * lacked CAP_PERFMON.
 */
struct pfm_map {
	__u32 size;
	__u32 pid;
	__u64 tstamp;
	__u64 start;
	__u64 end;
	__u64 offset;
	__u64 ino;
	__u32 dev;
	__u32 path_len;
	char path[];
};

/*
 * Most bytes of mappings (struct pfm_map) that may wait for the consumer; further ones
 * are lost, and counted.  The memory control group of the context's creator pays for the
 * memory.
 */
#define PFM_MAPS_BYTES_MAX	(8U << 20)

/**
 * struct pfm_restart - argument of PFM_IOC_RESTART; a null pointer means all
 *	zero
 * @lane: lane that the consumer has dealt with, PFM_LANE_ALL for all of them
 * @flags: zero
 * @arg: for the format
 */
struct pfm_restart {
	__u32 lane;
	__u32 flags;
	__u64 arg;
};

#define PFM_LANE_ALL		0xffffffff

/**
 * struct pfm_msg_ovfl - message of read(2): PMDs have overflowed
 * @type: PFM_MSG_OVFL
 * @tid: id of the thread in which the overflow occurred, in the pid namespace of
 *	the context's creator.  In a system-wide context, this is the thread that the
 *	CPU was running: 0 for the idle task, PFM_TID_UNKNOWN for a thread that has
 *	no id in that namespace.  The ids in samples follow the same rules
 * @set: active event set
 * @cpu: CPU
 * @pid: process id of that thread, by the same rules
 * @ip: address of the interrupted instruction; 0 when it is kernel code and the
 *	creator may not see kernel addresses, or user code that the creator may
 *	not look into
 * @ovfl_pmds: PMDs 0 to 319 that overflowed
 *
 * Layout of perfmon v2.x, which calls @tid msg_ovfl_pid and @pid msg_ovfl_tid.
 */
struct pfm_msg_ovfl {
	__u32 type;
	__u32 tid;
	__u16 set;
	__u16 cpu;
	__u32 pid;
	__u64 ip;
	__u64 ovfl_pmds[5];
};

/**
 * struct pfm_msg_end - message of read(2): no monitored task is left
 * @type: PFM_MSG_END
 * @tid: thread that the context was loaded on
 * @status: exit status of that thread, as wait(2) gives it; 0 when its monitoring
 *	ended at an exec
 * @reason: PFM_END_*
 * @taker_pid: with PFM_END_TAKEN: process that took the registers, in the pid namespace of the
 *	context's creator; 0 if it is in none of that
 * @taker_uid: its user id
 * @taker_comm: its name
 *
 * @status and what follows it are 0 in a context that monitors a CPU, but for PFM_END_TAKEN.
 */
struct pfm_msg_end {
	__u32 type;
	__u32 tid;
	__u32 status;
	__u32 reason;
	__u32 taker_pid;
	__u32 taker_uid;
	char taker_comm[16];
};

#define PFM_END_TASKS		0	/* the last monitored task has ended */
#define PFM_END_TAKEN		1	/* a LOAD of somebody else took the registers */

/**
 * union pfm_msg - one message, as one read(2) on a context returns; 64 bytes
 * @type: PFM_MSG_*
 * @ovfl: type OVFL
 * @end: type END
 * @pad: fixes the size
 */
union pfm_msg {
	__u32 type;
	struct pfm_msg_ovfl ovfl;
	struct pfm_msg_end end;
	__u64 pad[8];
};

#define PFM_TID_UNKNOWN		0xffffffff

#define PFM_MSG_OVFL		1
#define PFM_MSG_END		2

/**
 * struct pfm_user_page_reg - a register on the user page
 * @base: value of the register when the kernel last wrote this entry
 * @index: number of the counter to read (arm64: n of PMEVCNTR<n>_EL0, 31 for
 *	PMCCNTR_EL0; x86: the operand of RDPMC); PFM_USER_PAGE_IN_MEMORY: no counter,
 *	@base is the value
 * @num: register number
 * @set: event set
 * @width: bits of the counter
 * @reserved: zero
 * @reserved2: zero
 *
 * The value is base + ((counter - base) modulo 2^width).
 */
struct pfm_user_page_reg {
	__u64 base;
	__u64 index;
	__u16 num;
	__u16 set;
	__u16 width;
	__u16 reserved;
	__u64 reserved2;
};

#define PFM_USER_PAGE_IN_MEMORY 32

/*
 * Largest number of hardware registers on the page.  If the context uses more, the page
 * has the first ones by set and number.
 */
#define PFM_USER_PAGE_REGS 126

/**
 * struct pfm_user_page - page that the monitored thread maps to read its counters
 *	in user mode (mmap(2) at PFM_USER_PAGE_OFFSET)
 * @seq: changes with each change of the page
 * @until: the counters may be read while the clock of user mode (arm64:
 *	CNTVCT_EL0, x86: the TSC) is not beyond this time.  After it a narrow counter may have
 *	wrapped unnoticed; READ_PMDS sets a new limit.  0: they may not be read
 * @layout: changes whenever num, set or width of a register changes
 * @state: PFM_USER_PAGE_*: why the counters may not be read
 * @tid: id of the monitored thread, as gettid(2) returns it in that thread; no
 *	other thread may read
 * @nregs: number of registers in @regs
 * @set: active event set
 * @version: PFM_USER_PAGE_VERSION
 * @reserved: zero
 * @regs: the registers, ascending by set and number
 *
 * The monitored thread reads @seq, @until, the registers that it wants, and @seq
 * again.  The values are right when both reads of @seq gave the same number and the
 * clock was not beyond @until.  The kernel changes the page only on the CPU that
 * counts for the thread, and only while the thread is not in user mode, hence these
 * reads need no barriers.
 *
 * A thread that reads a counter without such a look at @until may get a signal: SIGILL on
 * arm64, SIGSEGV on x86.  While the page is mapped on arm64, it gets none but when
 *
 *  - a context monitors the CPU;
 *  - another context counts kernel or hypervisor code for the thread;
 *  - the PMU is shared with the kernel's driver (then no page is ever valid).
 *
 * In the first two cases the look finds 0, but a thread that has just looked can be
 * interrupted, and monitored in this way before it executes its next instruction.  The
 * same holds on x86 when the administrator stops letting all processes read counters (2 in
 * /sys/bus/event_source/devices/cpu/rdpmc).  So a program that other users, or root, may
 * monitor at any time has to handle the signal, and to read by READ_PMDS then.  libperfmon
 * does that (pfm_user_page_denied()).
 *
 * The context may be unloaded, and loaded on another thread, while its first
 * thread reads.  A thread to which that can happen must also read @layout: after
 * @until, with a load barrier between the two.  If @layout has the value that it had
 * when the thread looked up its registers and found its own id in @tid, then @until
 * was written for this thread.  The look-up of the registers must read @layout first,
 * and then execute a load barrier.
 *
 * A child that clone(2) creates with CLONE_VM has the mapping, too, and without
 * CLONE_SETTLS also the thread pointer and the thread-local memory of its parent.
 * It is a different thread and must not read counters by this page before it has
 * executed another program.  That holds for vfork(2) as well, because the child may
 * run before the parent sleeps.  What the parent reads afterwards is right in any case.
 */
struct pfm_user_page {
	__u64 seq;
	__u64 until;
	__u64 layout;
	__u32 state;
	__u32 tid;
	__u16 nregs;
	__u16 set;
	__u32 version;
	__u64 reserved[3];
	struct pfm_user_page_reg regs[PFM_USER_PAGE_REGS];
};

#define PFM_USER_PAGE_VERSION 1

/* Offset of the user page for mmap(2) on a context.  It is one page, of any page size. */
#define PFM_USER_PAGE_OFFSET 0x40000000

/* States of a user page. */
#define PFM_USER_PAGE_VALID	0
#define PFM_USER_PAGE_UNLOADED	1 /* the context is not loaded */
#define PFM_USER_PAGE_STOPPED	2 /* not started, masked, or not on a CPU */
#define PFM_USER_PAGE_OTHER	3 /* a thread of another process is monitored */
#define PFM_USER_PAGE_FOLLOWS	4 /* the context follows: values are sums */
#define PFM_USER_PAGE_NO_ACCESS 5 /* the PMU cannot be read in user mode */

/*
 * Ioctls.  On /dev/perfmon:
 *
 * CREATE_CONTEXT	returns the context's descriptor, with O_CLOEXEC.
 *	ENODEV	no PMU module is loaded
 *	ENOENT	there is no sampling format of that UUID, also after the kernel
 *		tried to load its module
 *	EINVAL	(also) the format's argument has the wrong size, or there is no
 *		format; NOTIFY_BLOCK with a FOLLOW flag; SYSTEM_WIDE with
 *		NOTIFY_BLOCK, MAPS, AGGREGATE or a FOLLOW flag
 *	EOPNOTSUPP	NOTIFY_BLOCK or MAPS on a kernel that does not export
 *		task_work_add()
 *	ENOBUFS	the sampling buffer exceeds RLIMIT_MEMLOCK, or 1 GiB
 *	any error of the format's check of its argument (validate)
 *	EMFILE, ENFILE	no descriptor is left
 *
 * On a context:
 *
 * WRITE_PMCS, WRITE_PMDS	write registers.  While the context is loaded, only
 *	registers that it uses already can be written.  Writing a PMD makes the set
 *	use it, together with the PMC that controls it.
 *	ENXIO	no such register
 *	ENOENT	no such event set
 *	ERANGE	PMC: reserved bits differ from the default
 *	EPERM	PMC: the value would count kernel or hypervisor code, and the
 *		caller has neither CAP_PERFMON nor leave from
 *		/sys/kernel/perfmon/policy/kernel_level; or the context has a sampling
 *		format, its creator had CAP_PERFMON, and the kernel was locked down for
 *		confidentiality, so that nobody sees kernel addresses
 *	EACCES	PMD: the register is read-only
 *	EBUSY	the context is loaded, and either follows or does not use the register
 *	EOPNOTSUPP	PMD: a register from 320 on in a set other than 0; such
 *		registers count whatever set is active
 *
 * WRITE_PMDATTRS	make PMDs sample, or change how they do; only while the
 *	context is unloaded.  The set then uses these PMDs and those in the bitmaps;
 *	the value of a PMD that was not written before is 0.
 *	ENXIO	no such register, also in the bitmaps
 *	ENOENT	no such event set
 *	EACCES	a register in reset_pmds is read-only
 *	EOPNOTSUPP	the register cannot interrupt; or a register in the bitmaps is
 *		a level (PFM_REGI_GAUGE); or a register from 320 on is in reset_pmds,
 *		or in smpl_pmds of a set other than 0
 *	EBUSY	the context is loaded
 *	ENOSPC	more than 64 registers of the set sample
 *
 * READ_PMDATTRS	read how PMDs sample, at any time.
 *	ENXIO	no such register
 *	ENOENT	no such event set
 *	ENODATA	the register has no attributes
 *
 * READ_PMDS	read registers, at any time.  A context that follows returns sums
 *	over its tasks, including those that have ended.  Registers of one set are
 *	read at the same time, task by task; different sets may be read one after
 *	the other.
 *	ENXIO	no such register
 *	ENOENT	no such event set
 *	ENODATA	the set does not use the register
 *
 * LOAD_CONTEXT	attach the context to a thread, or a system-wide context to a CPU.
 *	Does not start counting.
 *	EBUSY	the context is loaded already; or a system-wide context is loaded that
 *		uses one of its registers;
 *		or perf has events on the PMU that the context uses (armv8 with
 *		takeover=1): the kernel log tells for which thread or CPU
 *	EIO	the interrupt of the PMU cannot be set up on each CPU (ibs); the kernel
 *		log says so
 *	ESRCH	no such thread, or it is exiting
 *	EPERM	the caller has no right to monitor that thread; or
 *		/sys/kernel/perfmon/policy/task_group lets it monitor no thread.  For a
 *		thread of another process the caller needs the same rights as for
 *		perf_event_open(2): CAP_PERFMON; or CAP_SYS_PTRACE in the thread's
 *		user namespace; or the same user namespace, equal user and group ids,
 *		permitted capabilities that include the thread's, and a thread that
 *		may be dumped.  Security modules are not asked.
 *	EOPNOTSUPP	the thread is a kernel thread; or, with NOTIFY_BLOCK, one that the
 *		kernel created in a process (io_uring, vhost), which never returns to
 *		user mode
 *	ENXIO	the CPU lacks a register that the context uses, or something of it
 *	EEXIST	another context of the thread uses one of the registers; or the thread has
 *		four contexts, or three that were created without CAP_PERFMON, as this one
 *	ENOENT	no such event set, or a set names a next set that does not exist
 *	ENODATA	the context uses no register
 *	ENOSPC	the context follows, and its sets have more than 4096 values.  There is
 *		one value for each register, two for each set, and one more for each
 *		register that samples
 *	EINVAL	(also) a set with LOG has reset_pmds, or uses registers that overflows
 *		come with (PFM_REGI_SNAPSHOT); PFM_LOAD_PROCESS without
 *		PFM_CTX_FOLLOW_CLONE
 *	A context with ranges:
 *	EOPNOTSUPP	it samples, or has described sets; or the kernel cannot have a probe
 *		at a place of a range
 *	EINVAL	the first instruction of a range cannot have a probe
 *	EIO	the file system cannot have probes, or the file cannot be read
 *	A system-wide context:
 *	ERANGE	no such CPU
 *	ENODEV	the CPU is offline
 *	EBUSY	(also) a context is loaded on the CPU, or on threads, that uses one of its
 *		registers; or two are loaded on the CPU.
 *		/sys/kernel/perfmon/holders tells by which process
 *	EOPNOTSUPP	the context uses a register that only threads have
 *		(PFM_REGI_THREAD); or a set with EXCL_INTR or INTR_ONLY samples, or the
 *		kernel lacks the tracepoints for it
 *	EPERM	the caller has neither CAP_PERFMON nor the group in
 *		/sys/kernel/perfmon/policy/sys_group, nor monitors its own container, which
 *		policy/own_cgroup may allow
 *	EACCES	/sys/kernel/perfmon/policy/reserved keeps one of the registers, and the
 *		context monitors no CPU, or does so because of policy/own_cgroup only
 *	PFM_LOAD_TAKE:
 *	EPERM	the caller has neither CAP_PERFMON nor the group in
 *		/sys/kernel/perfmon/policy/take_group
 *	EBUSY, EEXIST	(also) who loaded one of the other contexts had this right, too
 *
 * UNLOAD_CONTEXT	detach the context; its values stay readable.  Succeeds also
 *	when the context is not loaded.
 *
 * START, STOP	begin and end counting.  Succeed also when the context is started
 *	or stopped already.
 *	ENOTCONN	the context is not loaded
 *	ENOENT	START: no such event set
 *	ESRCH	START_ON_EXEC: the thread that the context was loaded on has ended
 *	EINVAL	(also) START_ON_EXEC in a system-wide context
 *	When an exec starts a context that monitors many tasks, registers from 320 on
 *	begin to count a moment later in all tasks but the one that executes the
 *	program.
 *
 * CREATE_EVTSET	create event sets, or describe existing ones anew, which
 *	resets their registers and statistics; only while the context is unloaded.
 *	EBUSY	the context is loaded
 *	EINVAL	(also) OVFL_SWITCH with TIME_SWITCH; EXCL_INTR with INTR_ONLY; timeout,
 *		jitter or first without TIME_SWITCH; next without EXPL_NEXT
 *	ERANGE	timeout, less half the jitter, below PFM_SET_TIMEOUT_MIN; timeout
 *		of 2^62 nanoseconds or more; jitter or first above the timeout; first
 *		below PFM_SET_TIMEOUT_MIN, but not 0
 *	EOPNOTSUPP	EXCL_IDLE, EXCL_INTR or INTR_ONLY in a context that is not
 *		system-wide; LOG in a context without a sampling format that takes such
 *		entries
 *	EPERM	more than PFM_SETS_DFL sets without CAP_PERFMON
 *
 * DELETE_EVTSET	delete event sets; only while the context is unloaded.
 *	EBUSY	the context is loaded
 *	ENOENT	no such event set
 *	EINVAL	(also) set 0, which always exists
 *
 * GETINFO_EVTSET	read the state of event sets, at any time.
 *	ENOENT	no such event set
 *
 * RESTART	go on after an overflow notification: the consumer has dealt with a
 *	lane.  PMDs that wait for it are reset to their long reset values.
 *	ENOTCONN	the context is not loaded
 *	EBUSY	no notification is outstanding: nothing is masked, no thread sleeps
 *		and no lane is full
 *	ERANGE	no such lane
 *	any error with which the format refuses @arg (see the format's header); then
 *		a lane that the format has masked stays masked
 *
 * GETINFO_PMCS, GETINFO_PMDS	read the descriptions of registers.
 *	ENXIO	no such register
 *
 * GETINFO_EVENTS	ask which event codes the processor implements.
 *	EINVAL	(also) first is not a multiple of 64
 *
 * SET_CGROUP	choose the cgroup that a system-wide context monitors; only while the
 *	context is unloaded.
 *	EBUSY	the context is loaded
 *	EINVAL	(also) the context is not system-wide
 *	EBADF	fd is not open, or not a directory of cgroup2
 *	ENOENT	the cgroup is being removed
 *	ERANGE	the cgroup is 64 levels below the root, or deeper
 *	EOPNOTSUPP	the kernel has no cgroups
 *
 * GETINFO_HELD	tell which registers LOAD_CONTEXT would refuse because other contexts hold
 *	them.  A moment later it may be others.
 *	EINVAL	(also) a CPU and a thread
 *	ERANGE	no such CPU
 *	ESRCH	no such thread
 *	EPERM	the thread is one of another process; or the caller may load no context on
 *		a CPU, see LOAD_CONTEXT
 *
 * SET_RANGES	count in these ranges only; only while the context is unloaded.  Replaces all
 *	ranges; an empty vector lets the context count everywhere again.
 *	EBUSY	the context is loaded
 *	EPERM	the caller lacks CAP_PERFMON
 *	E2BIG	more than PFM_RANGES_MAX ranges, or PFM_RANGE_POINTS_MAX elements
 *	EINVAL	(also) more than one flag, but for TRIGGER with ONCE; end without SPAN and TRIGGER;
 *		SPAN, and end is not above start; TRIGGER, and end is start; EXIT, and no function
 *		precedes it, or it begins there; or no element is a range
 *	EBADF	fd is not open for reading
 *	ENOEXEC	fd is no regular file
 *	ERANGE	start or end is not within the file
 *	EOPNOTSUPP	the kernel has no uprobes for modules; or the context is system-wide, has
 *		PFM_CTX_AGGREGATE, or a sampling format
 *
 * GETINFO_RANGES	read what was counted in ranges, at any time after the first LOAD with
 *	them.
 *	ERANGE	no such range
 *	ENODATA	the context was not loaded since SET_RANGES, or did not use the register then
 *
 * GET_CONFIG, SET_CONFIG	read the state of the context, and change its limits.
 *	EINVAL	(also) SET: a change of flags other than the FOLLOW flags; FOLLOW flags
 *		together with NOTIFY_BLOCK or SYSTEM_WIDE
 *	EBUSY	SET: a change of the FOLLOW flags while the context is loaded
 *	EOPNOTSUPP	SET: a change of the FOLLOW flags in a context with a sampling
 *		format
 *	ERANGE	SET: records_max is out of range
 *	EPERM	SET: records_max changes to more than PFM_RECORDS_DFL without
 *		CAP_PERFMON
 *
 * READ_RECORDS	take finished task records, oldest first, without waiting.  To
 *	spare the consumer a wake-up for each record, poll(2) reports POLLPRI once
 *	half of records_max records wait, and for the last ones when monitoring has
 *	ended.  With RUNNING, write the counts so far of each task that is monitored.
 *	ENOSPC	the buffer does not hold the next record; RUNNING: it does not hold all,
 *		and what was written to it is undefined
 *
 * READ_MAPS	take reported mappings, oldest first, without waiting.
 *	ENOSPC	the buffer does not hold the next mapping
 *
 * read(2) takes one message, and returns 0 after END was taken: EINVAL when the
 * buffer is shorter than 64 bytes, EAGAIN with O_NONBLOCK when there is no message,
 * EINTR.
 *
 * mmap(2) at offset 0 maps the sampling buffer, and the mapping can never be made
 * writable: EINVAL when there is no buffer, or the mapping would be longer than the
 * buffer; EACCES for a writable mapping; ENFILE when the system has too many open
 * files, as each mapping counts as one.
 *
 * mmap(2) at PFM_USER_PAGE_OFFSET maps the user page, by the same rules: EINVAL for
 * more than a page, EACCES for a writable mapping, EBUSY when another process has
 * the page mapped.
 *
 * close(2) of the last descriptor ends monitoring.  Descriptors that dup(2) makes, those
 * of children of fork(2), those of programs that were executed without close-on-exec, and
 * those in messages that nobody has received (SCM_RIGHTS) all count, and so does a call on
 * a descriptor, such as read(2) or poll(2), until it returns; mappings do not.  A mapping
 * keeps its memory: samples stay readable, and a user page says that its context is not
 * loaded.
 *
 * FIONREAD stores in an int how many entries of the sampling buffer, in all lanes, the
 * consumer can read and has not released: entries, not bytes, and INT_MAX when there are
 * more.  ENOTTY when the context has no sampling format, or one without that number.
 *
 * poll(2) reports POLLIN when a message waits, POLLPRI when records should be read,
 * and POLLHUP when no monitored task is left.
 */
#define PFM_IOC_MAGIC		0xbe

#define PFM_IOC_CREATE_CONTEXT	_IOW(PFM_IOC_MAGIC, 0x08, struct pfm_create)
#define PFM_IOC_WRITE_PMCS	_IOWR(PFM_IOC_MAGIC, 0x01, struct pfm_regs)
#define PFM_IOC_WRITE_PMDS	_IOWR(PFM_IOC_MAGIC, 0x02, struct pfm_regs)
#define PFM_IOC_READ_PMDS	_IOWR(PFM_IOC_MAGIC, 0x03, struct pfm_regs)
#define PFM_IOC_STOP		_IO(PFM_IOC_MAGIC, 0x04)
#define PFM_IOC_START		_IOW(PFM_IOC_MAGIC, 0x05, struct pfm_start)
#define PFM_IOC_RESTART		_IOW(PFM_IOC_MAGIC, 0x0a, struct pfm_restart)
#define PFM_IOC_LOAD_CONTEXT	_IOW(PFM_IOC_MAGIC, 0x10, struct pfm_load)
#define PFM_IOC_UNLOAD_CONTEXT	_IO(PFM_IOC_MAGIC, 0x11)
#define PFM_IOC_GETINFO_PMCS	_IOWR(PFM_IOC_MAGIC, 0x18, struct pfm_regs)
#define PFM_IOC_GETINFO_PMDS	_IOWR(PFM_IOC_MAGIC, 0x19, struct pfm_regs)
#define PFM_IOC_GET_CONFIG	_IOR(PFM_IOC_MAGIC, 0x1a, struct pfm_config)
#define PFM_IOC_SET_CONFIG	_IOW(PFM_IOC_MAGIC, 0x1b, struct pfm_config)
#define PFM_IOC_WRITE_PMDATTRS	_IOWR(PFM_IOC_MAGIC, 0x1c, struct pfm_regs)
#define PFM_IOC_READ_PMDATTRS	_IOWR(PFM_IOC_MAGIC, 0x1d, struct pfm_regs)
#define PFM_IOC_GETINFO_EVENTS	_IOWR(PFM_IOC_MAGIC, 0x1e, struct pfm_regs)
#define PFM_IOC_CREATE_EVTSET	_IOWR(PFM_IOC_MAGIC, 0x28, struct pfm_regs)
#define PFM_IOC_DELETE_EVTSET	_IOWR(PFM_IOC_MAGIC, 0x29, struct pfm_regs)
#define PFM_IOC_GETINFO_EVTSET	_IOWR(PFM_IOC_MAGIC, 0x2a, struct pfm_regs)
#define PFM_IOC_GETINFO_HELD	_IOWR(PFM_IOC_MAGIC, 0x2b, struct pfm_held)
#define PFM_IOC_SET_CGROUP	_IOW(PFM_IOC_MAGIC, 0x2c, struct pfm_cgroup)
#define PFM_IOC_SET_RANGES	_IOWR(PFM_IOC_MAGIC, 0x2d, struct pfm_regs)
#define PFM_IOC_GETINFO_RANGES	_IOWR(PFM_IOC_MAGIC, 0x2e, struct pfm_regs)
#define PFM_IOC_READ_RECORDS	_IOWR(PFM_IOC_MAGIC, 0x20, struct pfm_read_records)
#define PFM_IOC_READ_MAPS	_IOWR(PFM_IOC_MAGIC, 0x21, struct pfm_read_records)

#endif /* _UAPI_LINUX_PERFMON_H */
