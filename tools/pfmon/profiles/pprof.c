// SPDX-License-Identifier: GPL-2.0-only
/*
 * A profile for pprof: a message of profile.proto, encoded by protobuf-c and
 * compressed by zlib.
 *
 * Each event that samples has two values: the number of samples, and the number
 * of events that they stand for (the sum of the periods).
 *
 * A location has a line for each function at it: the inlined ones, and the one that they were put
 * into, which is the last.  So the locations of a stack are those of its other places.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "base/message.h"
#include "base/string_table.h"
#include "events/event_list.h"
#include "profiles/profile_forms.h"
#include "profiles/losses.h"
#include "profiles/profile.pb-c.h"
#include "sampling/sampling.h"

/**
 * struct block - memory that is freed together with all other blocks
 */
struct block {
	struct block *next;
};

/**
 * struct builder - a profile that is being made
 * @message: the profile
 * @strings: its strings; the first one is empty
 * @files: files of the mappings; mapping n + 1 is of file n
 * @functions: texts that identify functions; function n + 1 is text n
 * @blocks: memory of the message's parts
 * @failed: memory has run out
 */
struct builder {
	Pprof__Profile message;
	struct string_table strings;
	struct string_table files;
	struct string_table functions;
	struct block *blocks;
	bool failed;
};

/* Allocates zeroed memory.  Returns NULL only if it sets @failed. */
static void *allocate(struct builder *builder, size_t size)
{
	struct block *block = calloc(1, sizeof(*block) + 8 + size);

	if (!block) {
		builder->failed = true;
		return NULL;
	}
	block->next = builder->blocks;
	builder->blocks = block;
	return (char *)block + sizeof(*block) + 8;
}

static int64_t text_number(struct builder *builder, const char *text)
{
	uint32_t number = string_table_number(&builder->strings, text);

	if (number == UINT32_MAX)
		builder->failed = true;
	return number;
}

static Pprof__ValueType *make_type(struct builder *builder, const char *type,
				   const char *unit)
{
	Pprof__ValueType *value = allocate(builder, sizeof(*value));

	if (!value)
		return NULL;
	pprof__value_type__init(value);
	value->type = text_number(builder, type);
	value->unit = text_number(builder, unit);
	return value;
}

static void make_types(struct builder *builder, const struct sampling *sampling)
{
	Pprof__Profile *message = &builder->message;
	size_t i, count = sampling->periods.count;
	char text[256];

	message->sample_type = allocate(builder, 2 * count * sizeof(void *));
	for (i = 0; !builder->failed && i < count; i++) {
		const struct period *period = &sampling->periods.list[i];
		const char *name = sampling->events->list[period->event].name;

		snprintf(text, sizeof(text), "samples%s%s", count > 1 ? ":" : "",
			 count > 1 ? name : "");
		message->sample_type[2 * i] = make_type(builder, text, "count");
		message->sample_type[2 * i + 1] = make_type(builder, name,
							    "count");
		message->n_sample_type += 2;
	}
	if (builder->failed)
		return;
	message->period_type =
		make_type(builder, sampling->events->list
			  [sampling->periods.list[0].event].name, "count");
	message->period = sampling->periods.list[0].between;
}

static uint64_t make_mapping(struct builder *builder,
			     const struct symbol *symbol)
{
	Pprof__Profile *message = &builder->message;
	const char *file = symbol->module ? symbol->module : "[unknown]";
	uint32_t number = string_table_number(&builder->files, file);
	Pprof__Mapping *mapping;

	if (number == UINT32_MAX) {
		builder->failed = true;
		return 0;
	}
	if (number < message->n_mapping)
		return number + 1;
	mapping = allocate(builder, sizeof(*mapping));
	if (!mapping)
		return 0;
	pprof__mapping__init(mapping);
	mapping->id = number + 1;
	mapping->filename = text_number(builder, file);
	mapping->memory_limit = UINT64_MAX;
	mapping->has_functions = !!symbol->name;
	message->mapping[message->n_mapping++] = mapping;
	return mapping->id;
}

static uint64_t make_function(struct builder *builder,
			      const struct symbol *symbol)
{
	Pprof__Profile *message = &builder->message;
	char name[FRAME_ROOM], text[2 * FRAME_ROOM];
	Pprof__Function *function;
	uint32_t number;

	symbols_frame_name(symbol, name);
	snprintf(text, sizeof(text), "%s\n%s", name,
		 symbol->module ? symbol->module : "");
	number = string_table_number(&builder->functions, text);
	if (number == UINT32_MAX) {
		builder->failed = true;
		return 0;
	}
	if (number < message->n_function)
		return number + 1;
	function = allocate(builder, sizeof(*function));
	if (!function)
		return 0;
	pprof__function__init(function);
	function->id = number + 1;
	function->name = text_number(builder, name);
	function->system_name = function->name;
	function->filename = text_number(builder, symbol->module ?
					 symbol->module : "");
	message->function[message->n_function++] = function;
	return function->id;
}

static Pprof__Line *make_line(struct builder *builder,
			      const struct symbol *symbol)
{
	Pprof__Line *line = allocate(builder, sizeof(*line));

	if (!line)
		return NULL;
	pprof__line__init(line);
	line->function_id = make_function(builder, symbol);
	return line;
}

/* Makes location n + 1 of place n. */
static void make_location(struct builder *builder, struct sampling *sampling,
			  uint32_t place)
{
	struct symbols *symbols = &sampling->symbols;
	Pprof__Profile *message = &builder->message;
	Pprof__Location *location;
	uint32_t first = 0, count, i;
	const struct symbol *symbol;
	Pprof__Line **lines;

	count = symbols->unfold ? symbols_inlined(symbols, place, &first) : 0;
	symbol = symbols_get(symbols, place);
	location = allocate(builder, sizeof(*location));
	lines = allocate(builder, (count + 1) * sizeof(*lines));
	if (builder->failed)
		return;
	for (i = 0; i < count; i++)
		lines[i] = make_line(builder, symbols_get(symbols, first + i));
	lines[count] = make_line(builder, symbol);
	pprof__location__init(location);
	location->id = place + 1;
	location->mapping_id = make_mapping(builder, symbol);
	location->address = symbol->address;
	location->line = lines;
	location->n_line = count + 1;
	message->location[message->n_location++] = location;
}

static Pprof__Label *make_label(struct builder *builder, const char *key,
				const char *text, int64_t number)
{
	Pprof__Label *label = allocate(builder, sizeof(*label));

	if (!label)
		return NULL;
	pprof__label__init(label);
	label->key = text_number(builder, key);
	if (text)
		label->str = text_number(builder, text);
	label->num = number;
	return label;
}

static void make_sample(struct builder *builder, struct sampling *sampling,
			const struct stack *stack)
{
	const struct group *group = &sampling->profile.groups[stack->group];
	Pprof__Profile *message = &builder->message;
	size_t events = sampling->periods.count, i;
	struct group_name name;
	Pprof__Sample *sample;

	sample = allocate(builder, sizeof(*sample));
	if (!sample)
		return;
	pprof__sample__init(sample);
	sample->location_id = allocate(builder,
				       stack->nframes * sizeof(uint64_t));
	sample->value = allocate(builder, 2 * events * sizeof(int64_t));
	sample->label = allocate(builder, 3 * sizeof(void *));
	if (builder->failed)
		return;
	for (i = 0; i < stack->nframes; i++)
		if (!symbols_get(&sampling->symbols, stack->frames[i])->inlined)
			sample->location_id[sample->n_location_id++] =
				stack->frames[i] + 1ULL;
	for (i = 0; i < events; i++) {
		sample->value[2 * i] = stack->tally[i].count;
		sample->value[2 * i + 1] = stack->tally[i].weight;
	}
	sample->n_value = 2 * events;
	sampling_name(sampling, group, &name);
	sample->label[0] = make_label(builder, "program", name.program, 0);
	sample->label[1] = make_label(builder, "pid", NULL, group->pid);
	sample->label[2] = make_label(builder, "tid", NULL, group->tid);
	sample->n_label = 3;
	message->sample[message->n_sample++] = sample;
}

static void add_comment(struct builder *builder, const char *text)
{
	Pprof__Profile *message = &builder->message;

	message->comment[message->n_comment++] = text_number(builder, text);
}

/* Values have no mark for missing samples, so a comment tells of them. */
static void make_comments(struct builder *builder,
			  const struct sampling *sampling)
{
	char text[32 + 2 * PRINT_LOSS_ROOM], percent[PRINT_LOSS_ROOM];
	char lost[PRINT_LOSS_ROOM];
	struct due due;

	builder->message.comment = allocate(builder, 3 * sizeof(int64_t));
	if (builder->failed)
		return;
	print_due(sampling, &due);
	print_loss_percent(sampling, percent);
	snprintf(text, sizeof(text), "lost samples: %s", percent);
	if (due.missing || *due.mark)
		snprintf(text, sizeof(text), "lost samples: %s, %s", percent,
			 print_lost(sampling, lost) + strlen("lost: "));
	add_comment(builder, text);
	if (!due.missing && !*due.mark)
		return;
	if (print_paused(sampling, text))
		add_comment(builder, text);
	add_comment(builder,
		    "all values are lower bounds: those of the samples that were taken");
}

static void make(struct builder *builder, struct sampling *sampling)
{
	const struct profile *profile = &sampling->profile;
	Pprof__Profile *message = &builder->message;
	uint32_t places = sampling->symbols.count, i;
	size_t k;

	text_number(builder, "");
	make_types(builder, sampling);
	make_comments(builder, sampling);
	message->time_nanos = time(NULL) * 1000000000LL;
	message->location = allocate(builder, places * sizeof(void *));
	message->mapping = allocate(builder, places * sizeof(void *));
	message->function = allocate(builder, places * sizeof(void *));
	message->sample = allocate(builder, profile->count * sizeof(void *));
	for (i = 0; !builder->failed && i < places; i++)
		if (!symbols_get(&sampling->symbols, i)->inlined)
			make_location(builder, sampling, i);
	for (k = 0; !builder->failed && k < profile->count; k++)
		if (sampling_selects(sampling, &profile->groups
				     [profile->stacks[k]->group]))
			make_sample(builder, sampling, profile->stacks[k]);
	message->string_table = builder->strings.list;
	message->n_string_table = builder->strings.count;
}

static int compress_to(FILE *out, const void *data, size_t size)
{
	int fd = -1, err = -1, cause;
	gzFile file;

	if (!fflush(out))
		fd = dup(fileno(out));
	file = fd >= 0 ? gzdopen(fd, "wb") : NULL;
	if (!file) {
		if (fd >= 0)
			close(fd);
		say_error("cannot compress the profile");
		return -1;
	}
	errno = 0;
	if (size <= UINT32_MAX / 2 && gzwrite(file, data, size) == (int)size)
		err = 0;
	cause = errno;
	if (gzclose(file) != Z_OK) {
		cause = err ? cause : errno;
		err = -1;
	}
	if (err)
		say_error("the profile could not be written: %s",
			  strerror(cause ? cause : EIO));
	return err;
}

static int pack(FILE *out, const Pprof__Profile *message)
{
	size_t size = pprof__profile__get_packed_size(message);
	uint8_t *data = malloc(size ? size : 1);
	int err;

	if (!data) {
		say_error("out of memory for the profile");
		return -1;
	}
	pprof__profile__pack(message, data);
	err = compress_to(out, data, size);
	free(data);
	return err;
}

int print_pprof(FILE *out, struct sampling *sampling)
{
	struct builder builder = { .message = PPROF__PROFILE__INIT };
	struct block *block;
	int err = -1;

	make(&builder, sampling);
	if (builder.failed)
		say_error("out of memory for the profile");
	else
		err = pack(out, &builder.message);
	while ((block = builder.blocks)) {
		builder.blocks = block->next;
		free(block);
	}
	string_table_free(&builder.strings);
	string_table_free(&builder.files);
	string_table_free(&builder.functions);
	return err;
}
