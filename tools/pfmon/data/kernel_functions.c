// SPDX-License-Identifier: GPL-2.0-only
/*
 * Collects the addresses of the kernel that samples have, and writes the symbols at them.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "data/kernel_functions.h"
#include "sampling/sample.h"
#include "symbols/kallsyms.h"
#include "symbols/symbols.h"

static bool is_known(const struct kernel_functions *functions, uint64_t address)
{
	const uint64_t hash = hash_mix(0, address);
	uint32_t number;

	for (number = hash_find(&functions->table, hash); number;
	     number = hash_next(&functions->table, number))
		if (functions->list[number - 1] == address)
			return true;
	return false;
}

/* An address that finds no memory has no name in the file, and the sample is there all the same. */
static void take(struct kernel_functions *functions, uint64_t address)
{
	const uint32_t count = functions->table.count;

	if (!symbols_is_kernel(address) || count == KERNEL_FUNCTIONS_MAX ||
	    is_known(functions, address) ||
	    array_reserve(&functions->list, sizeof(*functions->list),
			  &functions->room, count + 1))
		return;
	functions->list[count] = address;
	hash_add(&functions->table, hash_mix(0, address));
}

void kernel_functions_take(struct kernel_functions *functions,
			   const struct sample *sample)
{
	uint32_t i;

	take(functions, sample->ip);
	for (i = 0; i < sample->nkernel; i++)
		take(functions, sample->frames[i]);
}

static int by_address(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Writes a symbol as /proc/kallsyms does.  Returns its length. */
static size_t print_symbol(char *to, size_t room,
			   const struct kernel_symbol *symbol)
{
	int length = snprintf(to, room, "%" PRIx64 " t %s%s%s\n",
			      symbol->address, symbol->name,
			      symbol->module ? "\t" : "",
			      symbol->module ? symbol->module : "");

	return length > 0 && (size_t)length < room ? length : 0;
}

int kernel_functions_write(struct kernel_functions *functions,
			   const struct kallsyms *names,
			   void (*each)(void *arg, const char *text,
					size_t size),
			   void *arg, size_t room)
{
	const struct kernel_symbol *end = names->list + names->count;
	const struct kernel_symbol *next = names->list, *symbol, *last;
	size_t used = 0, length;
	char *text = malloc(room);
	uint32_t i;

	if (!text)
		return -1;
	if (functions->table.count)
		qsort(functions->list, functions->table.count,
		      sizeof(*functions->list), by_address);
	for (i = 0; i < functions->table.count; i++) {
		symbol = kallsyms_find(names, functions->list[i]);
		last = symbol ? symbol + 1 : NULL;
		if (!symbol || last < next)
			continue;
		/* Another name of the same address follows the one that was found. */
		for (symbol = symbol < next ? next : symbol;
		     symbol <= last && symbol < end; symbol++) {
			length = print_symbol(text + used, room - used, symbol);
			if (!length && used) {
				each(arg, text, used);
				used = 0;
				length = print_symbol(text, room, symbol);
			}
			used += length;
			next = symbol + 1;
		}
	}
	if (used)
		each(arg, text, used);
	free(text);
	return 0;
}

void kernel_functions_free(struct kernel_functions *functions)
{
	free(functions->list);
	hash_free(&functions->table);
	memset(functions, 0, sizeof(*functions));
}
