// SPDX-License-Identifier: GPL-2.0-only
/*
 * Arrays that grow and the hash table: growth, equal hashes, and no memory.  It is linked with
 * --wrap=calloc and --wrap=reallocarray.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../lib/tests/tap.h"
#include "../../tools/pfmon/base/array.h"
#include "../../tools/pfmon/base/hash.h"

#define COUNT 100000

/* Calls that succeed before the next one fails. */
static unsigned int left = -1U;

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__real_reallocarray(void *list, size_t count, size_t size);
void *__wrap_reallocarray(void *list, size_t count, size_t size);

static bool fails(void)
{
	return left != -1U && !left--;
}

void *__wrap_calloc(size_t count, size_t size)
{
	return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_reallocarray(void *list, size_t count, size_t size)
{
	return fails() ? NULL : __real_reallocarray(list, count, size);
}

static void test_array(void)
{
	uint64_t *list = NULL;
	size_t room = 0, count = 0;
	bool same = true;

	for (; count < COUNT; count++) {
		if (array_reserve(&list, sizeof(*list), &room, count + 1))
			break;
		list[count] = count;
	}
	ok(count == COUNT && room >= COUNT && room < 2 * COUNT,
	   "an array grows to %zu elements", room);
	while (count--)
		same &= list[count] == count;
	ok(same, "and keeps what it has");
	left = 0;
	ok(array_reserve(&list, sizeof(*list), &room, room + 1) == -1 &&
		   room >= COUNT && list[COUNT - 1] == COUNT - 1,
	   "without memory it is as before");
	left = -1U;
	ok(array_reserve(&list, sizeof(*list), &room, SIZE_MAX / 4) == -1,
	   "more bytes than there are addresses are an error");
	free(list);
}

/* Half of the keys have the hash of another one. */
static uint64_t hash_of(uint32_t key)
{
	return hash_mix(0, key / 2);
}

static uint32_t find(const struct hash *table, uint32_t key)
{
	uint32_t number = hash_find(table, hash_of(key));

	while (number && number != key + 1)
		number = hash_next(table, number);
	return number;
}

static void test_hash(void)
{
	struct hash table = { 0 };
	unsigned int i, bad = 0;
	uint32_t key;

	ok(!hash_find(&table, 1), "nothing is in an empty table");
	for (key = 0; key < COUNT; key++)
		bad += hash_add(&table, hash_of(key));
	for (key = 0; key < COUNT; key++)
		bad += find(&table, key) != key + 1;
	ok(!bad, "each of %u elements is found", COUNT);
	ok(!find(&table, COUNT), "another one is not");
	ok(hash_find(&table, hash_of(0)) == 2 && hash_next(&table, 2) == 1 &&
		   !hash_next(&table, 1),
	   "of equal hashes the last element is the first");
	hash_clear(&table);
	ok(!hash_find(&table, hash_of(0)) && !hash_add(&table, hash_of(0)) &&
		   find(&table, 0) == 1,
	   "a table that was cleared begins with number 1");
	hash_free(&table);
	for (i = 0; i < 2; i++) {
		left = i;
		ok(hash_add(&table, 1) == -1 && !table.count &&
			   !hash_find(&table, 1),
		   "without memory, call %u: nothing is added", i + 1);
		left = -1U;
		ok(!hash_add(&table, 1) && hash_find(&table, 1) == 1,
		   "with memory it is");
		hash_free(&table);
	}
	ok(hash_text("ab") != hash_text("ba") &&
		   hash_text("") != hash_text("a"),
	   "texts have hashes of their own");
}

int main(void)
{
	test_array();
	test_hash();
	return tap_end();
}
