/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions that the compiler has put into their callers, found in the debugging information
 * of files.
 */
#ifndef PFMON_SYMBOLS_INLINES_H
#define PFMON_SYMBOLS_INLINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/images.h"

struct inlines_file;

/**
 * struct inlines - what is known about inlined functions; all zeros at first
 * @files: by number of the image
 * @count: elements of @files
 * @room: elements that fit in @files
 * @names: result of inlines_find()
 * @room_names: elements that fit in @names
 */
struct inlines {
	struct inlines_file **files;
	uint32_t count;
	size_t room;
	const char **names;
	size_t room_names;
};

/**
 * inlines_find() - find the inlined functions that an address is in
 * @inlines: what is known
 * @images: the files
 * @number: number of the file
 * @address: address in the file, as struct image_symbol has it
 *
 * The functions are in @inlines->names, the innermost first: mangled names if there are any,
 * which live as long as @images, and the array until the next call.  The function that has all of
 * them is not among them: it has a symbol.
 *
 * Return: their number; 0 as well without debugging information, and without memory.
 */
size_t inlines_find(struct inlines *inlines, struct images *images,
		    uint32_t number, uint64_t address);

/* True if the file has debugging information of any of its functions. */
bool inlines_known(struct inlines *inlines, struct images *images,
		   uint32_t number);

void inlines_free(struct inlines *inlines);

#endif
