/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From the address of a sample to a function.
 *
 * That goes in two steps.  While sampling goes on an address becomes a place:
 * a file and an offset in it, which outlive the process.  In the end places get
 * their names.
 */
#ifndef PFMON_SYMBOLS_SYMBOLS_H
#define PFMON_SYMBOLS_SYMBOLS_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "symbols/images.h"
#include "symbols/kallsyms.h"
#include "symbols/maps.h"

struct options;

/**
 * struct symbol - what is at a place
 * @name: function, demangled if that was asked for; NULL not known
 * @module: path of the file, "kernel", or a module's or mapping's name in
 *	brackets; NULL not known
 * @address: address as the file's own symbol table counts; without file the
 *	address in the process
 * @offset: bytes from the begin of the function
 * @image: number of the file
 * @kernel: it is kernel code
 */
struct symbol {
	const char *name;
	const char *module;
	uint64_t address;
	uint64_t offset;
	uint32_t image;
	bool kernel;
};

struct place;

#define PLACES_BUCKETS	16384

/**
 * struct symbols - all that is known about addresses
 * @on: places are resolved; otherwise all of them are mere addresses
 * @demangle: names of C++ and Rust are made readable
 * @sysmap_file: kernel's symbols; NULL /proc/kallsyms
 * @maps: what is mapped where
 * @images: files
 * @reported: the kernel tells of mappings; otherwise they are read from /proc
 * @buffer: memory for what it tells
 * @round: number of the batch of samples
 * @kernel: kernel's symbols, once they were needed
 * @kernel_read: they were
 * @places: by number
 * @count: elements of @places
 * @room: elements that fit in it
 * @buckets: numbers + 1 by what they are, 0 none
 */
struct symbols {
	bool on;
	bool demangle;
	const char *sysmap_file;
	struct maps maps;
	struct images images;
	bool reported;
	void *buffer;
	uint64_t round;
	struct kallsyms kernel;
	bool kernel_read;
	struct place *places;
	uint32_t count;
	uint32_t room;
	uint32_t buckets[PLACES_BUCKETS];
};

/* 0, or -1 after saying what is wrong. */
int symbols_init(struct symbols *symbols, const struct options *options);

/*
 * Takes what the kernel has told of mappings; to be done before samples are
 * looked at.  0, or -1 after saying what failed.
 */
int symbols_read_maps(struct symbols *symbols, int fd);

/* Notes what a process has mapped now. */
void symbols_read_process(struct symbols *symbols, uint32_t pid,
			  uint64_t time);

/* A process was created. */
void symbols_fork(struct symbols *symbols, uint32_t parent, uint32_t child,
		  uint64_t time);

/* A process executed another program. */
void symbols_exec(struct symbols *symbols, uint32_t pid, uint64_t time);

/*
 * The place of an address in a process.  Always 0 when there is no memory.
 * @before: a call returns to @address, so the place is the call before it.
 */
uint32_t symbols_place(struct symbols *symbols, uint32_t pid, uint64_t time,
		       uint64_t address, bool before);

/* What is there.  Never NULL; valid until the next symbols_place(). */
const struct symbol *symbols_get(struct symbols *symbols, uint32_t place);

/* "name+0xoff<module>", or the address. */
void symbols_print(FILE *out, const struct symbol *symbol);

/*
 * Name for a frame of a stack, without offset, for machine-readable output:
 * "[file]" when only the file is known, "[unknown]".  @room bytes at @text.
 */
#define FRAME_ROOM	4096
const char *symbols_frame(const struct symbol *symbol, char *text);

void symbols_free(struct symbols *symbols);

#endif
