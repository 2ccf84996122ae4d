/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CPUs whose PMU lacks something that the PMU's description has.
 */
#ifndef _PFM_BAR_H
#define _PFM_BAR_H

#include <linux/types.h>

struct pfm_context;
struct pfm_cpu;
struct pfm_pmu;
struct pfm_slot;

bool pfm_bar_applies(const struct pfm_slot *slot,
		     const struct pfm_context *ctx);
bool pfm_bar_refuses(const struct pfm_slot *slot, struct pfm_context *ctx);
void pfm_bar_lift(struct pfm_cpu *cpu, const struct pfm_pmu *pmu);
int pfm_bar_init(void);
void pfm_bar_exit(void);

#endif /* _PFM_BAR_H */
