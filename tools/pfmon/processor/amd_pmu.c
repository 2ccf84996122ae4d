// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUID leaves 0x80000001 and 0x80000022.
 */
#include <string.h>

#include "processor/amd_pmu.h"
#include "processor/cpuid.h"
#include "processor/x86_cpu.h"

/* CPUID does not tell these numbers; they are from AMD's manuals. */
#define LEGACY_COUNTERS	     4
#define CORE_EXT_COUNTERS    6
#define NORTHBRIDGE_COUNTERS 4
#define WIDTH		     48

#define FIRST_FAMILY 6

/* ECX of leaf 0x80000001. */
#define FEATURE_IBS	    (1U << 10)
#define FEATURE_CORE_EXT    (1U << 23)
#define FEATURE_NORTHBRIDGE (1U << 24)

/* EAX of leaf 0x80000022. */
#define FEATURE_V2  (1U << 0)
#define FEATURE_LBR (1U << 1)

static void decode_v2(const struct cpuid_leaf *leaf, struct amd_pmu *pmu)
{
	pmu->kind = AMD_PMU_V2;
	pmu->counters = leaf->ebx & 0xf;
	pmu->northbridge = leaf->ebx >> 10 & 0x3f;
}

void amd_pmu_decode(const struct cpuid *cpuid, const struct x86_cpu *cpu,
		    struct amd_pmu *pmu)
{
	const struct cpuid_leaf *features = cpuid_find(cpuid, 0x80000001, 0);
	const struct cpuid_leaf *perfmon = cpuid_find(cpuid, 0x80000022, 0);

	memset(pmu, 0, sizeof(*pmu));
	if (cpu->family < FIRST_FAMILY)
		return;
	pmu->kind = AMD_PMU_LEGACY;
	pmu->counters = LEGACY_COUNTERS;
	pmu->width = WIDTH;
	if (features && features->ecx & FEATURE_CORE_EXT) {
		pmu->kind = AMD_PMU_CORE_EXT;
		pmu->counters = CORE_EXT_COUNTERS;
	}
	if (features && features->ecx & FEATURE_NORTHBRIDGE)
		pmu->northbridge = NORTHBRIDGE_COUNTERS;
	pmu->ibs = features && features->ecx & FEATURE_IBS;
	if (perfmon && perfmon->eax & FEATURE_V2)
		decode_v2(perfmon, pmu);
	if (perfmon && perfmon->eax & FEATURE_LBR)
		pmu->branch_records = perfmon->ebx >> 4 & 0x3f;
}
