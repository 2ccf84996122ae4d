// SPDX-License-Identifier: GPL-2.0-only
/*
 * A cache of lines, or of pages, for the model: sets whose least recently used line is replaced.
 */

#include "cache.h"

struct arm_cache arm_cache_new(unsigned int sets, unsigned int ways)
{
	uint64_t *lines = g_new0(uint64_t, (size_t)sets * ways);

	return (struct arm_cache){ sets, ways, lines };
}

static uint64_t *set_of(const struct arm_cache *cache, uint64_t line)
{
	return cache->lines + line % cache->sets * cache->ways;
}

/* The way of the set that has the line, or the number of ways */
static unsigned int find_way(const struct arm_cache *cache, uint64_t line)
{
	const uint64_t *set = set_of(cache, line);
	unsigned int way;

	for (way = 0; way < cache->ways; way++)
		if ((set[way] & ~ARM_CACHE_AHEAD) == (line | ARM_CACHE_PRESENT))
			break;
	return way;
}

bool arm_cache_has(const struct arm_cache *cache, uint64_t line)
{
	return find_way(cache, line) < cache->ways;
}

uint64_t arm_cache_use(struct arm_cache *cache, uint64_t line, uint64_t flags)
{
	uint64_t *set = set_of(cache, line);
	unsigned int way = find_way(cache, line);
	uint64_t was = 0;

	if (way < cache->ways)
		was = set[way];
	else
		way--;
	memmove(set + 1, set, way * sizeof(*set));
	set[0] = line | ARM_CACHE_PRESENT | flags;
	return was;
}
