/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A context: the counters, the monitored tasks or CPU and the samples behind one
 * file descriptor of /dev/perfmon.
 */
#ifndef _PFM_CONTEXT_H
#define _PFM_CONTEXT_H

#include <linux/atomic.h>
#include <linux/bitmap.h>
#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/perfmon.h>
#include <linux/refcount.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/uidgid.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>
#include <asm/barrier.h>
#include <perfmon/pmu.h>

struct cgroup;
struct fasync_struct;
struct mem_cgroup;
struct pfm_block;
struct pfm_buffer;
struct pfm_format;
struct pfm_gates;
struct pfm_lane_state;
struct pfm_layout;
struct pfm_path;
struct pfm_target;
struct pfm_user_mapping;
struct pfm_pmu;
struct pfm_aggregate;
struct pid;
struct pid_namespace;

/* Values that struct pfm_context has room for without a further allocation. */
#define PFM_CTX_FEW 8

/* PMCs, and as many PMDs, that set 0 has room for without a further allocation. */
#define PFM_SET_FEW 8

/**
 * struct pfm_regvec - registers of one kind with their values
 * @n: number of elements in use
 * @room: number of elements that @v has room for
 * @v: the elements, in ascending order of register number
 */
struct pfm_regvec {
	u16 n;
	u16 room;
	struct pfm_prog_reg *v;
};

/**
 * struct pfm_attrvec - sampling attributes of registers
 * @n: number of elements
 * @v: the elements, in ascending order of register number
 */
struct pfm_attrvec {
	u16 n;
	struct pfm_pmd_attr *v;
};

/**
 * struct pfm_set - one event set, as user space wrote it
 * @id: number of the set
 * @next: number of the set that follows, with PFM_SETFL_EXPL_NEXT
 * @flags: PFM_SETFL_*
 * @timeout: length of a time slice in ns of counting, with PFM_SETFL_TIME_SWITCH
 * @jitter: width in ns of the random variation of @timeout; see struct pfm_set_desc
 * @first: length in ns of the first time slices; 0: see struct pfm_set_desc
 * @pmcs: configuration registers in use
 * @pmds: data registers in use; their values are valid while the context is not
 *	loaded
 * @attrs: sampling attributes of the data registers that sample
 * @active_ns: value of PFM_REG_SET_ACTIVE while the context is not loaded
 * @runs: value of PFM_REG_SET_RUNS while the context is not loaded
 * @few: preallocated room for PFM_SET_FEW PMCs, followed by as many PMDs.  @pmcs.v
 *	and @pmds.v point into it as long as the registers fit.  Only set 0 has it;
 *	NULL in the other sets, as there may be many of them; constant
 *
 * Protected by pfm_context.lock.  The vectors grow with the registers in use and are
 * charged to the memory control group of the caller.
 */
struct pfm_set {
	u16 id;
	u16 next;
	u32 flags;
	u64 timeout;
	u64 jitter;
	u64 first;
	struct pfm_regvec pmcs;
	struct pfm_regvec pmds;
	struct pfm_attrvec attrs;
	u64 active_ns;
	u64 runs;
	struct pfm_prog_reg *few;
};

/**
 * struct pfm_session - the time from LOAD until UNLOAD, or until the last monitored
 *	task has ended
 * @node: entry in the list of sessions while the session lasts; session_lock
 * @on_cpu: entry in the list of sessions of CPUs, likewise
 * @lasts: it has begun and not ended; session_lock
 * @cpu: monitored CPU, -1 when threads are monitored; written under session_lock when the session
 *	begins, like @slot, @number and @holds
 * @slot: a session of a CPU: index of its slot
 * @holds: parts of the hardware that it holds, see struct pfm_layout
 * @cgroup: a session of a CPU: cgroup whose tasks it monitors, NULL: all tasks.  The reference of
 *	pfm_context.cgroup.  Changed like @target
 * @cgroup_id: id of @cgroup, 0: none; a copy of the session may outlive the cgroup
 * @number: number of the session, different from that of each other session
 * @ranks: no other session may take its registers: its owner may take those of others itself.
 *	Changed like @target
 * @further: a target has been in a further slot, so that the session is counted in
 *	pfm_switch_watch; pfm_context.targets_lock
 * @target: thread that the context was loaded on, NULL for a CPU; a reference.  Like
 *	the fields below, changed under pfm_context.lock between sessions only
 * @owner: process that loaded the context; a reference
 * @uid: user id of @owner
 * @comm: name of @owner
 */
struct pfm_session {
	struct list_head node;
	struct list_head on_cpu;
	int cpu;
	u8 slot;
	bool lasts;
	bool ranks;
	bool further;
	struct cgroup *cgroup;
	u64 cgroup_id;
	u64 number;
	u64 holds[PFM_CLASSES];
	struct pid *target;
	struct pid *owner;
	kuid_t uid;
	char comm[TASK_COMM_LEN];
};

/* Largest number of targets, and of paths, that a reserve keeps. */
#define PFM_RESERVE_MAX 64

/**
 * struct pfm_reserve - memory that the fork and exec probes of a context may use
 * @work: work item that refills the reserve
 * @layout: layout that @targets are made for; a reference.  NULL while the context is
 *	not loaded or does not follow; changed under pfm_context.lock while no probe
 *	can find a target
 * @max: number of targets, and of paths, in a full reserve; constant while @layout is
 *	set
 * @ntargets: number of elements of @targets; pfm_context.targets_lock
 * @npaths: number of elements of @paths; pfm_context.targets_lock
 * @targets: targets without a task, room for @max; pfm_context.targets_lock
 * @paths: paths, each with room for the longest; room for @max, behind that for the targets;
 *	pfm_context.targets_lock
 *
 * Most contexts do not follow, so the room is allocated for those that do.
 */
struct pfm_reserve {
	struct work_struct work;
	struct pfm_layout *layout;
	unsigned int max;
	unsigned int ntargets;
	unsigned int npaths;
	struct pfm_target **targets;
	struct pfm_path **paths;
};

/**
 * struct pfm_totals - counts of ended tasks, and the state of a read that sums all up
 * @vals: sums of the counts of the tasks that ended since the load, one element for
 *	each value of the layout; allocated and freed under pfm_context.lock
 * @missed: counts that moved from a target to @vals during the read, before the read
 *	came to that target; same shape as @vals
 * @walk_id: number of the latest walk over all targets
 * @walking: a read is walking over the targets
 * @split: @target was split (exec) while it was read, so the read has to read it again
 * @target: target whose counts are being read at the moment, or NULL
 *
 * Protected by pfm_context.targets_lock.
 */
struct pfm_totals {
	u64 *vals;
	u64 *missed;
	u32 walk_id;
	bool walking;
	bool split;
	const struct pfm_target *target;
};

/**
 * struct pfm_records - records of finished tasks, in a context that follows
 * @list: records in order of their end, oldest first (struct pfm_target.node)
 * @merged: merged records of the tasks for which @list had no room, one for each
 *	command
 * @n: number of elements of @list and @merged together
 * @nmerged: number of elements of @merged
 * @max: largest number of elements of @list: pfm_config.records_max
 * @merged_tasks: tasks that @merged stands for: pfm_config.merged
 *
 * Protected by pfm_context.targets_lock.
 */
struct pfm_records {
	struct list_head list;
	struct list_head merged;
	unsigned int n;
	unsigned int nmerged;
	unsigned int max;
	u64 merged_tasks;
};

/**
 * struct pfm_offline - times at which the CPU of a system-wide context was offline
 * @times: number of times that the CPU went offline since the load
 * @since: when it went offline, ns of CLOCK_MONOTONIC; 0 while it is online
 * @ns: ns that it was offline since the load, without the time since @since
 *
 * Protected by pfm_context.targets_lock.
 */
struct pfm_offline {
	u32 times;
	u64 since;
	u64 ns;
};

/**
 * struct pfm_msg_slot - place for one message in the queue
 * @seq: number of the message, counted from 1; stored last, so that it tells that the
 *	message is complete
 * @lane: number of the lane that the message is about
 * @msg: the message
 */
struct pfm_msg_slot {
	u32 seq;
	u32 lane;
	struct pfm_msg_ovfl msg;
};

/**
 * struct pfm_msgq - queue of overflow messages
 * @head: number of slots ever taken by writers, which run on several CPUs and in
 *	interrupts
 * @tail: number of slots ever emptied by consumers; pfm_context.targets_lock to write
 * @len: number of elements of @slots, a power of two; constant once @slots is set
 * @waits: for each lane, the number of its queued messages, plus one while the lane is
 *	queueing another.  Has an element for each possible CPU and lives as long as the
 *	context, because a change of the FOLLOW flags changes the number of lanes
 * @slots: the messages; NULL until a set that samples is loaded
 */
struct pfm_msgq {
	atomic_t head;
	u32 tail;
	u32 len;
	atomic_t *waits;
	struct pfm_msg_slot *slots;
};

/**
 * struct pfm_spaces - spaces of a context, see space.c; pfm_maps.lock
 * @list: the spaces, that which was used last first
 * @count: number of elements of @list
 * @bytes: bytes of their mappings
 */
struct pfm_spaces {
	struct list_head list;
	u32 count;
	size_t bytes;
};

/**
 * struct pfm_maps - reported mappings that the consumer has not read yet
 * @lock: protects @list, @count, @bytes and @spaces; process context only
 * @list: the mappings, oldest first
 * @count: number of elements of @list
 * @bytes: bytes of their records, see PFM_MAPS_BYTES_MAX
 * @lost: number of mappings that were not kept: too many bytes waited, or there was no
 *	memory.  Atomic, because irq_work counts here, too
 * @spaces: what was reported of which process
 * @walk_ns: ns that a walk over the mappings of a process took lately; overflows read it
 * @walk_switched: the CPU was given to another task in the middle of the last walk
 */
struct pfm_maps {
	spinlock_t lock; /* the list */
	struct list_head list;
	u32 count;
	u32 bytes;
	atomic64_t lost;
	struct pfm_spaces spaces;
	u64 walk_ns;
	bool walk_switched;
};

/**
 * enum pfm_ctx_state - what has become of a context
 * @PFM_CTX_UNLOADED: not loaded, and no session ended by itself since UNLOAD
 * @PFM_CTX_ENDED: the last monitored task ended.  The first ioctl after that frees what belongs to
 *	the session: pfm_load_settle()
 * @PFM_CTX_LOADING: LOAD of a process is under way, and no thread is attached
 * @PFM_CTX_ATTACHING: LOAD has attached to a thread, and is attaching to the others.  Threads that
 *	end meanwhile leave no record, as nothing has counted yet
 * @PFM_CTX_UNDOING: LOAD has failed, and owns all targets: the probes neither add nor remove any
 * @PFM_CTX_STOPPED: loaded, and not counting
 * @PFM_CTX_ARMED: the next exec of the loaded thread starts counting
 * @PFM_CTX_STARTING: START is walking over the targets to start the registers of class
 *	PFM_CLASS_TASK; in children that are created meanwhile these registers run from the
 *	beginning
 * @PFM_CTX_UNLOADING: UNLOAD, or a LOAD that takes the registers, owns all targets, as in
 *	PFM_CTX_UNDOING
 * @PFM_CTX_STARTED: tasks count when they run.  A bit of its own, because the switch probe tests
 *	it
 *
 * From PFM_CTX_ATTACHING on the context is loaded.  "States of a context" in
 * Documentation/change/locking/attach.rst has the transitions, and who makes them.
 */
enum pfm_ctx_state {
	PFM_CTX_UNLOADED,
	PFM_CTX_ENDED,
	PFM_CTX_LOADING,
	PFM_CTX_ATTACHING,
	PFM_CTX_UNDOING,
	PFM_CTX_STOPPED,
	PFM_CTX_ARMED,
	PFM_CTX_STARTING,
	PFM_CTX_UNLOADING,
	PFM_CTX_STARTED = 16,
};

/**
 * struct pfm_context - counters, what they monitor, and who consumes the samples
 *
 * The fields are in blocks by what protects them.
 */
struct pfm_context {
	/* Constant from the creation on. */

	/** @privileged: the creator may count more than its own user-level code */
	bool privileged;
	/** @sees_kernel: the creator may see addresses and registers of the kernel */
	bool sees_kernel;
	/** @pidns: namespace of the ids that are reported; a reference */
	struct pid_namespace *pidns;
	/**
	 * @memcg: memory control group that pays for what the probes allocate, or NULL; a
	 * reference
	 */
	struct mem_cgroup *memcg;
	/**
	 * @pmus: PMU description of each register class, pinned since the creation; NULL for a
	 * class without a description
	 */
	const struct pfm_pmu *pmus[PFM_CLASSES];
	/** @fmt: sampling format, pinned, or NULL */
	const struct pfm_format *fmt;
	/** @buffer: sampling buffer, or NULL */
	struct pfm_buffer *buffer;
	/** @lane_size: bytes of @buffer that each lane has */
	size_t lane_size;
	/** @release: frees the context and what the last reference kept */
	void (*release)(struct pfm_context *ctx);

	/* @lock protects what user space wrote, and the memory of a load. */

	/** @lock: serialises the ioctls on the descriptor; process context, outermost */
	struct mutex lock; /* the ioctls */
	/**
	 * @load_lock: whoever begins a session, or ends it as a whole, excludes others that do:
	 * LOAD, UNLOAD, and a LOAD of another context that takes the registers.  Inside @lock and
	 * exec_update_lock.  It is never held while user memory is accessed, so others wait for
	 * no page fault
	 */
	struct mutex load_lock; /* begin and end of sessions */
	/** @excluded: the latest LOAD was refused because of the session of another context */
	bool excluded;
	/**
	 * @wants: parts of the hardware that the latest LOAD has asked for, see struct pfm_layout
	 */
	u64 wants[PFM_CLASSES];
	/** @flags: PFM_CTX_*; changed under @lock, while unloaded only */
	u32 flags;
	/**
	 * @cgroup: cgroup whose tasks the context of a CPU will monitor, or NULL; a reference.
	 * Changed under @lock, while unloaded only
	 */
	struct cgroup *cgroup;
	/**
	 * @gates: ranges that the context counts in, and what it counted there; NULL: it counts
	 * everywhere.  Changed under @lock, while unloaded only
	 */
	struct pfm_gates *gates;
	/** @nranges: number of ranges in @gates, 0 without */
	u32 nranges;
	/** @set0: event set 0, which always exists */
	struct pfm_set set0;
	/** @few_regs: memory of @set0.few */
	struct pfm_prog_reg few_regs[2 * PFM_SET_FEW];
	/** @sets: the other event sets by number */
	struct xarray sets;
	/** @nsets: number of event sets, set 0 included */
	u32 nsets;
	/**
	 * @sets_described: CREATE_EVTSET described a set, hence times are kept for each set
	 */
	bool sets_described;
	/** @shape: the latest layout, to compare shapes with, or NULL; a reference */
	struct pfm_layout *shape;
	/** @nshapes: number of shapes so far; see pfm_layout.shape */
	u32 nshapes;
	/** @enabled_ns: value of PFM_REG_SET_ENABLED while the context is not loaded */
	u64 enabled_ns;
	/**
	 * @nlanes: number of elements of @lanes; changed with the FOLLOW flags, under @lock while
	 * unloaded
	 */
	u32 nlanes;
	/**
	 * @lanes: the lanes, that is, per-CPU buffers and the state of sampling: one for each
	 * possible CPU, or a single one; changed together with @nlanes
	 */
	struct pfm_lane_state **lanes;
	/**
	 * @layout: layout that CPUs load for the tasks; NULL while unloaded; RCU to read, changed
	 * under @lock
	 */
	struct pfm_layout __rcu *layout;
	/**
	 * @aggregate: the per-CPU targets that the tasks share, or NULL; changed under @lock while
	 * unloaded
	 */
	struct pfm_aggregate *aggregate;
	/** @scratch: room for two u64 for each value of @layout */
	u64 *scratch;
	/** @calls: in a context that follows, CPUs that START or STOP has to call */
	cpumask_var_t calls;
	/**
	 * @few_values: memory of @totals and @scratch when the layout has no more than PFM_CTX_FEW
	 * values
	 */
	u64 few_values[4 * PFM_CTX_FEW];
	/**
	 * @block: state for blocking the monitored thread in this session, or NULL, see block.c;
	 * changed under @lock while no CPU counts
	 */
	struct pfm_block *block;
	/** @escapes: of earlier sessions, see struct pfm_config */
	u64 escapes;
	/** @escaped_ns: likewise */
	u64 escaped_ns;

	/* @targets_lock protects targets, session and counts. */

	/**
	 * @targets_lock: raw spinlock, interrupts off.  Taken by ioctls and in fork, exec and exit,
	 * never at a context switch.  Protects the fields of this block
	 */
	raw_spinlock_t targets_lock;
	/**
	 * @state: what has become of the context; only pfm_context_move() changes it.  The switch
	 * probe and readers of messages look at it without the lock
	 */
	enum pfm_ctx_state state;
	/**
	 * @masked: an overflow stopped counting until RESTART.  Set by the CPU that counts, cleared
	 * under pfm_target.lock; never set in a context that follows
	 */
	bool masked;
	/** @targets: targets of the monitored tasks (struct pfm_target.node) */
	struct list_head targets;
	/**
	 * @ntargets: number of elements of @targets; READ_ONCE() without the lock gives a snapshot
	 */
	unsigned int ntargets;
	/**
	 * @session: session of the loaded context; begins under @lock, may end under @targets_lock
	 */
	struct pfm_session session;
	/** @probed: the probes PFM_PROBES_TASKS are registered for this context */
	bool probed;
	/** @intr_probed: the probes PFM_PROBES_INTR are registered for this context */
	bool intr_probed;
	/** @acquired: for each class, pfm_pmu_acquire() acquired its PMU for this context */
	bool acquired[PFM_CLASSES];
	/** @root_alive: the task that the context was loaded on is still monitored */
	bool root_alive;
	/** @rest_queued: @rest was queued at least once */
	bool rest_queued;
	/** @totals: counts of ended tasks, and the state of a read over all tasks */
	struct pfm_totals totals;
	/** @records: records of finished tasks */
	struct pfm_records records;
	/** @reserve: memory for the probes, see reserve.c */
	struct pfm_reserve reserve;
	/** @follow_failed: tasks that could not be followed; see struct pfm_config */
	u64 follow_failed;
	/** @unsplit: execs for which no record could be made; see struct pfm_config */
	u64 unsplit;
	/** @unfollowed_threads: threads that were not to be followed; see struct pfm_config */
	u64 unfollowed_threads;
	/** @unfollowed_processes: processes that were not to be followed; see struct pfm_config */
	u64 unfollowed_processes;
	/** @offline: times at which the monitored CPU was offline */
	struct pfm_offline offline;
	/** @end: the END message; valid when @end_pending is set or @state is PFM_CTX_ENDED */
	struct pfm_msg_end end;
	/** @end_pending: the END message has not been read yet */
	bool end_pending;

	/* Samples: written by the CPUs that count. */

	/**
	 * @unreset: a RESTART did not reset what had overflowed, because the format did not want
	 * that.  Set under pfm_target.lock while @masked, and never cleared
	 */
	bool unreset;
	/** @barred: see struct pfm_config; atomic */
	atomic64_t barred;
	/** @notified: number of lanes whose pfm_lane_state.notified is set; atomic */
	atomic_t notified;
	/** @ovfl: queue of overflow messages, see message.c */
	struct pfm_msgq ovfl;
	/** @maps: mappings that sampled tasks reported, see maps.c */
	struct pfm_maps maps;

	/* With rules of their own. */

	/** @user_page: user page, or NULL until a process maps it; see user_page.c */
	struct pfm_user_mapping *user_page;
	/**
	 * @rest: work item that starts the registers of class PFM_CLASS_TASK in the tasks that
	 * start-on-exec did not reach; see pfm_attach_exec()
	 */
	struct work_struct rest;
	/** @wait: processes that sleep in read(2) or poll(2) */
	wait_queue_head_t wait;
	/** @fasync: processes that asked for SIGIO (O_ASYNC); has a lock of its own */
	struct fasync_struct *fasync;
	/** @wake: irq_work that wakes @wait and @fasync for contexts that must not wake */
	struct irq_work wake;
	/** @ref: references of the descriptor and of queued task work */
	refcount_t ref;
	/**
	 * @rcu: defers the free: the switch probe may use a context for a grace period after its
	 * last target was unhashed
	 */
	struct rcu_head rcu;
};

/**
 * pfm_context_put - drop a reference to a context
 * @ctx: the context
 *
 * Context: any for a reference that is not the last one; process context for the last
 * one, because queued mappings are freed then.
 */
static inline void pfm_context_put(struct pfm_context *ctx)
{
	if (refcount_dec_and_test(&ctx->ref))
		ctx->release(ctx);
}

void pfm_context_move(struct pfm_context *ctx, enum pfm_ctx_state state);

/**
 * pfm_context_loaded - tell whether a context is attached to a CPU, or to tasks
 * @ctx: the context
 *
 * Return: true if it is, and not all tasks have ended; a snapshot without
 * pfm_context.targets_lock.
 */
static inline bool pfm_context_loaded(const struct pfm_context *ctx)
{
	return READ_ONCE(ctx->state) >= PFM_CTX_ATTACHING;
}

/**
 * pfm_context_usable - tell whether a context is loaded and remains so, for START and STOP
 * @ctx: the context; pfm_context.targets_lock is held
 *
 * Return: false also if somebody is ending the session.
 */
static inline bool pfm_context_usable(const struct pfm_context *ctx)
{
	return pfm_context_loaded(ctx) && ctx->state != PFM_CTX_UNLOADING;
}

/**
 * pfm_context_started - tell whether the tasks of a context count when they run
 * @ctx: the context
 *
 * Return: true if they do.  What came before the start is seen then; see go() in attach.c.
 */
static inline bool pfm_context_started(const struct pfm_context *ctx)
{
	/* Pairs with pfm_context_move(). */
	return smp_load_acquire(&ctx->state) & PFM_CTX_STARTED;
}

/**
 * pfm_context_ended - tell whether the last monitored task has ended
 * @ctx: the context
 *
 * Return: true if it has; then the END message was queued before.
 */
static inline bool pfm_context_ended(const struct pfm_context *ctx)
{
	/* Pairs with pfm_context_move(). */
	return smp_load_acquire(&ctx->state) == PFM_CTX_ENDED;
}

/**
 * pfm_context_attaches - tell whether LOAD is attaching, or has failed to
 * @ctx: the context; pfm_context.targets_lock is held
 *
 * Return: true if it is: nothing has counted yet.
 */
static inline bool pfm_context_attaches(const struct pfm_context *ctx)
{
	return ctx->state == PFM_CTX_ATTACHING || ctx->state == PFM_CTX_UNDOING;
}

static inline bool pfm_context_follows(const struct pfm_context *ctx)
{
	return ctx->flags & PFM_CTX_FOLLOW_ALL;
}

static inline bool pfm_context_is_system_wide(const struct pfm_context *ctx)
{
	return ctx->flags & PFM_CTX_SYSTEM_WIDE;
}

#endif /* _PFM_CONTEXT_H */
