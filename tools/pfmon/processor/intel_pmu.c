// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUID leaves 0xA and 0x23.  A hybrid processor writes to leaf 0xA what all its cores
 * have in common, and to leaf 0x23 what the core has that is asked.
 */
#include <string.h>

#include "processor/cpuid.h"
#include "processor/intel_pmu.h"

#define BITS 32

static uint32_t low_bits(unsigned int count)
{
	return count < BITS ? (1U << count) - 1 : ~0U;
}

static unsigned int highest_bit(uint32_t mask)
{
	return mask ? BITS - (unsigned int)__builtin_clz(mask) : 0;
}

static void decode_own(const struct cpuid *cpuid, struct intel_pmu *pmu)
{
	const struct cpuid_leaf *main = cpuid_find(cpuid, 0x23, 0);
	const struct cpuid_leaf *counters = cpuid_find(cpuid, 0x23, 1);
	const struct cpuid_leaf *events = cpuid_find(cpuid, 0x23, 3);
	const struct cpuid_leaf *features = cpuid_find(cpuid, 7, 1);

	if (!features || !(features->eax >> 8 & 1) || !main)
		return;
	/* EAX says which sub-leaves there are. */
	if (main->eax >> 1 & 1 && counters) {
		pmu->general = counters->eax;
		pmu->fixed = counters->ebx;
	}
	if (main->eax >> 3 & 1 && events) {
		pmu->events = events->eax;
		if (highest_bit(pmu->events) > pmu->num_events)
			pmu->num_events = highest_bit(pmu->events);
	}
	if (main->ecx & 0xff)
		pmu->slots = main->ecx & 0xff;
}

void intel_pmu_decode(const struct cpuid *cpuid, struct intel_pmu *pmu)
{
	const struct cpuid_leaf *leaf = cpuid_find(cpuid, 0xa, 0);

	memset(pmu, 0, sizeof(*pmu));
	if (!leaf)
		return;
	pmu->has_leaf = true;
	pmu->version = leaf->eax & 0xff;
	if (!pmu->version)
		return;
	pmu->general = low_bits(leaf->eax >> 8 & 0xff);
	pmu->general_width = leaf->eax >> 16 & 0xff;
	pmu->num_events = leaf->eax >> 24;
	if (pmu->num_events > BITS)
		pmu->num_events = BITS;
	pmu->events = ~leaf->ebx & low_bits(pmu->num_events);
	if (pmu->version >= 2) {
		pmu->fixed = low_bits(leaf->edx & 0x1f);
		pmu->fixed_width = leaf->edx >> 5 & 0xff;
	}
	if (pmu->version >= 5) {
		pmu->fixed |= leaf->ecx;
		pmu->slots = leaf->edx >> 16 & 0xf;
	}
	/* Version 3 brought the bit; processors that do without it say so. */
	pmu->any_thread = pmu->version >= 3 && !(leaf->edx >> 15 & 1);
	decode_own(cpuid, pmu);
}
