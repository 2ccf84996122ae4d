/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From the address of a sample to a function, in two steps.
 *
 * During sampling an address becomes a place: a file and an offset in it, which
 * stay valid after the process has ended.  At the end places get their names.
 */
#ifndef PFMON_SYMBOLS_SYMBOLS_H
#define PFMON_SYMBOLS_SYMBOLS_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/hash.h"
#include "symbols/images.h"
#include "symbols/inlines.h"
#include "symbols/kallsyms.h"
#include "symbols/maps.h"

struct options;

/**
 * struct symbol - what is at a place
 * @name: function, demangled if asked for; without a symbol "file+0xstart"; NULL if not known
 * @module: path of the file, "kernel", or a module's or mapping's name in
 *	brackets; NULL if not known
 * @address: address in the file as its symbol table counts; without file the
 *	address in the process
 * @offset: bytes from the start of the function
 * @image: number of the file
 * @kernel: the place is in the kernel
 * @unsure: it may be no caller at all: see symbols_settle()
 * @inlined: a function that was put into the one whose place follows in the stack; @offset is 0
 */
struct symbol {
	const char *name;
	const char *module;
	uint64_t address;
	uint64_t offset;
	uint32_t image;
	bool kernel;
	bool unsure;
	bool inlined;
};

struct place;

/**
 * struct symbols_stack - a stack in its final form
 * @places: innermost first
 * @addresses: of @places; of inlined functions those of the function that they were put into
 * @count: elements of both
 * @room: elements that fit in @places
 * @room_addresses: elements that fit in @addresses
 */
struct symbols_stack {
	uint32_t *places;
	uint64_t *addresses;
	uint32_t count;
	size_t room;
	size_t room_addresses;
};

/**
 * struct symbols - all that is known about addresses
 * @on: places are resolved; otherwise every place is a plain address
 * @data: mappings of data are of interest as well
 * @demangle: demangle names of C++, Rust and D
 * @unfold: inlined functions are places of their own in stacks
 * @sysmap_file: file of the kernel's symbols; NULL /proc/kallsyms
 * @maps: what is mapped where
 * @images: files
 * @reported: the module reports mappings
 * @exact: perf tells mappings, forks and execs, by symbols_map(), symbols_copy() and
 *	symbols_clear(): nobody else does.  Without both, /proc tells them
 * @buffer: memory for the reports
 * @round: number of the current batch of samples
 * @kernel: the kernel's symbols; read at their first use
 * @kernel_read: an attempt was made to read them
 * @places: places by number
 * @count: elements of @places
 * @room: elements that fit in it
 * @table: finds them by image and offset
 * @inlines: inlined functions
 * @stack: memory of the stack that symbols_settle() returns
 */
struct symbols {
	bool on;
	bool data;
	bool demangle;
	bool unfold;
	const char *sysmap_file;
	struct maps maps;
	struct images images;
	bool reported;
	bool exact;
	void *buffer;
	uint64_t round;
	struct kallsyms kernel;
	bool kernel_read;
	struct place *places;
	uint32_t count;
	size_t room;
	struct hash table;
	struct inlines inlines;
	struct symbols_stack stack;
};

/* 0, or -1 after saying what is wrong. */
int symbols_init(struct symbols *symbols, const struct options *options);

/*
 * Reads the mappings that the kernel has reported; has to be called before
 * samples are looked up.  Returns 0, or -1 after a message.
 */
int symbols_read_maps(struct symbols *symbols, int fd);

/* Records the current mappings of a process. */
void symbols_read_process(struct symbols *symbols, uint32_t pid,
			  uint64_t time);

/* The same from an open file that has the lines of /proc/PID/maps. */
void symbols_read_lines(struct symbols *symbols, uint32_t pid, uint64_t time,
			FILE *in);

/* True if the address is one of the kernel. */
bool symbols_is_kernel(uint64_t address);

/* Name of memory that no file was mapped to, and that has no other name. */
#define SYMBOLS_ANON "[anon]"

/*
 * With @data: the kernel reports mappings of code only, so the others come from /proc.
 * symbols_read_data() reads those of all processes that are known; symbols_see(), for
 * each sample, those of its process, once in each round.
 */
void symbols_read_data(struct symbols *symbols);
void symbols_see(struct symbols *symbols, uint32_t pid);

/* Begins a round of samples. */
void symbols_begin_round(struct symbols *symbols);

/* A process was created.  Does nothing with @exact. */
void symbols_fork(struct symbols *symbols, uint32_t parent, uint32_t child,
		  uint64_t time);

/* A process executed another program.  Does nothing with @exact. */
void symbols_exec(struct symbols *symbols, uint32_t pid, uint64_t time);

/**
 * struct symbols_map - a mapping that perf tells
 * @pid: process
 * @time: time from which it was there, CLOCK_MONOTONIC ns
 * @start: first address
 * @end: first address after it
 * @offset: offset in the file
 * @access: MAP_*
 * @name: path of the file, or a name of the kernel's; empty none
 * @inode: inode number; 0 if not known
 * @id: build id
 * @id_size: bytes of @id; 0 if not known
 */
struct symbols_map {
	uint32_t pid;
	uint64_t time;
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	uint32_t access;
	const char *name;
	uint64_t inode;
	const uint8_t *id;
	size_t id_size;
};

/*
 * With @exact.  symbols_clear(): the process, which may be new, has no mappings now.
 * symbols_copy(): it has those of another process.  symbols_end(): its id may be that of
 * another process from now on.  symbols_knows() is true between these.  symbols_map() does
 * nothing for a process that is not known.
 */
void symbols_clear(struct symbols *symbols, uint32_t pid, uint64_t time);
void symbols_copy(struct symbols *symbols, uint32_t from, uint32_t to,
		  uint64_t time);
void symbols_end(struct symbols *symbols, uint32_t pid);
bool symbols_knows(const struct symbols *symbols, uint32_t pid);
void symbols_map(struct symbols *symbols, const struct symbols_map *map);

/*
 * The place of an address in a process; 0 without memory.  @before: @address is a
 * return address, so the place is that of the call before it.
 */
uint32_t symbols_place(struct symbols *symbols, uint32_t pid, uint64_t time,
		       uint64_t address, bool before);

/*
 * Has the mapping of an address read from /proc if nobody reports it, as symbols_place() does, for
 * samples whose places are found later.
 */
void symbols_see_address(struct symbols *symbols, uint32_t pid, uint64_t time,
			 uint64_t address);

/*
 * Mark of a place behind the innermost one of a stack: it is the link register of
 * arm64, which may be a caller or not.
 */
#define SYMBOLS_LR (1U << 31)

/*
 * Gives a stack its final form.  Decides for each marked place whether it is a caller: it stays,
 * without the mark, or is removed.  If nothing tells, it stays as a place whose symbol is unsure.
 * With @unfold the functions that are inlined at a place come before it.  @addresses may be NULL.
 * Returns the stack, which lives until the next call, or NULL without memory.  Needs the files,
 * so it is for the end of a session.
 */
const struct symbols_stack *symbols_settle(struct symbols *symbols,
					   const uint32_t *places,
					   const uint64_t *addresses,
					   uint32_t count);

/*
 * Places of the functions that are inlined at a place, innermost first: they have the numbers
 * from @first on.  Returns how many there are.
 */
uint32_t symbols_inlined(struct symbols *symbols, uint32_t place,
			 uint32_t *first);

/*
 * Says which files have no debugging information, so that functions inlined in them are not
 * known.  Does nothing without @unfold.
 */
void symbols_tell_folded(struct symbols *symbols);

/* The symbol of a place.  Never NULL; valid until the next symbols_place(). */
const struct symbol *symbols_get(struct symbols *symbols, uint32_t place);

/* The part of a path behind its last slash, unless that is its end. */
const char *symbols_base_name(const char *path);

/* Prints "name+0xoff<module>", or the address; behind it "?" if it is unsure. */
void symbols_print(FILE *out, const struct symbol *symbol);

/*
 * Name of a stack frame without offset, for machine-readable output: "[file+0xaddress]" if only
 * the file is known, else "[unknown]"; with "?" behind it if it is unsure, and SYMBOLS_INLINED if
 * it is inlined.  symbols_frame_name() leaves that out, for forms that tell it in another way.
 * @text has room for FRAME_ROOM bytes.
 */
#define FRAME_ROOM	4096
#define SYMBOLS_INLINED " (inlined)"
const char *symbols_frame(const struct symbol *symbol, char *text);
const char *symbols_frame_name(const struct symbol *symbol, char *text);

void symbols_free(struct symbols *symbols);

#endif
