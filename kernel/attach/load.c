// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loading contexts on threads and CPUs, and unloading them.
 *
 * The calls of a context exclude each other by pfm_context.lock.  The end of
 * the last task happens without it, in the exit probe; what that leaves behind
 * is settled by the next call.
 */
#include "attach/load.h"

#include <linux/cpu.h>
#include <linux/irq_work.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "attach/attach.h"
#include "core/context.h"
#include "core/pmu.h"
#include "cpu/aggregate.h"
#include "cpu/remote.h"
#include "cpu/system_wide.h"
#include "cpu/tracepoints.h"
#include "sampling/block.h"
#include "sampling/lane.h"
#include "sampling/message.h"
#include "set/layout.h"
#include "set/set.h"
#include "target/reserve.h"
#include "target/retire.h"
#include "target/session.h"
#include "target/target.h"
#include "user/user_page.h"

/* Memory that a context needs while it is loaded: in one piece. */
static int alloc_values(struct pfm_context *ctx, u32 n)
{
	if (n <= PFM_CTX_FEW) {
		memset(ctx->few_values, 0, sizeof(ctx->few_values));
		ctx->totals.vals = ctx->few_values;
	} else {
		ctx->totals.vals =
			kvcalloc(n, 4 * sizeof(u64), GFP_KERNEL_ACCOUNT);
	}
	if (!ctx->totals.vals)
		return -ENOMEM;
	ctx->totals.missed = ctx->totals.vals + n;
	ctx->scratch = ctx->totals.missed + n;
	return 0;
}

static void free_values(struct pfm_context *ctx)
{
	if (ctx->totals.vals != ctx->few_values)
		kvfree(ctx->totals.vals);
	ctx->totals.vals = NULL;
	ctx->totals.missed = NULL;
	ctx->scratch = NULL;
}

/* Where the sets keep a value while the context is not loaded. */
static u64 *home_of(struct pfm_context *ctx, struct pfm_set *set, u16 i)
{
	if (i < set->pmds.n)
		return &set->pmds.v[i].value;
	switch (i - set->pmds.n) {
	case 0:
		return &set->active_ns;
	case 1:
		return &set->runs;
	default:
		return &ctx->enabled_ns;
	}
}

/* Values go from the sets to a target. */
static void values_out(struct pfm_context *ctx, const struct pfm_layout *layout,
		       struct pfm_target *target)
{
	u64 *vals = target->vals;
	u32 b;
	u16 i;

	for (b = 0; b < layout->ncsets; b++) {
		const struct pfm_cset *cset = &layout->csets[b];
		struct pfm_set *set = pfm_set_find(ctx, cset->set);

		pfm_target_use(target, b);
		for (i = 0; i < cset->nvals; i++)
			vals[cset->at + i] = *home_of(ctx, set, i);
		/* There, the value written is where the lanes' periods begin. */
		if (!pfm_context_follows(ctx))
			continue;
		for (i = 0; i < cset->nsmpls; i++)
			vals[cset->at + cset->smpls[i].at] = 0;
	}
}

/* Make the first target of a context. */
static struct pfm_target *create_root(struct pfm_context *ctx,
				      struct pfm_layout *layout,
				      struct task_struct *task,
				      enum pfm_sight_kind right)
{
	struct pfm_target *target;

	target = pfm_attach_target(ctx, layout, task, right);
	if (!target)
		return NULL;
	target->root = task;
	values_out(ctx, layout, target);
	pfm_aggregate_take(target);
	return target;
}

/* Whether a CPU's context depends on what runs there: a set leaves the idle task out. */
static bool needs_probes(const struct pfm_layout *layout)
{
	u32 i;

	for (i = 0; i < layout->ncsets; i++) {
		if (layout->csets[i].flags & PFM_SETFL_EXCL_IDLE)
			return true;
	}
	return false;
}

/* Publish the target of a CPU, which hot-plug does not take away meanwhile. */
static int publish_on_cpu(struct pfm_target *target, struct pfm_layout *layout,
			  int cpu)
{
	int ret = -ENODEV;

	cpus_read_lock();
	if (cpu_online(cpu))
		ret = pfm_attach_publish(target, layout, cpu);
	if (!ret)
		pfm_system_wide_own(cpu, target);
	cpus_read_unlock();
	return ret;
}

/**
 * pfm_load_on - attach a context to a task or a CPU
 * @ctx: the context, unloaded; pfm_context.lock is held
 * @task: the task, NULL for a CPU
 * @right: from pfm_access_task(); of no meaning for a CPU
 * @cpu: the CPU, -1 for a task
 * @set: event set that is active first
 *
 * Return: 0 or one of the errors in <linux/perfmon.h>.
 */
int pfm_load_on(struct pfm_context *ctx, struct task_struct *task,
		enum pfm_sight_kind right, int cpu, u16 set)
{
	const struct pfm_cset *cset;
	struct pfm_layout *layout;
	struct pfm_target *target;
	bool probes;
	int ret;

	layout = pfm_layout_create(ctx);
	if (IS_ERR(layout))
		return PTR_ERR(layout);
	ret = alloc_values(ctx, layout->nvals);
	if (!ret)
		ret = pfm_aggregate_create(ctx, layout);
	if (!ret)
		ret = pfm_reserve_load(ctx, layout);
	if (!ret)
		ret = pfm_block_begin(ctx);
	if (ret)
		goto out_free_values;
	cset = pfm_layout_cset(layout, set);
	ret = pfm_lane_load(ctx, layout, cset - layout->csets);
	if (!ret && (layout->nsmpls || ctx->fmt))
		ret = pfm_message_prepare(ctx);
	if (ret)
		goto out_free_values;
	target = create_root(ctx, layout, task, right);
	if (!target) {
		ret = -ENOMEM;
		goto out_free_values;
	}
	probes = task || needs_probes(layout);
	if (probes) {
		ret = pfm_tracepoints_get();
		if (ret)
			goto out_free_target;
	}
	ctx->probed = probes;
	ret = pfm_layout_uses(layout, PFM_CLASS_HW) ? pfm_pmu_acquire(ctx) : 0;
	if (ret)
		goto out_put_probes;
	pfm_session_prepare(&ctx->session, task);
	ret = task ? pfm_attach_publish(target, layout, -1)
		   : publish_on_cpu(target, layout, cpu);
	if (ret)
		goto out_release;
	return 0;

out_release:
	pfm_pmu_release(ctx);
	pfm_pmu_settle(ctx);
out_put_probes:
	if (probes)
		pfm_tracepoints_put();
	ctx->probed = false;
out_free_target:
	if (task)
		put_task_struct(task);
	pfm_target_free(target);
out_free_values:
	pfm_block_end(ctx);
	pfm_reserve_unload(ctx);
	pfm_aggregate_free(ctx);
	pfm_lane_unload(ctx);
	free_values(ctx);
	pfm_layout_put(layout);
	return ret;
}

/* Back to UNLOADED. */
static void drop_layout(struct pfm_context *ctx)
{
	struct pfm_layout *layout;

	pfm_user_page_unloaded(ctx);
	pfm_block_end(ctx);
	pfm_reserve_unload(ctx);
	pfm_aggregate_free(ctx);
	layout = rcu_replace_pointer(ctx->layout, NULL,
				     lockdep_is_held(&ctx->lock));
	pfm_layout_put(layout);
	pfm_lane_unload(ctx);
	free_values(ctx);
	/* Who unloads to let others at the PMU finds it free afterwards. */
	pfm_pmu_settle(ctx);
}

/* Back to UNLOADED: the sums become the registers' values. */
static void values_home(struct pfm_context *ctx)
{
	struct pfm_layout *layout;
	u32 b;
	u16 i;

	pfm_aggregate_collect(ctx);
	layout = rcu_dereference_protected(ctx->layout,
					   lockdep_is_held(&ctx->lock));
	for (b = 0; b < layout->ncsets; b++) {
		const struct pfm_cset *cset = &layout->csets[b];
		struct pfm_set *set = pfm_set_find(ctx, cset->set);

		for (i = 0; i < cset->nvals; i++)
			*home_of(ctx, set, i) = ctx->totals.vals[cset->at + i];
	}
	drop_layout(ctx);
}

/**
 * pfm_load_settle - finish what the end of the last task left to do
 * @ctx: the context; pfm_context.lock is held
 *
 * Each call begins with this, once the session has ended.
 */
void pfm_load_settle(struct pfm_context *ctx)
{
	lockdep_assert_held(&ctx->lock);
	if (!READ_ONCE(ctx->ended) || !rcu_access_pointer(ctx->layout))
		return;
	/* The probe that ended the session may still hold the lock. */
	raw_spin_lock_irq(&ctx->targets_lock);
	raw_spin_unlock_irq(&ctx->targets_lock);
	values_home(ctx);
}

/**
 * pfm_load_await_end - wait until the probe that ends the session is done
 * @ctx: the context, whose last task is gone; pfm_context.lock is held
 *
 * The probe drops the lock for moments, and is not preempted meanwhile.
 */
void pfm_load_await_end(struct pfm_context *ctx)
{
	bool loaded;

	lockdep_assert_held(&ctx->lock);
	for (;;) {
		raw_spin_lock_irq(&ctx->targets_lock);
		loaded = ctx->loaded;
		raw_spin_unlock_irq(&ctx->targets_lock);
		if (!loaded)
			break;
		cpu_relax();
		cond_resched();
	}
	pfm_load_settle(ctx);
}

/*
 * From now on no CPU begins to count for any target of the context, and no probe
 * changes the list: however many targets there are, nothing is done to them.
 */
static void claim_targets(struct pfm_context *ctx)
{
	raw_spin_lock_irq(&ctx->targets_lock);
	WRITE_ONCE(ctx->started, false);
	ctx->start_on_exec = false;
	ctx->unloading = true;
	raw_spin_unlock_irq(&ctx->targets_lock);
}

/*
 * Targets that are retired before others may run.  Not after each: where the tasks of the
 * session keep all CPUs busy, the unload would wait for a turn as often.
 */
#define UNLOAD_BATCH 1024

/* Retire a target of an unload, but one that a probe is about to take off. */
static void drop_target(struct pfm_target *target)
	__must_hold(&target->ctx->targets_lock)
{
	struct pfm_context *ctx = target->ctx;
	struct task_struct *task = NULL;

	lockdep_assert_held(&ctx->targets_lock);
	if (!target->dead) {
		raw_spin_lock(&target->lock);
		target->dead = true;
		raw_spin_unlock(&target->lock);
		task = target->task;
		pfm_target_retire(target, PFM_RECORD_UNLOAD, 0);
	}
	raw_spin_unlock_irq(&ctx->targets_lock);
	if (task)
		put_task_struct(task);
	cpu_relax();
	raw_spin_lock_irq(&ctx->targets_lock);
}

/* The targets are the caller's, and no CPU counts for them. */
static void drop_targets(struct pfm_context *ctx)
{
	unsigned int n = 0;

	raw_spin_lock_irq(&ctx->targets_lock);
	while (!list_empty(&ctx->targets)) {
		drop_target(list_first_entry(&ctx->targets, struct pfm_target,
					     node));
		if (++n % UNLOAD_BATCH)
			continue;
		raw_spin_unlock_irq(&ctx->targets_lock);
		cond_resched();
		raw_spin_lock_irq(&ctx->targets_lock);
	}
	ctx->unloading = false;
	if (ctx->loaded)
		pfm_attach_over(ctx);
	raw_spin_unlock_irq(&ctx->targets_lock);
}

/**
 * pfm_load_undo - forget a load: the context is as it was before
 * @ctx: the context, never started since; pfm_context.lock is held
 */
void pfm_load_undo(struct pfm_context *ctx)
{
	lockdep_assert_held(&ctx->lock);
	claim_targets(ctx);
	drop_targets(ctx);
	drop_layout(ctx);
}

/**
 * pfm_load_end - detach from all tasks
 * @ctx: the context; pfm_context.lock is held
 *
 * Values stay in the context; tasks that are followed leave their records.
 */
void pfm_load_end(struct pfm_context *ctx)
{
	lockdep_assert_held(&ctx->lock);
	pfm_load_settle(ctx);
	if (!rcu_access_pointer(ctx->layout))
		return;
	claim_targets(ctx);
	pfm_remote_stop(ctx);
	if (pfm_context_is_system_wide(ctx))
		pfm_system_wide_detach(ctx);
	drop_targets(ctx);
	values_home(ctx);
	/* The last records wait. */
	if (READ_ONCE(ctx->records.n))
		irq_work_queue(&ctx->wake);
}
