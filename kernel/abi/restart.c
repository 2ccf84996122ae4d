// SPDX-License-Identifier: GPL-2.0-only
/*
 * RESTART: going on after an overflow notification.
 */
#include "abi/restart.h"

#include <linux/cpu.h>
#include <linux/smp.h>
#include <perfmon/critical.h>
#include <perfmon/format.h>

#include "core/context.h"
#include "cpu/remote.h"
#include "sampling/block.h"
#include "sampling/lane.h"
#include "target/target.h"

/**
 * struct restart - call of a format's restart callback
 * @ctx: the context
 * @lane: lane that the callback is about
 * @arg: argument for the format
 * @ret: out: result of the callback
 */
struct restart {
	struct pfm_context *ctx;
	struct pfm_lane_state *lane;
	u64 arg;
	int ret;
};

/* Let the format do the work of a RESTART that takes too long with interrupts off. */
static void prepare_lane(struct pfm_context *ctx, u32 i, u64 arg)
{
	if (ctx->fmt && ctx->fmt->prepare)
		ctx->fmt->prepare(&ctx->lanes[i]->pub, arg);
}

/*
 * Call the restart callback for one lane; interrupts are off.  Runs on the lane's CPU, or
 * on another while the lane's CPU does not count for the context and cannot begin to.
 */
static void restart_lane(void *arg)
{
	struct restart *restart = arg;
	const struct pfm_format *fmt = restart->ctx->fmt;
	u32 ctrl = 0;

	pfm_critical_enter();
	/* If the format has no callback: is there a notification to answer? */
	restart->ret = restart->lane->notified ? 0 : -EBUSY;
	if (fmt && fmt->restart)
		restart->ret =
			fmt->restart(&restart->lane->pub, restart->arg, &ctrl);
	/* If the format refuses, the lane stays as it is. */
	if (!restart->ret)
		pfm_lane_notified(restart->lane, ctrl & PFM_CTRL_NOTIFY);
	pfm_critical_exit();
}

/* Call the restart callback for one lane; disturbs no CPU that does not count. G1 */
static void restart_lane_of(struct restart *restart)
{
	struct pfm_lane_state *lane = restart->lane;
	unsigned long flags;
	bool busy;

	raw_spin_lock_irqsave(&lane->lock, flags);
	/* Pairs with the store in pfm_lane_leave(). */
	busy = smp_load_acquire(&lane->busy);
	if (!busy)
		restart_lane(restart);
	raw_spin_unlock_irqrestore(&lane->lock, flags);
	/* A CPU that counts is online, and hot-plug is locked. */
	if (busy)
		smp_call_function_single(lane->pub.index, restart_lane, restart,
					 1);
}

/*
 * RESTART a context that follows.  Its lanes are never masked, and take samples while
 * the consumer deals with a full part of the buffer.  So nothing is to be done but to
 * tell the format.
 */
static int restart_lanes(struct pfm_context *ctx, const struct pfm_restart *arg)
{
	bool all = arg->lane == PFM_LANE_ALL, done = false;
	int ret = -EBUSY;
	u32 i;

	if (!all && arg->lane >= ctx->nlanes)
		return -ERANGE;
	for (i = all ? 0 : arg->lane; i < ctx->nlanes; i++) {
		prepare_lane(ctx, i, arg->arg);
		if (!all)
			break;
	}
	cpus_read_lock();
	for (i = all ? 0 : arg->lane; i < ctx->nlanes; i++) {
		struct restart restart = {
			.ctx = ctx,
			.lane = ctx->lanes[i],
			.arg = arg->arg,
		};

		restart_lane_of(&restart);
		if (!restart.ret)
			done = true;
		else if (ret == -EBUSY)
			ret = restart.ret;
		if (!all)
			break;
	}
	cpus_read_unlock();
	return done ? 0 : ret;
}

static int restart_thread(struct pfm_context *ctx,
			  const struct pfm_restart *arg)
{
	struct pfm_target *target;
	int ret = -ENOTCONN;

	if (arg->lane && arg->lane != PFM_LANE_ALL)
		return -ERANGE;
	prepare_lane(ctx, 0, arg->arg);
	rcu_read_lock();
	target = pfm_target_only(ctx);
	if (target)
		ret = pfm_remote_restart(target, arg->arg);
	rcu_read_unlock();
	if (ret)
		return ret;
	pfm_remote_start(ctx);
	pfm_block_wake(ctx);
	return 0;
}

/**
 * pfm_restart - go on after an overflow notification (PFM_IOC_RESTART)
 * @ctx: the context; pfm_context.lock is held
 * @arg: argument of the ioctl, checked for unknown flags
 *
 * Context: process, interrupts on; may sleep.
 * Return: 0; -ENOTCONN when the context is not loaded or its thread has ended; -EBUSY
 * when nothing waits for a RESTART; -ERANGE when there is no such lane; or the format's
 * answer.
 */
int pfm_restart(struct pfm_context *ctx, const struct pfm_restart *arg)
{
	lockdep_assert_held(&ctx->lock);
	if (!rcu_access_pointer(ctx->layout))
		return -ENOTCONN;
	if (pfm_context_follows(ctx))
		return restart_lanes(ctx, arg);
	return restart_thread(ctx, arg);
}
