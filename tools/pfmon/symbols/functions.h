/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where functions begin in files, by their names.
 */
#ifndef PFMON_SYMBOLS_FUNCTIONS_H
#define PFMON_SYMBOLS_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/images.h"

/**
 * struct function - a function
 * @address: its first instruction, as objdump(1) shows it
 * @offset: the same as offset in the file
 */
struct function {
	uint64_t address;
	uint64_t offset;
};

/**
 * enum file_kind - what a file is to those who set probes
 * @FILE_PROGRAM: a program or library for the processor as it is, 64 bits
 * @FILE_SHORT: one of 32 bits
 * @FILE_OTHER: no program: a script, or it cannot be read
 */
enum file_kind {
	FILE_PROGRAM,
	FILE_SHORT,
	FILE_OTHER,
};

enum file_kind functions_kind(struct images *images, uint32_t number);

/*
 * The program that loads the libraries of a program, its interpreter, to @path of @size bytes.  False
 * if it has none.
 */
bool functions_loader(struct images *images, uint32_t number, char *path,
		      size_t size);

/**
 * functions_find() - find functions of a name
 * @images: the files
 * @number: number of the file
 * @name: name, as the symbol table has it
 * @list: result
 * @room: elements that fit in @list
 * @like: result: a name that the compiler has made of this one, such as name.isra.0, if there is no
 *	function of the name, or NULL.  It lives as long as @images
 * @chosen: result: the name is that of a function that is chosen when the program starts
 *
 * Return: number of functions, which may be more than @room.
 */
size_t functions_find(struct images *images, uint32_t number, const char *name,
		      struct function *list, size_t room, const char **like,
		      bool *chosen);

/* Bytes of the largest function that is read */
#define FUNCTIONS_SIZE_MAX (1U << 20)

/**
 * functions_exits() - find where a function ends
 * @images: the files
 * @number: number of the file
 * @address: its first instruction
 * @list: result: offsets in the file of the instructions at which it ends
 * @room: elements that fit in @list
 *
 * Return: their number; 0 if not all are known, as where a jump leads to what a register says, which may
 * be within the function (a table of jumps) or not (another function).
 */
size_t functions_exits(struct images *images, uint32_t number, uint64_t address,
		       uint64_t *list, size_t room);

/* Offset in the file of an address of code.  False if it is not code of the file. */
bool functions_offset(struct images *images, uint32_t number, uint64_t address,
		      uint64_t *offset);

/*
 * The last instruction of longjmp in a C library, to @offset.  False if the file has none, or its code is
 * not as expected.
 */
bool functions_longjmp(struct images *images, uint32_t number,
		       uint64_t *offset);

/*
 * Places where frames of the stack have gone without a return: the end of longjmp in a C library, which
 * marks it (a probe of systemtap's) or not, and the catch of an exception in the library of C++.  Returns
 * how many offsets were written to @list, at most @room.
 */
size_t functions_unwind(struct images *images, uint32_t number, uint64_t *list,
			size_t room);

#endif
