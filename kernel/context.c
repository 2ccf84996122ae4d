// SPDX-License-Identifier: GPL-2.0-only
/*
 * Contexts: creation, destruction, configuration.
 */
#include "context.h"

#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/pid_namespace.h>
#include <linux/poll.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "attach.h"
#include "layout.h"
#include "pmu.h"
#include "record.h"

static void wake_readers(struct irq_work *work)
{
	struct pfm_context *ctx = container_of(work, struct pfm_context, wake);

	wake_up_interruptible_all(&ctx->wait);
	kill_fasync(&ctx->fasync, SIGIO, POLL_IN);
}

/**
 * pfm_context_create - make a context
 * @flags: PFM_CTX_*, checked
 *
 * Return: the context; error pointer -ENODEV without any PMU description,
 * -ENOMEM.
 */
struct pfm_context *pfm_context_create(u32 flags)
{
	struct pfm_context *ctx;
	int ret;

	ctx = kzalloc(sizeof(*ctx), GFP_KERNEL_ACCOUNT);
	if (!ctx)
		return ERR_PTR(-ENOMEM);
	ret = pfm_pmu_pin(ctx->pmus);
	if (ret) {
		kfree(ctx);
		return ERR_PTR(ret);
	}
	mutex_init(&ctx->lock);
	ctx->flags = flags;
	ctx->privileged = perfmon_capable();
	ctx->pidns = get_pid_ns(task_active_pid_ns(current));
	raw_spin_lock_init(&ctx->links_lock);
	INIT_LIST_HEAD(&ctx->links);
	INIT_LIST_HEAD(&ctx->records);
	INIT_LIST_HEAD(&ctx->merged);
	ctx->records_max = PFM_RECORDS_DFL;
	init_waitqueue_head(&ctx->wait);
	init_irq_work(&ctx->wake, wake_readers);
	return ctx;
}

/**
 * pfm_context_destroy - the last descriptor is gone
 * @ctx: the context
 *
 * Who may still hold it, and why that is over:
 * (1) other calls on the descriptor: none, this is its release;
 * (2) the switch hook and inter-processor calls: have the context from a link
 *     with interrupts off; unloading waits for the CPUs that count, and a hook
 *     that found a link earlier ends before the RCU grace period;
 * (3) fork, exec and exit probes: in RCU sections, likewise;
 * (4) irq_work: queued by (3) only for links that were not dead, so not after
 *     the unload; waited for.
 */
void pfm_context_destroy(struct pfm_context *ctx)
{
	mutex_lock(&ctx->lock);
	pfm_attach_unload(ctx);
	mutex_unlock(&ctx->lock);
	irq_work_sync(&ctx->wake);
	pfm_record_discard(ctx);
	pfm_set_free(&ctx->set0);
	pfm_pmu_unpin(ctx->pmus);
	put_pid_ns(ctx->pidns);
	mutex_destroy(&ctx->lock);
	kfree_rcu(ctx, rcu);
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

/**
 * pfm_context_get_config - PFM_IOC_GET_CONFIG
 * @ctx: the context; pfm_context.lock is held
 * @cfg: filled in
 */
void pfm_context_get_config(struct pfm_context *ctx, struct pfm_config *cfg)
{
	lockdep_assert_held(&ctx->lock);
	memset(cfg, 0, sizeof(*cfg));
	cfg->abi_version = PFM_ABI_VERSION;
	cfg->flags = ctx->flags;
	raw_spin_lock_irq(&ctx->links_lock);
	cfg->state = ctx->loaded ? PFM_STATE_LOADED : PFM_STATE_UNLOADED;
	cfg->running = ctx->started;
	cfg->records_max = ctx->records_max;
	cfg->records = ctx->nrecords;
	cfg->merged = ctx->merged_tasks;
	cfg->follow_failed = ctx->follow_failed;
	cfg->unsplit = ctx->unsplit;
	cfg->tasks = ctx->nlinks;
	raw_spin_unlock_irq(&ctx->links_lock);
	implemented(ctx, cfg->impl_pmcs, PFM_PMC);
	implemented(ctx, cfg->impl_pmds, PFM_PMD);
	if (ctx->pmus[PFM_PART_HW])
		strscpy(cfg->pmu, ctx->pmus[PFM_PART_HW]->name,
			sizeof(cfg->pmu));
}

/**
 * pfm_context_set_config - PFM_IOC_SET_CONFIG
 * @ctx: the context; pfm_context.lock is held
 * @cfg: from user space
 *
 * Return: 0, -EINVAL, -ERANGE, -EPERM or -EBUSY.
 */
int pfm_context_set_config(struct pfm_context *ctx,
			   const struct pfm_config *cfg)
{
	lockdep_assert_held(&ctx->lock);
	if (cfg->flags & ~PFM_CTX_FOLLOW_ALL || cfg->reserved)
		return -EINVAL;
	if (!cfg->records_max || cfg->records_max > PFM_RECORDS_MAX)
		return -ERANGE;
	if (cfg->records_max > PFM_RECORDS_DFL && !perfmon_capable())
		return -EPERM;
	if (cfg->flags != ctx->flags && rcu_access_pointer(ctx->layout))
		return -EBUSY;
	ctx->flags = cfg->flags;
	raw_spin_lock_irq(&ctx->links_lock);
	WRITE_ONCE(ctx->records_max, cfg->records_max);
	raw_spin_unlock_irq(&ctx->links_lock);
	/* With a smaller batch, one may wait already. */
	irq_work_queue(&ctx->wake);
	return 0;
}
