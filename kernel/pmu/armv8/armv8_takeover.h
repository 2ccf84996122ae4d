/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Armv8 PMUv3: sharing the PMU with the kernel's own driver.
 */
#ifndef _PFM_ARMV8_TAKEOVER_H
#define _PFM_ARMV8_TAKEOVER_H

#include <linux/types.h>

/*
 * The driver has the interrupt and, while no context is loaded, the counters.  Set
 * before anything can use it.
 */
extern bool armv8_shared;

int armv8_takeover_find(int irq);
int armv8_takeover_begin(void);
void armv8_takeover_end(void);

bool armv8_takeover_ours(void);
bool armv8_takeover_serves(unsigned int cpu);
void armv8_takeover_online(void);
void armv8_takeover_bar(void);

/* Operations of armv8_hold. */
int armv8_takeover_prepare(void);
int armv8_takeover_take(void);
void armv8_takeover_give(void);
void armv8_takeover_left(int err);

int armv8_takeover_acquire(void);
void armv8_takeover_release(void);
void armv8_takeover_settle(void);

#endif /* _PFM_ARMV8_TAKEOVER_H */
