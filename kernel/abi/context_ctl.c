// SPDX-License-Identifier: GPL-2.0-only
/*
 * Creating and destroying contexts, GET_CONFIG and SET_CONFIG.
 */
#include "abi/context_ctl.h"

#include <linux/capability.h>
#include <linux/cpumask.h>
#include <linux/fs.h>
#include <linux/pid_namespace.h>
#include <linux/poll.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "abi/cgroup_ctl.h"
#include "abi/user_page_map.h"
#include "attach/attach.h"
#include "attach/gate_probe.h"
#include "attach/load.h"
#include "compat.h"
#include "core/context.h"
#include "core/format.h"
#include "core/pmu.h"
#include "cpu/system_wide.h"
#include "sampling/block.h"
#include "sampling/lane.h"
#include "sampling/maps.h"
#include "sampling/message.h"
#include "set/layout.h"
#include "set/set.h"
#include "target/policy.h"
#include "target/record.h"
#include "target/reserve.h"
#include "target/session.h"

static void wake_consumers(struct irq_work *work)
{
	struct pfm_context *ctx = container_of(work, struct pfm_context, wake);

	wake_up_interruptible_all(&ctx->wait);
	kill_fasync(&ctx->fasync, SIGIO, POLL_IN);
}

/*
 * Copy the format's argument from user space and have the format check it; NULL if
 * none.
 */
static void *get_fmt_arg(const struct pfm_format *fmt,
			 const struct pfm_create *arg)
{
	void *fmt_arg;
	int ret;

	if (arg->fmt_arg_size != fmt->arg_size)
		return ERR_PTR(-EINVAL);
	if (!fmt->arg_size)
		return NULL;
	fmt_arg = memdup_user(u64_to_user_ptr(arg->fmt_arg), fmt->arg_size);
	if (IS_ERR(fmt_arg) || !fmt->validate)
		return fmt_arg;
	ret = fmt->validate(arg->flags, fmt_arg);
	if (ret) {
		kfree(fmt_arg);
		return ERR_PTR(ret);
	}
	return fmt_arg;
}

static bool wants_format(const struct pfm_create *arg)
{
	return memchr_inv(arg->fmt_uuid, 0, sizeof(arg->fmt_uuid));
}

static int check_create(const struct pfm_create *arg)
{
	const u32 known = PFM_CTX_FOLLOW_ALL | PFM_CTX_NOTIFY_BLOCK |
			  PFM_CTX_NO_MSG | PFM_CTX_MAPS | PFM_CTX_SYSTEM_WIDE |
			  PFM_CTX_AGGREGATE;
	const u32 not_system_wide = PFM_CTX_FOLLOW_ALL | PFM_CTX_NOTIFY_BLOCK |
				    PFM_CTX_MAPS | PFM_CTX_AGGREGATE;

	if ((arg->flags & ~known) || arg->reserved || arg->reserved2)
		return -EINVAL;
	if (!wants_format(arg) && (arg->fmt_arg || arg->fmt_arg_size))
		return -EINVAL;
	if ((arg->flags & PFM_CTX_NOTIFY_BLOCK) &&
	    (arg->flags & PFM_CTX_FOLLOW_ALL))
		return -EINVAL;
	if ((arg->flags & PFM_CTX_SYSTEM_WIDE) &&
	    (arg->flags & not_system_wide))
		return -EINVAL;
	if ((arg->flags & (PFM_CTX_NOTIFY_BLOCK | PFM_CTX_MAPS)) &&
	    !pfm_block_possible())
		return -EOPNOTSUPP;
	return 0;
}

/* Get the format and create the lanes of a new context. */
static int init_sampling(struct pfm_context *ctx, const struct pfm_create *arg)
{
	const struct pfm_format *fmt;
	void *fmt_arg = NULL;
	int ret;

	if (wants_format(arg)) {
		fmt = pfm_format_get(arg->fmt_uuid);
		if (IS_ERR(fmt))
			return PTR_ERR(fmt);
		ctx->fmt = fmt;
		fmt_arg = get_fmt_arg(fmt, arg);
		if (IS_ERR(fmt_arg))
			return PTR_ERR(fmt_arg);
	}
	ret = pfm_lane_create(ctx, fmt_arg);
	kfree(fmt_arg);
	return ret;
}

static void exit_sampling(struct pfm_context *ctx)
{
	pfm_lane_destroy(ctx);
	if (ctx->fmt)
		pfm_format_put(ctx->fmt);
}

/* Free a context when the last reference is dropped, see pfm_context.release. */
static void release(struct pfm_context *ctx)
{
	pfm_maps_discard(ctx);
	pfm_session_free(&ctx->session);
	put_pid_ns(ctx->pidns);
	pfm_memcg_put(ctx->memcg);
	kfree_rcu(ctx, rcu);
}

/**
 * pfm_context_create - create a context (PFM_IOC_CREATE_CONTEXT)
 * @arg: argument of the ioctl, not checked yet
 *
 * Context: process; may sleep.
 * Return: the context, or an error pointer with one of the errors of CREATE_CONTEXT in
 * <linux/perfmon.h>.
 */
struct pfm_context *pfm_context_create(const struct pfm_create *arg)
{
	struct pfm_context *ctx;
	int ret;

	ret = check_create(arg);
	if (ret)
		return ERR_PTR(ret);
	ctx = kzalloc(sizeof(*ctx), GFP_KERNEL_ACCOUNT);
	if (!ctx)
		return ERR_PTR(-ENOMEM);
	ret = pfm_pmu_pin(ctx->pmus);
	if (ret)
		goto out_free;
	mutex_init(&ctx->lock);
	mutex_init(&ctx->load_lock);
	refcount_set(&ctx->ref, 1);
	ctx->release = release;
	ctx->flags = arg->flags;
	ctx->privileged = perfmon_capable();
	ctx->sees_kernel = pfm_policy_sees_kernel();
	raw_spin_lock_init(&ctx->targets_lock);
	INIT_LIST_HEAD(&ctx->targets);
	INIT_LIST_HEAD(&ctx->records.list);
	INIT_LIST_HEAD(&ctx->records.merged);
	ctx->records.max = PFM_RECORDS_DFL;
	init_waitqueue_head(&ctx->wait);
	init_irq_work(&ctx->wake, wake_consumers);
	INIT_WORK(&ctx->rest, pfm_attach_rest);
	pfm_maps_init(ctx);
	pfm_set_init(ctx);
	pfm_reserve_init(ctx);
	ret = init_sampling(ctx, arg);
	if (ret)
		goto out_exit_sampling;
	ctx->pidns = get_pid_ns(task_active_pid_ns(current));
	ctx->memcg = pfm_memcg_get();
	return ctx;

out_exit_sampling:
	exit_sampling(ctx);
	pfm_set_exit(ctx);
	pfm_pmu_unpin(ctx->pmus);
	free_cpumask_var(ctx->calls);
out_free:
	kfree(ctx);
	return ERR_PTR(ret);
}

/**
 * pfm_context_destroy - destroy a context, as its last descriptor is gone
 * @ctx: the context
 *
 * Everything that could still use the context, and why it does not:
 *
 * (1) other ioctls on the descriptor: there are none, as this is its release;
 * (2) the switch probe and inter-processor calls: they get the context from a target,
 *     with interrupts off.  Unloading waits for the CPUs that count, and a switch probe
 *     that found a target earlier ends before the RCU grace period;
 * (3) fork, exec and exit probes: they get it from a target as well, in RCU sections;
 * (4) overflows: only CPUs that count handle them, and none does;
 * (5) irq_work and work items: only (3) and (4) queue them, so none is queued after the
 *     unload, and this function waits for those queued before;
 * (6) task work: that which blocks the thread uses its struct pfm_block and nothing
 *     else.  That which reports mappings holds a reference, and uses pfm_context.maps,
 *     which the last reference frees;
 * (7) mappings: each has a file of its own, and a reference to the memory that it maps,
 *     the buffer or the user page.  Neither refers to the context.
 *
 * Context: process; may sleep.
 */
void pfm_context_destroy(struct pfm_context *ctx)
{
	mutex_lock(&ctx->lock);
	pfm_load_end(ctx);
	mutex_unlock(&ctx->lock);
	if (ctx->rest_queued)
		cancel_work_sync(&ctx->rest);
	pfm_maps_discard(ctx);
	irq_work_sync(&ctx->wake);
	pfm_record_discard(ctx);
	exit_sampling(ctx);
	pfm_user_page_free(ctx);
	pfm_message_free(ctx);
	pfm_layout_put(ctx->shape);
	pfm_set_exit(ctx);
	pfm_pmu_unpin(ctx->pmus);
	free_cpumask_var(ctx->calls);
	pfm_cgroup_ctl_free(ctx);
	pfm_gate_probe_free(ctx);
	pfm_context_put(ctx);
}

static void implemented(const struct pfm_context *ctx, u64 *bits,
			enum pfm_reg_kind kind)
{
	u16 i;

	for (i = 0; i < PFM_REGS_MAX; i++) {
		if (pfm_pmu_reg(ctx, kind, i))
			bits[i / 64] |= BIT_ULL(i % 64);
	}
}

static u16 active_set(const struct pfm_context *ctx)
{
	const struct pfm_layout *layout;

	layout = rcu_dereference_protected(ctx->layout,
					   lockdep_is_held(&ctx->lock));
	if (!layout)
		return 0;
	return layout->csets[READ_ONCE(ctx->lanes[0]->slice.cset)].set;
}

/**
 * pfm_context_get_config - fill in the state of a context (PFM_IOC_GET_CONFIG)
 * @ctx: the context; pfm_context.lock is held
 * @cfg: out: all fields are set
 *
 * Context: process, interrupts on.
 */
void pfm_context_get_config(struct pfm_context *ctx, struct pfm_config *cfg)
{
	lockdep_assert_held(&ctx->lock);
	memset(cfg, 0, sizeof(*cfg));
	cfg->abi_version = PFM_ABI_VERSION;
	cfg->flags = ctx->flags;
	raw_spin_lock_irq(&ctx->targets_lock);
	cfg->state = !pfm_context_loaded(ctx) ? PFM_STATE_UNLOADED
		     : ctx->masked	      ? PFM_STATE_MASKED
					      : PFM_STATE_LOADED;
	cfg->running = pfm_context_started(ctx);
	cfg->records_max = ctx->records.max;
	cfg->records = ctx->records.n;
	cfg->merged = ctx->records.merged_tasks;
	cfg->follow_failed = ctx->follow_failed;
	cfg->unsplit = ctx->unsplit;
	cfg->barred = atomic64_read(&ctx->barred);
	cfg->unfollowed_threads = ctx->unfollowed_threads;
	cfg->unfollowed_processes = ctx->unfollowed_processes;
	cfg->tasks = ctx->ntargets;
	cfg->cpu = PFM_CPU_NONE;
	pfm_system_wide_config(ctx, cfg);
	raw_spin_unlock_irq(&ctx->targets_lock);
	cfg->sets = ctx->nsets;
	cfg->set = active_set(ctx);
	pfm_lane_stats(ctx, cfg);
	pfm_maps_stats(ctx, cfg);
	pfm_block_stats(ctx, cfg);
	implemented(ctx, cfg->impl_pmcs, PFM_PMC);
	implemented(ctx, cfg->impl_pmds, PFM_PMD);
	if (ctx->pmus[PFM_CLASS_HW])
		strscpy(cfg->pmu, ctx->pmus[PFM_CLASS_HW]->name,
			sizeof(cfg->pmu));
}

/* Change the FOLLOW flags.  They determine the number of lanes, so create new lanes. */
static int change_follow(struct pfm_context *ctx, u32 flags)
{
	struct pfm_lane_state **lanes = ctx->lanes;
	u32 n = ctx->nlanes, old = ctx->flags;
	int ret;

	if (!(flags & PFM_CTX_FOLLOW_ALL) == !(old & PFM_CTX_FOLLOW_ALL)) {
		ctx->flags = flags;
		return 0;
	}
	if (flags & (PFM_CTX_NOTIFY_BLOCK | PFM_CTX_SYSTEM_WIDE))
		return -EINVAL;
	ctx->flags = flags;
	ret = pfm_lane_create(ctx, NULL);
	if (ret)
		ctx->flags = old;
	else
		swap(ctx->lanes, lanes);
	if (!ret)
		swap(ctx->nlanes, n);
	/* Destroy the old lanes; or, after an error, what was made of the new ones. */
	pfm_lane_destroy(ctx);
	ctx->lanes = lanes;
	ctx->nlanes = n;
	return ret;
}

/**
 * pfm_context_set_config - change settings of a context (PFM_IOC_SET_CONFIG)
 * @ctx: the context; pfm_context.lock is held
 * @cfg: argument of the ioctl, not checked yet; only flags and records_max are used
 *
 * Context: process; may sleep.
 * Return: 0 or one of the errors of SET_CONFIG in <linux/perfmon.h>.
 */
int pfm_context_set_config(struct pfm_context *ctx,
			   const struct pfm_config *cfg)
{
	int ret;

	lockdep_assert_held(&ctx->lock);
	if (((cfg->flags ^ ctx->flags) & ~PFM_CTX_FOLLOW_ALL) || cfg->reserved)
		return -EINVAL;
	if (!cfg->records_max || cfg->records_max > PFM_RECORDS_MAX)
		return -ERANGE;
	/* A value that a privileged caller has set may be handed back by any caller. */
	if (cfg->records_max > PFM_RECORDS_DFL &&
	    cfg->records_max != ctx->records.max && !perfmon_capable())
		return -EPERM;
	/*
	 * The format was told at creation whether the context follows, so that is
	 * final.
	 */
	if (cfg->flags != ctx->flags && ctx->fmt)
		return -EOPNOTSUPP;
	if (cfg->flags != ctx->flags && rcu_access_pointer(ctx->layout))
		return -EBUSY;
	ret = change_follow(ctx, cfg->flags);
	if (ret)
		return ret;
	raw_spin_lock_irq(&ctx->targets_lock);
	WRITE_ONCE(ctx->records.max, cfg->records_max);
	raw_spin_unlock_irq(&ctx->targets_lock);
	/*
	 * With a smaller limit, enough records to wake the consumer may be waiting
	 * already.
	 */
	irq_work_queue(&ctx->wake);
	return 0;
}
