/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Program ids: equal hardware programs have the same number.
 */
#ifndef _PFM_PROGRAM_H
#define _PFM_PROGRAM_H

#include <linux/types.h>

struct pfm_cset;

u64 pfm_program_unique(void);
void pfm_program_number(struct pfm_cset *cset);
void pfm_program_forget(struct pfm_cset *cset);

#endif /* _PFM_PROGRAM_H */
