/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * AMD's instruction-based sampling: arming and stopping the engines.
 */
#ifndef _PFM_IBS_OPS_H
#define _PFM_IBS_OPS_H

#include <linux/types.h>
#include <perfmon/pmu.h>

struct ibs_flavour;
struct pt_regs;

int ibs_prepare(struct pfm_prog *prog);
void ibs_restore(const struct pfm_prog *prog, u64 *vals, struct pfm_run *run,
		 bool loaded);
void ibs_save(const struct pfm_prog *prog, u64 *vals, struct pfm_run *run);
void ibs_read(const struct pfm_prog *prog, const u64 *vals, u64 *copy,
	      struct pfm_run *run);
void ibs_fold(const struct pfm_prog *prog, u64 *vals);
int ibs_look(struct pt_regs *regs);
void ibs_stop(const struct ibs_flavour *flavour, u64 conf);

#endif /* _PFM_IBS_OPS_H */
