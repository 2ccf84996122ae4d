// SPDX-License-Identifier: GPL-2.0-only
/*
 * Answers of CPUID by leaf and sub-leaf.
 */
#include <stddef.h>

#include "processor/cpuid.h"

/* The first leaf of each range says in EAX which one is the last. */
#define RANGE 0xffff0000

void cpuid_add(struct cpuid *cpuid, const struct cpuid_leaf *leaf)
{
	if (cpuid->count < CPUID_LEAVES_MAX)
		cpuid->leaves[cpuid->count++] = *leaf;
}

static const struct cpuid_leaf *look_up(const struct cpuid *cpuid,
					uint32_t leaf, uint32_t subleaf)
{
	unsigned int i;

	for (i = 0; i < cpuid->count; i++)
		if (cpuid->leaves[i].leaf == leaf &&
		    cpuid->leaves[i].subleaf == subleaf)
			return &cpuid->leaves[i];
	return NULL;
}

const struct cpuid_leaf *cpuid_find(const struct cpuid *cpuid, uint32_t leaf,
				    uint32_t subleaf)
{
	const struct cpuid_leaf *first = look_up(cpuid, leaf & RANGE, 0);

	if (!first || (leaf & ~RANGE && leaf > first->eax))
		return NULL;
	return look_up(cpuid, leaf, subleaf);
}
