// SPDX-License-Identifier: GPL-2.0-only
/*
 * Groups and their keys, see groups.h.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "views/groups.h"

void groups_init(struct groups *groups, size_t max)
{
	*groups = (struct groups){ .max = max };
}

static uint64_t hash_of(const struct group_key *key)
{
	uint64_t hash =
		hash_mix(key->address, (uint64_t)key->image << 32 | key->pid);

	return hash_mix(hash, key->kind << 4 ^ key->named);
}

static bool is_same(const struct group_key *a, const struct group_key *b)
{
	return a->address == b->address && a->image == b->image &&
	       a->pid == b->pid && a->kind == b->kind && a->named == b->named;
}

int groups_find(struct groups *groups, const struct group_key *key,
		const struct ibs_place *place, struct group **group)
{
	uint64_t hash = hash_of(key);
	uint32_t number = hash_find(&groups->table, hash);

	while (number && !is_same(&groups->list[number - 1].key, key))
		number = hash_next(&groups->table, number);
	*group = number ? &groups->list[number - 1] : NULL;
	if (number || groups->count == groups->max)
		return 0;
	if (array_reserve(&groups->list, sizeof(*groups->list), &groups->room,
			  groups->count + 1) ||
	    hash_add(&groups->table, hash))
		return -1;
	*group = &groups->list[groups->count++];
	**group = (struct group){ .key = *key, .place = *place };
	return 0;
}

void groups_free(struct groups *groups)
{
	size_t i;

	for (i = 0; i < groups->count; i++) {
		misses_free(&groups->list[i].misses);
		sharers_free(&groups->list[i].sharers);
	}
	free(groups->list);
	hash_free(&groups->table);
	memset(groups, 0, sizeof(*groups));
}
