/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A context: what a descriptor of perfmon stands for.
 */
#ifndef _PFM_CONTEXT_H
#define _PFM_CONTEXT_H

#include <linux/atomic.h>
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
#include <perfmon/pmu.h>

struct fasync_struct;
struct mem_cgroup;
struct pfm_block;
struct pfm_buffer;
struct pfm_format;
struct pfm_lane_state;
struct pfm_layout;
struct pfm_path;
struct pfm_target;
struct pfm_user_mapping;
struct pfm_pmu;
struct pfm_aggregate;
struct pid;
struct pid_namespace;

/* Values that a context has room for without an allocation. */
#define PFM_CTX_FEW 8

/* Registers of each kind that set 0 has room for without an allocation. */
#define PFM_SET_FEW 8

/**
 * struct pfm_regvec - registers of one kind with their values
 * @n: elements
 * @room: elements that @v has room for
 * @v: elements in ascending order of register number
 */
struct pfm_regvec {
	u16 n;
	u16 room;
	struct pfm_prog_reg *v;
};

/**
 * struct pfm_attrvec - sampling attributes of registers
 * @n: elements
 * @v: elements in ascending order of register number
 */
struct pfm_attrvec {
	u16 n;
	struct pfm_pmd_attr *v;
};

/**
 * struct pfm_set - one event set
 * @id: its number
 * @next: see struct pfm_set_desc, also for what follows
 * @flags:
 * @timeout:
 * @jitter:
 * @pmcs: configuration registers in use
 * @pmds: data registers in use, with their values while the context is not
 *	loaded
 * @attrs: data registers that sample
 * @active_ns: PFM_REG_SET_ACTIVE while the context is not loaded
 * @runs: PFM_REG_SET_RUNS likewise
 * @few: room for PFM_SET_FEW PMCs and as many PMDs, what @pmcs.v and @pmds.v are
 *	as long as they fit; NULL but in set 0, as there may be many others;
 *	constant
 *
 * Protected by pfm_context.lock.  Memory grows with the registers in use, and is
 * charged to the caller's memory control group.
 */
struct pfm_set {
	u16 id;
	u16 next;
	u32 flags;
	u64 timeout;
	u64 jitter;
	struct pfm_regvec pmcs;
	struct pfm_regvec pmds;
	struct pfm_attrvec attrs;
	u64 active_ns;
	u64 runs;
	struct pfm_prog_reg *few;
};

/**
 * struct pfm_session - a context from load to unload, or to the end of the last
 *	task that it monitors
 * @node: in the list of sessions while there is one; session_lock
 * @cpu: CPU that is monitored, -1 when threads are; as @node
 * @target: thread that the context was loaded on, or NULL; this and what follows
 *	is changed under pfm_context.lock while there is no session
 * @owner: process that loaded the context
 * @uid: its user
 * @comm: its name
 */
struct pfm_session {
	struct list_head node;
	int cpu;
	struct pid *target;
	struct pid *owner;
	kuid_t uid;
	char comm[TASK_COMM_LEN];
};

/* Targets and paths that a reserve has, at most. */
#define PFM_RESERVE_MAX 64

/**
 * struct pfm_reserve - memory for the probes of a context
 * @work: fills up
 * @layout: what the targets are made for, a reference; NULL while the context is not
 *	loaded or does not follow; changed under pfm_context.lock while no probe
 *	can find a target
 * @max: targets and paths when it is full; constant while @layout is set
 * @ntargets: elements of @targets; pfm_context.targets_lock
 * @npaths: elements of @paths; targets_lock
 * @targets: without a task; targets_lock
 * @paths: room for the longest path; targets_lock
 */
struct pfm_reserve {
	struct work_struct work;
	struct pfm_layout *layout;
	unsigned int max;
	unsigned int ntargets;
	unsigned int npaths;
	struct pfm_target *targets[PFM_RESERVE_MAX];
	struct pfm_path *paths[PFM_RESERVE_MAX];
};

/**
 * struct pfm_totals - counts that left their targets, and the read that sums all up
 * @vals: counts of tasks that ended since the load, one a register of the layout;
 *	allocated and freed under pfm_context.lock
 * @missed: counts that left @targets for @vals before the read came to them; same
 *	shape as @vals
 * @walk_id: number of the latest walk over all targets
 * @walking: a read is walking over them
 * @split: @target was split since; its counts are read again
 * @target: target that the read takes the counts of at the moment
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
 * struct pfm_records - tasks of a context that follows which are finished
 * @list: oldest first (struct pfm_target.node)
 * @merged: those beyond @max, one target a command
 * @n: elements of both lists
 * @nmerged: elements of @merged
 * @max: see struct pfm_config.records_max
 * @merged_tasks: see struct pfm_config.merged
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
 * struct pfm_offline - when the CPU of a system-wide context was offline
 * @times: times that it went offline since the load
 * @since: when it went offline, ns of CLOCK_MONOTONIC; 0 while it is online
 * @ns: time that it was offline, but for the current time
 *
 * Protected by pfm_context.targets_lock.
 */
struct pfm_offline {
	u32 times;
	u64 since;
	u64 ns;
};

/**
 * struct pfm_msg_slot - room for a message
 * @seq: number of the message in it, from 1, once it is whole
 * @lane: number of the lane that it is about
 * @msg: the message
 */
struct pfm_msg_slot {
	u32 seq;
	u32 lane;
	struct pfm_msg_ovfl msg;
};

/**
 * struct pfm_msgq - overflow messages that wait
 * @head: slots taken by writers, ever: those of other CPUs and interrupts
 * @tail: slots emptied by readers, ever; targets_lock to write
 * @len: elements of @slots, a power of two; constant once there are slots
 * @waits: for each lane, its messages that wait, and one while it notifies; as
 *	long as the context exists, as lanes change with its FOLLOW flags
 * @slots: the messages; NULL before a set that samples was loaded
 */
struct pfm_msgq {
	atomic_t head;
	u32 tail;
	u32 len;
	atomic_t *waits;
	struct pfm_msg_slot *slots;
};

/**
 * struct pfm_maps - mappings that wait to be read
 * @lock: protects the others; process context only
 * @list: oldest first
 * @count: elements of @list
 * @lost: mappings that were not kept
 */
struct pfm_maps {
	spinlock_t lock; /* the list */
	struct list_head list;
	u32 count;
	u64 lost;
};

/**
 * struct pfm_context - counters, what they monitor, and who reads them
 * @lock: serialises the calls on the descriptor; process context, outermost
 * @flags: PFM_CTX_*; @lock to change, only while unloaded
 * @privileged: the creator may count more than its own user-level code;
 *	constant
 * @pidns: namespace that ids are given in; constant, holds a reference
 * @memcg: memory control group that pays for what probes allocate; constant, holds
 *	a reference, or NULL
 * @pmus: descriptions in use, pinned from creation on; constant
 * @set0: event set 0, which is always there; @lock
 * @few_regs: see struct pfm_set.few
 * @sets: the other event sets by number; @lock
 * @nsets: number of all event sets; @lock
 * @sets_described: somebody described a set: times are kept for each; @lock
 * @shape: the latest layout, a reference, or NULL; @lock
 * @nshapes: see struct pfm_layout.shape; @lock
 * @enabled_ns: PFM_REG_SET_ENABLED while the context is not loaded; @lock
 * @fmt: sampling format, pinned, or NULL; constant
 * @buffer: sampling buffer, or NULL; constant
 * @user_page: user page, or NULL as long as nobody maps one; user_page.c
 * @lane_size: bytes of a lane's part of @buffer; constant
 * @nlanes: elements of @lanes; constant
 * @lanes: where overflows go; constant
 * @layout: what the tasks load; RCU, changed under @lock; NULL while unloaded
 * @aggregate: targets that the tasks share, or NULL; set and cleared under @lock while
 *	unloaded
 * @scratch: room for two values a register of @layout; @lock
 * @few_values: what @totals and @scratch are made of when there
 *	are no more than PFM_CTX_FEW values
 * @totals: counts of tasks that ended, and reads over all tasks
 *
 * @targets_lock: raw, taken with interrupts off in fork, exec and exit, never at
 *	a switch; protects what follows
 * @targets: monitored tasks (struct pfm_target.node)
 * @ntargets: their number; READ_ONCE() outside of the lock gives a snapshot
 * @session: while there are targets; pfm_context.lock but for its end
 * @probed: the scheduler's probes are registered for this context
 * @unloading: the targets are the unloading call's: no probe takes one off or adds one
 * @attaching: threads of a process are being attached: those that end leave no
 *	record, as nothing counts yet
 * @loaded: attached to a thread that has not ended, or to a CPU
 * @pmu_acquired: pfm_pmu_acquire() took the hardware for it
 * @root_alive: that thread is monitored
 * @started: tasks count when they run; written under @targets_lock, read by the
 *	switch hook
 * @starting: START is at the registers that follow the tasks, which children begin
 *	with
 * @rest: starts those that an exec left; see pfm_attach_exec()
 * @rest_queued: it was queued once
 * @masked: an overflow stopped counting until RESTART; set by the CPU that
 *	counts, cleared under the target's lock; never in a context that follows
 * @start_on_exec: the next exec of the loaded thread sets @started
 * @records: finished tasks
 * @follow_failed: see struct pfm_config
 * @unsplit: see struct pfm_config
 * @unfollowed_threads: see struct pfm_config
 * @unfollowed_processes: see struct pfm_config
 * @reserve: memory for the probes, see reserve.c
 * @ovfl: overflow messages, see message.c
 * @notified: lanes that notified and were not restarted since; see
 *	pfm_lane_state.notified
 * @block: blocking of the monitored thread in this session, or NULL, see block.c;
 *	set and cleared under @lock, while no CPU counts
 * @maps: reporting of mappings, see maps.c
 * @offline: when the monitored CPU was offline
 * @end: the END message; valid when @end_pending or @ended
 * @end_pending: END waits to be read
 * @ended: the last task is gone
 *
 * @wait: readers and pollers
 * @fasync: O_ASYNC; has a lock of its own
 * @wake: wakes @wait and @fasync from contexts that may not
 * @ref: the descriptor and queued task work
 * @release: frees it, with what the last reference kept; constant
 * @rcu: the switch hook may look at a context until a grace period has passed
 *	after its last target was unhashed
 */
struct pfm_context {
	struct mutex lock; /* the calls */
	u32 flags;
	bool privileged;
	struct pid_namespace *pidns;
	struct mem_cgroup *memcg;
	const struct pfm_pmu *pmus[PFM_CLASSES];
	struct pfm_set set0;
	struct pfm_prog_reg few_regs[2 * PFM_SET_FEW];
	struct xarray sets;
	u32 nsets;
	bool sets_described;
	struct pfm_layout *shape;
	u32 nshapes;
	u64 enabled_ns;
	const struct pfm_format *fmt;
	struct pfm_buffer *buffer;
	struct pfm_user_mapping *user_page;
	size_t lane_size;
	u32 nlanes;
	struct pfm_lane_state **lanes;
	struct pfm_layout __rcu *layout;
	struct pfm_aggregate *aggregate;
	u64 *scratch;
	u64 few_values[4 * PFM_CTX_FEW];

	raw_spinlock_t targets_lock;
	struct pfm_totals totals;
	struct list_head targets;
	unsigned int ntargets;
	struct pfm_session session;
	bool probed;
	bool unloading;
	bool attaching;
	bool loaded;
	bool pmu_acquired;
	bool root_alive;
	bool started;
	bool starting;
	bool rest_queued;
	bool masked;
	bool start_on_exec;
	struct pfm_records records;
	u64 follow_failed;
	u64 unsplit;
	u64 unfollowed_threads;
	u64 unfollowed_processes;
	struct pfm_reserve reserve;
	struct pfm_msgq ovfl;
	atomic_t notified;
	struct pfm_block *block;
	struct pfm_maps maps;
	struct pfm_offline offline;
	struct pfm_msg_end end;
	bool end_pending;
	bool ended;

	struct work_struct rest;
	wait_queue_head_t wait;
	struct fasync_struct *fasync;
	struct irq_work wake;
	refcount_t ref;
	void (*release)(struct pfm_context *ctx);
	struct rcu_head rcu;
};

/**
 * pfm_context_put - drop a reference
 * @ctx: the context
 *
 * Context: process, or where this is not the last one: what waits is freed.
 */
static inline void pfm_context_put(struct pfm_context *ctx)
{
	if (refcount_dec_and_test(&ctx->ref))
		ctx->release(ctx);
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
