/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The most frequent overflow: a single value samples.
 */
#ifndef _PFM_OVERFLOW_FAST_H
#define _PFM_OVERFLOW_FAST_H

#include <linux/time64.h>

struct pfm_slot;

void pfm_overflow_fast_begin(struct pfm_slot *slot);
void pfm_overflow_fast_end(struct pfm_slot *slot);
void pfm_overflow_fast_blind(void);

#endif /* _PFM_OVERFLOW_FAST_H */
