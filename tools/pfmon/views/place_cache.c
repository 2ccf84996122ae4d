// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keeps places, see place_cache.h.
 */
#include <stdlib.h>

#include "views/place_cache.h"

/* Two megabytes. */
#define ENTRIES 16384

/**
 * struct place_cache_entry - a place
 * @used: the entry is one
 * @pid: process
 * @address: address in the process
 * @map: what was mapped there; NULL if nothing is known
 * @before: what was mapped before @map, which decides whether @map is data of that file
 * @place: the place
 */
struct place_cache_entry {
	bool used;
	uint32_t pid;
	uint64_t address;
	const struct change *map;
	const struct change *before;
	struct ibs_place place;
};

static struct place_cache_entry *entry_of(struct place_cache *cache,
					  uint32_t pid, uint64_t address)
{
	uint64_t hash = (address ^ (uint64_t)pid << 40) * 0x9e3779b97f4a7c15ULL;

	return &cache->entries[(hash >> 32) % ENTRIES];
}

static bool is_of(const struct place_cache_entry *entry,
		  const struct place_cache_entry *wanted)
{
	return entry->used && entry->pid == wanted->pid &&
	       entry->address == wanted->address && entry->map == wanted->map &&
	       entry->before == wanted->before;
}

void place_cache_find(struct place_cache *cache, struct ibs_places *places,
		      uint32_t pid, uint64_t time, uint64_t address,
		      struct ibs_place *place)
{
	struct place_cache_entry wanted = {
		.used = true,
		.pid = pid,
		.address = address,
	};
	struct place_cache_entry *entry;

	if (!cache->entries)
		cache->entries = calloc(ENTRIES, sizeof(*cache->entries));
	if (!cache->entries) {
		ibs_places_find(places, pid, time, address, place);
		return;
	}
	/* The same address may be of something else at another time. */
	wanted.map = maps_find(&places->maps, pid, time, address);
	if (wanted.map)
		wanted.before = maps_find(&places->maps, pid, time,
					  wanted.map->start - 1);
	entry = entry_of(cache, pid, address);
	if (!is_of(entry, &wanted)) {
		ibs_places_find(places, pid, time, address, &wanted.place);
		*entry = wanted;
	}
	*place = entry->place;
}

void place_cache_free(struct place_cache *cache)
{
	free(cache->entries);
	cache->entries = NULL;
}
