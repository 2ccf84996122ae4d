/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hardware that perfmon takes from its owner while contexts use it.
 */
#ifndef _PFM_HOLD_H
#define _PFM_HOLD_H

void pfm_hold_init(void);
void pfm_hold_exit(void);

#endif /* _PFM_HOLD_H */
