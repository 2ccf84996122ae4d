// SPDX-License-Identifier: GPL-2.0-only
/*
 * The shared tables of a Firefox profile, see firefox_tables.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/json_writer.h"
#include "profiles/firefox_tables.h"
#include "symbols/symbols.h"

/* The application's number for a library, among the kinds of files that functions come from. */
#define RESOURCE_LIBRARY 1

#define NONE UINT32_MAX

/**
 * struct firefox_function - a function, and the only frame of it
 * @name: its number among the strings
 * @file: its number among the files; NONE if it is not known
 * @category: enum firefox_category
 */
struct firefox_function {
	uint32_t name;
	uint32_t file;
	uint32_t category;
};

/**
 * struct firefox_stack - a stack
 * @caller: the stack without its innermost frame; NONE if there is no other one
 * @frame: the innermost frame
 */
struct firefox_stack {
	uint32_t caller;
	uint32_t frame;
};

/* Number of a file by its name.  There are few: libraries of a program. */
static uint32_t number_of_file(struct firefox_tables *tables, const char *name)
{
	uint32_t text = string_table_number(&tables->strings, name);
	uint32_t i;

	if (text == NONE)
		return NONE;
	for (i = 0; i < tables->num_files; i++)
		if (tables->files[i] == text)
			return i;
	if (array_reserve(&tables->files, sizeof(*tables->files),
			  &tables->room_files, tables->num_files + 1))
		return NONE;
	tables->files[tables->num_files] = text;
	return tables->num_files++;
}

/* Number of a function; NONE without memory. */
static uint32_t number_of_function(struct firefox_tables *tables,
				   const struct symbol *symbol)
{
	struct firefox_function wanted = {
		.file = NONE,
		.category = symbol->kernel   ? FIREFOX_KERNEL
			    : symbol->module ? FIREFOX_USER
					     : FIREFOX_OTHER,
	};
	char text[FRAME_ROOM];
	uint32_t number;
	uint64_t hash;

	wanted.name = string_table_number(&tables->strings,
					  symbols_frame(symbol, text));
	if (wanted.name == NONE)
		return NONE;
	if (symbol->module) {
		wanted.file = number_of_file(tables, symbol->module);
		if (wanted.file == NONE)
			return NONE;
	}
	hash = hash_mix(hash_mix(0, wanted.name), wanted.file);
	for (number = hash_find(&tables->function_table, hash); number;
	     number = hash_next(&tables->function_table, number))
		if (!memcmp(&tables->functions[number - 1], &wanted,
			    sizeof(wanted)))
			return number - 1;
	if (array_reserve(&tables->functions, sizeof(*tables->functions),
			  &tables->room_functions, tables->num_functions + 1) ||
	    hash_add(&tables->function_table, hash))
		return NONE;
	tables->functions[tables->num_functions] = wanted;
	return tables->num_functions++;
}

/* Number of the function at a place; NONE without memory. */
static uint32_t function_at(struct firefox_tables *tables,
			    struct symbols *symbols, uint32_t place)
{
	uint32_t *number;

	/* Places are added to those that are known when a stack gets its final form. */
	if (place >= tables->num_places) {
		if (array_reserve(&tables->places, sizeof(*tables->places),
				  &tables->room_places, place + 1UL))
			return NONE;
		memset(tables->places + tables->num_places, 0,
		       (place + 1 - tables->num_places) *
			       sizeof(*tables->places));
		tables->num_places = place + 1;
	}
	number = &tables->places[place];
	if (!*number)
		*number = number_of_function(tables,
					     symbols_get(symbols, place)) +
			  1;
	return *number - 1;
}

/* Number of the stack of a caller and a frame; NONE without memory. */
static uint32_t number_of_stack(struct firefox_tables *tables, uint32_t caller,
				uint32_t frame)
{
	uint64_t hash = hash_mix(hash_mix(0, caller), frame);
	const struct firefox_stack *stack;
	uint32_t number;

	for (number = hash_find(&tables->stack_table, hash); number;
	     number = hash_next(&tables->stack_table, number)) {
		stack = &tables->stacks[number - 1];
		if (stack->caller == caller && stack->frame == frame)
			return number - 1;
	}
	if (array_reserve(&tables->stacks, sizeof(*tables->stacks),
			  &tables->room_stacks, tables->num_stacks + 1) ||
	    hash_add(&tables->stack_table, hash))
		return NONE;
	tables->stacks[tables->num_stacks] =
		(struct firefox_stack){ caller, frame };
	return tables->num_stacks++;
}

uint32_t firefox_tables_stack(struct firefox_tables *tables,
			      struct symbols *symbols, const uint32_t *places,
			      uint32_t count)
{
	uint32_t stack = NONE, frame;

	while (count--) {
		frame = function_at(tables, symbols, places[count]);
		if (frame == NONE)
			return NONE;
		stack = number_of_stack(tables, stack, frame);
		if (stack == NONE)
			return NONE;
	}
	return stack;
}

static void write_number(struct json *json, uint32_t number)
{
	if (number == NONE)
		jsonw_null(json, NULL);
	else
		jsonw_uint(json, NULL, number);
}

static void write_strings(struct json *json, const struct string_table *strings)
{
	uint32_t i;

	jsonw_line_array(json, "stringArray");
	for (i = 0; i < strings->count; i++)
		jsonw_string(json, NULL, strings->list[i]);
	jsonw_close(json);
}

static void write_stacks(struct json *json, const struct firefox_tables *tables)
{
	uint32_t i;

	jsonw_object(json, "stackTable");
	jsonw_uint(json, "length", tables->num_stacks);
	jsonw_line_array(json, "frame");
	for (i = 0; i < tables->num_stacks; i++)
		jsonw_uint(json, NULL, tables->stacks[i].frame);
	jsonw_close(json);
	jsonw_line_array(json, "prefix");
	for (i = 0; i < tables->num_stacks; i++)
		write_number(json, tables->stacks[i].caller);
	jsonw_close(json);
	jsonw_close(json);
}

/* A column that has the same value in each row; NULL: null. */
static void write_same(struct json *json, const char *name, uint32_t count,
		       const int *value)
{
	uint32_t i;

	jsonw_line_array(json, name);
	for (i = 0; i < count; i++)
		if (value)
			jsonw_int(json, NULL, *value);
		else
			jsonw_null(json, NULL);
	jsonw_close(json);
}

static void write_frames(struct json *json, const struct firefox_tables *tables)
{
	static const int none = -1, zero;
	uint32_t i, count = tables->num_functions;

	jsonw_object(json, "frameTable");
	jsonw_uint(json, "length", count);
	write_same(json, "address", count, &none);
	write_same(json, "inlineDepth", count, &zero);
	jsonw_line_array(json, "category");
	for (i = 0; i < count; i++)
		jsonw_uint(json, NULL, tables->functions[i].category);
	jsonw_close(json);
	write_same(json, "subcategory", count, &zero);
	jsonw_line_array(json, "func");
	for (i = 0; i < count; i++)
		jsonw_uint(json, NULL, i);
	jsonw_close(json);
	write_same(json, "nativeSymbol", count, NULL);
	write_same(json, "innerWindowID", count, &zero);
	write_same(json, "line", count, NULL);
	write_same(json, "column", count, NULL);
	jsonw_close(json);
}

static void write_false(struct json *json, const char *name, uint32_t count)
{
	jsonw_line_array(json, name);
	while (count--)
		jsonw_bool(json, NULL, false);
	jsonw_close(json);
}

static void write_functions(struct json *json,
			    const struct firefox_tables *tables)
{
	uint32_t i, count = tables->num_functions;

	jsonw_object(json, "funcTable");
	jsonw_uint(json, "length", count);
	jsonw_line_array(json, "name");
	for (i = 0; i < count; i++)
		jsonw_uint(json, NULL, tables->functions[i].name);
	jsonw_close(json);
	write_false(json, "isJS", count);
	write_false(json, "relevantForJS", count);
	jsonw_line_array(json, "resource");
	for (i = 0; i < count; i++)
		if (tables->functions[i].file == NONE)
			jsonw_int(json, NULL, -1);
		else
			jsonw_uint(json, NULL, tables->functions[i].file);
	jsonw_close(json);
	write_same(json, "source", count, NULL);
	write_same(json, "lineNumber", count, NULL);
	write_same(json, "columnNumber", count, NULL);
	jsonw_close(json);
}

static void write_files(struct json *json, const struct firefox_tables *tables)
{
	static const int library = RESOURCE_LIBRARY;
	uint32_t i, count = tables->num_files;

	jsonw_object(json, "resourceTable");
	jsonw_uint(json, "length", count);
	write_same(json, "lib", count, NULL);
	jsonw_line_array(json, "name");
	for (i = 0; i < count; i++)
		jsonw_uint(json, NULL, tables->files[i]);
	jsonw_close(json);
	write_same(json, "host", count, NULL);
	write_same(json, "type", count, &library);
	jsonw_close(json);
}

void firefox_tables_write(struct json *json,
			  const struct firefox_tables *tables)
{
	write_strings(json, &tables->strings);
	write_stacks(json, tables);
	write_frames(json, tables);
	write_functions(json, tables);
	write_files(json, tables);
}

void firefox_tables_free(struct firefox_tables *tables)
{
	string_table_free(&tables->strings);
	hash_free(&tables->function_table);
	hash_free(&tables->stack_table);
	free(tables->files);
	free(tables->functions);
	free(tables->places);
	free(tables->stacks);
	memset(tables, 0, sizeof(*tables));
}
