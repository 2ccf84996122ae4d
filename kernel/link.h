/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A link: one task that one context monitors, with the task's counts.
 */
#ifndef _PFM_LINK_H
#define _PFM_LINK_H

#include <linux/bitmap.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/perfmon.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/spinlock.h>

#include "layout.h"
#include "sight.h"

struct pfm_context;
struct pfm_path;

/**
 * struct pfm_link - a task and its counts
 * @hash: entries in the tables of tasks, see struct pfm_table.which; table_lock to
 *	change, RCU to read
 * @task: the task, with a reference while @dead is not set; NULL in a context
 *	that monitors a CPU; constant
 * @ctx: the context; constant
 * @layout: order of @vals, and program unless the context has a newer one of
 *	the same shape; constant, a reference
 *
 * @lock: raw, interrupts off, below pfm_context.links_lock.  Taken by the CPU
 *	that switches to the task and by calls on this very task; never by two
 *	CPUs that switch.
 * @cpu: CPU that counts for the task, -1 when none does.  While it is -1,
 *	@vals of the hardware and CPU parts belong to the holder of @lock;
 *	otherwise to that CPU with interrupts off.
 * @last_cpu: CPU whose PMU still holds the counts of @vals, or -1
 * @dead: no CPU may count for the task any more; set under @lock and
 *	pfm_context.links_lock
 * @task_on: the registers of PFM_CLASS_TASK are running; they belong to the
 *	holder of @lock at all times, but an overflow may read them
 * @task_seq: odd while @task_on and those registers change; @lock to write
 *
 * @sight: what the owner of @ctx may see of the task's user state; written before
 *	the link is visible and by the exec probe, while no CPU counts; read in
 *	the task, by the CPU that counts
 * @blind: no handler is told of overflows any more; written and read as @sight
 * @maps_exec: the task's self_exec_id when its mappings were reported; owner: as
 *	@vals
 * @exec_vm: its pages of executable mappings then; 0 before they were
 * @folded: values below this index are in the totals; 0 until the link retires;
 *	links_lock
 * @node: in pfm_context.links, .records or .merged; links_lock
 * @walk: pfm_context.walk_id of the last walk that came to this link;
 *	links_lock
 * @root: the context was loaded on this task; constant
 * @pid: process id in the context's namespace; 0 in merged records
 * @tid: thread id
 * @ppid: process id of the parent when the link was made
 * @path: program, or NULL; links_lock; a reference
 * @comm: thread's name when it ended or executed another program
 * @start: ns of CLOCK_MONOTONIC when monitoring of the task in this program
 *	began
 * @end: when it ended
 * @tasks: tasks that a closed link stands for
 * @table: pfm_table.id of the latest table that the link was entered in, 0 when it is
 *	in none; table_lock
 * @reason: PFM_RECORD_* when closed
 * @status: exit status when closed by exit
 * @rcu: the switch hook may look at an unhashed link for a grace period
 * @vals: 64-bit values in the order of pfm_layout.nums; then, for each value
 *	that samples in a context that follows, what was counted, less the phase,
 *	while a CPU counts; then, if the layout is sparse, the bits of
 *	pfm_link_used(), which belong to whom the values belong to
 */
struct pfm_link {
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

struct pfm_link *pfm_link_create(struct pfm_context *ctx,
				 struct pfm_layout *layout,
				 struct task_struct *task, gfp_t gfp);
void pfm_link_set_task(struct pfm_link *link, struct task_struct *task);
void pfm_link_free(struct pfm_link *link);
int pfm_link_insert(struct pfm_link *link);
void pfm_link_remove(struct pfm_link *link);
void pfm_link_start(struct pfm_link *link);
void pfm_link_stop(struct pfm_link *link);
void pfm_link_retire(struct pfm_link *link, u16 reason, u32 status);
struct pfm_link *pfm_link_alloc_split(const struct pfm_link *link);
struct pfm_link *pfm_link_reserve_split(const struct pfm_link *link);
bool pfm_link_split(struct pfm_link *link, struct pfm_link *old,
		    struct pfm_path *path);
void pfm_link_merge(struct pfm_link *into, const struct pfm_link *link);

/*
 * Bits of a link whose layout is sparse: banks that may have values other than
 * zero.  The first always may: times of the context and the registers that follow
 * the task are there.
 */
static inline unsigned long *pfm_link_used(const struct pfm_link *link)
{
	return (unsigned long *)&link->vals[link->layout->used_at];
}

/**
 * pfm_link_next_bank - the next bank that may have values
 * @link: the link; the caller owns its values, or no CPU can count for it
 * @bank: index of the bank to begin with
 *
 * Return: its index, or pfm_layout.nbanks when there is none.
 */
static inline u32 pfm_link_next_bank(const struct pfm_link *link, u32 bank)
{
	if (likely(!link->layout->sparse))
		return bank;
	return find_next_bit(pfm_link_used(link), link->layout->nbanks, bank);
}

/**
 * pfm_link_use - a bank is about to have values
 * @link: the link; the caller owns its values
 * @bank: index of the bank
 */
static inline void pfm_link_use(struct pfm_link *link, u32 bank)
{
	if (unlikely(link->layout->sparse))
		__set_bit(bank, pfm_link_used(link));
}

#endif /* _PFM_LINK_H */
