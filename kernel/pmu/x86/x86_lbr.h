/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * x86 counters: the branches that the processor records.
 */
#ifndef _PFM_X86_LBR_H
#define _PFM_X86_LBR_H

#include <linux/types.h>
#include <perfmon/pmu.h>

struct x86_cpu;

int x86_lbr_prepare(struct pfm_prog *prog, u64 filter);
void x86_lbr_start(const struct pfm_prog *prog, struct x86_cpu *cpu,
		   bool again);
void x86_lbr_stop(struct x86_cpu *cpu);
void x86_lbr_halt(void);
void x86_lbr_go_on(void);
enum pfm_sample x86_lbr_sample(const struct pfm_prog *prog, u64 *vals, u16 num,
			       struct pfm_hw_sample *sample);
void x86_lbr_take_here(void);
void x86_lbr_reset_here(struct x86_cpu *cpu);
void x86_lbr_give_here(void);

#endif /* _PFM_X86_LBR_H */
