// SPDX-License-Identifier: GPL-2.0-only
/*
 * A hash table of groups that grows with their number, see groups.h.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "views/groups.h"

#define BUCKETS_MIN 1024

void groups_init(struct groups *groups, size_t max)
{
	*groups = (struct groups){ .max = max };
}

static size_t bucket_of(const struct groups *groups,
			const struct group_key *key)
{
	uint64_t hash = key->address;

	hash ^= (uint64_t)key->image << 44 ^ (uint64_t)key->pid << 20;
	hash ^= key->kind << 4 ^ key->named;
	hash *= 0x9e3779b97f4a7c15ULL;
	return (hash >> 32) & (groups->num_buckets - 1);
}

static bool is_same(const struct group_key *a, const struct group_key *b)
{
	return a->address == b->address && a->image == b->image &&
	       a->pid == b->pid && a->kind == b->kind && a->named == b->named;
}

static void link_group(struct groups *groups, size_t number)
{
	struct group *group = &groups->list[number];
	size_t *bucket = &groups->buckets[bucket_of(groups, &group->key)];

	group->next = *bucket;
	*bucket = number + 1;
}

/* Has room for another group, and about as many buckets as groups. */
static int grow(struct groups *groups)
{
	size_t room = groups->room ? 2 * groups->room : BUCKETS_MIN;
	struct group *list;
	size_t *buckets, i;

	if (groups->count < groups->room)
		return 0;
	list = realloc(groups->list, room * sizeof(*list));
	if (!list)
		return -1;
	groups->list = list;
	buckets = calloc(room, sizeof(*buckets));
	if (!buckets)
		return -1;
	free(groups->buckets);
	groups->buckets = buckets;
	groups->num_buckets = room;
	groups->room = room;
	for (i = 0; i < groups->count; i++)
		link_group(groups, i);
	return 0;
}

int groups_find(struct groups *groups, const struct group_key *key,
		const struct ibs_place *place, struct group **group)
{
	size_t number = 0;

	if (groups->count)
		number = groups->buckets[bucket_of(groups, key)];
	while (number && !is_same(&groups->list[number - 1].key, key))
		number = groups->list[number - 1].next;
	*group = number ? &groups->list[number - 1] : NULL;
	if (number || groups->count == groups->max)
		return 0;
	if (grow(groups))
		return -1;
	*group = &groups->list[groups->count];
	**group = (struct group){ .key = *key, .place = *place };
	link_group(groups, groups->count++);
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
	free(groups->buckets);
	memset(groups, 0, sizeof(*groups));
}
