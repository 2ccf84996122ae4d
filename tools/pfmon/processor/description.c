// SPDX-License-Identifier: GPL-2.0-only
/*
 * Collects the descriptions of CPUs and prints them.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cpu_list.h"
#include "processor/description.h"

/**
 * struct cpu_type - CPUs with the same description
 * @text: the description
 * @cpus: the CPUs
 */
struct cpu_type {
	char *text;
	struct cpu_list cpus;
};

void description_line(FILE *out, const char *label, const char *format, ...)
{
	va_list args;

	fprintf(out, "%-25s: ", label);
	va_start(args, format);
	vfprintf(out, format, args);
	va_end(args);
	fputc('\n', out);
}

static struct cpu_type *find_type(const struct descriptions *all,
				  const char *text)
{
	unsigned int i;

	for (i = 0; i < all->count; i++)
		if (!strcmp(all->types[i].text, text))
			return &all->types[i];
	return NULL;
}

static struct cpu_type *add_type(struct descriptions *all, const char *text)
{
	struct cpu_type *type;

	if (array_reserve(&all->types, sizeof(*all->types), &all->room,
			  all->count + 1))
		return NULL;
	type = &all->types[all->count];
	memset(type, 0, sizeof(*type));
	type->text = strdup(text);
	if (!type->text)
		return NULL;
	all->count++;
	return type;
}

int descriptions_add(struct descriptions *all, unsigned int cpu,
		     const char *text)
{
	struct cpu_type *type = find_type(all, text);

	if (!type)
		type = add_type(all, text);
	if (!type)
		return -1;
	cpu_list_add(&type->cpus, cpu);
	return 0;
}

void descriptions_print(const struct descriptions *all, FILE *out)
{
	char cpus[4096];
	unsigned int i;

	for (i = 0; i < all->count; i++) {
		fputc('\n', out);
		cpu_list_format(&all->types[i].cpus, cpus, sizeof(cpus));
		description_line(out, "processor of CPUs", "%s", cpus);
		fputs(all->types[i].text, out);
	}
}

void descriptions_free(struct descriptions *all)
{
	while (all->count)
		free(all->types[--all->count].text);
	free(all->types);
}
