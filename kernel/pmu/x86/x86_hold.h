/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * x86 counters: reserving them, and changing their owner.
 */
#ifndef _PFM_X86_HOLD_H
#define _PFM_X86_HOLD_H

int x86_hold_acquire(void);
void x86_hold_release(void);
void x86_hold_settle(void);
int x86_hold_begin(void);
void x86_hold_end(void);

#endif /* _PFM_X86_HOLD_H */
