// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes rows, see ibs_rows.h.  Each spot becomes a row first; then the rows are sorted by
 * what they have in common, and neighbours are added up.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/message.h"
#include "ibs/ibs_rows.h"
#include "symbols/disassembly.h"
#include "symbols/image_code.h"

/* Functions are longer only by mistake, as of a symbol without an end. */
#define FUNCTION_MAX (1 << 20)

static struct ibs_line_row *add_row(struct ibs_rows *rows)
{
	if (array_reserve(&rows->list, sizeof(*rows->list), &rows->room,
			  rows->count + 1)) {
		say_error("out of memory for the rows");
		return NULL;
	}
	memset(&rows->list[rows->count], 0, sizeof(*rows->list));
	return &rows->list[rows->count++];
}

static bool has_symbol(const struct ibs_place *place, const char *name)
{
	return !name || (place->symbol && !strcmp(place->symbol, name));
}

static int compare_text(const char *a, const char *b)
{
	return a == b ? 0 : !a ? -1 : !b ? 1 : strcmp(a, b);
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* Equal if two rows are one. */
static int by_group(const void *a, const void *b)
{
	const struct ibs_line_row *x = a, *y = b;
	int order = compare_numbers(!x->valid, !y->valid);

	if (!order)
		order = compare_numbers(x->place.kind, y->place.kind);
	if (!order)
		order = compare_numbers(x->place.image, y->place.image);
	if (!order)
		order = compare_numbers(x->start, y->start);
	if (!order)
		order = compare_text(x->file, y->file);
	if (!order)
		order = compare_numbers(x->line, y->line);
	return order;
}

static int by_count(const void *a, const void *b)
{
	const struct ibs_line_row *x = a, *y = b;
	int order = compare_numbers(y->count, x->count);

	return order ? order : by_group(a, b);
}

static void merge(struct ibs_rows *rows)
{
	size_t i, kept = 0;

	for (i = 0; i < rows->count; i++) {
		if (kept && !by_group(&rows->list[kept - 1], &rows->list[i]))
			rows->list[kept - 1].count += rows->list[i].count;
		else
			rows->list[kept++] = rows->list[i];
	}
	rows->count = kept;
}

/* Says what the row of a spot has in common with others. */
static void classify(struct ibs_line_row *row, struct images *images,
		     enum ibs_view view)
{
	const struct ibs_place *place = &row->place;

	row->start = place->address;
	if (view == IBS_VIEW_LINE && place->kind == IBS_PLACE_CODE)
		row->file = image_code_line(images, place->image,
					    place->address, &row->line);
	/* Lines of a file may be in several images, and in several functions. */
	if (row->file)
		row->start = 0;
	else if (view != IBS_VIEW_INSTRUCTION && place->symbol)
		row->start = place->address - place->symbol_offset;
}

static int add_spots(struct ibs_rows *rows, const struct ibs_tally *tally,
		     struct images *images, enum ibs_view view,
		     const char *function)
{
	const struct ibs_spot *spot;
	struct ibs_line_row *row;
	size_t i;

	for (i = 0; i < tally->count; i++) {
		spot = &tally->spots[i];
		if (!has_symbol(&spot->place, function))
			continue;
		row = add_row(rows);
		if (!row)
			return -1;
		row->place = spot->place;
		row->valid = spot->valid;
		row->count = spot->count;
		classify(row, images, view);
		rows->samples += spot->count;
		rows->matched++;
	}
	return 0;
}

/**
 * struct body - a function and what is read of it
 * @start: its first address
 * @size: bytes of it
 * @first: number of its first row
 * @end: number after its last one
 */
struct body {
	uint64_t start;
	uint64_t size;
	size_t first;
	size_t end;
};

static uint64_t start_of(const struct ibs_place *place)
{
	return place->address - place->symbol_offset;
}

/* The row of an address among those of a body; NULL if none. */
static struct ibs_line_row *find_row(const struct ibs_rows *rows,
				     const struct body *body, uint64_t address)
{
	size_t low = body->first, high = body->end, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (rows->list[middle].start < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < body->end && rows->list[low].start == address
		       ? &rows->list[low]
		       : NULL;
}

/* Gives the rows of a body their instructions, and adds those without samples. */
static int add_instructions(struct ibs_rows *rows, const struct body *body,
			    const struct instruction *list, size_t count)
{
	struct ibs_line_row *row, *new;
	struct ibs_place place;
	size_t i;

	for (i = body->first; i < body->end; i++)
		rows->list[i].inside = true;
	for (i = 0; i < count; i++) {
		row = find_row(rows, body, list[i].address);
		if (!row) {
			place = rows->list[body->first].place;
			new = add_row(rows);
			if (!new)
				return -1;
			new->place = place;
			new->valid = true;
			new->place.address = list[i].address;
			new->place.symbol_offset =
				list[i].address - body->start;
			new->start = list[i].address;
			row = new;
		}
		row->inside = false;
		row->text = strdup(list[i].text);
		if (!row->text) {
			say_error("out of memory for the instructions");
			return -1;
		}
	}
	return 0;
}

static bool has_code(const struct ibs_place *place)
{
	return place->kind == IBS_PLACE_CODE || place->kind == IBS_PLACE_KERNEL;
}

static uint32_t image_of(const struct ibs_place *place)
{
	return place->kind == IBS_PLACE_KERNEL ? IMAGE_KERNEL : place->image;
}

static const uint8_t *read_code(struct code *code,
				const struct ibs_place *place, uint64_t address,
				size_t size, size_t *got, unsigned int *machine)
{
	return has_code(place) ? code_read(code, image_of(place), address, size,
					   got, machine)
			       : NULL;
}

static int disassemble_body(struct ibs_rows *rows, struct code *code,
			    const struct body *body)
{
	const struct ibs_place *place = &rows->list[body->first].place;
	struct instruction *list;
	const uint8_t *bytes;
	size_t got, count;
	unsigned int machine;
	int err;

	bytes = read_code(code, place, body->start, body->size, &got, &machine);
	if (!bytes)
		return 0;
	list = disassemble(bytes, got, body->start, machine, &count);
	if (!list)
		return -1;
	err = add_instructions(rows, body, list, count);
	free(list);
	return err;
}

/* The bytes of a function to read: to its end or, if that is not known, to the last sample. */
static uint64_t size_of(const struct ibs_rows *rows, struct code *code,
			const struct body *body)
{
	const struct ibs_place *last = &rows->list[body->end - 1].place;
	uint64_t least = last->symbol_offset + INSTRUCTION_MAX;
	uint64_t size = 0;

	if (has_code(last))
		size = code_size(code, image_of(last), last->address);
	if (!size)
		size = least;
	return size > FUNCTION_MAX ? least : size;
}

/* Finds the functions among rows in the order of by_group(), and disassembles each. */
static int add_functions(struct ibs_rows *rows, struct code *code)
{
	size_t sampled = rows->count;
	struct body body = { 0 };
	const struct ibs_place *place, *next;

	while (body.first < sampled) {
		place = &rows->list[body.first].place;
		body.start = start_of(place);
		body.end = body.first + 1;
		while (body.end < sampled) {
			next = &rows->list[body.end].place;
			if (next->image != place->image ||
			    start_of(next) != body.start)
				break;
			body.end++;
		}
		body.size = size_of(rows, code, &body);
		if (disassemble_body(rows, code, &body))
			return -1;
		body.first = body.end;
	}
	qsort(rows->list, rows->count, sizeof(*rows->list), by_group);
	return 0;
}

/* Gives rows of single instructions their texts. */
static int add_texts(struct ibs_rows *rows, struct code *code)
{
	struct instruction *list;
	struct ibs_line_row *row;
	const uint8_t *bytes;
	size_t i, got, count;
	unsigned int machine;

	for (i = 0; i < rows->count; i++) {
		row = &rows->list[i];
		bytes = read_code(code, &row->place, row->start,
				  INSTRUCTION_MAX, &got, &machine);
		if (!bytes)
			continue;
		list = disassemble(bytes, got, row->start, machine, &count);
		if (!list)
			return -1;
		if (count)
			row->text = strdup(list->text);
		free(list);
	}
	return 0;
}

int ibs_rows_make(struct ibs_rows *rows, const struct ibs_tally *tally,
		  struct code *code, enum ibs_view view, const char *function)
{
	memset(rows, 0, sizeof(*rows));
	if (add_spots(rows, tally, code->images, view, function))
		return -1;
	if (!rows->count)
		return 0;
	qsort(rows->list, rows->count, sizeof(*rows->list), by_group);
	merge(rows);
	if (view == IBS_VIEW_INSTRUCTION && function)
		return add_functions(rows, code);
	qsort(rows->list, rows->count, sizeof(*rows->list), by_count);
	return view == IBS_VIEW_INSTRUCTION ? add_texts(rows, code) : 0;
}

void ibs_rows_free(struct ibs_rows *rows)
{
	size_t i;

	for (i = 0; i < rows->count; i++)
		free(rows->list[i].text);
	free(rows->list);
	memset(rows, 0, sizeof(*rows));
}
