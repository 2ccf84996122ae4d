/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * x86 counters: programs of several slots in the registers.
 */
#ifndef _PFM_X86_BESIDE_H
#define _PFM_X86_BESIDE_H

#include <linux/types.h>

struct pfm_prog;
struct x86_cpu;

void x86_beside_note_strays(struct x86_cpu *cpu);
void x86_beside_run(const struct pfm_prog *prog, struct x86_cpu *cpu);
void x86_beside_stop(const struct pfm_prog *prog, struct x86_cpu *cpu);
void x86_beside_disarm(const struct pfm_prog *prog, struct x86_cpu *cpu);
bool x86_beside_strayed(const struct pfm_prog *prog, struct x86_cpu *cpu);
u64 x86_beside_fixed(const struct pfm_prog *prog, const struct x86_cpu *cpu);

#endif /* _PFM_X86_BESIDE_H */
