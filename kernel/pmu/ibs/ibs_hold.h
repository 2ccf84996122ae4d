/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * AMD's instruction-based sampling: taking it, and giving it back.
 */
#ifndef _PFM_IBS_HOLD_H
#define _PFM_IBS_HOLD_H

int ibs_hold_acquire(void);
void ibs_hold_release(void);
void ibs_hold_settle(void);
int ibs_hold_begin(void);
void ibs_hold_end(void);

#endif /* _PFM_IBS_HOLD_H */
