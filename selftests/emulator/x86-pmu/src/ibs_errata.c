// SPDX-License-Identifier: GPL-2.0-only
/*
 * x86 PMU for QEMU's TCG: what processors with errata of AMD's instruction-based sampling do.
 * Each is what a driver has to work around. AMD's revision guides say when an erratum may show;
 * here it always does, so that a test sees a driver that forgets it.
 *
 *     420   family 10h                   op sampling that is stopped while its period is not 0
 *                                        interrupts until it is enabled again
 *     718   family 15h, models 0 to 1Fh  three bits of IBS_OP_DATA3 are set, and never cleared
 *     1197  family 19h, models 0 to Fh   samples of fetches with the address 0: each eighth
 *     1606  family 1Ah, models 0 to Fh   without the filter for L3 misses that for latencies lets
 *                                        everything through
 */

#include "pmu.h"

#define DATA3_STICKY (BIT_ULL(3) | BIT_ULL(6) | BIT_ULL(19))

/* One in so many samples of fetches has the address 0. */
#define NO_ADDRESS_EVERY 8

static const struct {
	uint32_t family, last_model;
} processors[] = {
	[X86_PMU_IBS_420] = { 0x10, 0xff },
	[X86_PMU_IBS_718] = { 0x15, 0x1f },
	[X86_PMU_IBS_1197] = { 0x19, 0x0f },
	[X86_PMU_IBS_1606] = { 0x1a, 0x0f },
};

uint32_t x86_pmu_family(struct x86_pmu *pmu)
{
	uint32_t version = pmu->cpu->env.cpuid_version;

	return extract32(version, 8, 4) + extract32(version, 20, 8);
}

uint32_t x86_pmu_model(struct x86_pmu *pmu)
{
	uint32_t version = pmu->cpu->env.cpuid_version;

	return extract32(version, 4, 4) | extract32(version, 16, 4) << 4;
}

bool x86_pmu_ibs_has(struct x86_pmu *pmu, enum x86_pmu_ibs_erratum erratum)
{
	return x86_pmu_family(pmu) == processors[erratum].family &&
	       x86_pmu_model(pmu) <= processors[erratum].last_model;
}

void x86_pmu_ibs_stick(struct x86_pmu *pmu)
{
	pmu->ibs.stuck_stops++;
	pmu->ibs.stuck = pmu->now + 1;
}

uint64_t x86_pmu_ibs_data3(struct x86_pmu *pmu, uint64_t data3)
{
	uint64_t kept = 0;

	if (x86_pmu_ibs_has(pmu, X86_PMU_IBS_718))
		kept = pmu->ibs.data3 & DATA3_STICKY;
	pmu->ibs.spoiled += (kept & ~data3) != 0;
	return data3 | kept;
}

uint64_t x86_pmu_ibs_fetch_address(struct x86_pmu *pmu, uint64_t address)
{
	if (!x86_pmu_ibs_has(pmu, X86_PMU_IBS_1197) ||
	    pmu->ibs.fetch.samples % NO_ADDRESS_EVERY != NO_ADDRESS_EVERY - 1)
		return address;
	pmu->ibs.spoiled++;
	return 0;
}
