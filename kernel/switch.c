// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who is counted for when: starting and stopping, and calls on a link that a CPU
 * may be counting for.
 *
 * Everybody but the CPU that counts for a link takes pfm_link.lock and finds
 * either no CPU, and may use the values, or a CPU, and asks it.  The argument in
 * full: Documentation/locking.rst.
 */
#include "switch.h"

#include <linux/cpu.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "context.h"
#include "cpu.h"
#include "format.h"
#include "lane.h"
#include "layout.h"
#include "link.h"
#include "overflow.h"
#include "page.h"
#include "rotate.h"
#include "shared.h"
#include "table.h"

/* Count for the current task in the middle of its turn on this CPU. */
static void begin(struct pfm_cpu *cpu, struct pfm_link *link)
{
	pfm_cpu_load(cpu, link);
	/* User mode may read what is counted now, or may not. */
	if (cpu->user)
		pfm_page_switch(cpu, current);
}

/**
 * pfm_switch_in - count for the current task, if its context is started
 * @link: link of the current task, which the caller keeps alive
 */
void pfm_switch_in(struct pfm_link *link)
{
	struct pfm_cpu *cpu;
	unsigned long flags;

	local_irq_save(flags);
	cpu = this_cpu_ptr(&pfm_cpus);
	if (!cpu->link)
		begin(cpu, link);
	local_irq_restore(flags);
}

/**
 * pfm_switch_out - stop counting for the current task
 * @link: link of the current task, which the caller keeps alive
 *
 * It is counted for again when it is next switched to, unless the caller
 * prevents that.
 */
void pfm_switch_out(struct pfm_link *link)
{
	struct pfm_cpu *cpu;
	unsigned long flags;

	local_irq_save(flags);
	cpu = this_cpu_ptr(&pfm_cpus);
	if (cpu->link == pfm_shared_link(link))
		pfm_cpu_unload(cpu);
	local_irq_restore(flags);
}

/* On each CPU: count for the current task if it is the context's. */
static void start_here(void *arg)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);
	struct pfm_link *link;

	if (cpu->link)
		return;
	link = pfm_cpu_wanted(cpu, current);
	if (link && link->ctx == arg)
		begin(cpu, link);
}

/* On each CPU: stop counting for the context. */
static void stop_here(void *arg)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);

	if (cpu->link && cpu->link->ctx == arg)
		pfm_cpu_unload(cpu);
}

/*
 * The context's link when it has exactly one, and that is what CPUs count for.
 * The caller holds rcu_read_lock(): the link may be retired at any time, but not
 * freed.
 */
static struct pfm_link *only_link(struct pfm_context *ctx)
{
	struct pfm_link *link = NULL;
	unsigned long flags;

	if (ctx->shared)
		return NULL;
	raw_spin_lock_irqsave(&ctx->links_lock, flags);
	if (ctx->nlinks == 1)
		link = list_first_entry(&ctx->links, struct pfm_link, node);
	raw_spin_unlock_irqrestore(&ctx->links_lock, flags);
	return link;
}

/* The caller's link, when the context has no other.  As above. */
static struct pfm_link *own_link(const struct pfm_context *ctx)
{
	struct pfm_link *link;

	if (pfm_context_follows(ctx))
		return NULL;
	link = pfm_link_find(current);
	return link && link->ctx == ctx ? link : NULL;
}

/*
 * Where a link is counted for.  The lock orders this after a switch-in.  Who is told
 * that no CPU counts for it any more sees what the last one left in its lane.
 */
static int link_cpu(struct pfm_link *link)
{
	unsigned long flags;
	int cpu;

	raw_spin_lock_irqsave(&link->lock, flags);
	/* Pairs with the store in pfm_cpu_unload(). */
	cpu = smp_load_acquire(&link->cpu);
	raw_spin_unlock_irqrestore(&link->lock, flags);
	return cpu;
}

/**
 * pfm_switch_start - pfm_context.started was set: count for running tasks
 * @ctx: the context
 *
 * A task that is switched to from now on is loaded by the hook.  One that runs
 * already is on the CPU that task_cpu() gives, or has left it since and been
 * switched to again.
 */
void pfm_switch_start(struct pfm_context *ctx)
{
	struct pfm_link *link;

	if (pfm_context_is_wide(ctx)) {
		/* One that is offline begins when it comes back. */
		cpus_read_lock();
		smp_call_function_single(ctx->session.cpu, start_here, ctx, 1);
		cpus_read_unlock();
		return;
	}
	rcu_read_lock();
	link = own_link(ctx) ?: only_link(ctx);
	if (link && link->task == current) {
		pfm_switch_in(link);
	} else if (link) {
		/* Order the look at task_cpu() after the hook's at started. */
		link_cpu(link);
		smp_call_function_single(task_cpu(link->task), start_here, ctx,
					 1);
	}
	rcu_read_unlock();
	if (!link)
		on_each_cpu(start_here, ctx, 1);
}

/**
 * pfm_switch_stop - pfm_context.started was cleared: stop counting
 * @ctx: the context
 *
 * When this returns no CPU counts for the context, and none will before it is
 * started again.
 */
void pfm_switch_stop(struct pfm_context *ctx)
{
	struct pfm_link *link;
	int cpu;

	rcu_read_lock();
	link = own_link(ctx) ?: only_link(ctx);
	if (link && link->task == current) {
		pfm_switch_out(link);
	} else if (link) {
		cpu = link_cpu(link);
		if (cpu >= 0)
			smp_call_function_single(cpu, stop_here, ctx, 1);
	}
	rcu_read_unlock();
	if (!link)
		on_each_cpu(stop_here, ctx, 1);
}

/**
 * struct request - something to do with a link on the CPU that counts for it
 * @link: the link
 * @fn: what to do; the link is not being counted for by another CPU
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
	struct pfm_link *link;
	void (*fn)(struct pfm_cpu *cpu, struct request *req);
	const struct pfm_switch_value *in;
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

	if (cpu->link != req->link)
		return;
	req->fn(cpu, req);
	req->done = true;
}

/*
 * Have a request done where the link is counted for, or here under the link's
 * lock when it is not.  Process context; the caller keeps the link alive.
 * Ends: each round that fails means that the task was switched meanwhile.
 */
static void request_do(struct request *req)
{
	struct pfm_link *link = req->link;
	unsigned long flags;
	int cpu;

	while (!req->done) {
		raw_spin_lock_irqsave(&link->lock, flags);
		/* Pairs with the store in pfm_cpu_unload(). */
		cpu = smp_load_acquire(&link->cpu);
		if (cpu < 0) {
			req->fn(NULL, req);
			req->done = true;
		}
		raw_spin_unlock_irqrestore(&link->lock, flags);
		if (cpu >= 0)
			smp_call_function_single(cpu, request_here, req, 1);
	}
}

static void read_part(const struct pfm_bank *bank, enum pfm_reg_class part,
		      struct pfm_link *link, u64 *out)
{
	const struct pfm_prog *prog = &bank->parts[part];
	u32 off = bank->at + bank->off[part];

	if (prog->npmds)
		prog->pmu->ops->read(prog, link->vals + off, out + off,
				     link->task);
}

/* Whether the active set is among those that are read. */
static bool reads_active(const struct pfm_cpu *cpu, const struct request *req)
{
	return cpu->bank->at >= req->from && cpu->bank->at < req->to;
}

static void read_link(struct pfm_cpu *cpu, struct request *req)
{
	const u64 *vals = req->link->vals;
	const struct pfm_bank *bank;
	bool active, page;

	memcpy(req->out + req->from, vals + req->from,
	       (req->to - req->from) * sizeof(u64));
	if (!cpu)
		return;
	bank = cpu->bank;
	active = reads_active(cpu, req);
	page = READ_ONCE(req->link->ctx->page);
	/* What goes to the page is the active set's, whatever is read. */
	if (active || unlikely(page)) {
		read_part(bank, PFM_CLASS_HW, req->link, req->out);
		read_part(bank, PFM_CLASS_CPU, req->link, req->out);
	}
	if (active && bank->nsmpls)
		pfm_overflow_counts(req->link, bank, req->out);
	if (cpu->layout->timed)
		pfm_rotate_times(cpu, req->out, active, !req->from);
	if (unlikely(page))
		pfm_page_refresh(cpu, req->out);
}

/**
 * pfm_switch_read - read values of a link
 * @link: the link; the caller keeps it and its task alive
 * @vals: room for all values of the layout; those that are not asked for may
 *	be overwritten
 * @from: first value to read, of a bank
 * @to: one past the last, of a bank; as interrupts are off, no more than a piece of
 *	the layout
 */
void pfm_switch_read(struct pfm_link *link, u64 *vals, u32 from, u32 to)
{
	struct request req = {
		.link = link,
		.fn = read_link,
		.out = vals,
		.from = from,
		.to = to,
	};
	const struct pfm_prog *prog = pfm_layout_task(link->layout);
	u16 at = pfm_layout_task_at(link->layout);
	unsigned long flags;

	request_do(&req);
	/* They are the first bank's. */
	if (!prog->npmds || from)
		return;
	raw_spin_lock_irqsave(&link->lock, flags);
	if (link->task_on)
		prog->pmu->ops->read(prog, link->vals + at, vals + at,
				     link->task);
	else
		memcpy(vals + at, link->vals + at, prog->npmds * sizeof(u64));
	raw_spin_unlock_irqrestore(&link->lock, flags);
}

/**
 * pfm_switch_read_own - a thread reads its own counters
 * @ctx: the context
 * @vals: see pfm_switch_read(), also for what follows
 * @from:
 * @to:
 *
 * The totals of a context that does not follow are zero while its thread is
 * there, so that thread's link is all there is, and this CPU counts for it.
 *
 * Return: false when that is not so: nothing was read.
 */
bool pfm_switch_read_own(struct pfm_context *ctx, u64 *vals, u32 from, u32 to)
{
	struct request req = { .out = vals, .from = from, .to = to };
	struct pfm_cpu *cpu;
	unsigned long flags;
	bool own;

	if (pfm_context_follows(ctx))
		return false;
	local_irq_save(flags);
	cpu = this_cpu_ptr(&pfm_cpus);
	req.link = cpu->link;
	own = req.link && req.link->ctx == ctx && req.link->task == current &&
	      !pfm_layout_task(cpu->layout)->npmds;
	if (own && !cpu->layout->timed && !READ_ONCE(ctx->page)) {
		read_part(cpu->bank, PFM_CLASS_HW, req.link, vals);
		read_part(cpu->bank, PFM_CLASS_CPU, req.link, vals);
	} else if (own && reads_active(cpu, &req)) {
		read_link(cpu, &req);
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
			  const struct pfm_switch_value *value)
{
	return !value->bank && value->at >= pfm_layout_task_at(layout);
}

static void write_link(struct pfm_cpu *cpu, struct request *req)
{
	struct pfm_link *link = req->link;
	const struct pfm_layout *layout = link->layout;
	u32 i;

	/* Its values are in the totals, or will be. */
	if (link->dead) {
		req->dead = true;
		return;
	}
	if (cpu)
		pfm_cpu_unload(cpu);
	for (i = 0; i < req->count; i++) {
		const struct pfm_switch_value *in = &req->in[i];

		if (is_task_value(layout, in))
			continue;
		link->vals[layout->banks[in->bank].at + in->at] = in->value;
		pfm_overflow_written(link, layout, in->bank, in->at);
	}
	link->last_cpu = -1;
	pfm_page_stale(link->ctx);
	if (cpu && pfm_cpu_wanted(cpu, current) == link)
		pfm_cpu_load(cpu, link);
}

/*
 * Write a register that follows the task.  While it runs, an overflow may read it
 * on the CPU that counts, without the lock: what it finds is the old value or the
 * new one, in the form that both have while they run.
 */
static void write_task_value(struct pfm_link *link, const struct pfm_prog *prog,
			     const struct pfm_switch_value *in)
{
	struct pfm_prog one = *prog;
	u64 value = in->value;

	lockdep_assert_held(&link->lock);
	if (link->task_on) {
		one.npmds = 1;
		one.pmds += in->at - pfm_layout_task_at(link->layout);
		prog->pmu->ops->restore(&one, &value, link->task, false);
	}
	WRITE_ONCE(link->vals[in->at], value);
}

/* Those of the values that are of registers that follow the task. */
static void write_task_values(struct pfm_link *link,
			      const struct pfm_switch_value *vals, u32 count)
{
	const struct pfm_layout *layout = link->layout;
	u32 i;

	for (i = 0; i < count; i++) {
		if (is_task_value(layout, &vals[i]))
			write_task_value(link, pfm_layout_task(layout),
					 &vals[i]);
	}
}

/**
 * pfm_switch_write - write values of a link
 * @link: the link; the caller keeps it and its task alive
 * @vals: which values, and what
 * @count: elements
 *
 * Return: false when the task has ended: what was written is not all, and is in the
 * totals, or will be.
 */
bool pfm_switch_write(struct pfm_link *link,
		      const struct pfm_switch_value *vals, u32 count)
{
	const struct pfm_prog *prog = pfm_layout_task(link->layout);
	unsigned long flags;
	bool dead = false;
	u32 i, n;

	for (i = 0; i < count; i += WRITE_MAX) {
		struct request req = {
			.link = link,
			.fn = write_link,
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
		raw_spin_lock_irqsave(&link->lock, flags);
		dead = link->dead;
		if (!dead)
			write_task_values(link, vals + i, n);
		raw_spin_unlock_irqrestore(&link->lock, flags);
	}
	return !dead;
}

static void reload_link(struct pfm_cpu *cpu, struct request *req)
{
	if (!cpu)
		return;
	pfm_cpu_unload(cpu);
	/* Another program may be for other readers. */
	if (pfm_cpu_wanted(cpu, current) == req->link)
		begin(cpu, req->link);
}

/**
 * pfm_switch_reload - pfm_context.layout was replaced: load the new one
 * @link: the context's link; the caller keeps it alive
 */
void pfm_switch_reload(struct pfm_link *link)
{
	struct request req = { .link = link, .fn = reload_link };

	request_do(&req);
}

static void restart_link(struct pfm_cpu *cpu, struct request *req)
{
	struct pfm_link *link = req->link;
	struct pfm_context *ctx = link->ctx;
	struct pfm_lane_state *lane = ctx->lanes[0];
	u32 ctrl = PFM_CTRL_RESET;

	/* Its values are in the totals, or will be. */
	req->ret = -ENOTCONN;
	if (link->dead)
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
		pfm_overflow_rearm(link, link->layout);
	if (ctrl & PFM_CTRL_MASK) {
		lane->fmt_masked = true;
		return;
	}
	/* The overflow that was notified was also the set's last. */
	if (lane->turn.due)
		pfm_rotate_next(link, link->layout, lane);
	WRITE_ONCE(ctx->masked, false);
}

/**
 * pfm_switch_restart - PFM_IOC_RESTART for a context with one lane
 * @link: the context's link; the caller keeps it alive
 * @arg: for the format
 *
 * The format's callback runs where the overflow handler would, so that the two
 * exclude each other.  When the context was masked the caller starts it again.
 *
 * Return: 0; -EBUSY when nothing waits for a restart; what the format answers.
 */
int pfm_switch_restart(struct pfm_link *link, u64 arg)
{
	struct request req = { .link = link, .fn = restart_link, .arg = arg };

	request_do(&req);
	return req.ret;
}
