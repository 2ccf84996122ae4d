/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The core counters of AMD processors, decoded from CPUID.
 */
#ifndef PFMON_PROCESSOR_AMD_PMU_H
#define PFMON_PROCESSOR_AMD_PMU_H

#include <stdbool.h>

struct cpuid;
struct x86_cpu;

/**
 * enum amd_pmu_kind - how the core counters are reached
 */
enum amd_pmu_kind {
	AMD_PMU_NONE,
	AMD_PMU_LEGACY, /* four counters since family 6, which CPUID does not mention */
	AMD_PMU_CORE_EXT, /* six counters in registers of their own */
	AMD_PMU_V2, /* with global control and status; CPUID has the number */
};

/**
 * struct amd_pmu - the counters of a CPU
 * @kind: how they are reached
 * @counters: number of core counters
 * @width: bits of each
 * @northbridge: counters of the northbridge or, since family 0x17, the data fabric
 * @branch_records: depth of the stack of branch records (LBR); 0 if there is none
 * @ibs: instruction-based sampling
 */
struct amd_pmu {
	enum amd_pmu_kind kind;
	unsigned int counters;
	unsigned int width;
	unsigned int northbridge;
	unsigned int branch_records;
	bool ibs;
};

void amd_pmu_decode(const struct cpuid *cpuid, const struct x86_cpu *cpu,
		    struct amd_pmu *pmu);

#endif
