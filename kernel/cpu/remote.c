// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who is counted for when: starting and stopping, and calls on a target that a CPU
 * may be counting for.
 *
 * Everybody but the CPU that counts for a target takes pfm_target.lock and finds
 * either no CPU, and may use the values, or a CPU, and asks it.  The argument in
 * full: Documentation/locking.rst.
 */
#include "cpu/remote.h"

#include <linux/cpu.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <perfmon/format.h>

#include "core/context.h"
#include "core/cpu_state.h"
#include "cpu/cpu.h"
#include "cpu/set_switch.h"
#include "sampling/block.h"
#include "sampling/lane.h"
#include "sampling/overflow.h"
#include "set/layout.h"
#include "target/table.h"
#include "target/target.h"
#include "user/user_page.h"

/* Count for the current task in the middle of its turn on this CPU. */
static void begin(struct pfm_cpu *cpu, struct pfm_target *target)
{
	pfm_cpu_load(cpu, target);
	/* User mode may read what is counted now, or may not. */
	if (cpu->user)
		pfm_user_page_switch(cpu, current);
}

/**
 * pfm_remote_in - count for the current task, if its context is started
 * @target: target of the current task, which the caller keeps alive
 */
void pfm_remote_in(struct pfm_target *target)
{
	struct pfm_cpu *cpu;
	unsigned long flags;

	local_irq_save(flags);
	cpu = this_cpu_ptr(&pfm_cpus);
	if (!cpu->target)
		begin(cpu, target);
	local_irq_restore(flags);
}

/**
 * pfm_remote_out - stop counting for the current task
 * @target: target of the current task, which the caller keeps alive
 *
 * It is counted for again when it is next switched to, unless the caller
 * prevents that.
 */
void pfm_remote_out(struct pfm_target *target)
{
	struct pfm_cpu *cpu;
	unsigned long flags;

	local_irq_save(flags);
	cpu = this_cpu_ptr(&pfm_cpus);
	if (cpu->target == pfm_aggregate_target(target))
		pfm_cpu_unload(cpu);
	local_irq_restore(flags);
}

/* On each CPU: count for the current task if it is the context's. */
static void start_here(void *arg)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);
	struct pfm_target *target;

	if (cpu->target)
		return;
	target = pfm_cpu_wanted(cpu, current);
	if (target && target->ctx == arg)
		begin(cpu, target);
}

/* On each CPU: stop counting for the context. */
static void stop_here(void *arg)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);

	if (cpu->target && cpu->target->ctx == arg)
		pfm_cpu_unload(cpu);
}

/*
 * The context's target when it has exactly one, and that is what CPUs count for.
 * The caller holds rcu_read_lock(): the target may be retired at any time, but not
 * freed.
 */
static struct pfm_target *only_target(struct pfm_context *ctx)
{
	struct pfm_target *target = NULL;
	unsigned long flags;

	if (ctx->aggregate)
		return NULL;
	raw_spin_lock_irqsave(&ctx->targets_lock, flags);
	if (ctx->ntargets == 1)
		target = list_first_entry(&ctx->targets, struct pfm_target,
					  node);
	raw_spin_unlock_irqrestore(&ctx->targets_lock, flags);
	return target;
}

/* The caller's target, when the context has no other.  As above. */
static struct pfm_target *own_target(const struct pfm_context *ctx)
{
	struct pfm_target *target;

	if (pfm_context_follows(ctx))
		return NULL;
	target = pfm_target_find(current);
	return target && target->ctx == ctx ? target : NULL;
}

/*
 * Where a target is counted for.  The lock orders this after a switch-in.  Who is told
 * that no CPU counts for it any more sees what the last one left in its lane.
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

/**
 * pfm_remote_start - pfm_context.started was set: count for running tasks
 * @ctx: the context
 *
 * A task that is switched to from now on is loaded by the hook.  One that runs
 * already is on the CPU that task_cpu() gives, or has left it since and been
 * switched to again.
 */
void pfm_remote_start(struct pfm_context *ctx)
{
	struct pfm_target *target;

	if (pfm_context_is_system_wide(ctx)) {
		/* One that is offline begins when it comes back. */
		cpus_read_lock();
		smp_call_function_single(ctx->session.cpu, start_here, ctx, 1);
		cpus_read_unlock();
		return;
	}
	rcu_read_lock();
	target = own_target(ctx) ?: only_target(ctx);
	if (target && target->task == current) {
		pfm_remote_in(target);
	} else if (target) {
		/* Order the look at task_cpu() after the hook's at started. */
		target_cpu(target);
		smp_call_function_single(task_cpu(target->task), start_here,
					 ctx, 1);
	}
	rcu_read_unlock();
	if (!target)
		on_each_cpu(start_here, ctx, 1);
}

/**
 * pfm_remote_stop - pfm_context.started was cleared: stop counting
 * @ctx: the context
 *
 * When this returns no CPU counts for the context, and none will before it is
 * started again.
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
	if (!target)
		on_each_cpu(stop_here, ctx, 1);
}

/**
 * struct request - something to do with a target on the CPU that counts for it
 * @target: the target
 * @fn: what to do; the target is not being counted for by another CPU
 * @in: values to write
 * @count: their number
 * @out: values read
 * @from: first value to read
 * @to: one past the last
 * @dead: @fn found that the task has ended
 * @arg: for a format
 * @ret: what @fn returns
 * @done: @fn was called
 */
struct request {
	struct pfm_target *target;
	void (*fn)(struct pfm_cpu *cpu, struct request *req);
	const struct pfm_remote_value *in;
	u32 count;
	u64 *out;
	u32 from;
	u32 to;
	bool dead;
	u64 arg;
	int ret;
	bool done;
};

static void request_here(void *arg)
{
	struct request *req = arg;
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);

	if (cpu->target != req->target)
		return;
	req->fn(cpu, req);
	req->done = true;
}

/*
 * Have a request done where the target is counted for, or here under the target's
 * lock when it is not.  Process context; the caller keeps the target alive.
 * Ends: each round that fails means that the task was switched meanwhile.
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
			req->fn(NULL, req);
			req->done = true;
		}
		raw_spin_unlock_irqrestore(&target->lock, flags);
		if (cpu >= 0)
			smp_call_function_single(cpu, request_here, req, 1);
	}
}

static void read_class(const struct pfm_cset *cset, enum pfm_reg_class class,
		       struct pfm_target *target, u64 *out)
{
	const struct pfm_prog *prog = &cset->progs[class];
	u32 off = cset->at + cset->off[class];

	if (prog->npmds)
		prog->pmu->ops->read(prog, target->vals + off, out + off,
				     target->task);
}

/* Whether the active set is among those that are read. */
static bool reads_active(const struct pfm_cpu *cpu, const struct request *req)
{
	return cpu->cset->at >= req->from && cpu->cset->at < req->to;
}

static void read_target(struct pfm_cpu *cpu, struct request *req)
{
	const u64 *vals = req->target->vals;
	const struct pfm_cset *cset;
	bool active, page;

	memcpy(req->out + req->from, vals + req->from,
	       (req->to - req->from) * sizeof(u64));
	if (!cpu)
		return;
	cset = cpu->cset;
	active = reads_active(cpu, req);
	page = READ_ONCE(req->target->ctx->user_page);
	/* What goes to the page is the active set's, whatever is read. */
	if (active || unlikely(page)) {
		read_class(cset, PFM_CLASS_HW, req->target, req->out);
		read_class(cset, PFM_CLASS_CPU, req->target, req->out);
	}
	if (active && cset->nsmpls)
		pfm_overflow_counts(req->target, cset, req->out);
	if (cpu->layout->timed)
		pfm_set_switch_times(cpu, req->out, active, !req->from);
	if (unlikely(page))
		pfm_user_page_refresh(cpu, req->out);
}

/**
 * pfm_remote_read - read values of a target
 * @target: the target; the caller keeps it and its task alive
 * @vals: room for all values of the layout; those that are not asked for may
 *	be overwritten
 * @from: first value to read, of a compiled set
 * @to: one past the last, of a compiled set; as interrupts are off, no more than a piece of
 *	the layout
 */
void pfm_remote_read(struct pfm_target *target, u64 *vals, u32 from, u32 to)
{
	struct request req = {
		.target = target,
		.fn = read_target,
		.out = vals,
		.from = from,
		.to = to,
	};
	const struct pfm_prog *prog = pfm_layout_task(target->layout);
	u16 at = pfm_layout_task_at(target->layout);
	unsigned long flags;

	request_do(&req);
	/* They are the first compiled set's. */
	if (!prog->npmds || from)
		return;
	raw_spin_lock_irqsave(&target->lock, flags);
	if (target->task_on)
		prog->pmu->ops->read(prog, target->vals + at, vals + at,
				     target->task);
	else
		memcpy(vals + at, target->vals + at, prog->npmds * sizeof(u64));
	raw_spin_unlock_irqrestore(&target->lock, flags);
}

/**
 * pfm_remote_read_own - a thread reads its own counters
 * @ctx: the context
 * @vals: see pfm_remote_read(), also for what follows
 * @from:
 * @to:
 *
 * The totals of a context that does not follow are zero while its thread is
 * there, so that thread's target is all there is, and this CPU counts for it.
 *
 * Return: false when that is not so: nothing was read.
 */
bool pfm_remote_read_own(struct pfm_context *ctx, u64 *vals, u32 from, u32 to)
{
	struct request req = { .out = vals, .from = from, .to = to };
	struct pfm_cpu *cpu;
	unsigned long flags;
	bool own;

	if (pfm_context_follows(ctx))
		return false;
	local_irq_save(flags);
	cpu = this_cpu_ptr(&pfm_cpus);
	req.target = cpu->target;
	own = req.target && req.target->ctx == ctx &&
	      req.target->task == current &&
	      !pfm_layout_task(cpu->layout)->npmds;
	if (own && !cpu->layout->timed && !READ_ONCE(ctx->user_page)) {
		read_class(cpu->cset, PFM_CLASS_HW, req.target, vals);
		read_class(cpu->cset, PFM_CLASS_CPU, req.target, vals);
	} else if (own && reads_active(cpu, &req)) {
		read_target(cpu, &req);
	} else {
		/* There may be values of other pieces beside those asked for. */
		own = false;
	}
	local_irq_restore(flags);
	return own;
}

/*
 * Values that are written with interrupts off: more than a set has registers on most
 * machines, so that those of a set change together.
 */
#define WRITE_MAX 48

/* Whether a value to write is of a register that follows the task. */
static bool is_task_value(const struct pfm_layout *layout,
			  const struct pfm_remote_value *value)
{
	return !value->cset && value->at >= pfm_layout_task_at(layout);
}

static void write_target(struct pfm_cpu *cpu, struct request *req)
{
	struct pfm_target *target = req->target;
	const struct pfm_layout *layout = target->layout;
	u32 i;

	/* Its values are in the totals, or will be. */
	if (target->dead) {
		req->dead = true;
		return;
	}
	if (cpu)
		pfm_cpu_unload(cpu);
	for (i = 0; i < req->count; i++) {
		const struct pfm_remote_value *in = &req->in[i];

		if (is_task_value(layout, in))
			continue;
		target->vals[layout->csets[in->cset].at + in->at] = in->value;
		pfm_overflow_written(target, layout, in->cset, in->at);
	}
	target->last_cpu = -1;
	pfm_user_page_stale(target->ctx);
	if (cpu && pfm_cpu_wanted(cpu, current) == target)
		pfm_cpu_load(cpu, target);
}

/*
 * Write a register that follows the task.  While it runs, an overflow may read it
 * on the CPU that counts, without the lock: what it finds is the old value or the
 * new one, in the form that both have while they run.
 */
static void write_task_value(struct pfm_target *target,
			     const struct pfm_prog *prog,
			     const struct pfm_remote_value *in)
{
	struct pfm_prog one = *prog;
	u64 value = in->value;

	lockdep_assert_held(&target->lock);
	if (target->task_on) {
		one.npmds = 1;
		one.pmds += in->at - pfm_layout_task_at(target->layout);
		prog->pmu->ops->restore(&one, &value, target->task, false);
	}
	WRITE_ONCE(target->vals[in->at], value);
}

/* Those of the values that are of registers that follow the task. */
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
 * @vals: which values, and what
 * @count: elements
 *
 * Return: false when the task has ended: what was written is not all, and is in the
 * totals, or will be.
 */
bool pfm_remote_write(struct pfm_target *target,
		      const struct pfm_remote_value *vals, u32 count)
{
	const struct pfm_prog *prog = pfm_layout_task(target->layout);
	unsigned long flags;
	bool dead = false;
	u32 i, n;

	for (i = 0; i < count; i += WRITE_MAX) {
		struct request req = {
			.target = target,
			.fn = write_target,
			.in = vals + i,
			.count = min_t(u32, count - i, WRITE_MAX),
		};

		request_do(&req);
		if (req.dead)
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

static void reload_target(struct pfm_cpu *cpu, struct request *req)
{
	if (!cpu)
		return;
	pfm_cpu_unload(cpu);
	/* Another program may be for other readers. */
	if (pfm_cpu_wanted(cpu, current) == req->target)
		begin(cpu, req->target);
}

/**
 * pfm_remote_reload - pfm_context.layout was replaced: load the new one
 * @target: the context's target; the caller keeps it alive
 */
void pfm_remote_reload(struct pfm_target *target)
{
	struct request req = { .target = target, .fn = reload_target };

	request_do(&req);
}

static void restart_target(struct pfm_cpu *cpu, struct request *req)
{
	struct pfm_target *target = req->target;
	struct pfm_context *ctx = target->ctx;
	struct pfm_lane_state *lane = ctx->lanes[0];
	u32 ctrl = PFM_CTRL_RESET;

	/* Its values are in the totals, or will be. */
	req->ret = -ENOTCONN;
	if (target->dead)
		return;
	req->ret = ctx->masked ? 0 : -EBUSY;
	if (ctx->fmt && ctx->fmt->restart)
		req->ret = ctx->fmt->restart(&lane->pub, req->arg, &ctrl);
	/* What the format waits for has not come: nothing changes. */
	if (req->ret && (ctx->masked ? lane->fmt_masked : req->ret != -EBUSY))
		return;
	/* Before the next overflow can be: what that wants is to stay. */
	if (req->ret)
		ctrl = PFM_CTRL_RESET;
	/* A format that released nothing may have told of something else. */
	if (!req->ret || ctx->masked)
		pfm_lane_notified(lane, ctrl & PFM_CTRL_NOTIFY);
	/* Masked or asleep for another reason than the format's: go on. */
	if (pfm_block_cancel(ctx) || ctx->masked)
		req->ret = 0;
	if (!ctx->masked)
		return;
	if (ctrl & PFM_CTRL_RESET)
		pfm_overflow_rearm(target, target->layout);
	if (ctrl & PFM_CTRL_MASK) {
		lane->fmt_masked = true;
		return;
	}
	/* The overflow that was notified was also the set's last. */
	if (lane->slice.due)
		pfm_set_switch_next(target, target->layout, lane);
	WRITE_ONCE(ctx->masked, false);
}

/**
 * pfm_remote_restart - PFM_IOC_RESTART for a context with one lane
 * @target: the context's target; the caller keeps it alive
 * @arg: for the format
 *
 * The format's callback runs where the overflow handler would, so that the two
 * exclude each other.  When the context was masked the caller starts it again.
 *
 * Return: 0; -EBUSY when nothing waits for a restart; what the format answers.
 */
int pfm_remote_restart(struct pfm_target *target, u64 arg)
{
	struct request req = { .target = target,
			       .fn = restart_target,
			       .arg = arg };

	request_do(&req);
	return req.ret;
}
