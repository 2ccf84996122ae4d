/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Event sets that count only inside of the handlers of interrupts, or only outside.
 */
#ifndef _PFM_INTR_H
#define _PFM_INTR_H

#include <linux/types.h>

struct irqaction;
struct pfm_slot;

void pfm_intr_begin(struct pfm_slot *slot);
void pfm_intr_end(struct pfm_slot *slot);
void pfm_intr_correct(const struct pfm_slot *slot, u64 *vals);
void pfm_intr_forget(void);

void pfm_intr_hard_entry(void *data, int irq, struct irqaction *action);
void pfm_intr_hard_exit(void *data, int irq, struct irqaction *action, int ret);
void pfm_intr_vector_entry(void *data, int vector);
void pfm_intr_vector_exit(void *data, int vector);
void pfm_intr_soft_entry(void *data, unsigned int vec);
void pfm_intr_soft_exit(void *data, unsigned int vec);

#endif /* _PFM_INTR_H */
