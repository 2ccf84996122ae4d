// SPDX-License-Identifier: GPL-2.0-only
/*
 * A hash table that numbers strings.
 */
#include <stdlib.h>
#include <string.h>

#include "base/string_table.h"

#define BUCKETS	16384

int string_table_init(struct string_table *strings)
{
	memset(strings, 0, sizeof(*strings));
	strings->buckets = calloc(BUCKETS, sizeof(*strings->buckets));
	return strings->buckets ? 0 : -1;
}

static uint32_t *bucket_of(struct string_table *strings, const char *text)
{
	uint32_t hash = 2166136261U;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 16777619U;
	return &strings->buckets[hash % BUCKETS];
}

static int make_room(struct string_table *strings)
{
	uint32_t room = strings->room ? 2 * strings->room : 256;
	uint32_t *next;
	char **list;

	if (strings->count < strings->room)
		return 0;
	list = realloc(strings->list, room * sizeof(*list));
	if (!list)
		return -1;
	strings->list = list;
	next = realloc(strings->next, room * sizeof(*next));
	if (!next)
		return -1;
	strings->next = next;
	strings->room = room;
	return 0;
}

uint32_t string_table_number(struct string_table *strings, const char *text)
{
	uint32_t *bucket = bucket_of(strings, text), number;

	for (number = *bucket; number; number = strings->next[number - 1])
		if (!strcmp(strings->list[number - 1], text))
			return number - 1;
	if (make_room(strings))
		return UINT32_MAX;
	strings->list[strings->count] = strdup(text);
	if (!strings->list[strings->count])
		return UINT32_MAX;
	strings->next[strings->count] = *bucket;
	*bucket = ++strings->count;
	return strings->count - 1;
}

void string_table_free(struct string_table *strings)
{
	uint32_t i;

	for (i = 0; i < strings->count; i++)
		free(strings->list[i]);
	free(strings->list);
	free(strings->next);
	free(strings->buckets);
	memset(strings, 0, sizeof(*strings));
}
