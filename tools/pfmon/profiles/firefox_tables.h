/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables that the threads of a Firefox profile share: names, files, functions, frames, and stacks as
 * a tree.
 *
 * A frame is a function here, and a stack is a frame and the stack that called it.
 */
#ifndef PFMON_PROFILES_FIREFOX_TABLES_H
#define PFMON_PROFILES_FIREFOX_TABLES_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/string_table.h"

struct json;
struct symbols;

/**
 * enum firefox_category - numbers of the categories in the profile
 */
enum firefox_category {
	FIREFOX_OTHER,
	FIREFOX_USER,
	FIREFOX_KERNEL,
};

struct firefox_function;
struct firefox_stack;

/**
 * struct firefox_tables - the tables; all zeros if they are empty
 * @strings: names
 * @files: number of each file's name in @strings
 * @num_files: elements of @files
 * @room_files: elements that fit in @files
 * @functions: by number, which is that of the frame as well
 * @num_functions: elements of @functions
 * @room_functions: elements that fit in @functions
 * @function_table: finds functions by name and file
 * @places: number of the function of each place + 1; 0 if it was not looked up yet
 * @num_places: elements of @places
 * @room_places: elements that fit in @places
 * @stacks: by number; callers come before what they call
 * @num_stacks: elements of @stacks
 * @room_stacks: elements that fit in @stacks
 * @stack_table: finds stacks by caller and function
 */
struct firefox_tables {
	struct string_table strings;
	uint32_t *files;
	uint32_t num_files;
	size_t room_files;
	struct firefox_function *functions;
	uint32_t num_functions;
	size_t room_functions;
	struct hash function_table;
	uint32_t *places;
	size_t num_places;
	size_t room_places;
	struct firefox_stack *stacks;
	uint32_t num_stacks;
	size_t room_stacks;
	struct hash stack_table;
};

/*
 * Number of the stack that has these places, innermost first, of which there is at least one.  UINT32_MAX
 * without memory.
 */
uint32_t firefox_tables_stack(struct firefox_tables *tables,
			      struct symbols *symbols, const uint32_t *places,
			      uint32_t count);

/* Writes them as members of the object that is open. */
void firefox_tables_write(struct json *json,
			  const struct firefox_tables *tables);

void firefox_tables_free(struct firefox_tables *tables);

#endif
