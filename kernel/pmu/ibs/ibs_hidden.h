/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * AMD's instruction-based sampling: making it visible where the firmware has hidden it.
 */
#ifndef _PFM_IBS_HIDDEN_H
#define _PFM_IBS_HIDDEN_H

#include <linux/types.h>

int ibs_hidden_begin(void);
void ibs_hidden_end(void);
bool ibs_hidden_shown(void);
void ibs_hidden_resume(void);
void ibs_hidden_use(void);
void ibs_hidden_unuse(void);

#endif /* _PFM_IBS_HIDDEN_H */
