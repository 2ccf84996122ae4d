/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * x86 counters: slots of Intel's PERF_METRICS.
 */
#ifndef _PFM_X86_METRICS_H
#define _PFM_X86_METRICS_H

#include <linux/types.h>

struct pfm_prog;
struct x86_cpu;

void x86_metrics_restore(struct x86_cpu *cpu);
void x86_metrics_save(const struct pfm_prog *prog, struct x86_cpu *cpu,
		      u64 *vals);
void x86_metrics_fold(const struct pfm_prog *prog, struct x86_cpu *cpu,
		      u64 *vals);
void x86_metrics_read(const struct pfm_prog *prog, struct x86_cpu *cpu,
		      const u64 *vals, u64 *copy);

#endif /* _PFM_X86_METRICS_H */
