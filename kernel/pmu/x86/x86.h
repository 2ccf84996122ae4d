/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * x86 counters: what the modules of the vendors use of perfmon_x86.
 */
#ifndef _PFM_X86_H
#define _PFM_X86_H

#include "x86_msr.h"
#include "x86_state.h"

extern const struct pfm_pmu_ops pfm_x86_ops;

int pfm_x86_register(const struct x86_desc *desc);
void pfm_x86_unregister(void);

#endif /* _PFM_X86_H */
