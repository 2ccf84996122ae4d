// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the instructions and source lines of samples, see annotation.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/message.h"
#include "profiles/annotation.h"
#include "sampling/sampling.h"
#include "symbols/disassembly.h"
#include "symbols/image_code.h"

/* Bytes: functions are longer only by mistake, as of a symbol without an end. */
#define FUNCTION_MAX (1 << 20)

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_function(const struct annotated_spot *a,
		       const struct annotated_spot *b)
{
	int order = compare_numbers(a->image, b->image);

	return order ? order : compare_numbers(a->start, b->start);
}

static int by_address(const void *a, const void *b)
{
	const struct annotated_spot *x = a, *y = b;
	int order = by_function(x, y);

	return order ? order : compare_numbers(x->address, y->address);
}

/* Number of events that sample; qsort(3) passes no argument. */
static size_t num_events;

/* Orders sums by those of the first event in which they differ, the largest first. */
static int by_samples(const struct tally *a, const struct tally *b)
{
	size_t i;

	for (i = 0; i < num_events; i++) {
		if (a[i].weight != b[i].weight)
			return a[i].weight > b[i].weight ? -1 : 1;
		if (a[i].count != b[i].count)
			return a[i].count > b[i].count ? -1 : 1;
	}
	return 0;
}

static int by_heat(const void *a, const void *b)
{
	const struct annotated_function *x = a, *y = b;
	int order = by_samples(x->tally, y->tally);

	return order ? order : by_address(x->spots, y->spots);
}

static void add(struct tally *to, const struct tally *from, size_t events)
{
	size_t i;

	for (i = 0; i < events; i++) {
		to[i].count += from[i].count;
		to[i].weight += from[i].weight;
	}
}

/* A spot for each stack whose innermost function has a name. */
static void take_stacks(struct annotation *annotation)
{
	struct sampling *sampling = annotation->sampling;
	const struct profile *profile = &sampling->profile;
	size_t i, event;

	for (i = 0; i < profile->count; i++) {
		struct stack *stack = profile->stacks[i];
		const struct symbol *symbol =
			symbols_get(&sampling->symbols, stack->frames[0]);

		if (!symbol->name) {
			for (event = 0; event < profile->events; event++)
				annotation->nameless +=
					stack->tally[event].count;
			continue;
		}
		annotation->spots[annotation->num_spots++] =
			(struct annotated_spot){
				.name = symbol->name,
				.module = symbol->module,
				.image = symbol->image,
				.start = symbol->address - symbol->offset,
				.address = symbol->address,
				.tally = stack->tally,
			};
	}
}

/* Adds up spots of one address.  The tallies are then those of @annotation. */
static void merge_spots(struct annotation *annotation)
{
	const size_t events = annotation->sampling->periods.count;
	struct annotated_spot *spots = annotation->spots;
	size_t i, kept = 0;

	if (annotation->num_spots)
		qsort(spots, annotation->num_spots, sizeof(*spots), by_address);
	for (i = 0; i < annotation->num_spots; i++) {
		struct tally *from = spots[i].tally;

		if (!kept || by_address(&spots[kept - 1], &spots[i])) {
			spots[kept] = spots[i];
			spots[kept].tally = annotation->sums + kept * events;
			kept++;
		}
		add(spots[kept - 1].tally, from, events);
	}
	annotation->num_spots = kept;
}

static void find_functions(struct annotation *annotation)
{
	const size_t events = annotation->sampling->periods.count;
	struct tally *sums = annotation->sums + annotation->num_spots * events;
	struct annotated_function *function = NULL;
	size_t i;

	for (i = 0; i < annotation->num_spots; i++) {
		const struct annotated_spot *spot = &annotation->spots[i];

		if (!function || by_function(function->spots, spot)) {
			function = &annotation->functions[annotation->count++];
			function->spots = spot;
			function->tally = sums;
			sums += events;
		}
		function->count++;
		add(function->tally, spot->tally, events);
	}
	num_events = events;
	if (annotation->count)
		qsort(annotation->functions, annotation->count,
		      sizeof(*annotation->functions), by_heat);
}

int annotation_make(struct annotation *annotation, struct sampling *sampling)
{
	const size_t most = sampling->profile.count + 1;

	*annotation = (struct annotation){ .sampling = sampling };
	annotation->spots = calloc(most, sizeof(*annotation->spots));
	annotation->functions = calloc(most, sizeof(*annotation->functions));
	annotation->sums = calloc(2 * most * sampling->periods.count,
				  sizeof(*annotation->sums));
	if (!annotation->spots || !annotation->functions || !annotation->sums) {
		say_error("out of memory for the functions of the profile");
		return -1;
	}
	take_stacks(annotation);
	merge_spots(annotation);
	find_functions(annotation);
	return 0;
}

void annotation_free(struct annotation *annotation)
{
	free(annotation->spots);
	free(annotation->functions);
	free(annotation->sums);
	source_text_free(&annotation->sources);
}

bool annotation_is_called(const struct annotated_function *function,
			  const char *name)
{
	const char *own = function->spots->name;
	size_t length = strlen(name);

	return !strncmp(own, name, length) &&
	       (!own[length] || own[length] == '(');
}

static const struct annotated_spot *
last_of(const struct annotated_function *function)
{
	return &function->spots[function->count - 1];
}

/* Bytes of a function; 0 if its end is not known. */
static uint64_t size_of(const struct annotated_function *function,
			struct code *code)
{
	const struct annotated_spot *last = last_of(function);
	uint64_t size = code_size(code, last->image, last->address);

	return size <= FUNCTION_MAX ? size : 0;
}

/* Bytes to read of a function whose end is not known. */
static uint64_t least_of(const struct annotated_function *function)
{
	const struct annotated_spot *last = last_of(function);
	uint64_t least = last->address - last->start + INSTRUCTION_MAX;

	return least < FUNCTION_MAX ? least : FUNCTION_MAX;
}

static int add_row(struct annotated_rows *rows, uint64_t address,
		   const char *text, struct tally *tally)
{
	struct annotated_row *row;

	if (array_reserve(&rows->list, sizeof(*rows->list), &rows->room,
			  rows->count + 1))
		return -1;
	row = &rows->list[rows->count];
	*row = (struct annotated_row){ .address = address, .tally = tally };
	if (text)
		row->text = strdup(text);
	rows->count++;
	return text && !row->text ? -1 : 0;
}

/* The instructions and the sampled addresses together, by address. */
static int join(const struct annotated_function *function,
		const struct instruction *list, size_t count,
		struct annotated_rows *rows)
{
	const struct annotated_spot *spot = function->spots;
	const struct annotated_spot *end = spot + function->count;
	size_t i = 0;
	int err = 0;

	while (!err && (i < count || spot < end)) {
		if (i < count &&
		    (spot == end || list[i].address < spot->address)) {
			err = add_row(rows, list[i].address, list[i].text,
				      NULL);
			i++;
			continue;
		}
		if (i < count && list[i].address == spot->address) {
			err = add_row(rows, spot->address, list[i].text,
				      spot->tally);
			i++;
		} else {
			err = add_row(rows, spot->address, NULL, spot->tally);
			if (!err)
				rows->list[rows->count - 1].inside =
					i && spot->address <
						     list[i - 1].address +
							     list[i - 1].size;
		}
		spot++;
	}
	if (err)
		say_error("out of memory for the instructions of '%s'",
			  function->spots->name);
	return err;
}

static void find_lines(struct annotation *annotation,
		       const struct annotated_function *function,
		       struct annotated_rows *rows)
{
	struct images *images = &annotation->sampling->symbols.images;
	const uint32_t image = function->spots->image;
	size_t i;

	if (image < IMAGE_FIRST)
		return;
	for (i = 0; i < rows->count; i++)
		rows->list[i].file = image_code_line(images, image,
						     rows->list[i].address,
						     &rows->list[i].line);
}

int annotation_instructions(struct annotation *annotation,
			    const struct annotated_function *function,
			    struct code *code, struct annotated_rows *rows)
{
	const struct annotated_spot *first = function->spots;
	struct instruction *list = NULL;
	unsigned int machine;
	const uint8_t *bytes;
	uint64_t size = size_of(function, code);
	size_t got, count = 0;
	int err;

	*rows = (struct annotated_rows){ 0 };
	bytes = code_read(code, first->image, first->start,
			  size ? size : least_of(function), &got, &machine);
	if (bytes) {
		list = disassemble(bytes, got, first->start, machine, &count);
		if (!list)
			return -1;
	}
	/* Where the end is not known, what is behind the last sample may be of another function. */
	while (!size && count &&
	       list[count - 1].address > last_of(function)->address)
		count--;
	err = join(function, list, count, rows);
	free(list);
	if (!err)
		find_lines(annotation, function, rows);
	return err;
}

static int by_line(const void *a, const void *b)
{
	const struct annotated_row *x = a, *y = b;
	int order = compare_numbers(!x->file, !y->file);

	if (!order && x->file)
		order = strcmp(x->file, y->file);
	return order ? order : compare_numbers(x->line, y->line);
}

static int by_line_heat(const void *a, const void *b)
{
	const struct annotated_row *x = a, *y = b;
	int order = by_samples(x->tally, y->tally);

	return order ? order : by_line(a, b);
}

static void merge_lines(struct annotated_rows *rows, size_t events)
{
	struct annotated_row *list = rows->list;
	size_t i, kept = 0;

	qsort(list, rows->count, sizeof(*list), by_line);
	for (i = 0; i < rows->count; i++) {
		struct tally *from = list[i].tally;

		if (!kept || by_line(&list[kept - 1], &list[i])) {
			list[kept] = list[i];
			list[kept].tally = rows->sums + kept * events;
			kept++;
		}
		add(list[kept - 1].tally, from, events);
	}
	rows->count = kept;
	num_events = events;
	qsort(list, kept, sizeof(*list), by_line_heat);
}

int annotation_lines(struct annotation *annotation,
		     const struct annotated_function *function,
		     const struct annotated_rows *instructions,
		     struct annotated_rows *rows)
{
	const size_t events = annotation->sampling->periods.count;
	const struct annotated_row *from = instructions->list;
	const struct annotated_row *end = from + instructions->count;
	bool known = false;
	const char *text;
	size_t i;

	*rows = (struct annotated_rows){ 0 };
	for (; from < end; from++) {
		if (!from->tally)
			continue;
		known |= !!from->file;
		if (add_row(rows, 0, NULL, from->tally))
			goto no_memory;
		rows->list[rows->count - 1].file = from->file;
		rows->list[rows->count - 1].line = from->file ? from->line : 0;
	}
	if (!known) {
		rows->count = 0;
		return 0;
	}
	rows->sums = calloc(rows->count * events, sizeof(*rows->sums));
	if (!rows->sums)
		goto no_memory;
	merge_lines(rows, events);
	for (i = 0; i < rows->count; i++) {
		if (!rows->list[i].file)
			continue;
		text = source_text_line(&annotation->sources,
					rows->list[i].file, rows->list[i].line,
					function->spots->module);
		rows->list[i].text = text ? strdup(text) : NULL;
	}
	return 0;
no_memory:
	say_error("out of memory for the lines of '%s'", function->spots->name);
	return -1;
}

void annotated_rows_free(struct annotated_rows *rows)
{
	size_t i;

	for (i = 0; i < rows->count; i++)
		free(rows->list[i].text);
	free(rows->list);
	free(rows->sums);
	*rows = (struct annotated_rows){ 0 };
}
