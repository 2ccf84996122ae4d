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

/* Whether a rule or the model has the event, which then replaces what QEMU has. */
bool arm_pmu_has(CPUARMState *env, uint16_t event);

/* Operations that the model counts, beside accesses and conditional branches. */
enum arm_pmu_operation {
	ARM_PMU_DIRECT, /* branches that are always taken */
	ARM_PMU_INDIRECT,
	ARM_PMU_FLOATING_POINT, /* scalar */
	ARM_PMU_SIMD,
	ARM_PMU_SVE,
};

/* Whether the CPU has the option for the model of caches and branches. */
bool arm_pmu_has_model(ARMCPU *cpu);

/*
 * A number that grows by one with each event, whatever the exception level; counters are
 * differences of two. A rule or the model has the event.
 */
uint64_t arm_pmu_count(CPUARMState *env, uint16_t event);

/*
 * Nanoseconds after which a counter that can count left more events overflows by the next one,
 * if the CPU stays at its exception level and goes on executing; -1: never. A rule or the model
 * has the event. For an event of the model it may be too early, and then the caller asks again; and
 * the model itself calls pmu_op_start() and pmu_op_finish() when it can tell no time.
 */
int64_t arm_pmu_ns_to_overflow(CPUARMState *env, uint16_t event, uint64_t left);

#endif /* ARM_PMU_HOOKS_H */
