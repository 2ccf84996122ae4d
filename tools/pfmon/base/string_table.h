/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Strings with numbers: equal strings have the same one.
 */
#ifndef PFMON_BASE_STRING_TABLE_H
#define PFMON_BASE_STRING_TABLE_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct string_table - the table
 * @list: by number, from 0 in the order in which they came
 * @count: elements of @list
 */
struct string_table {
	char **list;
	uint32_t count;
	uint32_t room;
	uint32_t *buckets;
	uint32_t *next;
};

/* 0, or -1 when there is no memory. */
int string_table_init(struct string_table *strings);

/* Number of a string; UINT32_MAX when there is no memory. */
uint32_t string_table_number(struct string_table *strings, const char *text);

void string_table_free(struct string_table *strings);

#endif
