/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A target: a thread or a CPU that one context monitors, with its counts.
 */
#ifndef _PFM_TARGET_H
#define _PFM_TARGET_H

#include <linux/bitmap.h>
#include <linux/bits.h>
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

/* Bits of pfm_target.way: its slot is a further one; the task counts for aggregate targets. */
#define PFM_TARGET_FURTHER BIT(0)
#define PFM_TARGET_SHARES  BIT(1)

/**
 * struct pfm_target - a monitored task or CPU, and its counts
 * @hash: entries in the table of targets, see pfm_table.which; table_lock to change,
 *	RCU to read
 * @task: the task, a reference unless @dead is set; NULL for the target of a CPU;
 *	constant
 * @ctx: the context; constant
 * @layout: layout that gives the order of @vals; a reference; constant.  Also the
 *	program to load, unless the context has a newer layout of the same shape
 *
 * @lock: raw spinlock, interrupts off, below pfm_context.targets_lock.  Taken by the
 *	CPU that switches to the task and by ioctls on this very task.  Two CPUs cannot
 *	switch to one task at the same time, so two switch probes never contend for it
 * @cpu: CPU that counts for the target, -1 when none does.  While it is -1, the
 *	elements of @vals of classes PFM_CLASS_HW and PFM_CLASS_CPU belong to the holder
 *	of @lock; otherwise to that CPU, used as struct pfm_cpu
 * @last_cpu: CPU whose counters may still hold the low bits of @vals, or -1
 * @slot: slot in which CPUs count for the target's task; written by pfm_table_insert(), then
 *	constant.  Not used in an aggregate target
 * @way: PFM_TARGET_*, zero if a switch to the task may take the short way; written and constant as
 *	@slot
 * @dead: no CPU may count for the target any more; set under @lock and
 *	pfm_context.targets_lock
 * @shut: its gate is shut: the task is in none of the context's ranges.  Changed under @lock,
 *	while no CPU counts; false in a context without ranges
 * @off: @dead and @shut together, so that a CPU tests both at once
 * @frames: number of open frames of the gate; changed where @shut is
 * @task_on: the registers of class PFM_CLASS_TASK are running.  They always belong to
 *	the holder of @lock, but overflows may read them
 * @root: the context was loaded on this task; constant
 * @reason: PFM_RECORD_*, once the target is a record
 * @task_seq: odd while @task_on and the values of class PFM_CLASS_TASK change; @lock to
 *	write
 *
 * @sight: what the owner of @ctx may see of the task's user state.  Written before the
 *	target is visible, and by the exec probe while no CPU counts; read in the task
 *	by the CPU that counts
 * @blind: overflows are counted as skipped, and no handler is told of them; written and
 *	read where @sight is
 * @maps_exec: self_exec_id of the task when its mappings were last reported; same owner
 *	as @vals
 * @exec_vm: number of the task's executable pages when its mappings were last reported,
 *	0 before; same owner as @vals
 * @maps_change: pfm_maps_change() then; same owner
 * @maps_since: time of the first sample since then that found a change, or 0; same owner,
 *	and the task itself clears it
 * @maps_since_exec: self_exec_id of the task at that sample; same owner
 * @maps_asked: the task has a report to make; set by the overflow that requests it, cleared
 *	by the task when the report begins, see begin_report() in maps_report.c
 * @maps_seen: pfm_maps_change() as of the last sample that found a change; same owner, and
 *	the task itself reads it, see seen_since() in maps_report.c
 * @maps_seen_since: time of the first sample that found that number; likewise
 * @maps_after: time before which no further report is requested; same owner
 * @maps_late: a sample found a change before @maps_after; same owner
 * @node: entry in pfm_context.targets, or in pfm_records.list or .merged; targets_lock
 * @walk: pfm_totals.walk_id of the last walk that came to this target; targets_lock
 * @folded: the totals include all values below this index; 0 until the target retires;
 *	targets_lock
 * @pid: process id in the namespace of the context; 0 in merged records
 * @tid: thread id in that namespace; 0 in merged records
 * @ppid: process id of the parent when the target was made; 0 in merged records
 * @status: exit status, if @reason is PFM_RECORD_EXIT
 * @path: path of the program, or NULL; a reference; targets_lock
 * @table: pfm_table.id of the latest table that the target was entered in, 0 when it is
 *	in none; table_lock
 * @start: when monitoring of the task in this program began, ns of CLOCK_MONOTONIC
 * @end: when it ended, ns of CLOCK_MONOTONIC
 * @tasks: number of tasks that a record stands for
 * @comm: name of the thread when it ended or executed another program
 * @rcu: defers the free: the switch probe may use an unhashed target for a grace period
 * @vals: @layout->slots elements.  First the values of all sets in the order of
 *	pfm_cset.nums.  Then one base value for each value that samples: in a context
 *	that follows, while a CPU counts, the count without the lane's current period
 *	(see pfm_cset.base).  Then, in a sparse layout, the bitmap of pfm_target_used(),
 *	which has the same owner as the values
 */
struct pfm_target {
	struct hlist_node hash[2];
	struct task_struct *task;
	struct pfm_context *ctx;
	struct pfm_layout *layout;

	raw_spinlock_t lock;
	int cpu;
	int last_cpu;
	u8 slot;
	u8 way;
	union {
		struct {
			bool dead;
			bool shut;
		};
		u16 off;
	};
	u16 frames;
	bool task_on;
	bool root;
	u8 reason;
	u32 task_seq;

	struct pfm_sight sight;
	bool blind;
	u64 maps_exec;
	unsigned long exec_vm;
	unsigned long maps_change;
	u64 maps_since;
	u64 maps_since_exec;
	bool maps_asked;
	unsigned long maps_seen;
	u64 maps_seen_since;
	u64 maps_after;
	bool maps_late;
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
struct pfm_target *pfm_target_only(struct pfm_context *ctx);
void pfm_target_add(struct pfm_target *target, bool first);

/*
 * In a sparse layout, the bitmap of the compiled sets that may have values other than
 * 0.  Bit 0 is always set, because the context's times and the registers that follow
 * the task are in the first compiled set.
 */
static inline unsigned long *pfm_target_used(const struct pfm_target *target)
{
	return (unsigned long *)&target->vals[target->layout->used_at];
}

/**
 * pfm_target_next_cset - find the next compiled set that may have values
 * @target: the target; the caller owns its values, or no CPU can count for it
 * @cset: index of the compiled set to begin with, 0 to pfm_layout.ncsets
 *
 * Return: index of the compiled set; pfm_layout.ncsets when there is none.
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
 * pfm_target_use - note that a compiled set is about to have values
 * @target: the target; the caller owns its values
 * @cset: index of the compiled set, below pfm_layout.ncsets
 */
static inline void pfm_target_use(struct pfm_target *target, u32 cset)
{
	if (unlikely(target->layout->sparse))
		__set_bit(cset, pfm_target_used(target));
}

#endif /* _PFM_TARGET_H */
