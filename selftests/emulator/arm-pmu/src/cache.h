/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A cache of lines, or of pages, for the model: which ones it has, and not what is in them.
 */
#ifndef ARM_PMU_CACHE_H
#define ARM_PMU_CACHE_H

#include "qemu/osdep.h"
#include "qemu/bitops.h"

#define ARM_CACHE_PRESENT BIT_ULL(63)
#define ARM_CACHE_AHEAD	  BIT_ULL(62) /* prefetched, and not used yet */

/* Each set has its lines in the order of their use, the last one first. */
struct arm_cache {
	unsigned int sets, ways;
	uint64_t *lines;
};

/* An empty one, which lives as long as the CPU. */
struct arm_cache arm_cache_new(unsigned int sets, unsigned int ways);

bool arm_cache_has(const struct arm_cache *cache, uint64_t line);

/*
 * Uses a line, of a number below 2^62. If it is not there it replaces that of its set which was
 * not used for longest. Flags is ARM_CACHE_AHEAD or 0, and replaces what the line had. Returns the
 * line as it was, with its flags, or 0 if it was not there.
 */
uint64_t arm_cache_use(struct arm_cache *cache, uint64_t line, uint64_t flags);

#endif /* ARM_PMU_CACHE_H */
