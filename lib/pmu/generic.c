// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Event names that are the same on every machine: perf's, and those of Intel's PERF_METRICS.
 *
 * perf takes the names of caches in several spellings: l1d-read-miss is L1-dcache-load-misses.
 * They consist of a cache, an access, and a result.
 */
#include "pmu/generic.h"

#include "base/array.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

const struct pfmi_generic pfmi_generics[PFMI_GENERICS] = {
	[PFMI_GENERIC_CYCLES] = { "cycles", "Processor cycles", "cpu-cycles" },
	[PFMI_GENERIC_INSTRUCTIONS] = {
		"instructions", "Instructions executed", NULL },
	[PFMI_GENERIC_REF_CYCLES] = {
		"ref-cycles",
		"Processor cycles at a constant frequency, while not halted",
		NULL },
	[PFMI_GENERIC_BUS_CYCLES] = {
		"bus-cycles", "Cycles of the bus, or of the clock it is made from",
		NULL },
	[PFMI_GENERIC_STALLED_FRONTEND] = {
		"stalled-cycles-frontend",
		"Cycles in which the front end delivered nothing",
		"idle-cycles-frontend" },
	[PFMI_GENERIC_STALLED_BACKEND] = {
		"stalled-cycles-backend",
		"Cycles in which the back end executed nothing",
		"idle-cycles-backend" },
	[PFMI_GENERIC_BRANCHES] = {
		"branches", "Branch instructions executed",
		"branch-instructions" },
	[PFMI_GENERIC_BRANCH_MISSES] = {
		"branch-misses",
		"Branch instructions executed that were mispredicted", NULL },
	[PFMI_GENERIC_CACHE_REFERENCES] = {
		"cache-references",
		"Accesses to a cache, on most processors the last one", NULL },
	[PFMI_GENERIC_CACHE_MISSES] = {
		"cache-misses", "Accesses to that cache that missed", NULL },
	[PFMI_GENERIC_L1D_LOADS] = {
		"L1-dcache-loads", "Loads from the level 1 data cache", NULL },
	[PFMI_GENERIC_L1D_LOAD_MISSES] = {
		"L1-dcache-load-misses",
		"Loads that missed the level 1 data cache, or its refills",
		NULL },
	[PFMI_GENERIC_L1D_STORES] = {
		"L1-dcache-stores", "Stores to the level 1 data cache", NULL },
	[PFMI_GENERIC_L1D_STORE_MISSES] = {
		"L1-dcache-store-misses",
		"Stores that missed the level 1 data cache", NULL },
	[PFMI_GENERIC_L1D_PREFETCHES] = {
		"L1-dcache-prefetches", "Prefetches to the level 1 data cache",
		NULL },
	[PFMI_GENERIC_L1D_PREFETCH_MISSES] = {
		"L1-dcache-prefetch-misses",
		"Prefetches that missed the level 1 data cache", NULL },
	[PFMI_GENERIC_L1I_LOADS] = {
		"L1-icache-loads", "Fetches from the level 1 instruction cache",
		NULL },
	[PFMI_GENERIC_L1I_LOAD_MISSES] = {
		"L1-icache-load-misses",
		"Fetches that missed the level 1 instruction cache", NULL },
	[PFMI_GENERIC_L1I_PREFETCHES] = {
		"L1-icache-prefetches",
		"Prefetches to the level 1 instruction cache", NULL },
	[PFMI_GENERIC_L1I_PREFETCH_MISSES] = {
		"L1-icache-prefetch-misses",
		"Prefetches that missed the level 1 instruction cache", NULL },
	[PFMI_GENERIC_LL_LOADS] = {
		"LLC-loads", "Loads from the last level cache", NULL },
	[PFMI_GENERIC_LL_LOAD_MISSES] = {
		"LLC-load-misses", "Loads that missed the last level cache",
		NULL },
	[PFMI_GENERIC_LL_STORES] = {
		"LLC-stores", "Stores to the last level cache", NULL },
	[PFMI_GENERIC_LL_STORE_MISSES] = {
		"LLC-store-misses", "Stores that missed the last level cache",
		NULL },
	[PFMI_GENERIC_LL_PREFETCHES] = {
		"LLC-prefetches", "Prefetches to the last level cache", NULL },
	[PFMI_GENERIC_LL_PREFETCH_MISSES] = {
		"LLC-prefetch-misses",
		"Prefetches that missed the last level cache", NULL },
	[PFMI_GENERIC_DTLB_LOADS] = {
		"dTLB-loads", "Loads whose address the data TLB translated",
		NULL },
	[PFMI_GENERIC_DTLB_LOAD_MISSES] = {
		"dTLB-load-misses", "Loads that missed the data TLB", NULL },
	[PFMI_GENERIC_DTLB_STORES] = {
		"dTLB-stores", "Stores whose address the data TLB translated",
		NULL },
	[PFMI_GENERIC_DTLB_STORE_MISSES] = {
		"dTLB-store-misses", "Stores that missed the data TLB", NULL },
	[PFMI_GENERIC_DTLB_PREFETCHES] = {
		"dTLB-prefetches",
		"Prefetches whose address the data TLB translated", NULL },
	[PFMI_GENERIC_DTLB_PREFETCH_MISSES] = {
		"dTLB-prefetch-misses", "Prefetches that missed the data TLB",
		NULL },
	[PFMI_GENERIC_ITLB_LOADS] = {
		"iTLB-loads",
		"Fetches whose address the instruction TLB translated", NULL },
	[PFMI_GENERIC_ITLB_LOAD_MISSES] = {
		"iTLB-load-misses", "Fetches that missed the instruction TLB",
		NULL },
	[PFMI_GENERIC_BPU_LOADS] = {
		"branch-loads", "Branches that the branch predictor looked up",
		NULL },
	[PFMI_GENERIC_BPU_LOAD_MISSES] = {
		"branch-load-misses",
		"Branches that the branch predictor got wrong", NULL },
	[PFMI_GENERIC_NODE_LOADS] = {
		"node-loads", "Loads from memory, on most processors from the near one",
		NULL },
	[PFMI_GENERIC_NODE_LOAD_MISSES] = {
		"node-load-misses", "Loads from the memory of another node",
		NULL },
	[PFMI_GENERIC_NODE_STORES] = {
		"node-stores", "Stores to memory, on most processors to the near one",
		NULL },
	[PFMI_GENERIC_NODE_STORE_MISSES] = {
		"node-store-misses", "Stores to the memory of another node",
		NULL },
	[PFMI_GENERIC_NODE_PREFETCHES] = {
		"node-prefetches",
		"Prefetches from memory, on most processors from the near one",
		NULL },
	[PFMI_GENERIC_NODE_PREFETCH_MISSES] = {
		"node-prefetch-misses",
		"Prefetches from the memory of another node", NULL },
	[PFMI_GENERIC_SLOTS] = {
		"slots", "Slots of the pipeline for micro-operations", NULL },
	[PFMI_GENERIC_TOPDOWN_RETIRING] = {
		"topdown-retiring", "Slots of micro-operations that retired",
		NULL },
	[PFMI_GENERIC_TOPDOWN_BAD_SPEC] = {
		"topdown-bad-spec", "Slots lost to wrong speculation", NULL },
	[PFMI_GENERIC_TOPDOWN_FE_BOUND] = {
		"topdown-fe-bound",
		"Slots to which the front end delivered nothing", NULL },
	[PFMI_GENERIC_TOPDOWN_BE_BOUND] = {
		"topdown-be-bound",
		"Slots for which the back end had no room", NULL },
	[PFMI_GENERIC_TOPDOWN_HEAVY_OPS] = {
		"topdown-heavy-ops",
		"Slots of instructions of several micro-operations that retired",
		NULL },
	[PFMI_GENERIC_TOPDOWN_BR_MISPREDICT] = {
		"topdown-br-mispredict", "Slots lost to mispredicted branches",
		NULL },
	[PFMI_GENERIC_TOPDOWN_FETCH_LAT] = {
		"topdown-fetch-lat",
		"Slots of cycles in which the front end delivered nothing",
		NULL },
	[PFMI_GENERIC_TOPDOWN_MEM_BOUND] = {
		"topdown-mem-bound", "Slots lost to loads and stores", NULL },
};

/**
 * struct part - a part of the name of a cache event
 * @name: as the library writes it
 * @others: other spellings; a NULL ends them
 */
struct part {
	const char *name;
	const char *others[4];
};

/*
 * perf takes L2 for LLC, too.  It is not here: it would be a wrong name on processors with a level
 * 3 cache.
 */
static const struct part caches[] = {
	{ "L1-dcache", { "l1-d", "l1d", "L1-data" } },
	{ "L1-icache", { "l1-i", "l1i", "L1-instruction" } },
	{ "LLC", { NULL } },
	{ "dTLB", { "d-tlb", "Data-TLB" } },
	{ "iTLB", { "i-tlb", "Instruction-TLB" } },
	{ "branch", { "branches", "bpu", "btb", "bpc" } },
	{ "node", { NULL } },
};

static const struct part accesses[] = {
	{ "load", { "loads", "read" } },
	{ "store", { "stores", "write" } },
	{ "prefetch", { "prefetches", "speculative-read", "speculative-load" } },
};

static const struct part results[] = {
	{ "", { "refs", "reference", "ops", "access" } },
	{ "-misses", { "misses", "miss" } },
};

static size_t is_prefix(const char *text, const char *prefix)
{
	size_t length = strlen(prefix), i;

	for (i = 0; i < length; i++)
		if (pfmi_text_lower(text[i]) != pfmi_text_lower(prefix[i]))
			return 0;
	/* A part ends at a hyphen or with the name. */
	return !text[length] || text[length] == '-' ? length : 0;
}

/* Takes the longest part from the front of the text; returns NULL if none fits. */
static const struct part *take_part(const char **text, const struct part *parts,
				    size_t count)
{
	const struct part *best = NULL;
	size_t longest = 0, length, i, k;

	for (i = 0; i < count; i++) {
		for (k = 0; k <= ARRAY_SIZE(parts[i].others); k++) {
			const char *word = k ? parts[i].others[k - 1] :
					       parts[i].name;

			length = word && *word ? is_prefix(*text, word) : 0;
			if (length <= longest)
				continue;
			longest = length;
			best = &parts[i];
		}
	}
	*text += longest;
	if (best && **text)
		++*text;
	return best;
}

/* Write the name that consists of these parts, as the table above has it. */
static void join(char *name, size_t size, const struct part *cache,
		 const struct part *access, const struct part *result)
{
	const char *plural = access == &accesses[2] ? "es" : "s";
	size_t pos = 0;

	pfmi_text_add(name, size, &pos, "%s-%s%s", cache->name, access->name,
		      result == &results[0] ? plural : result->name);
}

/* As perf does, takes what is missing as load and as refs. */
static bool spell_cache(const char *text, char *name, size_t size)
{
	const struct part *cache, *access, *result;

	if (!*text || text[strlen(text) - 1] == '-')
		return false;
	cache = take_part(&text, caches, ARRAY_SIZE(caches));
	if (!cache || !*text)
		return false;
	access = take_part(&text, accesses, ARRAY_SIZE(accesses));
	result = take_part(&text, results, ARRAY_SIZE(results));
	if (*text)
		return false;
	join(name, size, cache, access ? access : &accesses[0],
	     result ? result : &results[0]);
	return true;
}

enum pfmi_generic_event pfmi_generic_find(const char *name, const char **spelling)
{
	char cache[64];
	unsigned int i;

	for (i = 0; i < PFMI_GENERICS; i++) {
		*spelling = pfmi_generics[i].name;
		if (pfmi_text_equal(name, *spelling))
			return i;
		*spelling = pfmi_generics[i].alias;
		if (*spelling && pfmi_text_equal(name, *spelling))
			return i;
	}
	if (!spell_cache(name, cache, sizeof(cache)))
		return PFMI_GENERICS;
	for (i = 0; i < PFMI_GENERICS; i++) {
		*spelling = pfmi_generics[i].name;
		if (!strcmp(cache, *spelling))
			return i;
	}
	return PFMI_GENERICS;
}
