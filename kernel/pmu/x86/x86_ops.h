/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * x86 counters: moving values between counters and memory.
 */
#ifndef _PFM_X86_OPS_H
#define _PFM_X86_OPS_H

#include <linux/types.h>

struct pfm_prog;
struct pfm_run;
struct pfm_solo;
struct pt_regs;

int x86_prepare(struct pfm_prog *prog);
void x86_restore(const struct pfm_prog *prog, u64 *vals, struct pfm_run *run,
		 bool loaded);
void x86_save(const struct pfm_prog *prog, u64 *vals, struct pfm_run *run);
void x86_resume(const struct pfm_prog *prog, struct pfm_run *run);
void x86_pass(const struct pfm_prog *prog, u64 *from, u64 *to,
	      struct pfm_run *run);
void x86_read(const struct pfm_prog *prog, const u64 *vals, u64 *copy,
	      struct pfm_run *run);
void x86_fold(const struct pfm_prog *prog, u64 *vals);
u64 x86_take(const struct pfm_prog *prog, u64 *vals, struct pfm_run *run);
void x86_put(const struct pfm_prog *prog, const u64 *vals, u64 taken,
	     struct pfm_run *run);
bool x86_solo(const struct pfm_solo *solo, struct pt_regs *regs);
bool x86_solo_now(const struct pfm_solo *solo, struct pt_regs *regs);

#endif /* _PFM_X86_OPS_H */
