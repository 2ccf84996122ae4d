/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * perfmon: interface between the kernel modules and user space.
 *
 * open("/dev/perfmon") and PFM_IOC_CREATE_CONTEXT give a context: a descriptor
 * that holds the whole state of a performance monitoring unit (PMU) as logical
 * registers, 64 bits wide.  Configuration registers (PMC) say what is counted,
 * data registers (PMD) hold the counts.  Every other call is an ioctl on the
 * context's descriptor.
 *
 * Rules that hold for every call:
 *
 *  - Structures have the same layout on every architecture and for 32-bit
 *    callers: fixed-width fields, no holes, pointers carried in __u64.
 *  - The size of a structure is part of the command number.  A caller built
 *    against a newer header works on an older kernel as long as the fields that
 *    the kernel does not know are zero (E2BIG otherwise); a caller built
 *    against an older header works on a newer kernel.
 *  - Reserved fields must be zero and flags must be known: EINVAL otherwise.
 *  - A vector is taken whole or not at all.  When an element is refused,
 *    pfm_regs.failed is its index.
 *  - Times are nanoseconds of CLOCK_MONOTONIC.
 *
 * Each call below lists the errors it can give and their one cause.  Errors
 * that every call can give: EFAULT (bad pointer), EINVAL (unknown flag or
 * non-zero reserved field, structure shorter than its first version), E2BIG
 * (unknown field is not zero, vector longer than PFM_REGS_MAX), ENOMEM, ENOTTY
 * (unknown command, or the descriptor is not of the type the command is for).
 */
#ifndef _UAPI_LINUX_PERFMON_H
#define _UAPI_LINUX_PERFMON_H

#include <linux/ioctl.h>
#include <linux/types.h>

/* Version of this interface: major << 16 | minor. */
#define PFM_ABI_VERSION		0x00040000

/*
 * Register numbers.  0 to 255: hardware, as the PMU module lays them out.
 * 256 to 511: virtual; 256 to 319 exist once a CPU and may interrupt, 320 and
 * up belong to the thread or to the machine.
 */
#define PFM_REGS_MAX		512
#define PFM_REG_VIRT_BASE	256
#define PFM_REG_TASK_BASE	320

/*
 * Registers that the kernel keeps for each event set, read-only.  They exist in
 * contexts whose sets were described by CREATE_EVTSET, are in no bitmap, and
 * come last in records.
 *
 * ACTIVE:  nanoseconds that the set was loaded and counted.
 * RUNS:    times that it became active.
 * ENABLED: set 0 only: nanoseconds that any set counted.  Scaled, an event of a
 *	    set is its count * ENABLED / ACTIVE.
 */
#define PFM_REG_SET_ACTIVE	0xff00
#define PFM_REG_SET_RUNS	0xff01
#define PFM_REG_SET_ENABLED	0xff02

/* Words of a bitmap with a bit for each register. */
#define PFM_BV_WORDS		(PFM_REGS_MAX / 64)

#define PFM_NAME_LEN		32

#define PFM_UUID_LEN		16

/**
 * struct pfm_create - argument of PFM_IOC_CREATE_CONTEXT
 * @flags: PFM_CTX_*
 * @reserved: zero
 * @fmt_uuid: sampling format, all zero for none: bytes in the order in which a
 *	UUID is written
 * @fmt_arg: pointer to the format's argument
 * @fmt_arg_size: its size, as the format has it
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
 * The monitored thread sleeps from a notification until RESTART or the end of the
 * session.
 */
#define PFM_CTX_NOTIFY_BLOCK	(1U << 0)
/*
 * Report the executable mappings of tasks that are sampled (PFM_IOC_READ_MAPS),
 * as they were at the time, so that addresses can be resolved after the task is
 * gone.
 */
#define PFM_CTX_MAPS		(1U << 1)
/*
 * Monitor a CPU, whatever runs on it, instead of threads.  Excludes contexts
 * that monitor threads, and NOTIFY_BLOCK, MAPS, AGGREGATE and the FOLLOW flags.
 */
#define PFM_CTX_SYSTEM_WIDE	(1U << 2)
/*
 * Of all tasks that are followed only the sums are wanted: READ_PMDS.  Their
 * records have no registers.  In return, a switch from one to another costs next
 * to nothing, unless the context samples or has sets described.  Without a FOLLOW
 * flag it means nothing.
 */
#define PFM_CTX_AGGREGATE	(1U << 3)
/*
 * Notify by poll(2) and signal only: no overflow message is queued.  poll(2) says
 * POLLIN as long as any lane that notified was not restarted.
 */
#define PFM_CTX_NO_MSG		(1U << 7)

/*
 * What a context follows.  A followed task gets its own counts, starting at
 * zero, and leaves a record (struct pfm_record) when it ends.
 *
 * FORK:  new processes with memory of their own.
 * VFORK: new processes that share their parent's memory until they exec
 *        (vfork, posix_spawn, clone with CLONE_VM).
 * CLONE: new threads, also those that the kernel creates for the process (the
 *        workers of io_uring).
 * EXEC:  monitoring goes on in the new program.  Without it a followed task is
 *        left when it executes a program; the thread that the context was
 *        loaded on is not.
 *
 * Whatever the flags say, a context whose creator lacked CAP_PERFMON leaves a task
 * that executes a program with rights that the task did not have (set-user-ID,
 * set-group-ID, file capabilities), or one that its user may not read.  Samples
 * that such a context takes in the middle of any exec are recorded without
 * addresses, and so are those of a program that may not be dumped any more.
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
 * @value: value written, or value read
 */
struct pfm_reg {
	__u16 num;
	__u16 set;
	__u32 flags;
	__u64 value;
};

/**
 * struct pfm_pmd_attr - how a PMD samples (WRITE_PMDATTRS, READ_PMDATTRS)
 * @num: register number
 * @set: event set
 * @flags: PFM_PMDF_*
 * @long_reset: value loaded by a restart; a period p is written as -p
 * @short_reset: value loaded after an overflow that goes on at once
 * @random_mask: with RANDOM: bits of the number, drawn anew at each reset, that
 *	a period is longer than its reset value says
 * @random_seed: with RANDOM: where the numbers start; 0 takes a random start
 * @last_reset: out: value loaded by the last reset, randomisation included
 * @eventid: passed to the sampling format with each sample
 * @ovfl_switch_cnt: in a set with PFM_SETFL_OVFL_SWITCH: overflows after which
 *	the set is left, 0 when this PMD is no reason to leave it;
 *	READ_PMDATTRS: those that are left to go
 * @smpl_pmds: PMDs whose values go into each sample, in ascending order
 * @reset_pmds: PMDs that are reset as well when this one overflows, to their
 *	own reset values
 *
 * A PMD that has attributes overflows when it wraps from 2^64 to 0.  Events
 * that occur between that and the reset count towards the next period.
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
 * @next: with EXPL_NEXT: set that follows when this one is left; it must exist
 *	when the context is loaded
 * @flags: PFM_SETFL_*
 * @timeout: with TIME_SWITCH: nanoseconds of counting after which the set is
 *	left, at least PFM_SET_TIMEOUT_MIN
 * @jitter: with TIME_SWITCH: each timeout is longer or shorter by up to half of
 *	this, drawn anew, so that rotation does not keep step with a program
 *	that repeats itself; at most @timeout
 * @reserved: zero
 *
 * One set is active at a time; only its registers count.  A set that is left is
 * followed by the next higher number, the highest by the lowest, unless
 * EXPL_NEXT says otherwise.  A set with neither switch flag is not left.
 * DELETE_EVTSET looks at @set only.
 */
struct pfm_set_desc {
	__u16 set;
	__u16 next;
	__u32 flags;
	__u64 timeout;
	__u64 jitter;
	__u64 reserved[5];
};

/* The first two have the values and the spelling of perfmon v2.x. */
#define PFM_SETFL_OVFL_SWITCH	0x1	/* left after overflows */
#define PFM_SETFL_TIME_SWITCH	0x2	/* left after a time */
#define PFM_SETFL_EXPL_NEXT	0x4	/* @next follows */
#define PFM_SETFL_EXCL_IDLE	0x8	/* system-wide: not in idle */
/*
 * Each time the set is left, its counts of that activation go into the sampling
 * buffer: a sample of register PFM_REG_SET_ACTIVE, whose last reset value is
 * the nanoseconds that the set counted, whose address is the time at which it
 * became active, whose time stamp is the one at which it stopped counting, and
 * whose values are what its PMDs 0 to 319 counted, in ascending order.  A set
 * that START replaces by another one, or that is active when monitoring ends,
 * leaves no sample.
 */
#define PFM_SETFL_LOG		0x10

/* Sets of a context, without CAP_PERFMON and with it; the numbers are 16 bits. */
#define PFM_SETS_DFL		1024
#define PFM_SETS_MAX		65536

/* Shortest timeout, nanoseconds: less would leave the program no time. */
#define PFM_SET_TIMEOUT_MIN	10000

/**
 * struct pfm_set_info - state of an event set (GETINFO_EVTSET)
 * @set: its number, set by the caller
 * @next: see struct pfm_set_desc, also for what follows
 * @flags:
 * @timeout:
 * @jitter:
 * @remaining: nanoseconds that are left of the timeout; of an active set that
 *	is counting now, as of the last time it was loaded
 * @runs: times it became active
 * @active_ns: nanoseconds that it was loaded and counted
 * @enabled_ns: nanoseconds that any set of the context counted
 * @ovfl_pmds: PMDs that overflowed and were not reset yet
 * @active: 1 when it is the active set
 * @npmcs: PMCs in use
 * @npmds: PMDs in use
 * @reserved: zero
 *
 * In a context that follows, @runs and times are sums over all tasks, and
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
	__u64 reserved[5];
};

#define PFM_PMDF_NOTIFY		(1U << 0)	/* an overflow may notify */
#define PFM_PMDF_RANDOM		(1U << 1)	/* periods are randomised */

/**
 * struct pfm_regs - argument of the calls that take a vector
 * @regs: pointer to the elements: struct pfm_reg for WRITE_PMCS, WRITE_PMDS and
 *	READ_PMDS, struct pfm_pmd_attr for WRITE_PMDATTRS and READ_PMDATTRS,
 *	struct pfm_reg_info for GETINFO_PMCS and GETINFO_PMDS, struct
 *	pfm_event_info for GETINFO_EVENTS, struct pfm_set_desc for CREATE_EVTSET
 *	and DELETE_EVTSET, struct pfm_set_info for GETINFO_EVTSET
 * @count: number of elements, 0 to PFM_REGS_MAX
 * @failed: written by the kernel when the call fails: index of the element
 *	that was refused; @count when the error is not about an element
 */
struct pfm_regs {
	__u64 regs;
	__u32 count;
	__u32 failed;
};

/**
 * struct pfm_reg_info - what a register is
 * @num: register number, set by the caller
 * @width: PMD: bits that the hardware counts; software extends them to 64
 * @flags: PFM_REGI_*
 * @ctl: PMD: number of the PMC that drives it, PFM_REG_NONE when none does
 * @reserved: zero
 * @addr: where the register is: MSR number on x86; on arm64 the encoding of the
 *	system register (op0, op1, CRn, CRm, op2 as in the MRS instruction,
 *	shifted right by 5); 0 for virtual registers
 * @dfl: PMC: value it has when nobody writes it
 * @rsvd: PMC: bits that must be as in @dfl
 * @name: name in the manual, ends with a zero byte
 */
struct pfm_reg_info {
	__u16 num;
	__u16 width;
	__u32 flags;
	__u16 ctl;
	__u16 reserved[3];
	__u64 addr;
	__u64 dfl;
	__u64 rsvd;
	char name[PFM_NAME_LEN];
};

#define PFM_REG_NONE		0xffff

#define PFM_REGI_COUNTER	(1U << 0)	/* counts up, 64 bits to the user */
#define PFM_REGI_READONLY	(1U << 1)	/* cannot be written */
#define PFM_REGI_VIRTUAL	(1U << 2)	/* kept by software */
#define PFM_REGI_CYCLES		(1U << 3)	/* counts processor cycles, nothing else */
#define PFM_REGI_GAUGE		(1U << 4)	/* a level, read at the moment of the call */
#define PFM_REGI_OVERFLOW	(1U << 5)	/* can interrupt when it wraps */
#define PFM_REGI_THREAD		(1U << 6)	/* of threads only, not of a CPU */

/* Codes in a struct pfm_event_info. */
#define PFM_EVENTS_PER_WORD	64

/**
 * struct pfm_event_info - which of 64 event codes the processor implements
 * @first: lowest of the codes, a multiple of 64, set by the caller.  A code is
 *	what selects an event in a PMC of the hardware PMU
 * @known: bit n: the kernel knows whether code @first + n is implemented
 * @implemented: bit n: it is, on every CPU.  No bit that @known has not
 * @reserved: zero
 *
 * A counter of an event that is known and not implemented stays at its value.
 * Where there is no hardware PMU nothing is known.
 */
struct pfm_event_info {
	__u64 first;
	__u64 known;
	__u64 implemented;
	__u64 reserved;
};

/**
 * struct pfm_load - argument of PFM_IOC_LOAD_CONTEXT
 * @tid: thread id in the caller's pid namespace; 0 is the calling thread.
 *	With PFM_CTX_SYSTEM_WIDE the number of a CPU
 * @set: event set that is active first
 * @flags: PFM_LOAD_*
 */
struct pfm_load {
	__u32 tid;
	__u16 set;
	__u16 flags;
};

/*
 * Attach to all threads of the process that the thread belongs to, also those
 * that are created meanwhile.  For contexts with PFM_CTX_FOLLOW_CLONE.
 */
#define PFM_LOAD_PROCESS	(1U << 0)

/**
 * struct pfm_start - argument of PFM_IOC_START; a null pointer goes on with the
 *	active set
 * @set: event set to start with; no effect when the context is started
 * @reserved: zero
 * @flags: PFM_START_*
 */
struct pfm_start {
	__u16 set;
	__u16 reserved;
	__u32 flags;
};

/* Start when the monitored thread next executes a program. */
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
 * @running: 1 when monitoring is started
 * @records_max: task records kept for the reader before records of the same
 *	command are merged; SET_CONFIG may change it at any time, 1 to 65536
 * @records: records that wait to be read
 * @merged: tasks whose record was merged with another's, since the context
 *	was created
 * @follow_failed: tasks that should have been followed and could not be for
 *	lack of memory
 * @unsplit: program executions whose counts went to the record of the
 *	following program, for lack of memory
 * @tasks: tasks monitored now
 * @reserved: zero
 * @impl_pmcs: PMCs that exist
 * @impl_pmds: PMDs that exist
 * @pmu: name of the hardware PMU's description, empty when there is none
 * @buffer_size: bytes of the sampling buffer to map at offset 0
 * @lane_size: bytes of one lane of it
 * @lanes: independent buffers of the format, one after the other; CPU n fills
 *	lane n when the context follows, otherwise there is one
 * @reserved2: zero
 * @overflows: 64-bit overflows of PMDs with attributes that were taken
 * @skipped: overflows that were not taken, because they came faster than
 *	interrupts can, or were found when an exec had ended monitoring; those that
 *	a pause, see @throttled, kept from occurring are not among them
 * @fmt_errors: overflows for which the format's handler reported an error
 * @throttled: times that overflows had taken a quarter of a millisecond, and made
 *	the kernel stop counting for the rest of it
 * @throttled_ns: time not counted because of that; without that of a pause that
 *	has not ended
 * @maps: mappings that wait to be read
 * @maps_lost: mappings that were not reported: too many waited, or no memory
 * @sets: event sets
 * @set: active event set; of CPU 0 when the context follows
 * @cpu: CPU that a system-wide context is loaded on, PFM_CPU_NONE otherwise
 * @offlines: times that this CPU went offline since the context was loaded
 * @offline_ns: time that it was offline since then
 * @unfollowed_threads: threads that the monitored tasks created and that are not
 *	counted, as the context does not have PFM_CTX_FOLLOW_CLONE
 * @unfollowed_processes: processes likewise, without PFM_CTX_FOLLOW_FORK or
 *	PFM_CTX_FOLLOW_VFORK
 * @msgs_merged: overflow notifications without a message of their own, as the
 *	queue had no room beyond what each lane is sure of: a message about an
 *	earlier one of the same lane waited for the reader, and stands for them
 *
 * @unfollowed_threads and @unfollowed_processes count what was created while the
 * context was loaded, started or not, since the context was created.  What a task
 * creates that is not monitored is not among them.  With PFM_START_ON_EXEC,
 * threads that were created before the exec are left out: they end with it.
 *
 * For the throttle, a millisecond begins with the first overflow after the last one's
 * end, for each lane.  What an overflow takes is the time that its handling took,
 * measured for one of up to 33 and assumed for the others, plus 500 nanoseconds
 * for the interrupt around it; overflows that are found late, at a switch, count as
 * well.  While a lane pauses it counts for no task, whichever is switched to.
 *
 * When its CPU goes offline a system-wide context keeps its counts and stays
 * loaded; it goes on counting when the CPU comes back.
 *
 * SET_CONFIG takes @flags and @records_max; the other fields are ignored, so
 * that what GET_CONFIG returned can be changed and handed back.
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
};

#define PFM_CPU_NONE		0xffffffff

#define PFM_CONFIG_SIZE_VER0	216

#define PFM_RECORDS_MAX		65536
#define PFM_RECORDS_DFL		1024

/**
 * struct pfm_record - what one task counted while it ran one program
 * @size: bytes of this record, a multiple of 8; the next one follows
 * @reason: PFM_RECORD_*
 * @nregs: number of registers at @regs; 0 with PFM_CTX_AGGREGATE
 * @pid: process id, in the pid namespace of the context's creator; 0 merged
 * @tid: thread id; 0 merged
 * @ppid: process id of the parent when monitoring of the task began; 0 merged
 * @status: reason EXIT: the thread's exit status as wait(2) gives it
 * @start: when monitoring of the task in this program began
 * @end: when it ended; merged: the latest
 * @tasks: number of tasks in this record: 1, more when merged
 * @path_len: bytes of the path, without the zero byte
 * @reserved: zero
 * @comm: the thread's name when the record was closed; reason EXEC: when
 *	monitoring in this program began, as the thread has the name of the new
 *	program already
 * @regs: the registers.  After them the path of the program, as it was given
 *	to execve(2); zero bytes fill up to @size.  Empty when the task was
 *	running the program already when it was attached, or when there was
 *	no memory for it.
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
#define PFM_RECORD_UNLOAD	3	/* the context was unloaded */
#define PFM_RECORD_MERGED	4	/* several tasks that ran one command */

/* Longest path kept; longer ones keep their end, which names the program. */
#define PFM_PATH_MAX		256

/**
 * struct pfm_read_records - argument of PFM_IOC_READ_RECORDS and
 *	PFM_IOC_READ_MAPS
 * @buf: pointer to the buffer, aligned to 8 bytes
 * @size: bytes of the buffer
 * @count: out: records written
 * @used: out: bytes written
 * @flags: zero
 */
struct pfm_read_records {
	__u64 buf;
	__u32 size;
	__u32 count;
	__u32 used;
	__u32 flags;
};

/**
 * struct pfm_map - an executable mapping of a process that was sampled
 * @size: bytes of this record, a multiple of 8; the next one follows
 * @pid: process id, in the pid namespace of the context's creator
 * @tstamp: when it was seen, ns of CLOCK_MONOTONIC
 * @start: first address
 * @end: address after the last one
 * @offset: bytes into the file that @start is at
 * @ino: the file's inode number, 0 without a file
 * @dev: the file's device, major << 20 | minor
 * @path_len: bytes of @path, without the zero byte
 * @path: the file, or "[vdso]"; zero bytes fill up to @size
 *
 * A process reports its mappings at its first sample, and again at the next one
 * after they changed: the latest that covers an address before a sample's time
 * is the one that was hit.  To an owner without CAP_PERFMON, a program that may
 * not be dumped reports none.
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

/* Mappings that wait to be read, at most; beyond that they are counted as lost. */
#define PFM_MAPS_MAX		65536

/**
 * struct pfm_restart - argument of PFM_IOC_RESTART; a null pointer means all
 *	zero
 * @lane: lane that the reader is done with, PFM_LANE_ALL for all of them
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
 * struct pfm_msg_ovfl - read(2): PMDs overflowed
 * @type: PFM_MSG_OVFL
 * @tid: thread that the overflow occurred in; with PFM_CTX_SYSTEM_WIDE the one
 *	that the CPU ran, 0 in the idle task and PFM_TID_UNKNOWN in a thread that
 *	has no id in the creator's pid namespace; samples have the same
 * @set: active event set
 * @cpu: CPU
 * @pid: its process, likewise
 * @ip: interrupted instruction; 0 when it is kernel code and the owner may not
 *	know kernel addresses, or user code that the owner may not look into
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
 * struct pfm_msg_end - read(2): the last monitored task is gone
 * @type: PFM_MSG_END
 * @tid: thread that the context was loaded on
 * @status: its exit status as wait(2) gives it; 0 when it was left at exec
 * @reserved: zero
 */
struct pfm_msg_end {
	__u32 type;
	__u32 tid;
	__u32 status;
	__u32 reserved;
};

/**
 * union pfm_msg - what one read(2) on a context gives; always 64 bytes
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
 * @base: its value when the page was last changed
 * @index: the counter to read (arm64: n of PMEVCNTR<n>_EL0, 31 for
 *	PMCCNTR_EL0), or PFM_USER_PAGE_IN_MEMORY: @base is the value
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

/* Hardware registers on the page: the first ones, by set and number. */
#define PFM_USER_PAGE_REGS 126

/**
 * struct pfm_user_page - what mmap(2) at PFM_USER_PAGE_OFFSET shows
 * @seq: another number after each change of the page
 * @until: reading the counters is valid while the clock of user mode (arm64:
 *	CNTVCT_EL0) is not beyond this: a narrow counter may have wrapped
 *	unseen afterwards, and READ_PMDS sets a new limit.  0 it is not valid
 * @layout: another number whenever num, set or width of a register changed
 * @state: PFM_PAGE_*: why it is not valid
 * @tid: monitored thread, as gettid(2) in it says; the only one that may read
 * @nregs: elements of @regs
 * @set: active event set
 * @version: PFM_USER_PAGE_VERSION
 * @reserved: zero
 * @regs: registers, ascending by set and number
 *
 * The monitored thread reads @seq, @until, the registers it wants, and @seq
 * again: if that is the same number, and @until was not over, the values are
 * right.  All changes are made on the CPU that counts for the thread, while
 * that is not in user mode, so no barrier is needed for that.  While the page is
 * mapped no thread of the process gets a signal for reading a counter.
 *
 * A thread that the context may be taken from by then, to be loaded on another
 * one, reads @layout, too: behind @until, with a barrier for loads in between.
 * If it is the number under which the thread found its registers and its own
 * number in @tid, then @until is its own.  To find them, read @layout first, with
 * such a barrier behind it.
 *
 * A child that clone(2) makes with CLONE_VM has the mapping, and without
 * CLONE_SETTLS the parent's thread pointer and thread-local memory as well.  It
 * is another thread, and must not read before it executed another program.  That
 * holds for vfork(2), too, as the child may run before the parent sleeps; what
 * the parent reads afterwards is right in any case.
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

/* Where to map the page in a context's descriptor; one page, whatever its size. */
#define PFM_USER_PAGE_OFFSET 0x40000000

/* States of a page. */
#define PFM_USER_PAGE_VALID	0
#define PFM_USER_PAGE_UNLOADED	1 /* the context is not loaded */
#define PFM_USER_PAGE_STOPPED	2 /* not started, masked, or not on a CPU */
#define PFM_USER_PAGE_OTHER	3 /* a thread of another process is monitored */
#define PFM_USER_PAGE_FOLLOWS	4 /* the context follows: values are sums */
#define PFM_USER_PAGE_NO_ACCESS 5 /* the PMU cannot be read in user mode */

/*
 * Commands.  On /dev/perfmon:
 *
 * CREATE_CONTEXT	returns the context's descriptor, with O_CLOEXEC.
 *	ENODEV	no PMU module is loaded
 *	ENOENT	no sampling format of that UUID, also after trying to load it
 *	EINVAL	(also) size of the format's argument, or NOTIFY_BLOCK together
 *		with a FOLLOW flag, or SYSTEM_WIDE together with one of these or
 *		MAPS
 *	EOPNOTSUPP	NOTIFY_BLOCK or MAPS on a kernel that does not export
 *		task_work_add()
 *	ENOBUFS	sampling buffer beyond RLIMIT_MEMLOCK, or beyond 1 GiB
 *	what the format's validate says
 *	EMFILE, ENFILE	no descriptor left
 *
 * On a context:
 *
 * WRITE_PMCS, WRITE_PMDS	set registers.  A loaded context takes new values
 *	for the registers it uses already.  Writing a PMD makes it part of the
 *	set, with the PMC that drives it.
 *	ENXIO	no such register
 *	ENOENT	no such event set
 *	ERANGE	PMC: reserved bits differ from the default
 *	EPERM	PMC: would count kernel or hypervisor code without CAP_PERFMON,
 *		unless sysfs lets the caller
 *	EACCES	PMD: the register is read-only
 *	EBUSY	the context is loaded and does not use the register, or follows
 *	EOPNOTSUPP	PMD: a register from 320 up in a set other than 0; those
 *		count in whatever set is active
 *
 * WRITE_PMDATTRS	make PMDs sample, or change how; only while unloaded.  A
 *	PMD that was not written before becomes part of the set, value 0, and so do
 *	those named in the bitmaps.
 *	ENXIO	no such register, also in the bitmaps
 *	ENOENT	no such event set
 *	EACCES	a register in reset_pmds is read-only
 *	EOPNOTSUPP	the register cannot interrupt; one in the bitmaps is a level
 *		(PFM_REGI_GAUGE); one above 319 is in reset_pmds, or in smpl_pmds of a
 *		set other than 0
 *	EBUSY	the context is loaded
 *	ENOSPC	more than 64 registers of the set sample
 *
 * READ_PMDATTRS
 *	ENXIO	no such register
 *	ENOENT	no such event set
 *	ENODATA	the register has no attributes
 *
 * READ_PMDS	read registers, at any time.  A context that follows gives the sum
 *	over its tasks, ended ones included.  Those of one set are read at the same
 *	moment, of each task; different sets may be read one after the other.
 *	ENXIO	no such register
 *	ENOENT	no such event set
 *	ENODATA	the set does not use the register
 *
 * LOAD_CONTEXT	attach to a thread; does not start.
 *	EBUSY	the context is loaded already; or perf has events of the PMU that
 *		the context uses (armv8 with takeover=1), the kernel log says where
 *	ESRCH	no such thread, or it is exiting
 *	EPERM	no right to monitor that thread, or, unless sysfs lets the
 *		caller, any.  A thread of another process takes what
 *		perf_event_open(2) asks for: CAP_PERFMON; or CAP_SYS_PTRACE in the
 *		thread's user namespace; or the same user namespace, equal user and
 *		group ids, permitted capabilities that include the thread's, and
 *		that the thread may be dumped.  Hooks of security modules are not
 *		asked.
 *	EOPNOTSUPP	kernel thread
 *	EEXIST	the thread has a context already
 *	ENOENT	no such event set, or a set's next does not exist
 *	ENODATA	the context uses no register
 *	ENOSPC	the context follows, and its sets have more than 4096 values:
 *		one a register, two a set, one a register that samples
 *	EINVAL	(also) a set with LOG has reset_pmds; PFM_LOAD_PROCESS without PFM_CTX_FOLLOW_CLONE
 *	A system-wide context attaches to a CPU instead:
 *	ERANGE	no such CPU
 *	ENODEV	the CPU is offline
 *	EBUSY	(also) the CPU has a context, or threads are monitored; and for
 *		threads: CPUs are.  /sys/kernel/perfmon/holders tells by whom
 *	EOPNOTSUPP	(also) the context uses a register that only threads have
 *		(PFM_REGI_THREAD)
 *	EPERM	without CAP_PERFMON, unless sysfs lets the caller
 *
 * UNLOAD_CONTEXT	detach; values stay readable.  Nothing to do is success.
 *
 * START, STOP	begin and end counting.  Doing so twice is success.
 *	ENOTCONN	the context is not loaded
 *	ENOENT	START: no such event set
 *	ESRCH	START_ON_EXEC: the thread that the context was loaded on has ended
 *	EINVAL	(also) START_ON_EXEC in a system-wide context
 *	Where START_ON_EXEC finds many tasks, registers 320 and up of all but the one
 *	that executes the program begin a moment later.
 *
 * CREATE_EVTSET	create event sets, or describe existing ones anew, which
 *	sets their registers and statistics back; only while unloaded.
 *	EBUSY	the context is loaded
 *	EINVAL	(also) both switch flags; timeout or jitter without TIME_SWITCH;
 *		next without EXPL_NEXT
 *	ERANGE	timeout, less half the jitter, below PFM_SET_TIMEOUT_MIN; timeout
 *		of 2^62 nanoseconds or more; jitter above the timeout
 *	EOPNOTSUPP	EXCL_IDLE in a context that is not system-wide; LOG in one
 *		whose sampling format does not take such entries
 *	EPERM	more than PFM_SETS_DFL sets without CAP_PERFMON
 *
 * DELETE_EVTSET	only while unloaded.
 *	EBUSY	the context is loaded
 *	ENOENT	no such event set
 *	EINVAL	(also) set 0
 *
 * GETINFO_EVTSET	at any time.
 *	ENOENT	no such event set
 *
 * RESTART	the reader has dealt with a notification: reset with the long
 *	values, go on.
 *	ENOTCONN	the context is not loaded
 *	EBUSY	nothing is masked, blocked or full
 *	ERANGE	no such lane
 *	others	the format refuses @arg (see its header); what it masked stays so
 *
 * GETINFO_PMCS, GETINFO_PMDS
 *	ENXIO	no such register
 *
 * GETINFO_EVENTS
 *	EINVAL	(also) first is not a multiple of 64
 *
 * GET_CONFIG, SET_CONFIG
 *	EINVAL	(also) SET: other flags than FOLLOW differ; FOLLOW flags together
 *		with NOTIFY_BLOCK or SYSTEM_WIDE
 *	EBUSY	SET: other FOLLOW flags while the context is loaded
 *	EOPNOTSUPP	SET: other FOLLOW flags in a context with a sampling format
 *	ERANGE	SET: records_max out of range
 *	EPERM	SET: another records_max, above PFM_RECORDS_DFL, without CAP_PERFMON
 *
 * READ_RECORDS	take finished task records, oldest first; does not wait.  So
 *	that a reader is not woken for each, poll(2) says POLLPRI once half of
 *	records_max wait, and for the last ones when monitoring has ended.
 *	ENOSPC	the buffer does not hold the next record
 *
 * READ_MAPS	take reported mappings, oldest first; does not wait.
 *	ENOSPC	the buffer does not hold the next one
 *
 * read(2) gives one message: EINVAL when the buffer is shorter than 64 bytes,
 * EAGAIN with O_NONBLOCK when there is none, EINTR; 0 after END.
 * mmap(2) at offset 0 maps the sampling buffer, read-only for ever: EINVAL no
 * buffer, or longer than it; EACCES for writing.  A mapping keeps the context, as
 * a descriptor does: monitoring ends when the last of them is gone.
 * mmap(2) at PFM_USER_PAGE_OFFSET maps the user page, under the same rules: EINVAL
 * more than a page, EACCES for writing, EBUSY another process has it mapped.
 *
 * poll(2): POLLIN a message waits, POLLPRI records should be read, POLLHUP the
 * last monitored task is gone.
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
#define PFM_IOC_READ_RECORDS	_IOWR(PFM_IOC_MAGIC, 0x20, struct pfm_read_records)
#define PFM_IOC_READ_MAPS	_IOWR(PFM_IOC_MAGIC, 0x21, struct pfm_read_records)

#endif /* _UAPI_LINUX_PERFMON_H */
