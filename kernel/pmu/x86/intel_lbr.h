/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Intel's counters: which branch records the processor has.
 */
#ifndef _PFM_INTEL_LBR_H
#define _PFM_INTEL_LBR_H

#include <linux/types.h>

struct pfm_reg_desc;
struct x86_lbr;

void intel_lbr_find(struct x86_lbr *lbr, struct pfm_reg_desc *pmc);

#endif /* _PFM_INTEL_LBR_H */
