// SPDX-License-Identifier: GPL-2.0-only
/*
 * Adds up figures, see misses.h.
 */
#include "views/misses.h"

static int add_load_miss(struct misses *misses, const struct ibs_access *access)
{
	misses->load_misses++;
	misses->levels[access->level]++;
	if (access->latency >= 0)
		return cycles_add(&misses->latency, access->latency);
	misses->latency_unknown++;
	return 0;
}

int misses_add(struct misses *misses, const struct ibs_access *access)
{
	misses->samples++;
	misses->loads += access->load;
	misses->stores += access->store;
	misses->misses_unknown += access->miss == IBS_NOT_KNOWN;
	misses->l1_tlb_misses += access->l1_tlb_miss == IBS_YES;
	misses->l2_tlb_misses += access->l2_tlb_miss == IBS_YES;
	misses->tlb_unknown += access->l1_tlb_miss == IBS_NOT_KNOWN;
	if (access->miss != IBS_YES)
		return 0;
	if (access->load)
		return add_load_miss(misses, access);
	misses->store_misses++;
	return 0;
}

void misses_free(struct misses *misses)
{
	cycles_free(&misses->latency);
}
