/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Armv8 PMUv3: the description of the PMU, the state of each CPU's PMU, and what else the files of
 * the module share.
 *
 * "Arm ARM" is the Arm Architecture Reference Manual, DDI 0487; registers are
 * described in its chapter "AArch64 System Register Descriptions" under
 * "Performance Monitors registers", behaviour in chapter "The Performance
 * Monitors Extension".
 */
#ifndef _PFM_ARMV8_H
#define _PFM_ARMV8_H

#include <linux/bits.h>
#include <linux/interrupt.h>
#include <linux/types.h>

struct pfm_hold;
struct pfm_pmu;
struct pfm_pmu_ops;

/*
 * Logical register numbers.  Event counter n is register n.  The cycle counter is
 * register 31, as its bit in PMCNTENSET_EL0 and in the other registers with one bit for
 * each counter.  The architecture has at most 31 event counters (PMCR_EL0.N).
 */
#define ARMV8_EVENTS_MAX	31
#define ARMV8_CYCLES		31
#define ARMV8_REGS		32

/* PMCR_EL0 */
#define ARMV8_PMCR_E		BIT(0)		/* counters run if enabled */
#define ARMV8_PMCR_P		BIT(1)		/* zero the event counters */
#define ARMV8_PMCR_C		BIT(2)		/* zero the cycle counter */
#define ARMV8_PMCR_LC		BIT(6)		/* PMCCNTR_EL0 wraps at 2^64 */
#define ARMV8_PMCR_LP		BIT(7)		/* event counters wrap at 2^64 */
#define ARMV8_PMCR_N		GENMASK(15, 11)	/* number of event counters */

/* PMEVTYPER<n>_EL0 and PMCCFILTR_EL0 */
#define ARMV8_TYPE_P		BIT(31)		/* do not count EL1 */
#define ARMV8_TYPE_U		BIT(30)		/* do not count EL0 */
#define ARMV8_TYPE_NSH		BIT(27)		/* count EL2 */
#define ARMV8_TYPE_EVENT	GENMASK(15, 0)
#define ARMV8_TYPE_EVENT_V3	GENMASK(9, 0)	/* before PMUv3p1 */

/* Number of 64-bit words of common events, see armv8_events. */
#define ARMV8_CEIDS		2

/* PMUSERENR_EL0 */
#define ARMV8_USER_CR		BIT(2)		/* EL0 reads PMCCNTR_EL0 */
#define ARMV8_USER_ER		BIT(3)		/* EL0 reads event counters */

/* ID_AA64DFR0_EL1.PMUVer */
#define ARMV8_PMUVER_NONE	0x0
#define ARMV8_PMUVER_V3P1	0x4
#define ARMV8_PMUVER_V3P5	0x6
#define ARMV8_PMUVER_IMP_DEF	0xf		/* not PMUv3 */

/*
 * Bitmap of the counters that perfmon has; and mask of the bits of an event counter,
 * which wraps beyond them.  Both are set before anything can use them.
 */
extern u32 armv8_counters;
extern u64 armv8_event_mask;

extern const struct pfm_pmu_ops armv8_ops;
extern struct pfm_pmu armv8_pmu;
/* Decides about the CPUs; with takeover=1 also whether the PMU is perfmon's. */
extern struct pfm_hold armv8_hold;

int armv8_irq_find(void);
irqreturn_t armv8_interrupt(int irq, void *dev);
void armv8_stop(void);
void armv8_reset(void);

#endif /* _PFM_ARMV8_H */
