// SPDX-License-Identifier: GPL-2.0-only
/*
 * GETINFO_HELD: registers that other contexts hold.
 */
#include "abi/held.h"

#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/perfmon.h>
#include <linux/string.h>
#include <perfmon/pmu.h>

#include "core/context.h"
#include "core/pmu.h"
#include "target/session.h"

/* Set the bits of the registers that occupy a part that is held. */
static void add_regs(const struct pfm_pmu *pmu,
		     const struct pfm_reg_desc *descs, u16 n, u64 holds,
		     __u64 *nums)
{
	u16 i;

	for (i = 0; i < n; i++) {
		const u16 num = pmu->base + i;

		if (descs[i].name && pfm_pmu_holds(pmu, &descs[i]) & holds)
			nums[num / 64] |= BIT_ULL(num % 64);
	}
}

/**
 * pfm_held_get - tell which registers other contexts hold (PFM_IOC_GETINFO_HELD)
 * @ctx: the context; pfm_context.lock is held
 * @arg: argument of the ioctl
 *
 * The bitmaps are for everybody: whoever cannot read them finds them out by LOAD_CONTEXT.
 *
 * Context: process; may sleep.
 * Return: 0 or one of the errors of GETINFO_HELD in <linux/perfmon.h>.
 */
int pfm_held_get(struct pfm_context *ctx, struct pfm_held *arg)
{
	const int cpu = arg->cpu == PFM_CPU_NONE ? -1 : (int)arg->cpu;
	u64 holds[PFM_CLASSES] = {};
	enum pfm_reg_class class;

	lockdep_assert_held(&ctx->lock);
	if (arg->flags)
		return -EINVAL;
	if (arg->cpu != PFM_CPU_NONE &&
	    (arg->cpu >= nr_cpu_ids || !cpu_possible(cpu)))
		return -ERANGE;
	*arg = (struct pfm_held){ .cpu = arg->cpu };
	pfm_session_held(&ctx->session, cpu, holds, arg);
	for (class = 0; class < PFM_CLASSES; class ++) {
		const struct pfm_pmu *pmu = ctx->pmus[class];

		if (!pmu || !holds[class])
			continue;
		add_regs(pmu, pmu->pmcs, pmu->npmcs, holds[class], arg->pmcs);
		add_regs(pmu, pmu->pmds, pmu->npmds, holds[class], arg->pmds);
	}
	return 0;
}
