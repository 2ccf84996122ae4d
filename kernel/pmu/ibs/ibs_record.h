/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * AMD's instruction-based sampling: what a sample consists of.
 */
#ifndef _PFM_IBS_RECORD_H
#define _PFM_IBS_RECORD_H

#include <perfmon/pmu.h>

void ibs_record_prepare(struct pfm_prog *prog);
enum pfm_sample ibs_sample(const struct pfm_prog *prog, u64 *vals, u16 num,
			   struct pfm_hw_sample *sample);

#endif /* _PFM_IBS_RECORD_H */
