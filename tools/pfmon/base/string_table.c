// SPDX-License-Identifier: GPL-2.0-only
/*
 * Strings and their numbers.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/string_table.h"

uint32_t string_table_number(struct string_table *strings, const char *text)
{
	uint64_t hash = hash_text(text);
	uint32_t number;
	char *copy;

	for (number = hash_find(&strings->table, hash); number;
	     number = hash_next(&strings->table, number))
		if (!strcmp(strings->list[number - 1], text))
			return number - 1;
	if (array_reserve(&strings->list, sizeof(*strings->list),
			  &strings->room, (size_t)strings->count + 1))
		return UINT32_MAX;
	copy = strdup(text);
	if (!copy || hash_add(&strings->table, hash)) {
		free(copy);
		return UINT32_MAX;
	}
	strings->list[strings->count] = copy;
	return strings->count++;
}

void string_table_free(struct string_table *strings)
{
	uint32_t i;

	for (i = 0; i < strings->count; i++)
		free(strings->list[i]);
	free(strings->list);
	hash_free(&strings->table);
	memset(strings, 0, sizeof(*strings));
}
