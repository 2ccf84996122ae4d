// SPDX-License-Identifier: GPL-2.0-only
/*
 * SET_RANGES and GETINFO_RANGES: the ranges that a context counts in, and what it counted there.
 */
#include "abi/range_ctl.h"

#include <linux/capability.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/perfmon.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "abi/vector.h"
#include "attach/gate_probe.h"
#include "core/context.h"
#include "target/gate.h"

/* Refuse a context that has no thread of its own in a range, or whose samples are not tested. */
static int may_have_ranges(const struct pfm_context *ctx)
{
	if (!pfm_gate_probe_possible() || ctx->fmt ||
	    pfm_context_is_system_wide(ctx) || (ctx->flags & PFM_CTX_AGGREGATE))
		return -EOPNOTSUPP;
	return 0;
}

/**
 * pfm_range_set - let a context count in ranges only (PFM_IOC_SET_RANGES)
 * @ctx: the context; pfm_context.lock is held
 * @arg: argument of the ioctl; failed is set
 *
 * Context: process; may sleep.
 * Return: 0 or one of the errors of SET_RANGES in <linux/perfmon.h>.
 */
int pfm_range_set(struct pfm_context *ctx, struct pfm_regs *arg)
{
	struct pfm_gates *gates = NULL;
	struct pfm_range *ranges;
	int ret;

	lockdep_assert_held(&ctx->lock);
	arg->failed = arg->count;
	if (arg->count > PFM_RANGE_POINTS_MAX)
		return -E2BIG;
	ret = may_have_ranges(ctx);
	if (ret)
		return ret;
	/* The same as perf asks for probes in programs. I6 */
	if (!perfmon_capable())
		return -EPERM;
	if (rcu_access_pointer(ctx->layout))
		return -EBUSY;
	if (arg->count) {
		ranges = vmemdup_user(pfm_vector_user(arg),
				      arg->count * sizeof(*ranges));
		if (IS_ERR(ranges))
			return PTR_ERR(ranges);
		gates = pfm_gate_probe_create(ctx, ranges, arg->count,
					      &arg->failed);
		kvfree(ranges);
		if (IS_ERR(gates))
			return PTR_ERR(gates);
	}
	pfm_gate_probe_set(ctx, gates);
	return 0;
}

static int check(struct pfm_context *ctx, const void *arg)
{
	struct pfm_range_info info = *(const struct pfm_range_info *)arg;

	if (info.flags || memchr_inv(info.reserved, 0, sizeof(info.reserved)))
		return -EINVAL;
	return pfm_gate_info(ctx, &info);
}

static void fill(struct pfm_context *ctx, void *arg)
{
	pfm_gate_info(ctx, arg);
}

/**
 * pfm_range_getinfo - tell what was counted in ranges (PFM_IOC_GETINFO_RANGES)
 * @ctx: the context; pfm_context.lock is held
 * @arg: argument of the ioctl; failed is set after an error
 *
 * Context: process; may sleep.
 * Return: 0 or one of the errors of GETINFO_RANGES in <linux/perfmon.h>.
 */
int pfm_range_getinfo(struct pfm_context *ctx, struct pfm_regs *arg)
{
	struct pfm_range_info info;

	return pfm_vector_describe(ctx, arg, &info, sizeof(info), check, fill);
}
