/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * x86 counters: RDPMC in user mode.
 */
#ifndef _PFM_X86_USER_H
#define _PFM_X86_USER_H

void x86_user_report(void);
void x86_user_clear_dirty(void);
void x86_user_end(void);

#endif /* _PFM_X86_USER_H */
