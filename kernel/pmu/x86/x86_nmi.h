/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * x86 counters: the overflow interrupt, an NMI.
 */
#ifndef _PFM_X86_NMI_H
#define _PFM_X86_NMI_H

struct pt_regs;

int x86_nmi_begin(void);
void x86_nmi_end(void);
void x86_nmi_unmask(void);
void x86_nmi_overflow(struct pt_regs *regs);

#endif /* _PFM_X86_NMI_H */
