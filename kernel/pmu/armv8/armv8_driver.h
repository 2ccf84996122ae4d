/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Armv8 PMUv3: what this module relies on in the kernel's own driver.
 */
#ifndef _PFM_ARMV8_DRIVER_H
#define _PFM_ARMV8_DRIVER_H

struct arm_pmu;
struct irqaction;

struct arm_pmu *armv8_driver_find(int irq, struct irqaction **action);
int armv8_driver_idle(const struct arm_pmu *pmu);

#endif /* _PFM_ARMV8_DRIVER_H */
