// SPDX-License-Identifier: GPL-2.0-only
/*
 * Moving counts between tasks and the PMU of a CPU.
 *
 * A link is counted for by at most one CPU, pfm_link.cpu.  What a CPU counts
 * for is changed on that CPU with interrupts off: by the switch hook, by an
 * inter-processor call, or by a call of the task itself.  Everybody else takes
 * pfm_link.lock and finds either no CPU, and may use the values, or a CPU, and
 * asks it.  The argument in full: Documentation/locking.rst.
 */
#include "switch.h"

#include <linux/bitmap.h>
#include <linux/hrtimer.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "compat.h"
#include "context.h"
#include "format.h"
#include "lane.h"
#include "layout.h"
#include "link.h"
#include "overflow.h"

/**
 * struct pfm_cpu - what a CPU's PMU is used for
 * @link: link that it counts for, or NULL
 * @layout: what @link was loaded with; stays valid while @link is set
 * @gen: pfm_layout.gen of the program in the configuration registers, 0 none
 * @last: link whose counts the counters still hold; only compared, as the link
 *	may be gone.  It is current when its pfm_link.last_cpu is this CPU
 * @storm: ends the pause after a storm of overflows
 *
 * Used on that CPU with interrupts off, and by nobody else.
 */
struct pfm_cpu {
	struct pfm_link *link;
	const struct pfm_layout *layout;
	u64 gen;
	const struct pfm_link *last;
	struct hrtimer storm;
};

static DEFINE_PER_CPU(struct pfm_cpu, cpus);

static const struct pfm_prog *prog_of(const struct pfm_layout *layout,
				      enum pfm_part part)
{
	return &layout->parts[part];
}

static u64 *vals_of(struct pfm_link *link, const struct pfm_layout *layout,
		    enum pfm_part part)
{
	return link->vals + layout->off[part];
}

/* Let the counters run for the CPU's link, from its values. */
static void counters_run(struct pfm_cpu *cpu)
{
	const struct pfm_layout *layout = cpu->layout;
	struct pfm_link *link = cpu->link;
	const struct pfm_prog *prog;

	prog = prog_of(layout, PFM_PART_CPU);
	if (prog->npmds)
		prog->pmu->ops->restore(prog,
					vals_of(link, layout, PFM_PART_CPU),
					link->task, false);
	prog = prog_of(layout, PFM_PART_HW);
	if (!prog->npmds)
		return;
	if (cpu->gen == layout->gen && cpu->last == link &&
	    link->last_cpu == smp_processor_id() && prog->pmu->ops->resume) {
		prog->pmu->ops->resume(prog);
		return;
	}
	prog->pmu->ops->restore(prog, vals_of(link, layout, PFM_PART_HW),
				link->task, cpu->gen == layout->gen);
	cpu->gen = layout->gen;
}

/* Stop the counters of the CPU's link and bring its values up to date. */
static void counters_stop(struct pfm_cpu *cpu)
{
	const struct pfm_layout *layout = cpu->layout;
	struct pfm_link *link = cpu->link;
	const struct pfm_prog *prog;

	prog = prog_of(layout, PFM_PART_HW);
	if (prog->npmds) {
		prog->pmu->ops->save(prog, vals_of(link, layout, PFM_PART_HW),
				     link->task);
		cpu->last = link;
		link->last_cpu = smp_processor_id();
	}
	prog = prog_of(layout, PFM_PART_CPU);
	if (prog->npmds)
		prog->pmu->ops->save(prog, vals_of(link, layout, PFM_PART_CPU),
				     link->task);
}

/* Count for a link from now on.  Interrupts off, the CPU counts for none. */
static void cpu_load(struct pfm_cpu *cpu, struct pfm_link *link)
{
	struct pfm_context *ctx = link->ctx;

	lockdep_assert_irqs_disabled();
	raw_spin_lock(&link->lock);
	if (link->dead || !READ_ONCE(ctx->started) || READ_ONCE(ctx->masked)) {
		raw_spin_unlock(&link->lock);
		return;
	}
	link->cpu = smp_processor_id();
	raw_spin_unlock(&link->lock);

	cpu->link = link;
	cpu->layout = rcu_dereference_sched(ctx->layout);
	if (unlikely(cpu->layout->nsmpls))
		pfm_overflow_begin(link, cpu->layout);
	counters_run(cpu);
}

/* The counters stand still: the CPU's link is nobody's. */
static void cpu_release(struct pfm_cpu *cpu)
{
	struct pfm_link *link = cpu->link;

	cpu->link = NULL;
	/*
	 * Pairs with the loads of link->cpu: who sees -1 sees the values.  The
	 * link must not be touched after this.
	 */
	smp_store_release(&link->cpu, -1);
}

/* What an overflow changed is not in the registers. */
static void mark_changed(struct pfm_cpu *cpu)
{
	cpu->link->last_cpu = -1;
	if (unlikely(cpu->link->reprogram)) {
		cpu->link->reprogram = false;
		cpu->gen = 0;
	}
}

/* Stop counting for the CPU's link.  Interrupts off. */
static void cpu_unload(struct pfm_cpu *cpu)
{
	lockdep_assert_irqs_disabled();
	counters_stop(cpu);
	if (unlikely(cpu->layout->nsmpls)) {
		/* A wrap in code with interrupts off is found here. */
		pfm_overflow_end(cpu->link, cpu->layout, NULL);
		pfm_overflow_park(cpu->link, cpu->layout);
		mark_changed(cpu);
	}
	cpu_release(cpu);
}

/*
 * The sched_switch tracepoint
 *
 * Interrupts off, runqueue lock held, current is still @prev.  Threads that
 * nobody monitors pay for one per-CPU load and one look at a hash bucket.
 */
void pfm_switch_probe(void *data, bool preempt, struct task_struct *prev,
		      struct task_struct *next, unsigned int prev_state)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&cpus);
	struct pfm_link *link;

	if (cpu->link)
		cpu_unload(cpu);
	link = pfm_link_find(next);
	if (link)
		cpu_load(cpu, link);
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
	cpu = this_cpu_ptr(&cpus);
	if (!cpu->link)
		cpu_load(cpu, link);
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
	cpu = this_cpu_ptr(&cpus);
	if (cpu->link == link)
		cpu_unload(cpu);
	local_irq_restore(flags);
}

/* On each CPU: count for the current task if it is the context's. */
static void start_here(void *arg)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&cpus);
	struct pfm_link *link;

	if (cpu->link)
		return;
	link = pfm_link_find(current);
	if (link && link->ctx == arg)
		cpu_load(cpu, link);
}

/* On each CPU: stop counting for the context. */
static void stop_here(void *arg)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&cpus);

	if (cpu->link && cpu->link->ctx == arg)
		cpu_unload(cpu);
}

/*
 * The context's link when it has exactly one.  The caller holds
 * rcu_read_lock(): the link may be retired at any time, but not freed.
 */
static struct pfm_link *only_link(struct pfm_context *ctx)
{
	struct pfm_link *link = NULL;
	unsigned long flags;

	raw_spin_lock_irqsave(&ctx->links_lock, flags);
	if (ctx->nlinks == 1)
		link = list_first_entry(&ctx->links, struct pfm_link, node);
	raw_spin_unlock_irqrestore(&ctx->links_lock, flags);
	return link;
}

/* Where a link is counted for.  The lock orders this after a switch-in. */
static int link_cpu(struct pfm_link *link)
{
	unsigned long flags;
	int cpu;

	raw_spin_lock_irqsave(&link->lock, flags);
	cpu = link->cpu;
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

	rcu_read_lock();
	link = only_link(ctx);
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
	link = only_link(ctx);
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
 * @mask: values to write
 * @in: values written
 * @out: values read
 * @dead: @fn found that the task has ended
 * @arg: for a format
 * @ret: what @fn returns
 * @done: @fn was called
 */
struct request {
	struct pfm_link *link;
	void (*fn)(struct pfm_cpu *cpu, struct request *req);
	const unsigned long *mask;
	const u64 *in;
	u64 *out;
	bool dead;
	u64 arg;
	int ret;
	bool done;
};

static void request_here(void *arg)
{
	struct request *req = arg;
	struct pfm_cpu *cpu = this_cpu_ptr(&cpus);

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
		/* Pairs with the store in cpu_unload(). */
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

static void read_part(const struct pfm_layout *layout, enum pfm_part part,
		      struct pfm_link *link, u64 *out, bool live)
{
	const struct pfm_prog *prog = prog_of(layout, part);
	u16 off = layout->off[part];

	if (!prog->npmds)
		return;
	if (live)
		prog->pmu->ops->read(prog, link->vals + off, out + off,
				     link->task);
	else
		memcpy(out + off, link->vals + off, prog->npmds * sizeof(u64));
}

static void read_link(struct pfm_cpu *cpu, struct request *req)
{
	const struct pfm_layout *layout = cpu ? cpu->layout : req->link->layout;

	read_part(layout, PFM_PART_HW, req->link, req->out, cpu);
	read_part(layout, PFM_PART_CPU, req->link, req->out, cpu);
	if (cpu && layout->nsmpls)
		pfm_overflow_counts(req->link, layout, req->out);
}

/**
 * pfm_switch_read - read the values of a link
 * @link: the link; the caller keeps it and its task alive
 * @vals: one element a value
 */
void pfm_switch_read(struct pfm_link *link, u64 *vals)
{
	struct request req = { .link = link, .fn = read_link, .out = vals };
	const struct pfm_layout *layout = link->layout;
	unsigned long flags;

	request_do(&req);
	if (!pfm_layout_uses(layout, PFM_PART_TASK))
		return;
	raw_spin_lock_irqsave(&link->lock, flags);
	read_part(layout, PFM_PART_TASK, link, vals, link->task_on);
	raw_spin_unlock_irqrestore(&link->lock, flags);
}

static void write_link(struct pfm_cpu *cpu, struct request *req)
{
	struct pfm_link *link = req->link;
	const struct pfm_layout *layout = link->layout;
	unsigned int i;

	/* Its values are in the totals, or will be. */
	if (link->dead) {
		req->dead = true;
		return;
	}
	if (cpu)
		cpu_unload(cpu);
	for_each_set_bit(i, req->mask, layout->off[PFM_PART_TASK]) {
		link->vals[i] = req->in[i];
		pfm_overflow_written(link, layout, i);
	}
	link->last_cpu = -1;
	if (cpu)
		cpu_load(cpu, link);
}

/**
 * pfm_switch_write - write values of a link
 * @link: the link; the caller keeps it and its task alive
 * @mask: which values
 * @vals: one element a value
 *
 * Return: false when the task has ended: nothing was written.
 */
bool pfm_switch_write(struct pfm_link *link, const unsigned long *mask,
		      const u64 *vals)
{
	struct request req = {
		.link = link,
		.fn = write_link,
		.mask = mask,
		.in = vals,
	};
	const struct pfm_layout *layout = link->layout;
	const struct pfm_prog *prog = prog_of(layout, PFM_PART_TASK);
	u64 *task_vals = vals_of(link, layout, PFM_PART_TASK);
	unsigned int i = layout->off[PFM_PART_TASK];
	unsigned long flags;

	request_do(&req);
	if (req.dead || !prog->npmds)
		return !req.dead;
	raw_spin_lock_irqsave(&link->lock, flags);
	if (link->dead) {
		raw_spin_unlock_irqrestore(&link->lock, flags);
		return false;
	}
	if (link->task_on)
		prog->pmu->ops->save(prog, task_vals, link->task);
	for_each_set_bit_from(i, mask, layout->nvals) link->vals[i] = vals[i];
	if (link->task_on)
		prog->pmu->ops->restore(prog, task_vals, link->task, false);
	raw_spin_unlock_irqrestore(&link->lock, flags);
	return true;
}

static void reload_link(struct pfm_cpu *cpu, struct request *req)
{
	if (!cpu)
		return;
	cpu_unload(cpu);
	cpu_load(cpu, req->link);
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
	struct pfm_context *ctx = req->link->ctx;
	struct pfm_lane *lane = &ctx->lanes[0]->pub;
	u32 ctrl = PFM_CTRL_RESET;

	req->ret = ctx->masked ? 0 : -EBUSY;
	if (ctx->fmt && ctx->fmt->restart) {
		int ret = ctx->fmt->restart(lane, req->arg, &ctrl);

		/* Masked for another reason than the format's. */
		if (ret && ctx->masked)
			ctrl = PFM_CTRL_RESET;
		else
			req->ret = ret;
	}
	if (!ctx->masked || req->ret)
		return;
	if (ctrl & PFM_CTRL_RESET)
		pfm_overflow_rearm(req->link, req->link->layout);
	if (!(ctrl & PFM_CTRL_MASK))
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
 * Return: 0; -EBUSY when nothing waits for a restart.
 */
int pfm_switch_restart(struct pfm_link *link, u64 arg)
{
	struct request req = { .link = link, .fn = restart_link, .arg = arg };

	request_do(&req);
	return req.ret;
}

/* The end of a storm's millisecond: count for the current task again. */
static enum hrtimer_restart storm_over(struct hrtimer *timer)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&cpus);
	struct pfm_link *link;

	if (!cpu->link) {
		link = pfm_link_find(current);
		if (link)
			cpu_load(cpu, link);
	}
	return HRTIMER_NORESTART;
}

/* Counters of a set that samples wrapped: they stop while that is handled. */
static void handle_sampling(struct pfm_cpu *cpu, struct pt_regs *regs)
{
	counters_stop(cpu);
	if (!pfm_overflow_end(cpu->link, cpu->layout, regs)) {
		mark_changed(cpu);
		counters_run(cpu);
		return;
	}
	pfm_overflow_park(cpu->link, cpu->layout);
	mark_changed(cpu);
	if (!READ_ONCE(cpu->link->ctx->masked))
		hrtimer_start(&cpu->storm, ns_to_ktime(NSEC_PER_MSEC),
			      HRTIMER_MODE_REL_PINNED_HARD);
	cpu_release(cpu);
}

void pfm_overflow_handle(struct pt_regs *regs)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&cpus);
	const struct pfm_prog *prog;

	if (!cpu->link)
		return;
	if (cpu->layout->nsmpls) {
		handle_sampling(cpu, regs);
		return;
	}
	prog = prog_of(cpu->layout, PFM_PART_HW);
	if (prog->npmds)
		prog->pmu->ops->fold(prog, vals_of(cpu->link, cpu->layout,
						   PFM_PART_HW));
}
EXPORT_SYMBOL_GPL(pfm_overflow_handle);

void pfm_switch_suspend(void)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&cpus);
	const struct pfm_prog *prog;

	lockdep_assert_irqs_disabled();
	if (!cpu->link)
		return;
	prog = prog_of(cpu->layout, PFM_PART_HW);
	if (prog->npmds)
		prog->pmu->ops->save(prog, cpu->link->vals, cpu->link->task);
}
EXPORT_SYMBOL_GPL(pfm_switch_suspend);

/** pfm_switch_init - prepare the CPUs */
void pfm_switch_init(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		pfm_hrtimer_setup(&per_cpu_ptr(&cpus, cpu)->storm, storm_over,
				  CLOCK_MONOTONIC,
				  HRTIMER_MODE_REL_PINNED_HARD);
}

/** pfm_switch_exit - no context exists any more */
void pfm_switch_exit(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		hrtimer_cancel(&per_cpu_ptr(&cpus, cpu)->storm);
}

void pfm_switch_forget(void)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&cpus);
	const struct pfm_prog *prog;

	lockdep_assert_irqs_disabled();
	cpu->gen = 0;
	cpu->last = NULL;
	if (!cpu->link)
		return;
	prog = prog_of(cpu->layout, PFM_PART_HW);
	if (!prog->npmds)
		return;
	prog->pmu->ops->restore(prog,
				vals_of(cpu->link, cpu->layout, PFM_PART_HW),
				cpu->link->task, false);
	cpu->gen = cpu->layout->gen;
}
EXPORT_SYMBOL_GPL(pfm_switch_forget);
