// SPDX-License-Identifier: GPL-2.0-only
/*
 * GETINFO_PMCS, GETINFO_PMDS and GETINFO_EVENTS: description of the PMUs.
 */
#include "abi/getinfo.h"

#include <linux/errno.h>
#include <linux/perfmon.h>
#include <linux/string.h>

#include "abi/vector.h"
#include "core/context.h"
#include "core/pmu.h"

static int check_reg(struct pfm_context *ctx, const struct pfm_reg_info *info,
		     enum pfm_reg_kind kind)
{
	if (!pfm_pmu_reg(ctx, kind, info->num))
		return -ENXIO;
	return info->reserved ? -EINVAL : 0;
}

static void fill_reg(struct pfm_context *ctx, struct pfm_reg_info *info,
		     enum pfm_reg_kind kind)
{
	const u16 num = info->num;
	const struct pfm_reg_desc *desc = pfm_pmu_reg(ctx, kind, num);

	memset(info, 0, sizeof(*info));
	info->num = num;
	info->width = desc->width;
	info->flags = desc->flags;
	info->ctl = desc->ctl;
	info->min_period = desc->min_period;
	info->addr = desc->addr;
	info->dfl = desc->dfl;
	info->rsvd = desc->rsvd;
	strscpy(info->name, desc->name, sizeof(info->name));
}

static int check_pmc(struct pfm_context *ctx, const void *info)
{
	return check_reg(ctx, info, PFM_PMC);
}

static void fill_pmc(struct pfm_context *ctx, void *info)
{
	fill_reg(ctx, info, PFM_PMC);
}

static int check_pmd(struct pfm_context *ctx, const void *info)
{
	return check_reg(ctx, info, PFM_PMD);
}

static void fill_pmd(struct pfm_context *ctx, void *info)
{
	fill_reg(ctx, info, PFM_PMD);
}

static int check_events(struct pfm_context *ctx, const void *arg)
{
	const struct pfm_event_info *info = arg;

	return info->first % PFM_EVENTS_PER_WORD || info->reserved ? -EINVAL
								   : 0;
}

/* Fill in what the hardware PMU's description tells about PFM_EVENTS_PER_WORD codes. */
static void fill_events(struct pfm_context *ctx, void *arg)
{
	const struct pfm_pmu *pmu = ctx->pmus[PFM_CLASS_HW];
	struct pfm_event_info *info = arg;
	u16 i;

	info->known = 0;
	info->implemented = 0;
	for (i = 0; pmu && i < pmu->nevents; i++) {
		const struct pfm_pmu_events *events = &pmu->events[i];

		if (events->first != info->first)
			continue;
		info->known |= events->known;
		info->implemented |= READ_ONCE(events->implemented);
	}
}

/**
 * pfm_getinfo_pmcs - describe PMCs (PFM_IOC_GETINFO_PMCS)
 * @ctx: the context; pfm_context.lock is held
 * @arg: argument of the ioctl; failed is set after an error
 *
 * Context: process; may sleep.
 * Return: 0 or one of the errors of GETINFO_PMCS in <linux/perfmon.h>.
 */
int pfm_getinfo_pmcs(struct pfm_context *ctx, struct pfm_regs *arg)
{
	struct pfm_reg_info info;

	return pfm_vector_describe(ctx, arg, &info, sizeof(info), check_pmc,
				   fill_pmc);
}

/**
 * pfm_getinfo_pmds - describe PMDs (PFM_IOC_GETINFO_PMDS)
 * @ctx: the context; pfm_context.lock is held
 * @arg: argument of the ioctl; failed is set after an error
 *
 * Context: process; may sleep.
 * Return: 0 or one of the errors of GETINFO_PMDS in <linux/perfmon.h>.
 */
int pfm_getinfo_pmds(struct pfm_context *ctx, struct pfm_regs *arg)
{
	struct pfm_reg_info info;

	return pfm_vector_describe(ctx, arg, &info, sizeof(info), check_pmd,
				   fill_pmd);
}

/**
 * pfm_getinfo_events - tell which events exist (PFM_IOC_GETINFO_EVENTS)
 * @ctx: the context; pfm_context.lock is held
 * @arg: argument of the ioctl; failed is set after an error
 *
 * Context: process; may sleep.
 * Return: 0 or one of the errors of GETINFO_EVENTS in <linux/perfmon.h>.
 */
int pfm_getinfo_events(struct pfm_context *ctx, struct pfm_regs *arg)
{
	struct pfm_event_info info;

	return pfm_vector_describe(ctx, arg, &info, sizeof(info), check_events,
				   fill_events);
}
