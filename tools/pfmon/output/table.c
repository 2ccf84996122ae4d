// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tables whose rows are no results of a session and have columns of their own, as text, CSV and
 * JSON.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_writer.h"
#include "base/message.h"
#include "output/row_csv.h"
#include "output/row_json.h"
#include "output/table.h"

/* Numbers of 64 bits as doubles have 309 digits at most. */
#define NUMBER_ROOM 360

#define GAP 2

static const struct table_cell *cell_at(const struct table *table, size_t row,
					size_t column)
{
	return &table->cells[row * table->width + column];
}

static const char *number_text(const struct table_cell *cell, char *text)
{
	const char *mark = cell->estimate ? "~" : "";
	const char *unit = cell->unit ? cell->unit : "";

	if (cell->field.kind == FIELD_NUMBER)
		snprintf(text, NUMBER_ROOM, "%s%" PRIu64 "%s", mark,
			 cell->field.number, unit);
	else if (cell->sign)
		snprintf(text, NUMBER_ROOM, "%s%+.*f%s", mark, cell->decimals,
			 cell->field.real, unit);
	else
		snprintf(text, NUMBER_ROOM, "%s%.*f%s", mark, cell->decimals,
			 cell->field.real, unit);
	return text;
}

static const char *cell_text(const struct table_cell *cell, char *text)
{
	switch (cell->field.kind) {
	case FIELD_NUMBER:
	case FIELD_REAL:
		return number_text(cell, text);
	case FIELD_FLAG:
		return cell->field.flag ? "yes" : "";
	case FIELD_WORD:
	case FIELD_TEXT:
		return cell->field.text;
	default:
		return "";
	}
}

/* Columns of a text: continuation bytes of UTF-8 take none. */
static int text_width(const char *text)
{
	int width = 0;

	for (; *text; text++)
		width += (*text & 0xc0) != 0x80;
	return width;
}

static int column_width(const struct table *table, size_t column)
{
	const char *title = table->columns[column].title;
	int width = 0, length;
	char text[NUMBER_ROOM];
	size_t row;

	if (!title)
		return 0;
	for (row = 0; row < table->rows; row++) {
		length = text_width(
			cell_text(cell_at(table, row, column), text));
		if (length > width)
			width = length;
	}
	return width && text_width(title) > width ? text_width(title) : width;
}

static void fill(FILE *out, int width)
{
	fprintf(out, "%*s", width, "");
}

static void print_visible(FILE *out, const char *text)
{
	for (; *text; text++)
		fputc((unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text,
		      out);
}

/* Spaces are printed before what follows them, so that no line ends with one. */
static void print_text_cell(FILE *out, const char *text, bool left, int width,
			    int *spaces)
{
	int rest = width - text_width(text);

	*spaces += left ? 0 : rest;
	if (*text) {
		fill(out, *spaces);
		print_visible(out, text);
		*spaces = 0;
	}
	*spaces += (left ? rest : 0) + GAP;
}

int table_print_text(FILE *out, const struct table *table)
{
	int *widths = calloc(table->width, sizeof(*widths));
	char text[NUMBER_ROOM];
	int spaces = 1;
	size_t i, k;

	if (!widths) {
		say_error("out of memory for the table");
		return -1;
	}
	for (k = 0; k < table->width; k++)
		widths[k] = column_width(table, k);
	fputc('#', out);
	for (k = 0; k < table->width; k++)
		if (widths[k])
			print_text_cell(out, table->columns[k].title,
					table->columns[k].left, widths[k],
					&spaces);
	fputc('\n', out);
	for (i = 0; i < table->rows; i++) {
		spaces = GAP;
		for (k = 0; k < table->width; k++)
			if (widths[k])
				print_text_cell(out,
						cell_text(cell_at(table, i, k),
							  text),
						table->columns[k].left,
						widths[k], &spaces);
		fputc('\n', out);
	}
	free(widths);
	return 0;
}

void table_print_csv(FILE *out, const struct table *table)
{
	size_t i, k;

	for (k = 0; k < table->width; k++)
		fprintf(out, "%s%s", k ? "," : "", table->columns[k].name);
	fputs("\r\n", out);
	for (i = 0; i < table->rows; i++) {
		for (k = 0; k < table->width; k++) {
			if (k)
				fputc(',', out);
			row_csv_print_field(out, &cell_at(table, i, k)->field,
					    ",");
		}
		fputs("\r\n", out);
	}
}

void table_write_json(struct json *json, const char *key,
		      const struct table *table)
{
	size_t i, k;

	jsonw_array(json, key);
	for (i = 0; i < table->rows; i++) {
		jsonw_line_object(json, NULL);
		for (k = 0; k < table->width; k++)
			row_json_field(json, table->columns[k].name,
				       &cell_at(table, i, k)->field);
		jsonw_close(json);
	}
	jsonw_close(json);
}
