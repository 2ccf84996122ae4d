/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds elements of an array by a hash of their key.
 *
 * The elements are the caller's; the table has their numbers, from 1 on in the order in which they
 * were added.  So elements may move in memory, as those of an array that grows do.  The caller
 * compares keys, and looks at all elements with the hash::
 *
 *	for (number = hash_find(&table, hash); number; number = hash_next(&table, number))
 *		if (list[number - 1].key == key)
 *			return &list[number - 1];
 */
#ifndef PFMON_BASE_HASH_H
#define PFMON_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct hash_entry - an element
 * @hash: upper half of its hash
 * @next: number of the next one in the bucket; 0 if it is the last
 */
struct hash_entry {
	uint32_t hash;
	uint32_t next;
};

/**
 * struct hash - a table; all zeros if it is empty
 * @entries: by number - 1
 * @count: elements of @entries
 * @room: elements that fit in @entries
 * @buckets: numbers of the elements that were added last; 0 if there is none
 * @num_buckets: elements of @buckets, a power of 2
 */
struct hash {
	struct hash_entry *entries;
	uint32_t count;
	size_t room;
	uint32_t *buckets;
	size_t num_buckets;
};

/* Number of the last element that was added with a hash; 0 if there is none. */
uint32_t hash_find(const struct hash *table, uint64_t hash);

/* Number of the one with the same hash that was added before it; 0 if there is none. */
uint32_t hash_next(const struct hash *table, uint32_t number);

/* Adds element number @table->count + 1.  Returns 0, or -1 without memory. */
int hash_add(struct hash *table, uint64_t hash);

/* Removes all elements, but keeps the memory. */
void hash_clear(struct hash *table);

void hash_free(struct hash *table);

/* The hash of several values: that of those before, 0 at first, and the next one. */
static inline uint64_t hash_mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15ULL;
	return hash ^ hash >> 29;
}

uint64_t hash_text(const char *text);

#endif
