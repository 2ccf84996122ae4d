/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers strings: equal strings have the same number.
 */
#ifndef PFMON_BASE_STRING_TABLE_H
#define PFMON_BASE_STRING_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

/**
 * struct string_table - the strings; all zeros if there are none
 * @list: strings by number; numbered from 0 in the order of their first use
 * @count: elements of @list
 * @room: elements that fit in @list
 * @table: finds them by their text
 */
struct string_table {
	char **list;
	uint32_t count;
	size_t room;
	struct hash table;
};

/* Number of a string; UINT32_MAX without memory. */
uint32_t string_table_number(struct string_table *strings, const char *text);

void string_table_free(struct string_table *strings);

#endif
