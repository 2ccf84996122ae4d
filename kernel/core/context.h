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
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>

#include "sampling/block.h"
#include "sampling/maps.h"
#include "sampling/message.h"
#include "set/set.h"
#include "target/reserve.h"
#include "target/session.h"

/* Values that a context has room for without an allocation. */
#define PFM_CTX_FEW 8

struct fasync_struct;
struct mem_cgroup;
struct pfm_buffer;
struct pfm_format;
struct pfm_lane_state;
struct pfm_layout;
struct pfm_target;
struct pfm_user_mapping;
struct pfm_pmu;
struct pfm_aggregate;
struct pid_namespace;

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
 * @few_values: what @totals, @walk_missed and @scratch are made of when there
 *	are no more than PFM_CTX_FEW values
 * @totals: counts of tasks that ended since the load, one a register of
 *	@layout; @targets_lock; allocated and freed under @lock
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
 * @walk_id: number of the latest walk over all targets
 * @walking: a read is walking over them
 * @walk_target: target that the read takes the counts of at the moment
 * @walk_split: @walk_target was split since; its counts are read again
 * @walk_missed: counts that left @targets for @totals before that read came to
 *	them; same shape as @totals
 * @records: finished tasks, oldest first (struct pfm_target.node)
 * @merged: finished tasks beyond @records_max, one target a command
 * @nrecords: elements of both lists
 * @nmerged: elements of @merged
 * @records_max: see struct pfm_config
 * @merged_tasks: see struct pfm_config.merged
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
 * @offlines: times that the CPU went offline since it was loaded
 * @offline_since: when it went offline, 0 while it is online
 * @offline_ns: time that it was offline, but for the current time
 * @end: the END message; valid when @end_pending or @ended
 * @end_pending: END waits to be read
 * @ended: the last task is gone
 *
 * @wait: readers and pollers
 * @fasync: O_ASYNC; has a lock of its own
 * @wake: wakes @wait and @fasync from contexts that may not
 * @ref: the descriptor and queued task work
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
	u64 *totals;
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
	bool walking;
	bool walk_split;
	u32 walk_id;
	const struct pfm_target *walk_target;
	u64 *walk_missed;
	struct list_head records;
	struct list_head merged;
	unsigned int nrecords;
	unsigned int nmerged;
	unsigned int records_max;
	u64 merged_tasks;
	u64 follow_failed;
	u64 unsplit;
	u64 unfollowed_threads;
	u64 unfollowed_processes;
	struct pfm_reserve reserve;
	struct pfm_msgq ovfl;
	atomic_t notified;
	struct pfm_block *block;
	struct pfm_maps maps;
	u32 offlines;
	u64 offline_since;
	u64 offline_ns;
	struct pfm_msg_end end;
	bool end_pending;
	bool ended;

	struct work_struct rest;
	wait_queue_head_t wait;
	struct fasync_struct *fasync;
	struct irq_work wake;
	refcount_t ref;
	struct rcu_head rcu;
};

struct pfm_context *pfm_context_create(const struct pfm_create *arg);
void pfm_context_put(struct pfm_context *ctx);
void pfm_context_destroy(struct pfm_context *ctx);
void pfm_context_get_config(struct pfm_context *ctx, struct pfm_config *cfg);
int pfm_context_set_config(struct pfm_context *ctx,
			   const struct pfm_config *cfg);

static inline bool pfm_context_follows(const struct pfm_context *ctx)
{
	return ctx->flags & PFM_CTX_FOLLOW_ALL;
}

static inline bool pfm_context_is_system_wide(const struct pfm_context *ctx)
{
	return ctx->flags & PFM_CTX_SYSTEM_WIDE;
}

#endif /* _PFM_CONTEXT_H */
