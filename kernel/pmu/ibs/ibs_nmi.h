/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * AMD's instruction-based sampling: the interrupt, an NMI.
 */
#ifndef _PFM_IBS_NMI_H
#define _PFM_IBS_NMI_H

struct pt_regs;

int ibs_nmi_begin(void);
void ibs_nmi_end(void);
void ibs_nmi_overflow(struct pt_regs *regs);

#endif /* _PFM_IBS_NMI_H */
