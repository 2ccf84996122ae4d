/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files that code was mapped from, and the symbols in them (libdwfl of
 * elfutils: symbol tables, separate debug files by build-id or link,
 * compressed symbol tables of stripped programs).
 */
#ifndef PFMON_SYMBOLS_IMAGES_H
#define PFMON_SYMBOLS_IMAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Numbers of images. */
#define IMAGE_NONE	0	/* no file is known */
#define IMAGE_KERNEL	1
#define IMAGE_FIRST	2

struct image;

#define IMAGES_BUCKETS	1024

/**
 * struct images - all files of a session
 * @list: by number, from IMAGE_FIRST on
 * @count: elements of @list
 * @room: elements that fit in it
 * @buckets: numbers by name, 0 none
 * @program: the command's file; NULL not known
 * @symbol_file: where its symbols are; NULL in the file itself
 */
struct images {
	struct image **list;
	uint32_t count;
	uint32_t room;
	uint32_t buckets[IMAGES_BUCKETS];
	char *program;
	const char *symbol_file;
};

/**
 * struct image_symbol - what is at a place in a file
 * @name: symbol; NULL none
 * @offset: bytes from its begin
 * @address: address in the file, as objdump(1) shows it
 */
struct image_symbol {
	const char *name;
	uint64_t offset;
	uint64_t address;
};

/*
 * Sets where the symbols of the command's program are.  0, or -1 after saying
 * why not.
 */
int images_set_symbol_file(struct images *images, const char *file,
			   const char *command);

/*
 * The number of a file; @inode 0 is not known.  IMAGE_NONE when there is no
 * memory.
 */
uint32_t images_number(struct images *images, const char *name, uint64_t inode);

/* The file as it is now is needed later, also if it is removed until then. */
void images_keep(struct images *images, uint32_t number, uint32_t pid);

/* What the name says: a path, or a word in brackets. */
const char *images_name(const struct images *images, uint32_t number);

/* Symbol at an offset in the file; its strings live as long as @images. */
void images_lookup(struct images *images, uint32_t number, uint64_t offset,
		   struct image_symbol *symbol);

void images_free(struct images *images);

#endif
