/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Symbols of the kernel and its modules, from /proc/kallsyms or a System.map.
 */
#ifndef PFMON_SYMBOLS_KALLSYMS_H
#define PFMON_SYMBOLS_KALLSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct kernel_symbol - a function
 * @address: its first address
 * @name: its name
 * @module: module that it belongs to, in brackets; NULL for the kernel itself
 */
struct kernel_symbol {
	uint64_t address;
	const char *name;
	const char *module;
};

/**
 * struct kallsyms - the table
 * @list: functions by rising address
 * @count: elements of @list
 * @text: memory that holds the strings
 */
struct kallsyms {
	struct kernel_symbol *list;
	size_t count;
	char *text;
};

/* @file: NULL for /proc/kallsyms.  Returns 0, or -1 after a message. */
int kallsyms_read(struct kallsyms *table, const char *file);

/*
 * The same of a text that malloc() has made, and that the table has from then on; also after an
 * error.  Returns 0, or -1 without memory.
 */
int kallsyms_take(struct kallsyms *table, char *text);

/* True if /proc/kallsyms has addresses for this user: zeros are in their place otherwise. */
bool kallsyms_are_shown(void);

/* Function at an address; NULL if there is none. */
const struct kernel_symbol *kallsyms_find(const struct kallsyms *table,
					  uint64_t address);

/**
 * kallsyms_size() - find how long the function at an address is
 * @table: the table
 * @address: address in the function
 *
 * Return: bytes to the next function of the kernel or of the same module, which pad the
 * function as well; 0 if none follows: what is behind the last function is no code.
 */
uint64_t kallsyms_size(const struct kallsyms *table, uint64_t address);

void kallsyms_free(struct kallsyms *table);

#endif
