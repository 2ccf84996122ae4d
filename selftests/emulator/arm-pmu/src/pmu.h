/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Synthetic events of Arm's PMU for QEMU's TCG: the state of one CPU, and what its files share.
 */
#ifndef ARM_PMU_H
#define ARM_PMU_H

#include "qemu/osdep.h"
#include "cpu.h"
#include "internals.h"
#include "model.h"

#define ARM_PMU_LEVELS 4 /* EL0 to EL3 */
#define ARM_PMU_RULES  64 /* at most */

/* The base of a rate; the values are indices. */
enum arm_pmu_base {
	ARM_PMU_INSTRUCTIONS,
	ARM_PMU_CYCLES,
	ARM_PMU_BASES,
};

/* The event happens n times in d instructions or cycles. */
struct arm_pmu_rule {
	uint16_t event;
	enum arm_pmu_base base;
	uint64_t n, d;
};

struct arm_pmu {
	char *events; /* the option, as the user wrote it */
	uint64_t slots; /* a cycle, for PMMIR_EL1; 0: not said */
	uint64_t lesser; /* bitmap of CPUs that have one event counter less */
	unsigned int n_rules;
	struct arm_pmu_rule rules[ARM_PMU_RULES];

	struct arm_model *model; /* or NULL: events with a rate only */

	/* How far the CPU has got at each exception level, and in all, as of last_of[]. */
	uint64_t executed[ARM_PMU_BASES][ARM_PMU_LEVELS];
	uint64_t last_of[ARM_PMU_BASES];
};

/* options.c: made with the first option that is set */
struct arm_pmu *arm_pmu_of(ARMCPU *cpu);

#endif /* ARM_PMU_H */
