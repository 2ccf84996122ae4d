/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows of 'pfmon ibs annotate': samples by function, source line or instruction.  Each
 * sample is in exactly one row.
 */
#ifndef PFMON_IBS_IBS_ROWS_H
#define PFMON_IBS_IBS_ROWS_H

#include "ibs/ibs_tally.h"
#include "symbols/code.h"

/**
 * enum ibs_view - what a row is
 */
enum ibs_view {
	IBS_VIEW_FUNCTION,
	IBS_VIEW_LINE,
	IBS_VIEW_INSTRUCTION,
	NUM_IBS_VIEWS,
};

/**
 * struct ibs_line_row - a row
 * @place: the first instruction of the row that was found
 * @valid: false for the row of the samples without a valid address
 * @count: samples
 * @start: by function: address of its first byte; otherwise of @place
 * @file: by line: source file; NULL if none is known
 * @line: its line
 * @text: by instruction: the instruction; NULL if its code cannot be read
 * @inside: the address is not where an instruction of the list begins
 */
struct ibs_line_row {
	struct ibs_place place;
	bool valid;
	uint64_t count;
	uint64_t start;
	const char *file;
	unsigned int line;
	char *text;
	bool inside;
};

/**
 * struct ibs_rows - all of them
 * @list: see ibs_rows_make() for the order
 * @count: elements of @list
 * @room: elements that fit in it
 * @samples: sum of their samples
 * @matched: spots that belong to the function that was asked for
 */
struct ibs_rows {
	struct ibs_line_row *list;
	size_t count;
	size_t room;
	uint64_t samples;
	size_t matched;
};

/**
 * ibs_rows_make() - add samples up to rows
 * @rows: result; ibs_rows_free() has to be called in any case
 * @tally: the samples
 * @code: where their code is read from
 * @view: what a row is
 * @function: take only the samples in functions of this name; NULL for all
 *
 * By instruction with @function the rows are all instructions of these functions, in the
 * order of addresses, also those without samples.  Otherwise the rows with the most
 * samples come first.
 *
 * Return: 0, or -1 after a message.
 */
int ibs_rows_make(struct ibs_rows *rows, const struct ibs_tally *tally,
		  struct code *code, enum ibs_view view, const char *function);

void ibs_rows_free(struct ibs_rows *rows);

#endif
