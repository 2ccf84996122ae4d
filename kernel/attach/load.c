// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loading contexts on threads and CPUs, and unloading them.
 *
 * The ioctls of a context exclude each other by pfm_context.lock.  When the last task
 * ends, the exit probe ends the session without that lock.  The probe cannot do work that
 * sleeps; the next ioctl does it: pfm_load_settle().
 */
#include "attach/load.h"

#include <linux/cpu.h>
#include <linux/cred.h>
#include <linux/irq_work.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/pid_namespace.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uidgid.h>

#include "attach/attach.h"
#include "attach/gate_probe.h"
#include "core/context.h"
#include "core/cpu_state.h"
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
#include "target/gate.h"
#include "target/policy.h"
#include "target/reserve.h"
#include "target/retire.h"
#include "target/session.h"
#include "target/target.h"
#include "user/user_page.h"

/* Allocate totals and scratch memory for n values, all in one piece. */
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

/* Where a set keeps its value number i while the context is not loaded. */
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

/* Copy the values from the sets to the context's first target. */
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
		/*
		 * In a context that follows, the value that was written is the
		 * first value of the lanes' periods, and not a count.
		 */
		if (!pfm_context_follows(ctx))
			continue;
		for (i = 0; i < cset->nsmpls; i++)
			vals[cset->at + cset->smpls[i].at] = 0;
	}
}

/* Create the first target of a context, without a task. */
static struct pfm_target *create_root(struct pfm_context *ctx,
				      struct pfm_layout *layout)
{
	struct pfm_target *target;

	target = pfm_target_create(ctx, layout, NULL, GFP_KERNEL_ACCOUNT);
	if (!target)
		return NULL;
	values_out(ctx, layout, target);
	pfm_aggregate_take(target);
	return target;
}

/* Publish the target of a CPU; the hot-plug lock keeps the CPU online meanwhile. */
static int publish_on_cpu(struct pfm_target *target, struct pfm_layout *layout,
			  int cpu)
{
	int ret = -ENODEV;

	/* Until the CPU knows the target, nobody must find the session and take it away. J9 */
	mutex_lock(&target->ctx->load_lock);
	cpus_read_lock();
	if (cpu_online(cpu))
		ret = per_cpu(pfm_cpus, cpu).barred & layout->classes
			      ? -ENXIO
			      : pfm_attach_publish(target, layout, cpu,
						   PFM_CTX_STOPPED);
	if (!ret)
		pfm_system_wide_attach(target);
	cpus_read_unlock();
	mutex_unlock(&target->ctx->load_lock);
	return ret;
}

/* Acquire the PMUs whose registers the layout uses.  Returns 0 or -errno. */
static int acquire_pmus(struct pfm_context *ctx,
			const struct pfm_layout *layout)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < PFM_CLASSES && !ret; i++) {
		const struct pfm_pmu *pmu = ctx->pmus[i];

		/* There may be thousands of sets, so ask about few classes. */
		if (pmu && pmu->ops->acquire && pfm_layout_uses(layout, i))
			ret = pfm_pmu_acquire(ctx, i);
	}
	return ret;
}

/*
 * True if the context may use registers that the policy has reserved: it monitors a CPU, and not
 * only because that runs tasks of the caller's container.
 */
static bool may_use_reserved(const struct pfm_context *ctx)
{
	return pfm_context_is_system_wide(ctx) && pfm_policy_cpus();
}

/**
 * pfm_load_prepare - do what a load has to do before it can be published
 * @ctx: the context, unloaded; pfm_context.lock is held
 * @set: number of the event set that is active first; it exists
 * @loading: out: what was made
 *
 * All that may take long is done here: memory, the probes, and PMUs that others have to
 * give up.  The caller does not hold the exec_update_lock of the task, as it would keep the
 * task from executing a program meanwhile.
 *
 * Context: process; may sleep.
 * Return: 0, and the caller calls pfm_load_publish() with success, or pfm_load_cancel(); or
 * one of the errors of LOAD_CONTEXT in <linux/perfmon.h>.
 */
int pfm_load_prepare(struct pfm_context *ctx, u16 set,
		     struct pfm_loading *loading)
{
	const struct pfm_cset *cset;
	struct pfm_layout *layout;
	int ret;

	lockdep_assert_held(&ctx->lock);
	*loading = (struct pfm_loading){};
	layout = pfm_layout_create(ctx);
	if (IS_ERR(layout))
		return PTR_ERR(layout);
	loading->layout = layout;
	memcpy(ctx->wants, layout->holds, sizeof(ctx->wants));
	ret = -EACCES;
	if (pfm_policy_reserved(layout->holds) && !may_use_reserved(ctx))
		goto out_cancel;
	ret = alloc_values(ctx, layout->nvals);
	if (!ret)
		ret = pfm_aggregate_create(ctx, layout);
	if (!ret)
		ret = pfm_reserve_load(ctx, layout);
	if (!ret)
		ret = pfm_gate_load(ctx, layout);
	if (!ret)
		ret = pfm_block_begin(ctx);
	if (ret)
		goto out_cancel;
	cset = pfm_layout_cset(layout, set);
	ret = pfm_lane_load(ctx, layout, cset - layout->csets);
	if (!ret && (layout->nsmpls || ctx->fmt))
		ret = pfm_message_prepare(ctx);
	if (ret)
		goto out_cancel;
	loading->target = create_root(ctx, layout);
	ret = -ENOMEM;
	if (!loading->target)
		goto out_cancel;
	/* A CPU's context needs the switch probe if it leaves some tasks out. */
	if (!pfm_context_is_system_wide(ctx) || layout->idle_out ||
	    ctx->cgroup) {
		ret = pfm_tracepoints_get(PFM_PROBES_TASKS);
		if (ret)
			goto out_cancel;
		loading->probes = true;
	}
	ctx->probed = loading->probes;
	if (layout->max_side) {
		ret = pfm_tracepoints_get(PFM_PROBES_INTR);
		if (ret)
			goto out_cancel;
		loading->intr_probes = true;
	}
	ctx->intr_probed = loading->intr_probes;
	ret = acquire_pmus(ctx, layout);
	if (ret)
		goto out_cancel;
	return 0;

out_cancel:
	pfm_load_cancel(ctx, loading);
	return ret;
}

/**
 * pfm_load_publish - attach a prepared context to a task
 * @ctx: the context; pfm_context.lock and load_lock are held
 * @loading: from pfm_load_prepare()
 * @task: the task, whose exec_update_lock the caller has held for reading since before it
 *	called pfm_access_task()
 * @right: from pfm_access_task()
 * @state: state of the loaded context
 *
 * Context: process.
 * Return: 0, and the context is loaded; or one of the errors of LOAD_CONTEXT in
 * <linux/perfmon.h>, and nothing but pfm_load_cancel() may follow.
 */
int pfm_load_publish(struct pfm_context *ctx, struct pfm_loading *loading,
		     struct task_struct *task, enum pfm_sight_kind right,
		     enum pfm_ctx_state state)
{
	lockdep_assert_held(&ctx->lock);
	lockdep_assert_held(&ctx->load_lock);
	pfm_attach_identify(loading->target, task, right);
	loading->target->root = true;
	pfm_session_prepare(&ctx->session, task, NULL);
	return pfm_attach_publish(loading->target, loading->layout, -1, state);
}

/**
 * pfm_load_cancel - undo pfm_load_prepare()
 * @ctx: the context, not loaded; pfm_context.lock is held
 * @loading: from pfm_load_prepare()
 *
 * Context: process; may sleep.
 */
void pfm_load_cancel(struct pfm_context *ctx, struct pfm_loading *loading)
{
	lockdep_assert_held(&ctx->lock);
	pfm_layout_end(loading->layout);
	pfm_pmu_release(ctx);
	pfm_pmu_settle(ctx);
	if (loading->probes)
		pfm_tracepoints_put(PFM_PROBES_TASKS);
	ctx->probed = false;
	if (loading->intr_probes)
		pfm_tracepoints_put(PFM_PROBES_INTR);
	ctx->intr_probed = false;
	if (loading->target) {
		if (loading->target->task)
			put_task_struct(loading->target->task);
		pfm_target_free(loading->target);
	}
	pfm_block_end(ctx);
	pfm_reserve_unload(ctx);
	pfm_aggregate_free(ctx);
	pfm_lane_unload(ctx);
	free_values(ctx);
	pfm_layout_put(loading->layout);
}

/**
 * pfm_load_on_cpu - load a context on a CPU
 * @ctx: the context, system-wide and unloaded; pfm_context.lock is held
 * @cpu: the CPU, a possible one
 * @set: number of the event set that is active first; it exists
 *
 * Context: process; may sleep.
 * Return: 0 or one of the errors of LOAD_CONTEXT in <linux/perfmon.h>.
 */
int pfm_load_on_cpu(struct pfm_context *ctx, int cpu, u16 set)
{
	struct pfm_loading loading;
	int ret;

	ret = pfm_load_prepare(ctx, set, &loading);
	if (ret)
		return ret;
	/* The right to monitor a container is no right to look into all of its programs. */
	pfm_attach_identify(loading.target, NULL,
			    pfm_policy_cpus() ? PFM_SIGHT_CPU : PFM_SIGHT_NONE);
	pfm_session_prepare(&ctx->session, NULL, ctx->cgroup);
	ret = publish_on_cpu(loading.target, loading.layout, cpu);
	if (ret)
		pfm_load_cancel(ctx, &loading);
	return ret;
}

/* Drop the layout and all that belongs to it: the context is unloaded. */
static void drop_layout(struct pfm_context *ctx)
{
	struct pfm_layout *layout;

	pfm_user_page_unloaded(ctx);
	/* I4 */
	pfm_gate_probe_unregister(ctx);
	pfm_block_end(ctx);
	pfm_reserve_unload(ctx);
	pfm_aggregate_free(ctx);
	layout = rcu_replace_pointer(ctx->layout, NULL,
				     lockdep_is_held(&ctx->lock));
	pfm_layout_end(layout);
	pfm_layout_put(layout);
	pfm_lane_unload(ctx);
	free_values(ctx);
	/* Wait, so that the PMU is free when UNLOAD returns. */
	pfm_pmu_settle(ctx);
}

/* Store the sums in the sets as the registers' values, then drop the layout. */
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
 * pfm_load_settle - do the work that the probe which ended the session could not do
 * @ctx: the context; pfm_context.lock is held
 *
 * Each ioctl begins with this.  It does nothing unless a session has ended.
 *
 * Context: process; may sleep.
 */
void pfm_load_settle(struct pfm_context *ctx)
{
	lockdep_assert_held(&ctx->lock);
	if (!pfm_context_ended(ctx) || !rcu_access_pointer(ctx->layout))
		return;
	/* Wait for the probe that ended the session to drop the lock. */
	raw_spin_lock_irq(&ctx->targets_lock);
	raw_spin_unlock_irq(&ctx->targets_lock);
	values_home(ctx);
}

/**
 * pfm_load_await_end - wait until whoever is ending the session is done
 * @ctx: the context, whose last target is dead; pfm_context.lock is held
 *
 * A probe drops targets_lock for moments only, and is not preempted meanwhile.  A LOAD that takes
 * the registers may be, so wait for it asleep.
 *
 * Context: process; may sleep.
 */
void pfm_load_await_end(struct pfm_context *ctx)
{
	bool loaded;

	lockdep_assert_held(&ctx->lock);
	mutex_lock(&ctx->load_lock);
	mutex_unlock(&ctx->load_lock);
	for (;;) {
		raw_spin_lock_irq(&ctx->targets_lock);
		loaded = pfm_context_loaded(ctx);
		raw_spin_unlock_irq(&ctx->targets_lock);
		if (!loaded)
			break;
		cpu_relax();
		cond_resched();
	}
	pfm_load_settle(ctx);
}

/*
 * From now on no CPU begins to count for a target of the context, and no probe changes
 * the list of targets.  This takes a few stores, however many targets there are.  If the last
 * task has ended meanwhile, there is nothing to claim.  Returns true when CPUs may be counting
 * for the context. U1
 */
static bool claim_targets(struct pfm_context *ctx, enum pfm_ctx_state state)
{
	bool was;

	raw_spin_lock_irq(&ctx->targets_lock);
	was = pfm_context_started(ctx);
	if (pfm_context_loaded(ctx))
		pfm_context_move(ctx, state);
	raw_spin_unlock_irq(&ctx->targets_lock);
	return was;
}

/*
 * Number of targets to retire before the CPU is given to other tasks.  It is large,
 * because UNLOAD then waits for a CPU if the session's tasks keep all CPUs busy.
 */
#define UNLOAD_BATCH 1024

/*
 * Retire a target.  If it is dead, only drop the lock for a moment, so that the probe
 * that is ending it can take it off the list.
 */
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

/*
 * Retire all targets, which belong to the caller; no CPU counts for them.  The state is the given
 * one then, unless the last task has ended by itself.
 */
static void drop_targets(struct pfm_context *ctx, enum pfm_ctx_state state)
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
	if (pfm_context_loaded(ctx)) {
		pfm_attach_over(ctx, state);
		/* The owner waits for the lock before it frees what this uses. */
		if (state == PFM_CTX_ENDED)
			irq_work_queue(&ctx->wake);
	}
	raw_spin_unlock_irq(&ctx->targets_lock);
}

/* No CPU counts for the context, and the state owns its targets: end the session. */
static void end_session(struct pfm_context *ctx, enum pfm_ctx_state state)
{
	lockdep_assert_held(&ctx->load_lock);
	if (pfm_context_is_system_wide(ctx))
		pfm_system_wide_detach(ctx);
	drop_targets(ctx, state);
}

/**
 * pfm_load_undo - undo a load: the context gets back the state that it had before
 * @ctx: the context, not started since the load; pfm_context.lock is held, and load_lock since
 *	before the load
 *
 * Context: process; may sleep.
 */
void pfm_load_undo(struct pfm_context *ctx)
{
	lockdep_assert_held(&ctx->lock);
	lockdep_assert_held(&ctx->load_lock);
	claim_targets(ctx, PFM_CTX_UNDOING);
	drop_targets(ctx, PFM_CTX_LOADING);
	drop_layout(ctx);
}

/**
 * pfm_load_end - unload a context: detach it from all tasks
 * @ctx: the context; pfm_context.lock is held
 *
 * The values stay in the context.  Tasks that were followed leave their records.
 *
 * Context: process; may sleep.
 */
void pfm_load_end(struct pfm_context *ctx)
{
	lockdep_assert_held(&ctx->lock);
	pfm_load_settle(ctx);
	if (!rcu_access_pointer(ctx->layout))
		return;
	mutex_lock(&ctx->load_lock);
	/* The registers may have been taken meanwhile. */
	if (pfm_context_loaded(ctx)) {
		if (claim_targets(ctx, PFM_CTX_UNLOADING))
			/* U2 */
			pfm_remote_stop(ctx);
		end_session(ctx, PFM_CTX_UNLOADED);
	}
	mutex_unlock(&ctx->load_lock);
	/* If a probe has ended the session, wait for it to drop the lock. */
	raw_spin_lock_irq(&ctx->targets_lock);
	raw_spin_unlock_irq(&ctx->targets_lock);
	values_home(ctx);
	/* Wake the consumer for the last records. */
	if (READ_ONCE(ctx->records.n))
		irq_work_queue(&ctx->wake);
}

/**
 * pfm_load_probe - register the probes of a context that has ranges, which was loaded a moment ago
 * @ctx: the context; pfm_context.lock is held
 *
 * Context: process; may sleep.
 * Return: 0; or one of the errors of LOAD_CONTEXT in <linux/perfmon.h>, and the context is
 * unloaded.
 */
int pfm_load_probe(struct pfm_context *ctx)
{
	int ret;

	lockdep_assert_held(&ctx->lock);
	ret = pfm_gate_probe_register(ctx);
	if (ret)
		pfm_load_end(ctx);
	return ret;
}

/* Say in the END message who has taken the registers: the caller. */
static void name_taker(struct pfm_context *ctx)
{
	struct pfm_msg_end *end = &ctx->end;

	lockdep_assert_held(&ctx->targets_lock);
	end->reason = PFM_END_TAKEN;
	end->taker_pid = task_tgid_nr_ns(current, ctx->pidns);
	end->taker_uid = from_kuid_munged(ctx->pidns->user_ns, current_uid());
	pfm_session_name(current->comm, end->taker_comm);
}

/**
 * pfm_load_take - end the session of a context that somebody else owns
 * @ctx: the context, on which the caller has a reference
 * @number: number of the session
 * @started: end it also if it is started, or waits for an exec
 *
 * The owner is not waited for, and does not wait for more than this.  Its counts and records stay
 * with it: its next ioctl finds that the session has ended.
 *
 * Context: process; may sleep.
 * Return: true if the session has ended, by this or otherwise.
 */
bool pfm_load_take(struct pfm_context *ctx, u64 number, bool started)
{
	bool over, take;

	/* LOAD of a process may have it for long. */
	if (mutex_lock_killable(&ctx->load_lock))
		return false;
	raw_spin_lock_irq(&ctx->targets_lock);
	over = !pfm_context_loaded(ctx) || ctx->session.number != number;
	take = !over && !ctx->session.ranks &&
	       (started || ctx->state == PFM_CTX_STOPPED);
	if (take) {
		/* J9 */
		pfm_context_move(ctx, PFM_CTX_UNLOADING);
		name_taker(ctx);
	}
	raw_spin_unlock_irq(&ctx->targets_lock);
	if (take) {
		pfm_remote_stop_all(ctx);
		end_session(ctx, PFM_CTX_ENDED);
	}
	mutex_unlock(&ctx->load_lock);
	return over || take;
}
