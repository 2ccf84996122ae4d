// SPDX-License-Identifier: GPL-2.0-only
/*
 * Work on targets that a CPU may be counting for: starting and stopping, reading,
 * writing and restarting.
 *
 * Every CPU but the one that counts for a target takes pfm_target.lock.  Under it,
 * either no CPU counts for the target, and its values may be used; or a CPU does, and
 * is asked by an inter-processor call.  The argument in full:
 * Documentation/change/locking/cpu.rst.
 */
#include "cpu/remote.h"

#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <perfmon/critical.h>
#include <perfmon/format.h>

#include "core/context.h"
#include "core/cpu_state.h"
#include "core/pmu.h"
#include "cpu/counters.h"
#include "cpu/cpu.h"
#include "cpu/intr.h"
#include "cpu/set_switch.h"
#include "sampling/block.h"
#include "sampling/lane.h"
#include "sampling/overflow.h"
#include "set/layout.h"
#include "target/table.h"
#include "target/target.h"
#include "user/user_page.h"

/* Begin to count for the current task while it is running on this CPU. */
static void begin(struct pfm_slot *slot, struct pfm_target *target)
{
	pfm_cpu_load(slot, target);
	/* The task's right to read counters in user mode may have changed. */
	if (unlikely(slot->run.index))
		pfm_user_page_beside(slot->cpu);
	else if (slot->cpu->user)
		pfm_user_page_switch(slot->cpu, current);
}

/**
 * pfm_remote_in - begin to count for the current task, if its contexts are started
 *
 * The targets are looked up, because that of the caller may be dead: another context may have been
 * loaded on the task meanwhile.
 *
 * Context: any but NMI.
 */
void pfm_remote_in(void)
{
	struct pfm_target *target;
	struct pfm_cpu *cpu;
	unsigned long flags, entry;

	local_irq_save(flags);
	pfm_critical_enter();
	cpu = this_cpu_ptr(&pfm_cpus);
	for (target = pfm_target_first(current, &entry); target;
	     target = pfm_target_next(current, target, entry)) {
		if (!cpu->slots[target->slot].target)
			begin(&cpu->slots[target->slot], target);
	}
	pfm_critical_exit();
	local_irq_restore(flags);
}

/**
 * pfm_remote_out - stop counting for the current task
 * @target: target of the current task; the caller keeps it alive
 *
 * When the task is next switched in, its CPU begins to count for it again, unless the
 * caller prevents that.
 *
 * Context: any but NMI.
 */
void pfm_remote_out(struct pfm_target *target)
{
	struct pfm_slot *slot;
	unsigned long flags;

	local_irq_save(flags);
	pfm_critical_enter();
	slot = &this_cpu_ptr(&pfm_cpus)->slots[target->slot];
	if (slot->target == pfm_aggregate_target(target))
		pfm_cpu_unload(slot);
	pfm_critical_exit();
	local_irq_restore(flags);
}

/* On each CPU: begin to count for the CPU, or the current task, if the context monitors it. */
static void start_here(void *arg)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);
	unsigned int s;

	pfm_critical_enter();
	for (s = 0; s < PFM_SLOTS; s++) {
		struct pfm_slot *slot = &cpu->slots[s];
		struct pfm_target *target;

		target = slot->target ? NULL : pfm_cpu_wanted(slot, current);
		if (target && target->ctx == arg)
			begin(slot, target);
	}
	pfm_critical_exit();
}

/* On each CPU: stop counting for the context. */
static void stop_here(void *arg)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);
	unsigned int s;

	pfm_critical_enter();
	for (s = 0; s < PFM_SLOTS; s++) {
		struct pfm_slot *slot = &cpu->slots[s];

		if (slot->target && slot->target->ctx == arg)
			pfm_cpu_unload(slot);
	}
	pfm_critical_exit();
}

/*
 * Find the context's target if it has exactly one, and if CPUs count for that one.  The
 * caller holds rcu_read_lock(), because the target may retire at any time; until the
 * section ends it is not freed.
 */
static struct pfm_target *only_target(struct pfm_context *ctx)
{
	return ctx->aggregate ? NULL : pfm_target_only(ctx);
}

/* Find the calling thread's target if the context has no other; RCU as above. */
static struct pfm_target *own_target(const struct pfm_context *ctx)
{
	if (pfm_context_follows(ctx))
		return NULL;
	return pfm_target_of(current, ctx);
}

/*
 * Find the CPU that counts for a target, or -1.  The lock orders this after a switch to
 * the task.  A caller that gets -1 sees what the last CPU left in its lane.
 */
static int target_cpu(struct pfm_target *target)
{
	unsigned long flags;
	int cpu;

	raw_spin_lock_irqsave(&target->lock, flags);
	/* Pairs with the store in pfm_cpu_unload(). */
	cpu = smp_load_acquire(&target->cpu);
	raw_spin_unlock_irqrestore(&target->lock, flags);
	return cpu;
}

/*
 * Find the CPU that has to be told of a START, because the target's task may be running
 * there uncounted; or -1.  The CPU's switch probe may have seen the context stopped.  It
 * held the lock then, so what follows is read after that switch: a task that is in no run
 * queue does not run, and if it is in one, it is in that of its CPU. S1
 */
static int starting_cpu(struct pfm_target *target)
{
	if (target_cpu(target) >= 0 || !READ_ONCE(target->task->on_rq))
		return -1;
	return task_cpu(target->task);
}

/* Number of targets to look at in one hold of targets_lock. */
#define CALLS_BATCH 32

/* Enter the CPUs of all targets in pfm_context.calls; targets_lock is dropped meanwhile. */
static void collect_calls(struct pfm_context *ctx,
			  int (*cpu_of)(struct pfm_target *target))
{
	struct pfm_target *target;
	unsigned int n = 0;
	int cpu;

	lockdep_assert_held(&ctx->lock);
	raw_spin_lock_irq(&ctx->targets_lock);
	ctx->totals.walk_id++;
	while ((target = pfm_target_walk(ctx))) {
		cpu = target->dead ? -1 : cpu_of(target);
		if (cpu >= 0)
			cpumask_set_cpu(cpu, ctx->calls);
		if (++n % CALLS_BATCH)
			continue;
		raw_spin_unlock_irq(&ctx->targets_lock);
		cond_resched();
		raw_spin_lock_irq(&ctx->targets_lock);
	}
	raw_spin_unlock_irq(&ctx->targets_lock);
}

/*
 * Enter the CPUs that count for aggregate targets in pfm_context.calls.  Like
 * target_cpu() for the target of one task, this orders the caller after the switch probes
 * that asked about any of them.
 */
static void collect_aggregate(struct pfm_context *ctx)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		if (target_cpu(ctx->aggregate->targets[cpu]) >= 0)
			cpumask_set_cpu(cpu, ctx->calls);
	}
}

/* Have the CPUs begin to count that execute tasks of a context with many targets. */
static void start_many(struct pfm_context *ctx)
{
	/* A CPU takes the lock of its aggregate target, not that of the task's. */
	if (ctx->aggregate)
		collect_aggregate(ctx);
	/* S6 */
	cpumask_clear(ctx->calls);
	collect_calls(ctx, starting_cpu);
	on_each_cpu_mask(ctx->calls, start_here, ctx, 1);
}

/* Have the CPUs stop that count for a context with many targets. */
static void stop_many(struct pfm_context *ctx)
{
	cpumask_clear(ctx->calls);
	if (ctx->aggregate)
		collect_aggregate(ctx);
	else
		collect_calls(ctx, target_cpu);
	on_each_cpu_mask(ctx->calls, stop_here, ctx, 1);
}

/*
 * The same for the only target of a context.  Somebody may be taking it from its owner, so it
 * keeps its task only while it is not dead. J9
 */
static int only_starting_cpu(struct pfm_target *target)
{
	int cpu;

	raw_spin_lock_irq(&target->ctx->targets_lock);
	cpu = target->dead ? -1 : starting_cpu(target);
	raw_spin_unlock_irq(&target->ctx->targets_lock);
	return cpu;
}

/**
 * pfm_remote_start - begin to count for tasks that are running
 * @ctx: the context, which was started; pfm_context.lock is held
 *
 * The switch probe loads tasks that are switched to from now on.  A task that was
 * running already is on the CPU that task_cpu() gives; or it has left that CPU and
 * then, too, was switched to later.
 *
 * Context: process, interrupts on; waits for inter-processor calls.
 */
void pfm_remote_start(struct pfm_context *ctx)
{
	struct pfm_target *target;
	int cpu;

	if (pfm_context_is_system_wide(ctx)) {
		/* A CPU that is offline begins to count when it comes back. */
		cpus_read_lock();
		smp_call_function_single(ctx->session.cpu, start_here, ctx, 1);
		cpus_read_unlock();
		return;
	}
	rcu_read_lock();
	target = own_target(ctx) ?: only_target(ctx);
	if (target && target->task == current) {
		pfm_remote_in();
	} else if (target) {
		cpu = only_starting_cpu(target);
		if (cpu >= 0)
			smp_call_function_single(cpu, start_here, ctx, 1);
	}
	rcu_read_unlock();
	if (!target && pfm_context_follows(ctx))
		start_many(ctx);
}

/**
 * pfm_remote_stop - stop counting for all tasks
 * @ctx: the context, which counts no more; pfm_context.lock is held
 *
 * When this returns no CPU counts for the context, and none will before the next start.
 *
 * Context: process, interrupts on; waits for inter-processor calls.
 */
void pfm_remote_stop(struct pfm_context *ctx)
{
	struct pfm_target *target;
	int cpu;

	rcu_read_lock();
	target = own_target(ctx) ?: only_target(ctx);
	if (target && target->task == current) {
		pfm_remote_out(target);
	} else if (target) {
		cpu = target_cpu(target);
		if (cpu >= 0)
			smp_call_function_single(cpu, stop_here, ctx, 1);
	}
	rcu_read_unlock();
	if (!target && pfm_context_follows(ctx))
		stop_many(ctx);
}

/**
 * pfm_remote_stop_all - stop counting for a context whose owner may be walking over its targets
 * @ctx: the context, which counts no more
 *
 * Calls all CPUs: pfm_context.calls and walks are for the holder of pfm_context.lock.
 *
 * Context: process, interrupts on; waits for inter-processor calls.
 */
void pfm_remote_stop_all(struct pfm_context *ctx)
{
	on_each_cpu(stop_here, ctx, 1);
}

/**
 * struct request - work on a target, done on the CPU that counts for it
 * @target: the target
 * @fn: the work.  Called with this CPU's state if the CPU counts for the target; with
 *	NULL if no CPU does, with pfm_target.lock held
 * @done: out: @fn was called
 *
 * Each operation embeds this in a request of its own, which only its @fn looks into.  A
 * request is on the caller's stack.  The caller waits, so there is no lock: @fn has the
 * request to itself while it runs, and the caller before and afterwards.
 */
struct request {
	struct pfm_target *target;
	void (*fn)(struct pfm_slot *slot, struct request *req);
	bool done;
};

static void request_here(void *arg)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);
	struct request *req = arg;
	unsigned int s;

	pfm_critical_enter();
	for (s = 0; s < PFM_SLOTS && !req->done; s++) {
		if (cpu->slots[s].target != req->target)
			continue;
		req->fn(&cpu->slots[s], req);
		req->done = true;
	}
	pfm_critical_exit();
}

/*
 * Have a request done by the CPU that counts for the target; if no CPU does, do it here
 * under the target's lock.  Process context; the caller keeps the target alive.  The
 * loop ends, because a round fails only if the task was switched meanwhile. C3
 */
static void request_do(struct request *req)
{
	struct pfm_target *target = req->target;
	unsigned long flags;
	int cpu;

	while (!req->done) {
		raw_spin_lock_irqsave(&target->lock, flags);
		/* Pairs with the store in pfm_cpu_unload(). */
		cpu = smp_load_acquire(&target->cpu);
		if (cpu < 0) {
			pfm_critical_enter();
			req->fn(NULL, req);
			pfm_critical_exit();
			req->done = true;
		}
		raw_spin_unlock_irqrestore(&target->lock, flags);
		if (cpu >= 0)
			smp_call_function_single(cpu, request_here, req, 1);
	}
}

/**
 * struct read_request - read values of a target
 * @req: the work, read_target()
 * @out: room for all values of the layout
 * @from: index of the first value to read
 * @to: index behind the last value to read
 */
struct read_request {
	struct request req;
	u64 *out;
	u32 from;
	u32 to;
};

/* True when the values of the active set are among those to read. */
static bool reads_active(const struct pfm_slot *slot,
			 const struct read_request *read)
{
	return slot->cset->at >= read->from && slot->cset->at < read->to;
}

/* Read the registers that follow the task; they are in the first compiled set. */
static void read_task(struct pfm_target *target, u64 *out)
{
	const struct pfm_prog *prog = pfm_layout_task(target->layout);
	const u16 at = pfm_layout_task_at(target->layout);
	struct pfm_run run = { .task = target->task };

	lockdep_assert_held(&target->lock);
	if (target->task_on)
		prog->pmu->ops->read(prog, target->vals + at, out + at, &run);
	else
		memcpy(out + at, target->vals + at, prog->npmds * sizeof(u64));
}

static void read_task_locked(struct pfm_target *target, u64 *out)
{
	raw_spin_lock(&target->lock);
	read_task(target, out);
	raw_spin_unlock(&target->lock);
}

/* Read values of a target that the caller owns, all at one moment. R2 */
static void read_target(struct pfm_slot *slot, struct request *req)
{
	const struct read_request *read =
		container_of(req, struct read_request, req);
	const u64 *vals = req->target->vals;
	const struct pfm_cset *cset;
	bool active, page;

	memcpy(read->out + read->from, vals + read->from,
	       (read->to - read->from) * sizeof(u64));
	if (!read->from && pfm_layout_task(req->target->layout)->npmds) {
		/* Without a CPU the lock is held; whoever holds it waits for no CPU. */
		if (slot)
			read_task_locked(req->target, read->out);
		else
			read_task(req->target, read->out);
	}
	if (!slot)
		return;
	cset = slot->cset;
	active = reads_active(slot, read);
	page = READ_ONCE(req->target->ctx->user_page);
	/* A refresh of the user page needs the active set, whatever else is read. */
	if (active || unlikely(page))
		pfm_counters_read(slot, read->out + cset->at);
	if (active && unlikely(pfm_cset_sided(cset)))
		pfm_intr_correct(slot, read->out + cset->at);
	if (active && cset->nsmpls)
		pfm_overflow_counts(req->target, cset, read->out);
	if (slot->layout->timed)
		/* V2 */
		pfm_set_switch_times(slot, read->out, active, !read->from);
	if (unlikely(page))
		pfm_user_page_refresh(slot, read->out);
}

/**
 * pfm_remote_read - read values of a target
 * @target: the target; the caller keeps it and its task alive
 * @vals: room for all values of the layout; values outside of the range may be
 *	overwritten
 * @from: index of the first value to read, the first one of a compiled set
 * @to: index behind the last value to read, the last one of a compiled set.  The range
 *	is no more than a piece of the layout (PFM_PIECE), as it is read with interrupts
 *	off
 *
 * Context: process, interrupts on; waits for inter-processor calls.
 */
void pfm_remote_read(struct pfm_target *target, u64 *vals, u32 from, u32 to)
{
	struct read_request read = {
		.req = { .target = target, .fn = read_target },
		.out = vals,
		.from = from,
		.to = to,
	};

	request_do(&read.req);
}

/* The slot in which this CPU counts for a context of the current task; NULL if in none. */
static struct pfm_slot *slot_of_own(const struct pfm_context *ctx)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);
	unsigned int s;

	for (s = 0; s < PFM_SLOT_OWN; s++) {
		const struct pfm_target *target = cpu->slots[s].target;

		if (target && target->ctx == ctx)
			return &cpu->slots[s];
	}
	return NULL;
}

/**
 * pfm_remote_read_own - read the counters of the calling thread without a lock
 * @ctx: the context
 * @vals: room for all values of the layout
 * @from: index of the first value to read, see pfm_remote_read()
 * @to: index behind the last value to read, see pfm_remote_read()
 *
 * While the thread of a context that does not follow is alive, the context's totals are
 * 0, so the thread's target has all the counts.  It is this CPU that counts for it.
 *
 * Context: process.
 * Return: true; false when this CPU does not count for such a target or the values need
 * more work: then nothing was read.
 */
bool pfm_remote_read_own(struct pfm_context *ctx, u64 *vals, u32 from, u32 to)
{
	struct read_request read = { .out = vals, .from = from, .to = to };
	struct pfm_target *target;
	struct pfm_slot *slot;
	unsigned long flags;
	bool own;

	if (pfm_context_follows(ctx))
		return false;
	local_irq_save(flags);
	pfm_critical_enter();
	slot = slot_of_own(ctx);
	target = slot ? slot->target : NULL;
	own = target && target->task == current &&
	      !pfm_layout_task(slot->layout)->npmds;
	if (own && !slot->layout->timed && !READ_ONCE(ctx->user_page)) {
		pfm_counters_read(slot, vals + slot->cset->at);
	} else if (own && reads_active(slot, &read)) {
		read.req.target = target;
		read_target(slot, &read.req);
	} else {
		/*
		 * The range may lack the active set, but have values of another piece.
		 */
		own = false;
	}
	pfm_critical_exit();
	local_irq_restore(flags);
	return own;
}

/*
 * Number of values to write with interrupts off.  On most processors a set has fewer
 * registers, so all values of a set change together.
 */
#define WRITE_MAX 48

/* True when a value to write belongs to a register that follows the task. */
static bool is_task_value(const struct pfm_layout *layout,
			  const struct pfm_remote_value *value)
{
	return !value->cset && value->at >= pfm_layout_task_at(layout);
}

/**
 * struct write_request - write values of a target
 * @req: the work, write_target()
 * @vals: the values and their places
 * @count: number of elements of @vals, at most WRITE_MAX
 * @dead: out: the task has ended, and nothing was written
 */
struct write_request {
	struct request req;
	const struct pfm_remote_value *vals;
	u32 count;
	bool dead;
};

static void write_target(struct pfm_slot *slot, struct request *req)
{
	struct write_request *write =
		container_of(req, struct write_request, req);
	struct pfm_target *target = req->target;
	const struct pfm_layout *layout = target->layout;
	u32 i;

	/* The values have moved to the totals, or are about to. */
	if (target->dead) {
		write->dead = true;
		return;
	}
	if (slot)
		pfm_cpu_unload(slot);
	for (i = 0; i < write->count; i++) {
		const struct pfm_remote_value *in = &write->vals[i];

		if (is_task_value(layout, in))
			continue;
		target->vals[layout->csets[in->cset].at + in->at] = in->value;
		pfm_overflow_written(target, layout, in->cset, in->at);
	}
	target->last_cpu = -1;
	pfm_user_page_stale(target->ctx);
	if (slot && pfm_cpu_wanted(slot, current) == target)
		pfm_cpu_load(slot, target);
}

/*
 * Write a register that follows the task.  While it runs, an overflow may read it
 * without the lock, on the CPU that counts.  The overflow finds the old value or the
 * new one, each in the form that values have while they run.
 */
static void write_task_value(struct pfm_target *target,
			     const struct pfm_prog *prog,
			     const struct pfm_remote_value *in)
{
	struct pfm_run run = { .task = target->task };
	struct pfm_prog one = *prog;
	u64 value = in->value;

	lockdep_assert_held(&target->lock);
	if (target->task_on) {
		one.npmds = 1;
		one.pmds += in->at - pfm_layout_task_at(target->layout);
		prog->pmu->ops->restore(&one, &value, &run, false);
	}
	WRITE_ONCE(target->vals[in->at], value);
}

/* Write those of the values that belong to registers that follow the task. */
static void write_task_values(struct pfm_target *target,
			      const struct pfm_remote_value *vals, u32 count)
{
	const struct pfm_layout *layout = target->layout;
	u32 i;

	for (i = 0; i < count; i++) {
		if (is_task_value(layout, &vals[i]))
			write_task_value(target, pfm_layout_task(layout),
					 &vals[i]);
	}
}

/**
 * pfm_remote_write - write values of a target
 * @target: the target; the caller keeps it and its task alive
 * @vals: the values and their places
 * @count: number of elements of @vals
 *
 * Context: process, interrupts on; waits for inter-processor calls.
 * Return: true; false when the task has ended: then only a part was written, and moves
 * to the totals.
 */
bool pfm_remote_write(struct pfm_target *target,
		      const struct pfm_remote_value *vals, u32 count)
{
	const struct pfm_prog *prog = pfm_layout_task(target->layout);
	unsigned long flags;
	bool dead = false;
	u32 i, n;

	for (i = 0; i < count; i += WRITE_MAX) {
		struct write_request write = {
			.req = { .target = target, .fn = write_target },
			.vals = vals + i,
			.count = min_t(u32, count - i, WRITE_MAX),
		};

		request_do(&write.req);
		if (write.dead)
			return false;
	}
	if (!prog->npmds)
		return true;
	for (i = 0; i < count && !dead; i += n) {
		n = min_t(u32, count - i, WRITE_MAX);
		raw_spin_lock_irqsave(&target->lock, flags);
		dead = target->dead;
		if (!dead)
			write_task_values(target, vals + i, n);
		raw_spin_unlock_irqrestore(&target->lock, flags);
	}
	return !dead;
}

/* The bare request: the layout is in the context. */
static void reload_target(struct pfm_slot *slot, struct request *req)
{
	if (!slot)
		return;
	pfm_cpu_unload(slot);
	/* With another program, other processes may read the counters. */
	if (pfm_cpu_wanted(slot, current) == req->target)
		begin(slot, req->target);
}

/**
 * pfm_remote_reload - let the CPU that counts load a new pfm_context.layout
 * @target: the context's target; the caller keeps it alive
 *
 * Context: process, interrupts on; waits for inter-processor calls.
 */
void pfm_remote_reload(struct pfm_target *target)
{
	struct request req = { .target = target, .fn = reload_target };

	request_do(&req);
}

/**
 * struct restart_request - RESTART a context with a single lane
 * @req: the work, restart_target()
 * @arg: argument for the format
 * @ret: out: 0 or -errno, see pfm_remote_restart()
 */
struct restart_request {
	struct request req;
	u64 arg;
	int ret;
};

static void restart_target(struct pfm_slot *slot, struct request *req)
{
	struct restart_request *restart =
		container_of(req, struct restart_request, req);
	struct pfm_target *target = req->target;
	struct pfm_context *ctx = target->ctx;
	struct pfm_lane_state *lane = ctx->lanes[0];
	u32 ctrl = PFM_CTRL_RESET;

	/* The values have moved to the totals, or are about to. */
	restart->ret = -ENOTCONN;
	if (target->dead)
		return;
	restart->ret = ctx->masked ? 0 : -EBUSY;
	if (ctx->fmt && ctx->fmt->restart)
		restart->ret =
			ctx->fmt->restart(&lane->pub, restart->arg, &ctrl);
	/* The format still waits for another RESTART, so nothing changes. */
	if (restart->ret &&
	    (ctx->masked ? lane->fmt_masked : restart->ret != -EBUSY))
		return;
	/*
	 * The notification and the sleep are cleared below, while no overflow can
	 * occur: what the next overflow asks for has to stay.
	 */
	if (restart->ret)
		ctrl = PFM_CTRL_RESET;
	/*
	 * If there was no mask and the format refused, the consumer has not answered the
	 * notification yet, so it stays.
	 */
	if (!restart->ret || ctx->masked)
		pfm_lane_notified(lane, ctrl & PFM_CTRL_NOTIFY);
	/*
	 * RESTART ends a mask or a sleep that the format did not ask for, even if the
	 * format refuses.
	 */
	if (pfm_block_cancel(ctx) || ctx->masked)
		restart->ret = 0;
	if (!ctx->masked)
		return;
	if (ctrl & PFM_CTRL_RESET)
		pfm_overflow_rearm(target, target->layout);
	else
		ctx->unreset = true;
	if (ctrl & PFM_CTRL_MASK) {
		lane->fmt_masked = true;
		return;
	}
	/* The overflow that was notified also ended the time slice. */
	if (lane->slice.due)
		pfm_set_switch_next(target, target->layout, lane);
	/* G2 */
	WRITE_ONCE(ctx->masked, false);
}

/**
 * pfm_remote_restart - RESTART a context with a single lane (PFM_IOC_RESTART)
 * @target: the context's target; the caller keeps it alive
 * @arg: argument for the format
 *
 * The format's callback runs where its overflow handler would run, so that the two
 * exclude each other.  If the context was masked, the caller starts it again.
 *
 * Context: process, interrupts on; waits for inter-processor calls.
 * Return: 0; -EBUSY when nothing waits for a RESTART; -ENOTCONN when the task has
 * ended; or the format's answer.
 */
int pfm_remote_restart(struct pfm_target *target, u64 arg)
{
	struct restart_request restart = {
		.req = { .target = target, .fn = restart_target },
		.arg = arg,
	};

	request_do(&restart.req);
	return restart.ret;
}
