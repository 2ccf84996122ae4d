/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A cache of what is at an address: most samples are of few instructions and few data, and a
 * search for a symbol reads the whole symbol table.
 */
#ifndef PFMON_VIEWS_PLACE_CACHE_H
#define PFMON_VIEWS_PLACE_CACHE_H

#include "ibs/ibs_places.h"

struct place_cache_entry;

/**
 * struct place_cache - places that were found
 * @entries: by hash of process and address; NULL before the first use
 */
struct place_cache {
	struct place_cache_entry *entries;
};

/**
 * place_cache_find() - find what is at an address, as ibs_places_find() does
 * @cache: the cache; all zero bytes: empty
 * @places: nothing is added to it while the cache is in use
 * @pid: process
 * @time: of the sample
 * @address: the address
 * @place: result
 *
 * Without memory for the cache each place is searched for.
 */
void place_cache_find(struct place_cache *cache, struct ibs_places *places,
		      uint32_t pid, uint64_t time, uint64_t address,
		      struct ibs_place *place);

void place_cache_free(struct place_cache *cache);

#endif
