/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * x86 counters: RDPMC in user mode.
 */
#ifndef _PFM_X86_USER_H
#define _PFM_X86_USER_H

#include <linux/types.h>

struct pfm_prog;

bool x86_user_possible(void);
void x86_user_allow(const struct pfm_prog *prog, bool clear);
void x86_user_deny(void);
u64 x86_user_until(const struct pfm_prog *prog);

void x86_user_report(void);
void x86_user_clear_dirty(void);
void x86_user_end(void);

#endif /* _PFM_X86_USER_H */
