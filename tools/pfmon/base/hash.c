// SPDX-License-Identifier: GPL-2.0-only
/*
 * A hash table that grows with its number of elements.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"

#define BUCKETS_MIN 64

/* The upper half depends on all bits of the values. */
static uint32_t upper(uint64_t hash)
{
	return hash >> 32;
}

static uint32_t *bucket_of(const struct hash *table, uint32_t hash)
{
	return &table->buckets[hash & (table->num_buckets - 1)];
}

static uint32_t first(const struct hash *table, uint32_t number, uint32_t hash)
{
	while (number && table->entries[number - 1].hash != hash)
		number = table->entries[number - 1].next;
	return number;
}

uint32_t hash_find(const struct hash *table, uint64_t hash)
{
	if (!table->count)
		return 0;
	return first(table, *bucket_of(table, upper(hash)), upper(hash));
}

uint32_t hash_next(const struct hash *table, uint32_t number)
{
	const struct hash_entry *entry = &table->entries[number - 1];

	return first(table, entry->next, entry->hash);
}

static void link_entry(struct hash *table, uint32_t number)
{
	struct hash_entry *entry = &table->entries[number - 1];
	uint32_t *bucket = bucket_of(table, entry->hash);

	entry->next = *bucket;
	*bucket = number;
}

static int grow(struct hash *table)
{
	size_t count = table->num_buckets ? 2 * table->num_buckets
					  : BUCKETS_MIN;
	uint32_t *buckets = calloc(count, sizeof(*buckets)), number;

	if (!buckets)
		return -1;
	free(table->buckets);
	table->buckets = buckets;
	table->num_buckets = count;
	for (number = 1; number <= table->count; number++)
		link_entry(table, number);
	return 0;
}

int hash_add(struct hash *table, uint64_t hash)
{
	if (table->count == UINT32_MAX ||
	    array_reserve(&table->entries, sizeof(*table->entries),
			  &table->room, (size_t)table->count + 1) ||
	    (table->count == table->num_buckets && grow(table)))
		return -1;
	table->entries[table->count].hash = upper(hash);
	link_entry(table, ++table->count);
	return 0;
}

void hash_clear(struct hash *table)
{
	table->count = 0;
	if (table->buckets)
		memset(table->buckets, 0,
		       table->num_buckets * sizeof(*table->buckets));
}

void hash_free(struct hash *table)
{
	free(table->entries);
	free(table->buckets);
	memset(table, 0, sizeof(*table));
}

/* FNV-1a */
uint64_t hash_text(const char *text)
{
	uint64_t hash = 14695981039346656037ULL;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 1099511628211ULL;
	return hash_mix(0, hash);
}
