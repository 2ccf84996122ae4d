/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files that code was mapped from, and their symbols.  libdwfl of elfutils reads
 * symbol tables, separate debug files (found by build-id or link), and compressed
 * symbol tables of stripped programs.
 */
#ifndef PFMON_SYMBOLS_IMAGES_H
#define PFMON_SYMBOLS_IMAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/hash.h"

/* Special image numbers. */
#define IMAGE_NONE	0	/* the file is not known */
#define IMAGE_KERNEL	1
#define IMAGE_FIRST	2

struct image;
struct Dwfl_Module;

/**
 * struct images - all files of a session
 * @list: by number, from IMAGE_FIRST on
 * @count: elements of @list
 * @room: elements that fit in it
 * @table: finds them by their name
 * @program: file that the command executes; NULL if not known
 * @symbol_file: file with the symbols of @program; NULL for @program itself
 */
struct images {
	struct image **list;
	uint32_t count;
	size_t room;
	struct hash table;
	char *program;
	const char *symbol_file;
};

/**
 * struct image_symbol - what is at an offset in a file
 * @name: symbol; NULL if none
 * @offset: bytes from the start of the symbol
 * @address: address in the file, as objdump(1) shows it
 */
struct image_symbol {
	const char *name;
	uint64_t offset;
	uint64_t address;
};

/*
 * Sets the file that has the symbols of the command's program.  Returns 0, or -1
 * after a message.
 */
int images_set_symbol_file(struct images *images, const char *file,
			   const char *command);

/* Path of the file that executing @command would run, for free(); NULL if there is none. */
char *images_find_command(const char *command);

/*
 * Number of a file; @inode is 0 if not known.  IMAGE_NONE if the name is empty, and
 * without memory.
 */
uint32_t images_number(struct images *images, const char *name, uint64_t inode);

/*
 * The same with a build id of @size bytes, at most IMAGES_ID_MAX; 0 if it is not known.  The
 * file is not used for symbols unless it has that build id.
 */
#define IMAGES_ID_MAX 20
uint32_t images_number_of_build(struct images *images, const char *name,
				uint64_t inode, const uint8_t *id, size_t size);

/* Keeps the file as it is now for later, in case it is removed before. */
void images_keep(struct images *images, uint32_t number, uint32_t pid);

/* Name of an image: a path, or a word in brackets. */
const char *images_name(const struct images *images, uint32_t number);

/*
 * Build id of an image, to @id, which has IMAGES_ID_MAX bytes: the one that was given, or that of the
 * file as the process sees it.  Returns its bytes; 0 if it is not known.
 */
size_t images_build_id(struct images *images, uint32_t number, uint32_t pid,
		       uint8_t *id);

/* Inode of an image; 0 if not known. */
uint64_t images_inode(const struct images *images, uint32_t number);

/*
 * Looks up the symbol at an offset in the file; its strings live as long as
 * @images.
 */
void images_lookup(struct images *images, uint32_t number, uint64_t offset,
		   struct image_symbol *symbol);

/*
 * The file in libdwfl, whose addresses are those of the file; NULL if it cannot be read, or
 * is no program.
 */
struct Dwfl_Module *images_module(struct images *images, uint32_t number);

void images_free(struct images *images);

#endif
