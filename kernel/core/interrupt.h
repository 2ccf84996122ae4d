/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an interrupt takes on this machine.
 */
#ifndef _PFM_INTERRUPT_H
#define _PFM_INTERRUPT_H

#include <linux/types.h>

void pfm_interrupt_measure(void);
void pfm_interrupt_probe(void);
u32 pfm_interrupt_least(void);
u32 pfm_interrupt_ns(void);
void pfm_interrupt_init(void);
void pfm_interrupt_exit(void);

#endif /* _PFM_INTERRUPT_H */
