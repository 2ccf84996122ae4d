/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Descriptions of CPUs.  CPUs with the same description are described once, so that a
 * hybrid processor has as many descriptions as types of cores.
 */
#ifndef PFMON_PROCESSOR_DESCRIPTION_H
#define PFMON_PROCESSOR_DESCRIPTION_H

#include <stdio.h>

struct cpu_type;

/**
 * struct descriptions - the descriptions of all CPUs
 * @types: different descriptions, with the CPUs that each is about
 * @count: elements of @types
 * @room: elements that fit in @types
 */
struct descriptions {
	struct cpu_type *types;
	unsigned int count;
	size_t room;
};

/* Prints a line of a description, in the form of the other lines of --info. */
void description_line(FILE *out, const char *label, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Returns 0, or -1 without memory. */
int descriptions_add(struct descriptions *all, unsigned int cpu,
		     const char *text);
/* In the order in which they were added. */
void descriptions_print(const struct descriptions *all, FILE *out);
void descriptions_free(struct descriptions *all);

#endif
