// SPDX-License-Identifier: GPL-2.0-only
/*
 * Kernel symbols: lines "ADDRESS TYPE NAME [MODULE]".
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "symbols/kallsyms.h"

static const char default_file[] = "/proc/kallsyms";

/* Reads a whole file whose size is not known in advance. */
static char *read_all(const char *name)
{
	size_t size = 0, room = 1 << 20, n;
	char *text = NULL, *more;
	FILE *file;

	file = fopen(name, "re");
	if (!file)
		return NULL;
	do {
		room *= 2;
		more = realloc(text, room);
		if (!more)
			break;
		text = more;
		n = fread(text + size, 1, room - size - 1, file);
		size += n;
	} while (n);
	fclose(file);
	if (!text || !more) {
		free(text);
		errno = ENOMEM;
		return NULL;
	}
	text[size] = '\0';
	return text;
}

static size_t count_lines(const char *text)
{
	size_t count = 1;

	for (; *text; text++)
		count += *text == '\n';
	return count;
}

/*
 * Parses a line in place: splits it into its words.  Returns 0 if it names a
 * function.
 */
static int read_line(char *line, struct kernel_symbol *symbol)
{
	char *end, *word;

	symbol->address = strtoull(line, &end, 16);
	if (end == line || !symbol->address || *end != ' ' ||
	    !strchr("tTwW", end[1]) || !end[1] || end[2] != ' ')
		return -1;
	symbol->name = end + 3;
	symbol->module = NULL;
	word = end + 3 + strcspn(end + 3, " \t");
	if (word == symbol->name || *symbol->name == '$')
		return -1;
	if (*word) {
		*word++ = '\0';
		word += strspn(word, " \t");
		if (*word == '[')
			symbol->module = word;
	}
	return 0;
}

static int by_address(const void *a, const void *b)
{
	const struct kernel_symbol *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return 0;
}

int kallsyms_take(struct kallsyms *table, char *text)
{
	char *line, *rest = text;

	*table = (struct kallsyms){
		.list = calloc(count_lines(text), sizeof(*table->list)),
		.text = text,
	};
	if (!table->list) {
		say_error("out of memory for the kernel's symbols");
		return -1;
	}
	while ((line = strsep(&rest, "\n")))
		if (!read_line(line, &table->list[table->count]))
			table->count++;
	if (table->count)
		qsort(table->list, table->count, sizeof(*table->list),
		      by_address);
	return 0;
}

int kallsyms_read(struct kallsyms *table, const char *file)
{
	const char *name = file ? file : default_file;
	char *text = read_all(name);

	memset(table, 0, sizeof(*table));
	if (!text) {
		say_error("cannot read the kernel's symbols from '%s': %s",
			  name, strerror(errno));
		return -1;
	}
	if (kallsyms_take(table, text))
		return -1;
	if (table->count)
		return 0;
	if (file) {
		say_error("--sysmap-file: '%s' names no function", file);
		return -1;
	}
	say_note("functions of the kernel are not named: %s shows no addresses to this user (kernel.kptr_restrict)",
		 name);
	return 0;
}

bool kallsyms_are_shown(void)
{
	FILE *file = fopen(default_file, "re");
	struct kernel_symbol symbol;
	char *line = NULL;
	bool shown = false;
	size_t room = 0;

	if (!file)
		return false;
	while (!shown && getline(&line, &room, file) > 0)
		shown = !read_line(line, &symbol);
	free(line);
	fclose(file);
	return shown;
}

const struct kernel_symbol *kallsyms_find(const struct kallsyms *table,
					  uint64_t address)
{
	size_t low = 0, high = table->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (table->list[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &table->list[low - 1] : NULL;
}

static bool is_same_module(const struct kernel_symbol *a,
			   const struct kernel_symbol *b)
{
	return a->module && b->module ? !strcmp(a->module, b->module)
				      : a->module == b->module;
}

uint64_t kallsyms_size(const struct kallsyms *table, uint64_t address)
{
	const struct kernel_symbol *found = kallsyms_find(table, address);
	const struct kernel_symbol *next = found ? found + 1 : NULL;

	if (!found || next == table->list + table->count ||
	    !is_same_module(found, next))
		return 0;
	return next->address - found->address;
}

void kallsyms_free(struct kallsyms *table)
{
	free(table->list);
	free(table->text);
	memset(table, 0, sizeof(*table));
}
