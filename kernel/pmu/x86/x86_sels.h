/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * x86 counters: letting counters run, and stopping them, by their own control registers.
 */
#ifndef _PFM_X86_SELS_H
#define _PFM_X86_SELS_H

#include <linux/types.h>

struct x86_cpu;

void x86_sels_run(const struct x86_cpu *cpu, u64 counters);
void x86_sels_stop(const struct x86_cpu *cpu, u64 counters);

#endif /* _PFM_X86_SELS_H */
