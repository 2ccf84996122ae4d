/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Figures of a row: what samples of ops say of loads, stores, misses and latency.
 *
 * A figure counts only samples whose processor has set the field that it is about.  The others
 * are counted as not known, so that known and unknown ones add up to all.
 */
#ifndef PFMON_VIEWS_MISSES_H
#define PFMON_VIEWS_MISSES_H

#include "ibs/ibs_access.h"
#include "views/cycles.h"

/**
 * struct misses - figures; each but @latency is a number of samples
 * @samples: all
 * @loads: ops that load
 * @stores: ops that store; one that does both is in both
 * @load_misses: ops that load and missed the L1 data cache
 * @store_misses: ops that only store and missed it
 * @misses_unknown: loads and stores that do not say whether they missed
 * @levels: load misses by where the data came from; their sum is @load_misses
 * @l1_tlb_misses: misses of the L1 data TLB, those of both TLBs included
 * @l2_tlb_misses: misses of both data TLBs
 * @tlb_unknown: loads and stores that say nothing of TLBs
 * @latency: of load misses
 * @latency_unknown: load misses without a valid latency
 *
 * All zero bytes: none.
 */
struct misses {
	uint64_t samples;
	uint64_t loads;
	uint64_t stores;
	uint64_t load_misses;
	uint64_t store_misses;
	uint64_t misses_unknown;
	uint64_t levels[NUM_IBS_LEVELS];
	uint64_t l1_tlb_misses;
	uint64_t l2_tlb_misses;
	uint64_t tlb_unknown;
	struct cycles latency;
	uint64_t latency_unknown;
};

/**
 * misses_add() - add a sample
 * @misses: the figures
 * @access: what the sample says
 *
 * Return: 0, or -1 without memory, when the figures are of no use any more.
 */
int misses_add(struct misses *misses, const struct ibs_access *access);

/* Misses of the L1 data cache, of loads and stores. */
static inline uint64_t misses_all(const struct misses *misses)
{
	return misses->load_misses + misses->store_misses;
}

void misses_free(struct misses *misses);

#endif
