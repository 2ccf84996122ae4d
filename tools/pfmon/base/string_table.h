/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers strings: equal strings have the same number.
 */
#ifndef PFMON_BASE_STRING_TABLE_H
#define PFMON_BASE_STRING_TABLE_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct string_table - the table
 * @list: strings by number; numbered from 0 in the order of their first use
 * @count: elements of @list
 */
struct string_table {
	char **list;
	uint32_t count;
	uint32_t room;
	uint32_t *buckets;
	uint32_t *next;
};

/* Returns 0, or -1 without memory. */
int string_table_init(struct string_table *strings);

/* Number of a string; UINT32_MAX without memory. */
uint32_t string_table_number(struct string_table *strings, const char *text);

void string_table_free(struct string_table *strings);

#endif
