/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The functions of the kernel that were sampled.  pfmon.data has their names, because another boot of
 * the machine has the functions at other addresses, and another machine has other functions.
 */
#ifndef PFMON_DATA_KERNEL_FUNCTIONS_H
#define PFMON_DATA_KERNEL_FUNCTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

struct kallsyms;
struct sample;

/* More distinct addresses than a kernel has calls.  Those beyond it have no names in the file. */
#define KERNEL_FUNCTIONS_MAX (1U << 20)

/**
 * struct kernel_functions - addresses of the kernel in samples
 * @list: the addresses, each once
 * @room: elements that fit in @list
 * @table: finds them
 */
struct kernel_functions {
	uint64_t *list;
	size_t room;
	struct hash table;
};

/* Takes the addresses of a sample. */
void kernel_functions_take(struct kernel_functions *functions,
			   const struct sample *sample);

/**
 * kernel_functions_write() - write the functions at the addresses
 * @functions: the addresses, which are sorted; nothing can be taken afterwards
 * @names: symbols of the kernel
 * @each: takes a text of at most @room bytes, lines as in /proc/kallsyms
 * @arg: for @each
 * @room: at least 1024
 *
 * The symbol behind a function is written as well, because it tells where the function ends.
 *
 * Return: 0, or -1 without memory.
 */
int kernel_functions_write(struct kernel_functions *functions,
			   const struct kallsyms *names,
			   void (*each)(void *arg, const char *text,
					size_t size),
			   void *arg, size_t room);

void kernel_functions_free(struct kernel_functions *functions);

#endif
