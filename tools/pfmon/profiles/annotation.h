/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The samples of a function by instruction and by source line.
 */
#ifndef PFMON_PROFILES_ANNOTATION_H
#define PFMON_PROFILES_ANNOTATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profiles/source_text.h"
#include "sampling/profile.h"
#include "symbols/code.h"

struct sampling;

/**
 * struct annotated_spot - an address that was sampled, in a function with a name
 * @name: of the function
 * @module: its file, "kernel" or a module of it
 * @image: number of the file, or IMAGE_KERNEL
 * @start: address of the function
 * @address: of the sample, as objdump(1) shows it; in the kernel that in memory
 * @tally: sums, one for each event that samples
 */
struct annotated_spot {
	const char *name;
	const char *module;
	uint32_t image;
	uint64_t start;
	uint64_t address;
	struct tally *tally;
};

/**
 * struct annotated_function - a function that was sampled
 * @spots: its addresses, in their order
 * @count: elements of @spots
 * @tally: sums, one for each event that samples
 */
struct annotated_function {
	const struct annotated_spot *spots;
	size_t count;
	struct tally *tally;
};

/**
 * struct annotation - the functions of a profile
 * @sampling: the profile
 * @spots: all addresses, those of a function behind each other
 * @num_spots: elements of @spots
 * @functions: those with the most samples first
 * @count: elements of @functions
 * @sums: memory of the tallies
 * @nameless: samples that are in no function with a name
 * @sources: source files
 */
struct annotation {
	struct sampling *sampling;
	struct annotated_spot *spots;
	size_t num_spots;
	struct annotated_function *functions;
	size_t count;
	struct tally *sums;
	uint64_t nameless;
	struct source_text sources;
};

/**
 * struct annotated_row - an instruction, an address without code, or a source line
 * @address: where it is; 0 for a source line
 * @text: the instruction, or the line of the source; NULL if it cannot be read
 * @inside: @address is within an instruction of the list
 * @file: path of the source; NULL if it is not known
 * @line: line in it
 * @tally: sums, one for each event that samples; NULL if it has no samples
 */
struct annotated_row {
	uint64_t address;
	char *text;
	bool inside;
	const char *file;
	unsigned int line;
	struct tally *tally;
};

/**
 * struct annotated_rows - the rows of a function
 * @list: instructions in the order of addresses, or lines in that of their samples
 * @count: elements of @list
 * @room: elements that fit in it
 * @sums: memory of the tallies; NULL if they are those of the spots
 */
struct annotated_rows {
	struct annotated_row *list;
	size_t count;
	size_t room;
	struct tally *sums;
};

/*
 * Finds the functions of a profile.  annotation_free() is needed in any case.  Returns 0, or -1 after a
 * message.
 */
int annotation_make(struct annotation *annotation, struct sampling *sampling);
void annotation_free(struct annotation *annotation);

/* True if a function is called so: its whole name, or what is before the parameters of C++. */
bool annotation_is_called(const struct annotated_function *function,
			  const char *name);

/*
 * Makes the rows of a function: all of its instructions, or only the addresses with samples if the
 * code cannot be read.  annotated_rows_free() is needed in any case.  Returns 0, or -1 after a message.
 */
int annotation_instructions(struct annotation *annotation,
			    const struct annotated_function *function,
			    struct code *code, struct annotated_rows *rows);

/*
 * Adds up the instructions with samples by source line.  Those without a line have a row with no
 * file; there are no rows if no instruction has a line.
 */
int annotation_lines(struct annotation *annotation,
		     const struct annotated_function *function,
		     const struct annotated_rows *instructions,
		     struct annotated_rows *rows);
void annotated_rows_free(struct annotated_rows *rows);

#endif
