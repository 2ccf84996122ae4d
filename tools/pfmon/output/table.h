/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables whose rows are no results of a session and have columns of their own, as text, CSV and
 * JSON.
 */
#ifndef PFMON_OUTPUT_TABLE_H
#define PFMON_OUTPUT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "output/row.h"

struct json;

/**
 * struct table_column - a column
 * @name: its name, for programs
 * @title: its title in text, where a column without a title or without any field is left out
 * @left: in text fields are at the left
 */
struct table_column {
	const char *name;
	const char *title;
	bool left;
};

/**
 * struct table_cell - a field, and how text has it
 * @field: the field
 * @decimals: of a real number
 * @sign: positive numbers have a sign
 * @estimate: a mark says that the number is an estimate
 * @unit: what follows the number; NULL nothing
 */
struct table_cell {
	struct field field;
	int decimals;
	bool sign;
	bool estimate;
	const char *unit;
};

/**
 * struct table - the rows
 * @columns: the columns
 * @width: elements of @columns
 * @cells: @width cells for each row
 * @rows: number of rows
 */
struct table {
	const struct table_column *columns;
	size_t width;
	const struct table_cell *cells;
	size_t rows;
};

/*
 * The first line, of titles, begins with "#".  Each row is one line, whatever names contain.  Returns
 * 0, or -1 after a message.
 */
int table_print_text(FILE *out, const struct table *table);
void table_print_csv(FILE *out, const struct table *table);
void table_write_json(struct json *json, const char *key,
		      const struct table *table);

#endif
