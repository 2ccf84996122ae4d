/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * x86 counters: who else has them.
 */
#ifndef _PFM_X86_HOLDER_H
#define _PFM_X86_HOLDER_H

#include <linux/types.h>

struct pmu;

bool x86_holder_guests(void);
void x86_holder_report(void);

/* For the vendors' modules, and those of units. */
bool pfm_x86_perf_reserves(u32 sel);
struct pmu *pfm_x86_perf_find(const char *name);
int pfm_x86_perf_exclude(struct pmu *pmu);
void pfm_x86_perf_admit(struct pmu *pmu);

#endif /* _PFM_X86_HOLDER_H */
