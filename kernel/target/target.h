/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A target: one task that one context monitors, with the task's counts.
 */
#ifndef _PFM_TARGET_H
#define _PFM_TARGET_H

#include <linux/bitmap.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/perfmon.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/spinlock.h>

#include "set/layout.h"
#include "target/sight.h"

struct pfm_context;
struct pfm_path;

/**
 * struct pfm_target - a task and its counts
 * @hash: entries in the tables of tasks, see struct pfm_table.which; table_lock to
 *	change, RCU to read
 * @task: the task, with a reference while @dead is not set; NULL in a context
 *	that monitors a CPU; constant
 * @ctx: the context; constant
 * @layout: order of @vals, and program unless the context has a newer one of
 *	the same shape; constant, a reference
 *
 * @lock: raw, interrupts off, below pfm_context.targets_lock.  Taken by the CPU
 *	that switches to the task and by calls on this very task; never by two
 *	CPUs that switch.
 * @cpu: CPU that counts for the task, -1 when none does.  While it is -1,
 *	@vals of the hardware and CPU parts belong to the holder of @lock;
 *	otherwise to that CPU with interrupts off.
 * @last_cpu: CPU whose PMU still holds the counts of @vals, or -1
 * @dead: no CPU may count for the task any more; set under @lock and
 *	pfm_context.targets_lock
 * @task_on: the registers of PFM_CLASS_TASK are running; they belong to the
 *	holder of @lock at all times, but an overflow may read them
 * @task_seq: odd while @task_on and those registers change; @lock to write
 *
 * @sight: what the owner of @ctx may see of the task's user state; written before
 *	the target is visible and by the exec probe, while no CPU counts; read in
 *	the task, by the CPU that counts
 * @blind: no handler is told of overflows any more; written and read as @sight
 * @maps_exec: the task's self_exec_id when its mappings were reported; owner: as
 *	@vals
 * @exec_vm: its pages of executable mappings then; 0 before they were
 * @folded: values below this index are in the totals; 0 until the target retires;
 *	targets_lock
 * @node: in pfm_context.targets, .records or .merged; targets_lock
 * @walk: pfm_context.walk_id of the last walk that came to this target;
 *	targets_lock
 * @root: the context was loaded on this task; constant
 * @pid: process id in the context's namespace; 0 in merged records
 * @tid: thread id
 * @ppid: process id of the parent when the target was made
 * @path: program, or NULL; targets_lock; a reference
 * @comm: thread's name when it ended or executed another program
 * @start: ns of CLOCK_MONOTONIC when monitoring of the task in this program
 *	began
 * @end: when it ended
 * @tasks: tasks that a closed target stands for
 * @table: pfm_table.id of the latest table that the target was entered in, 0 when it is
 *	in none; table_lock
 * @reason: PFM_RECORD_* when closed
 * @status: exit status when closed by exit
 * @rcu: the switch hook may look at an unhashed target for a grace period
 * @vals: 64-bit values in the order of pfm_layout.nums; then, for each value
 *	that samples in a context that follows, what was counted, less the phase,
 *	while a CPU counts; then, if the layout is sparse, the bits of
 *	pfm_target_used(), which belong to whom the values belong to
 */
struct pfm_target {
	struct hlist_node hash[2];
	struct task_struct *task;
	struct pfm_context *ctx;
	struct pfm_layout *layout;

	raw_spinlock_t lock;
	int cpu;
	int last_cpu;
	bool dead;
	bool task_on;
	bool root;
	u8 reason;
	u32 task_seq;

	struct pfm_sight sight;
	bool blind;
	u64 maps_exec;
	unsigned long exec_vm;
	struct list_head node;
	u32 walk;
	u32 folded;
	u32 pid;
	u32 tid;
	u32 ppid;
	u32 status;
	struct pfm_path *path;
	u64 table;
	u64 start;
	u64 end;
	u64 tasks;
	char comm[TASK_COMM_LEN];
	struct rcu_head rcu;
	u64 vals[];
};

struct pfm_target *pfm_target_create(struct pfm_context *ctx,
				     struct pfm_layout *layout,
				     struct task_struct *task, gfp_t gfp);
void pfm_target_set_task(struct pfm_target *target, struct task_struct *task);
void pfm_target_free(struct pfm_target *target);
void pfm_target_start(struct pfm_target *target);
void pfm_target_stop(struct pfm_target *target);
void pfm_target_save_task(struct pfm_target *target);
void pfm_target_restore_task(struct pfm_target *target);
void pfm_target_copy_comm(struct pfm_target *target);
struct pfm_target *pfm_target_walk(struct pfm_context *ctx);

/*
 * Bits of a target whose layout is sparse: compiled sets that may have values other than
 * zero.  The first always may: times of the context and the registers that follow
 * the task are there.
 */
static inline unsigned long *pfm_target_used(const struct pfm_target *target)
{
	return (unsigned long *)&target->vals[target->layout->used_at];
}

/**
 * pfm_target_next_cset - the next compiled set that may have values
 * @target: the target; the caller owns its values, or no CPU can count for it
 * @cset: index of the compiled set to begin with
 *
 * Return: its index, or pfm_layout.ncsets when there is none.
 */
static inline u32 pfm_target_next_cset(const struct pfm_target *target,
				       u32 cset)
{
	if (likely(!target->layout->sparse))
		return cset;
	return find_next_bit(pfm_target_used(target), target->layout->ncsets,
			     cset);
}

/**
 * pfm_target_use - a compiled set is about to have values
 * @target: the target; the caller owns its values
 * @cset: index of the compiled set
 */
static inline void pfm_target_use(struct pfm_target *target, u32 cset)
{
	if (unlikely(target->layout->sparse))
		__set_bit(cset, pfm_target_used(target));
}

#endif /* _PFM_TARGET_H */
