/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Synthetic events of Arm's PMU for QEMU's TCG: what QEMU's own files call. hooks.patch adds
 * the calls.
 *
 * The functions that take an env must be called where the instruction counter is exact, as
 * QEMU's own functions for the PMU are.
 */
#ifndef ARM_PMU_HOOKS_H
#define ARM_PMU_HOOKS_H

/* The CPU options pmu-... */
void arm_pmu_class_init(ObjectClass *oc);

/* Announces the events in PMCEID; called when the PMU's own are there. */
void arm_pmu_init(ARMCPU *cpu);

/* PMMIR_EL1 */
uint64_t arm_pmu_pmmir(ARMCPU *cpu);

/* Whether there is a rule for the event, which then replaces what QEMU has. */
bool arm_pmu_has(CPUARMState *env, uint16_t event);

/*
 * A number that grows by one with each event, whatever the exception level; counters are
 * differences of two. The event has a rule.
 */
uint64_t arm_pmu_count(CPUARMState *env, uint16_t event);

/*
 * Nanoseconds after which a counter that can count left more events overflows by the next one,
 * if the CPU stays at its exception level and goes on executing; -1: never. The event has a
 * rule.
 */
int64_t arm_pmu_ns_to_overflow(CPUARMState *env, uint16_t event, uint64_t left);

#endif /* ARM_PMU_HOOKS_H */
