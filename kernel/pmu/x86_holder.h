/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * x86 counters: who else has them.
 */
#ifndef _PFM_X86_HOLDER_H
#define _PFM_X86_HOLDER_H

#include <linux/types.h>

bool x86_holder_guests(void);
void x86_holder_report(void);

#endif /* _PFM_X86_HOLDER_H */
