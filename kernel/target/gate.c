// SPDX-License-Identifier: GPL-2.0-only
/*
 * The gate of a target, which is open while the task is in one of the context's ranges, and the
 * table of what was counted in each range.
 *
 * The argument in full: Documentation/change/locking/ranges.rst.
 */
#include "target/gate.h"

#include <linux/bits.h>
#include <linux/cpumask.h>
#include <linux/minmax.h>
#include <linux/nospec.h>
#include <linux/overflow.h>
#include <linux/perfmon.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/topology.h>

#include "core/context.h"
#include "set/layout.h"
#include "target/target.h"

/**
 * struct pfm_gate_cpu - the part of the table that a CPU writes
 * @lock: protects @words; raw, innermost, interrupts off
 * @words: for each range PFM_GATE_COUNTS numbers, and then a struct sums for each value
 */
struct pfm_gate_cpu {
	raw_spinlock_t lock; /* the words */
	u64 words[];
};

/**
 * struct sums - what a value has counted in a range; see struct pfm_range_info
 * @sum: in calls that returned
 * @min: least of them; valid if there is one
 * @max: likewise, the most
 * @rest: in calls that did not return
 */
struct sums {
	u64 sum;
	u64 min;
	u64 max;
	u64 rest;
};

static u32 words_of(u32 nvals)
{
	return PFM_GATE_COUNTS + nvals * sizeof(struct sums) / sizeof(u64);
}

static u64 *counts_of(const struct pfm_gates *gates, struct pfm_gate_cpu *cpu,
		      u32 range)
{
	return &cpu->words[range * words_of(gates->nvals)];
}

/* The sums of a range, one element for each value. */
static struct sums *sums_of(u64 *counts)
{
	return (struct sums *)&counts[PFM_GATE_COUNTS];
}

/*
 * The frame of a range: the stack pointer with PFM_FRAME_*; 0 or PFM_FRAME_SPENT: not open; then
 * the values.
 */
static u64 *frame_of(struct pfm_target *target, u32 range)
{
	const struct pfm_layout *layout = target->layout;

	return &target->vals[layout->gate_at + range * (1 + layout->nvals)];
}

/**
 * pfm_gate_create - create the ranges of a context, without a table: none at first
 *
 * Context: process; may sleep.
 * Return: the ranges, or NULL without memory.
 */
struct pfm_gates *pfm_gate_create(void)
{
	return kzalloc(sizeof(struct pfm_gates), GFP_KERNEL_ACCOUNT);
}

static void free_table(struct pfm_gates *gates)
{
	unsigned int cpu;

	if (gates->cpus) {
		for_each_possible_cpu(cpu)
			kvfree(gates->cpus[cpu]);
	}
	kfree(gates->cpus);
	kfree(gates->nums);
	gates->cpus = NULL;
	gates->nums = NULL;
	gates->nvals = 0;
}

/**
 * pfm_gate_free - free ranges with their table
 * @gates: the ranges of no context, or of one that is not loaded; @points were freed
 *
 * Context: process; may sleep.
 */
void pfm_gate_free(struct pfm_gates *gates)
{
	free_table(gates);
	kfree(gates);
}

/**
 * pfm_gate_load - make an empty table for the values of a layout
 * @ctx: the context, about to be loaded; pfm_context.lock is held
 * @layout: its layout
 *
 * Context: process; may sleep.
 * Return: 0, also for a context without ranges; -ENOMEM.
 */
int pfm_gate_load(struct pfm_context *ctx, const struct pfm_layout *layout)
{
	struct pfm_gates *gates = ctx->gates;
	const u32 nvals = layout->nvals;
	struct pfm_gate_cpu *part;
	unsigned int cpu;

	lockdep_assert_held(&ctx->lock);
	if (!gates)
		return 0;
	free_table(gates);
	gates->nums = kmemdup(layout->csets[0].nums, nvals * sizeof(u16),
			      GFP_KERNEL_ACCOUNT);
	gates->cpus =
		kcalloc(nr_cpu_ids, sizeof(*gates->cpus), GFP_KERNEL_ACCOUNT);
	if (!gates->nums || !gates->cpus)
		goto out_free;
	for_each_possible_cpu(cpu) {
		part = kvzalloc_node(struct_size(part, words,
						 gates->n * words_of(nvals)),
				     GFP_KERNEL_ACCOUNT, cpu_to_node(cpu));
		if (!part)
			goto out_free;
		raw_spin_lock_init(&part->lock);
		gates->cpus[cpu] = part;
	}
	gates->nvals = nvals;
	return 0;

out_free:
	free_table(gates);
	return -ENOMEM;
}

/**
 * pfm_gate_frame - tell whether a task is in a range
 * @target: target of the current task; the caller keeps others from changing frames, or only
 *	wants to know
 * @range: index of the range
 *
 * Return: stack pointer of the outermost call, with PFM_FRAME_*; 0 if the task is not in the range.
 */
u64 pfm_gate_frame(const struct pfm_target *target, u32 range)
{
	const u64 frame = *frame_of((struct pfm_target *)target, range);

	return frame < PFM_FRAME_LEAST ? 0 : frame;
}

/**
 * pfm_gate_spent - tell whether a task has entered a range that it enters once
 * @target: target of the current task, as for pfm_gate_frame()
 * @range: index of the range
 *
 * Return: true if it has, and has left the range.
 */
bool pfm_gate_spent(const struct pfm_target *target, u32 range)
{
	return *frame_of((struct pfm_target *)target, range) == PFM_FRAME_SPENT;
}

/**
 * pfm_gate_count - count something of the calls of a range
 * @target: the target; interrupts are off
 * @range: index of the range
 * @what: what to count
 */
void pfm_gate_count(struct pfm_target *target, u32 range,
		    enum pfm_gate_count what)
{
	struct pfm_gates *gates = target->ctx->gates;
	struct pfm_gate_cpu *cpu = gates->cpus[smp_processor_id()];

	raw_spin_lock(&cpu->lock);
	counts_of(gates, cpu, range)[what]++;
	raw_spin_unlock(&cpu->lock);
}

/**
 * pfm_gate_begin - open a frame: the task enters a range
 * @target: target of the current task, which no CPU counts for; its lock is held
 * @range: index of the range; its frame is not open
 * @frame: stack pointer, with PFM_FRAME_ALT
 */
void pfm_gate_begin(struct pfm_target *target, u32 range, u64 frame)
{
	u64 *to = frame_of(target, range);

	lockdep_assert_held(&target->lock);
	*to++ = frame;
	memcpy(to, target->vals,
	       array_size(target->layout->nvals, sizeof(u64)));
	target->frames++;
	pfm_gate_count(target, range, PFM_GATE_OUTER);
}

/* Add what was counted in a call that returned, which is number n of them on this CPU. */
static void add_call(struct sums *sums, u64 count, u64 n)
{
	sums->min = n ? min(sums->min, count) : count;
	sums->max = max(sums->max, count);
	sums->sum += count;
}

/**
 * pfm_gate_end - end a frame, and add its counts to the table
 * @target: target of the task, which no CPU counts for; it is dead, or its lock is held
 * @range: index of the range; its frame is open
 * @how: PFM_GATE_RETURNED, PFM_GATE_LEFT or PFM_GATE_CUT
 *
 * Context: interrupts off.
 */
void pfm_gate_end(struct pfm_target *target, u32 range, enum pfm_gate_count how)
{
	struct pfm_gates *gates = target->ctx->gates;
	struct pfm_gate_cpu *cpu = gates->cpus[smp_processor_id()];
	u64 *frame = frame_of(target, range), *counts;
	/* I2 */
	const bool whole = !(*frame & PFM_FRAME_PART);
	struct sums *sums;
	u32 i;

	raw_spin_lock(&cpu->lock);
	counts = counts_of(gates, cpu, range);
	sums = sums_of(counts);
	for (i = 0; i < gates->nvals; i++) {
		const u64 count = target->vals[i] - frame[1 + i];

		if (whole && how == PFM_GATE_RETURNED)
			add_call(&sums[i], count, counts[how]);
		else
			sums[i].rest += count;
	}
	if (whole)
		counts[how]++;
	raw_spin_unlock(&cpu->lock);
	*frame = gates->once & BIT_ULL(range) ? PFM_FRAME_SPENT : 0;
	target->frames--;
}

/**
 * pfm_gate_cut - end all frames of a task that will not come back to them
 * @target: target that is dead, or target of the current task whose lock is held; no CPU
 *	counts for it, and the registers that follow the task are stopped
 *
 * Context: interrupts off.
 */
void pfm_gate_cut(struct pfm_target *target)
{
	u32 i;

	/* I3 */
	for (i = 0; target->frames && i < target->layout->ngates; i++) {
		if (pfm_gate_frame(target, i))
			pfm_gate_end(target, i, PFM_GATE_CUT);
	}
}

/**
 * pfm_gate_exec - shut the gate of a task that executes another program
 * @target: target of the current task, which no CPU counts for; interrupts are off
 */
void pfm_gate_exec(struct pfm_target *target)
{
	if (!target->layout->ngates)
		return;
	pfm_target_stop(target);
	raw_spin_lock(&target->lock);
	pfm_gate_cut(target);
	target->shut = true;
	raw_spin_unlock(&target->lock);
}

/**
 * pfm_gate_fork - let a child begin in the ranges that its parent is in
 * @child: target of the child, not visible to others yet
 * @parent: target of the current task, its parent
 *
 * The values of the child are 0, and so are those in its frames.
 *
 * Context: fork probe.
 */
void pfm_gate_fork(struct pfm_target *child, const struct pfm_target *parent)
{
	u64 frame;
	u32 i;

	for (i = 0; i < child->layout->ngates; i++) {
		frame = pfm_gate_frame(parent, i);
		if (!frame)
			continue;
		*frame_of(child, i) = frame | PFM_FRAME_PART;
		child->frames++;
	}
	child->shut = child->layout->ngates && !child->frames;
}

/* Find the value of a register in the table. */
static int find_value(const struct pfm_gates *gates, u16 num)
{
	u32 i;

	for (i = 0; i < gates->nvals; i++) {
		if (gates->nums[i] == num)
			return i;
	}
	return -ENODATA;
}

static void add_part(struct pfm_range_info *info, const u64 *counts,
		     const struct sums *sums)
{
	info->calls += counts[PFM_GATE_CALLS];
	info->outer += counts[PFM_GATE_OUTER];
	info->left += counts[PFM_GATE_LEFT];
	info->cut += counts[PFM_GATE_CUT];
	info->missed += counts[PFM_GATE_MISSED];
	if (sums) {
		info->sum += sums->sum;
		info->rest += sums->rest;
		info->max = max(info->max, sums->max);
	}
	if (sums && counts[PFM_GATE_RETURNED])
		info->min = info->returned ? min(info->min, sums->min)
					   : sums->min;
	info->returned += counts[PFM_GATE_RETURNED];
}

/**
 * pfm_gate_info - fill in what was counted in a range
 * @ctx: the context; pfm_context.lock is held
 * @info: range and num: set by the caller; the other fields are set here
 *
 * Context: process.
 * Return: 0; -ERANGE when there is no such range; -ENODATA without a table, or when it does not
 * have the register.
 */
int pfm_gate_info(struct pfm_context *ctx, struct pfm_range_info *info)
{
	const struct pfm_gates *gates = ctx->gates;
	unsigned int cpu;
	u16 range;
	int at = 0;

	lockdep_assert_held(&ctx->lock);
	if (!gates || info->range >= gates->n)
		return -ERANGE;
	range = array_index_nospec(info->range, gates->n);
	if (!gates->nvals)
		return -ENODATA;
	if (info->num != PFM_REG_NONE)
		at = find_value(gates, info->num);
	if (at < 0)
		return at;
	*info = (struct pfm_range_info){
		.range = info->range,
		.num = info->num,
	};
	for_each_possible_cpu(cpu) {
		struct pfm_gate_cpu *part = gates->cpus[cpu];
		u64 *counts = counts_of(gates, part, range);

		raw_spin_lock_irq(&part->lock);
		add_part(info, counts,
			 info->num == PFM_REG_NONE ? NULL
						   : &sums_of(counts)[at]);
		raw_spin_unlock_irq(&part->lock);
	}
	return 0;
}
