// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists the entries of a format that describes itself, as text, CSV or JSON.
 *
 * A column is a field of the entry, or follows from one: the symbol of an address, the event of a
 * register.  In text a symbol stands behind its address.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/json_writer.h"
#include "base/message.h"
#include "base/quoting.h"
#include "base/version.h"
#include "check/formats.h"
#include "events/event_list.h"
#include "options/options.h"
#include "profiles/profile_forms.h"
#include "sampling/sampling.h"

#define SCHEMA_VERSION 1

#define TITLE_ROOM 80

/**
 * enum column_is - what a column has
 */
enum column_is {
	COLUMN_FIELD,
	COLUMN_SYMBOL,
	COLUMN_OF_EVENT,
	COLUMN_TAIL,
	COLUMN_SYMBOLS,
};

/**
 * struct entry_column - a column of a type of entries
 * @title: its title
 * @is: what it has
 * @field: the field or tail that it comes from
 * @number: number of the tail
 * @place: of an address, its number among the places of an entry
 * @width: characters of the widest cell
 */
struct entry_column {
	char title[TITLE_ROOM];
	enum column_is is;
	const struct pfm_format_field *field;
	unsigned int number;
	unsigned int place;
	size_t width;
};

/**
 * struct entry_columns - the columns of a type
 * @list: the columns
 * @count: elements of @list
 * @room: elements that fit in @list
 * @places: addresses in the fixed part
 * @lines: entries of this type
 */
struct entry_columns {
	struct entry_column *list;
	size_t count;
	size_t room;
	unsigned int places;
	size_t lines;
};

/**
 * struct lister - the list
 * @sampling: where entries are
 * @format: their format
 * @info: the same
 * @types: columns of each type
 * @cell: the text of a cell
 * @size: its bytes
 * @stream: writes it
 */
struct lister {
	struct sampling *sampling;
	const struct pfm_format *format;
	const struct pfm_format_info *info;
	struct entry_columns *types;
	char *cell;
	size_t size;
	FILE *stream;
};

static int no_memory(void)
{
	say_error("out of memory for the list of entries");
	return -1;
}

/* True if a field only says how long a tail is. */
static bool is_length(const struct lister *lister, unsigned int type,
		      const struct pfm_format_field *field)
{
	const struct pfm_format_field *tail;
	unsigned int i;

	for (i = 0; (tail = pfm_format_tail(lister->format, type, i)); i++)
		if (!strcmp(tail->count, field->name))
			return true;
	return false;
}

static struct entry_column *add_column(struct entry_columns *columns,
				       enum column_is is,
				       const struct pfm_format_field *field,
				       const char *title, const char *suffix)
{
	struct entry_column *column;

	if (array_reserve(&columns->list, sizeof(*columns->list),
			  &columns->room, columns->count + 1)) {
		no_memory();
		return NULL;
	}
	column = &columns->list[columns->count++];
	memset(column, 0, sizeof(*column));
	column->is = is;
	column->field = field;
	snprintf(column->title, sizeof(column->title), "%s%s", title, suffix);
	return column;
}

static bool has_symbols(const struct lister *lister)
{
	return lister->sampling->symbols.on;
}

/* Symbols have columns of their own where programs read. */
static bool apart(const struct lister *lister)
{
	return has_symbols(lister) &&
	       lister->sampling->options->smpl.output != SMPL_OUTPUT_TEXT;
}

/* True if something else of the type has that title, or is a field that will have it. */
static bool is_taken(const struct lister *lister, unsigned int type,
		     const struct pfm_format_field *self, const char *title)
{
	const struct entry_columns *columns = &lister->types[type];
	const struct pfm_format_field *field;
	unsigned int i;

	for (i = 0; i < columns->count; i++)
		if (!strcmp(columns->list[i].title, title))
			return true;
	for (i = 0; (field = pfm_format_field(lister->format, type, i)); i++)
		if (field != self && !strcmp(field->name, title))
			return true;
	for (i = 0; (field = pfm_format_tail(lister->format, type, i)); i++)
		if (!strcmp(field->name, title))
			return true;
	return false;
}

/* Adds a column that follows from a field: its title is @word, or FIELD_@word if that is taken. */
static struct entry_column *add_derived(const struct lister *lister,
					unsigned int type, enum column_is is,
					const struct pfm_format_field *field,
					const char *word)
{
	char title[TITLE_ROOM];

	/* A period stands in place of its field, an event beside it. */
	if (!is_taken(lister, type, is == COLUMN_FIELD ? field : NULL, word))
		return add_column(&lister->types[type], is, field, word, "");
	snprintf(title, sizeof(title), "%s_", field->name);
	return add_column(&lister->types[type], is, field, title, word);
}

static int add_field(const struct lister *lister, unsigned int type,
		     const struct pfm_format_field *field)
{
	struct entry_columns *columns = &lister->types[type];
	const bool code = field->kind == PFM_FORMAT_CODE;
	struct entry_column *column;

	if (is_length(lister, type, field))
		return 0;
	if (field->kind == PFM_FORMAT_RESET)
		column = add_derived(lister, type, COLUMN_FIELD, field,
				     "period");
	else
		column = add_column(columns, COLUMN_FIELD, field, field->name,
				    "");
	if (!column)
		return -1;
	column->place = columns->places;
	if (field->kind == PFM_FORMAT_PMD &&
	    !add_derived(lister, type, COLUMN_OF_EVENT, field, "event"))
		return -1;
	if (code && apart(lister)) {
		column = add_column(columns, COLUMN_SYMBOL, field, field->name,
				    "_symbol");
		if (!column)
			return -1;
		column->place = columns->places;
	}
	columns->places += code;
	return 0;
}

static int make_columns(const struct lister *lister, unsigned int type)
{
	struct entry_columns *columns = &lister->types[type];
	const struct pfm_format_field *field;
	struct entry_column *column;
	unsigned int i;

	for (i = 0; (field = pfm_format_field(lister->format, type, i)); i++)
		if (add_field(lister, type, field))
			return -1;
	for (i = 0; (field = pfm_format_tail(lister->format, type, i)); i++) {
		column = add_column(columns, COLUMN_TAIL, field, field->name,
				    "");
		if (!column)
			return -1;
		column->number = i;
		if (field->kind != PFM_FORMAT_STACK || !apart(lister))
			continue;
		column = add_column(columns, COLUMN_SYMBOLS, field, field->name,
				    "_symbols");
		if (!column)
			return -1;
		column->number = i;
	}
	return 0;
}

/* The first place of a tail: those of the fields and of the tails before it come first. */
static unsigned int tail_place(const struct lister *lister,
			       const struct stored_entry *entry,
			       unsigned int number)
{
	unsigned int place = lister->types[entry->type].places, i;

	for (i = 0; i < number; i++)
		if (pfm_format_tail(lister->format, entry->type, i)->kind ==
		    PFM_FORMAT_STACK)
			place += entry->elements[i];
	return place;
}

/* The elements of a tail. */
static const char *tail_base(const struct lister *lister,
			     const struct stored_entry *entry,
			     unsigned int number)
{
	const char *at = stored_entry_bytes(entry);
	unsigned int i;

	at += pfm_format_entry(lister->format, entry->type)->size;
	for (i = 0; i < number; i++)
		at += entry->elements[i] *
		      pfm_format_tail(lister->format, entry->type, i)->size;
	return at;
}

static bool is_hexadecimal(const struct pfm_format_field *field)
{
	return field->kind == PFM_FORMAT_BITS ||
	       field->kind == PFM_FORMAT_CODE ||
	       field->kind == PFM_FORMAT_STACK ||
	       field->kind == PFM_FORMAT_DATA;
}

static void put_number(FILE *out, const struct pfm_format_field *field,
		       uint64_t value)
{
	if (field->kind == PFM_FORMAT_RESET)
		fprintf(out, "%" PRIu64, described_period(field, value));
	else if (is_hexadecimal(field))
		fprintf(out, "0x%" PRIx64, value);
	else if (field->flags & PFM_FORMAT_SIGNED)
		fprintf(out, "%" PRId64, value);
	else
		fprintf(out, "%" PRIu64, value);
}

/* Returns false if nothing is known of the place. */
static bool put_symbol(FILE *out, const struct lister *lister,
		       const struct stored_entry *entry, unsigned int place)
{
	if (place >= entry->num_places)
		return false;
	symbols_print(out, symbols_get(&lister->sampling->symbols,
				       stored_entry_places(entry)[place]));
	return true;
}

/* The event that a register counts; NULL if it samples no event. */
static const char *event_of(const struct lister *lister, uint64_t pmd)
{
	int event = periods_event(&lister->sampling->periods, pmd);

	return event < 0 ? NULL : lister->sampling->events->list[event].label;
}

static void put_field(const struct lister *lister,
		      const struct stored_entry *entry,
		      const struct entry_column *column)
{
	const uint64_t value =
		pfm_format_value(column->field, stored_entry_bytes(entry));
	const char *event;

	switch (column->is) {
	case COLUMN_OF_EVENT:
		event = event_of(lister, value);
		fputs(event ? event : "", lister->stream);
		break;
	case COLUMN_SYMBOL:
		put_symbol(lister->stream, lister, entry, column->place);
		break;
	default:
		put_number(lister->stream, column->field, value);
		if (column->field->kind != PFM_FORMAT_CODE ||
		    !has_symbols(lister) || apart(lister))
			break;
		fputc(' ', lister->stream);
		put_symbol(lister->stream, lister, entry, column->place);
	}
}

/* A branch is no number: where it was, where it went, and what is known of it. */
static void put_branch(const struct lister *lister,
		       const struct stored_entry *entry,
		       const struct entry_column *column, uint32_t i)
{
	struct pfm_branch branch;

	memcpy(&branch,
	       tail_base(lister, entry, column->number) + i * sizeof(branch),
	       sizeof(branch));
	fprintf(lister->stream, "0x%" PRIx64 ">0x%" PRIx64 "/0x%" PRIx64,
		(uint64_t)branch.from, (uint64_t)branch.to,
		(uint64_t)branch.info);
}

static uint64_t element_of(const struct lister *lister,
			   const struct stored_entry *entry,
			   const struct entry_column *column, uint32_t i)
{
	return pfm_format_value(column->field,
				tail_base(lister, entry, column->number) +
					i * column->field->size);
}

static void put_element(const struct lister *lister,
			const struct stored_entry *entry,
			const struct entry_column *column, uint32_t i)
{
	const bool named = column->field->kind == PFM_FORMAT_STACK &&
			   has_symbols(lister) &&
			   (column->is == COLUMN_SYMBOLS || !apart(lister));

	if (column->field->kind == PFM_FORMAT_BRANCH) {
		put_branch(lister, entry, column, i);
		return;
	}
	if (!named ||
	    !put_symbol(lister->stream, lister, entry,
			tail_place(lister, entry, column->number) + i))
		put_number(lister->stream, column->field,
			   element_of(lister, entry, column, i));
}

/* Elements of a stack are separated as those of folded stacks are. */
static void put_tail(const struct lister *lister,
		     const struct stored_entry *entry,
		     const struct entry_column *column)
{
	const char *separator = column->field->kind == PFM_FORMAT_STACK ? ";"
									: " ";
	uint32_t i;

	for (i = 0; i < entry->elements[column->number]; i++) {
		if (i)
			fputs(separator, lister->stream);
		put_element(lister, entry, column, i);
	}
}

/* Writes the text of a cell.  NULL after a message. */
static const char *write_cell(struct lister *lister,
			      const struct stored_entry *entry,
			      const struct entry_column *column)
{
	rewind(lister->stream);
	if (column->is == COLUMN_TAIL || column->is == COLUMN_SYMBOLS)
		put_tail(lister, entry, column);
	else
		put_field(lister, entry, column);
	fputc('\0', lister->stream);
	if (!fflush(lister->stream) && !ferror(lister->stream))
		return lister->cell;
	no_memory();
	return NULL;
}

/* True if the task of an entry was asked for. */
static bool is_selected(const struct lister *lister,
			const struct stored_entry *entry)
{
	const struct described *described = &lister->sampling->lanes.described;
	const struct pfm_format_field *field;
	struct group group = { .phase = entry->phase };
	unsigned int i;

	if (!described_has(described, entry->type, PFM_FORMAT_TID))
		return true;
	for (i = 0; (field = pfm_format_field(lister->format, entry->type, i));
	     i++) {
		const uint64_t value =
			pfm_format_value(field, stored_entry_bytes(entry));

		if (field->kind == PFM_FORMAT_PID)
			group.pid = value;
		else if (field->kind == PFM_FORMAT_TID)
			group.tid = value;
	}
	return sampling_selects(lister->sampling, &group);
}

/* Calls @work for each entry; a number that is not 0 ends it. */
static int each_entry(struct lister *lister, void *arg,
		      int (*work)(struct lister *lister, void *arg,
				  const struct stored_entry *entry))
{
	struct entry_store *store = &lister->sampling->entries;
	const struct stored_entry *entry;
	int err = 0;
	size_t i;

	for (i = 0; !err && i < store->count; i++) {
		entry = entry_store_read(store, i);
		if (!entry)
			return -1;
		if (is_selected(lister, entry))
			err = work(lister, arg, entry);
	}
	return err;
}

static int measure_entry(struct lister *lister, void *arg,
			 const struct stored_entry *entry)
{
	struct entry_columns *columns = &lister->types[entry->type];
	const char *cell;
	size_t i;

	(void)arg;
	columns->lines++;
	for (i = 0; i < columns->count; i++) {
		cell = write_cell(lister, entry, &columns->list[i]);
		if (!cell)
			return -1;
		if (strlen(cell) > columns->list[i].width)
			columns->list[i].width = strlen(cell);
	}
	return 0;
}

/* Numbers are to the right; the last column is not filled up. */
static void print_cell(FILE *out, const struct entry_columns *columns, size_t i,
		       const char *text)
{
	const struct entry_column *column = &columns->list[i];
	const bool last = i + 1 == columns->count;
	const bool left = column->is != COLUMN_FIELD ||
			  is_hexadecimal(column->field);

	if (left && last)
		fprintf(out, "%s\n", text);
	else
		fprintf(out, "%*s%s",
			(int)(left ? -column->width : column->width), text,
			last ? "\n" : "  ");
}

struct text_list {
	FILE *out;
	unsigned int type;
};

static int print_text_entry(struct lister *lister, void *arg,
			    const struct stored_entry *entry)
{
	const struct entry_columns *columns = &lister->types[entry->type];
	const struct text_list *list = arg;
	const char *cell;
	size_t i;

	if (entry->type != list->type)
		return 0;
	for (i = 0; i < columns->count; i++) {
		cell = write_cell(lister, entry, &columns->list[i]);
		if (!cell)
			return -1;
		print_cell(list->out, columns, i, cell);
	}
	return 0;
}

/* The number of samples that an entry stands for may differ between lanes. */
static void print_lanes(FILE *out, const struct lister *lister)
{
	const struct lanes *lanes = &lister->sampling->lanes;
	uint64_t seen, entries;
	unsigned int i;

	for (i = 0; lanes->count > 1 && i < lanes->count; i++)
		if (lanes_sum_one(lanes, i, PFM_FORMAT_SEEN, &seen) && seen &&
		    lanes_sum_one(lanes, i, PFM_FORMAT_ENTRIES, &entries))
			fprintf(out,
				"# lane %u: %" PRIu64 " entries of %" PRIu64
				" samples\n",
				lanes->list[i].number, entries, seen);
}

/* Print the samples that the headers of the lanes count. */
static void print_sums(FILE *out, const struct lister *lister)
{
	const struct lanes *lanes = &lister->sampling->lanes;
	uint64_t sum;

	if (lanes_sum(lanes, PFM_FORMAT_SEEN, &sum))
		fprintf(out, "# seen: %" PRIu64 " samples\n", sum);
	print_lanes(out, lister);
	if (lanes_sum(lanes, PFM_FORMAT_LOST, &sum))
		fprintf(out, "# lost: %" PRIu64 " samples\n", sum);
	else if (lister->info->layout != PFM_FORMAT_NONE)
		fprintf(out, "# lost: not known, the format does not say it\n");
}

static int print_text_type(FILE *out, struct lister *lister, unsigned int type)
{
	struct entry_columns *columns = &lister->types[type];
	struct text_list list = { .out = out, .type = type };
	size_t i;

	if (!columns->lines)
		return 0;
	fprintf(out, "# %s: %zu entries\n",
		pfm_format_entry(lister->format, type)->name, columns->lines);
	for (i = 0; i < columns->count; i++) {
		if (strlen(columns->list[i].title) > columns->list[i].width)
			columns->list[i].width = strlen(columns->list[i].title);
		print_cell(out, columns, i, columns->list[i].title);
	}
	return each_entry(lister, &list, print_text_entry);
}

static int print_entries_text(FILE *out, struct lister *lister)
{
	const struct pfm_format_info *info = lister->info;
	unsigned int type;
	int err;

	fprintf(out, "# format %s %u.%u%s%s\n", info->name, info->version >> 16,
		info->version & 0xffff, info->help ? ": " : "",
		info->help ? info->help : "");
	if (info->layout == PFM_FORMAT_NONE)
		fputs("# the samples are where the format puts them, not here\n",
		      out);
	print_sums(out, lister);
	err = each_entry(lister, NULL, measure_entry);
	if (!err && info->layout != PFM_FORMAT_NONE &&
	    !lister->sampling->entries.count)
		fputs("# no entries\n", out);
	for (type = 0; !err && type < info->entries; type++)
		err = print_text_type(out, lister, type);
	return err;
}

/* The column of a type that has this title; NULL if there is none. */
static const struct entry_column *
find_column(const struct lister *lister, unsigned int type, const char *title)
{
	const struct entry_columns *columns = &lister->types[type];
	size_t i;

	for (i = 0; i < columns->count; i++)
		if (!strcmp(columns->list[i].title, title))
			return &columns->list[i];
	return NULL;
}

/**
 * struct csv_list - lines with the columns of all types
 * @out: the file
 * @all: all columns, each once
 */
struct csv_list {
	FILE *out;
	struct entry_columns all;
};

static int collect_columns(struct lister *lister, struct csv_list *list)
{
	unsigned int type, before;
	size_t i;

	for (type = 0; type < lister->info->entries; type++) {
		for (i = 0; i < lister->types[type].count; i++) {
			const struct entry_column *column =
				&lister->types[type].list[i];

			for (before = 0; before < type; before++)
				if (find_column(lister, before, column->title))
					break;
			if (before == type &&
			    !add_column(&list->all, column->is, column->field,
					column->title, ""))
				return -1;
		}
	}
	return 0;
}

static int print_csv_entry(struct lister *lister, void *arg,
			   const struct stored_entry *entry)
{
	const struct csv_list *list = arg;
	const struct entry_column *column;
	const char *cell;
	size_t i;

	fputs(pfm_format_entry(lister->format, entry->type)->name, list->out);
	for (i = 0; i < list->all.count; i++) {
		fputc(',', list->out);
		column = find_column(lister, entry->type,
				     list->all.list[i].title);
		if (!column)
			continue;
		cell = write_cell(lister, entry, column);
		if (!cell)
			return -1;
		csv_field_print(list->out, cell);
	}
	fputs("\r\n", list->out);
	return 0;
}

static int print_entries_csv(FILE *out, struct lister *lister)
{
	struct csv_list list = { .out = out };
	int err = collect_columns(lister, &list);
	size_t i;

	fputs("entry", out);
	for (i = 0; i < list.all.count; i++)
		fprintf(out, ",%s", list.all.list[i].title);
	fputs("\r\n", out);
	if (!err)
		err = each_entry(lister, &list, print_csv_entry);
	free(list.all.list);
	return err;
}

/* Numbers that are read in hexadecimal may exceed those of JSON, and are strings. */
static void json_number(struct json *json, const char *key,
			const struct pfm_format_field *field, uint64_t value)
{
	char text[32];

	if (field->kind == PFM_FORMAT_RESET) {
		jsonw_uint(json, key, described_period(field, value));
	} else if (is_hexadecimal(field)) {
		snprintf(text, sizeof(text), "0x%" PRIx64, value);
		jsonw_string(json, key, text);
	} else if (field->flags & PFM_FORMAT_SIGNED) {
		jsonw_int(json, key, value);
	} else {
		jsonw_uint(json, key, value);
	}
}

static int json_cell(struct json *json, struct lister *lister,
		     const struct stored_entry *entry,
		     const struct entry_column *column)
{
	const char *cell;
	uint32_t i;

	if (column->is == COLUMN_FIELD) {
		json_number(json, column->title, column->field,
			    pfm_format_value(column->field,
					     stored_entry_bytes(entry)));
		return 0;
	}
	if (column->is != COLUMN_TAIL && column->is != COLUMN_SYMBOLS) {
		cell = write_cell(lister, entry, column);
		if (cell && *cell)
			jsonw_string(json, column->title, cell);
		return cell ? 0 : -1;
	}
	jsonw_array(json, column->title);
	for (i = 0; i < entry->elements[column->number]; i++) {
		if (column->is == COLUMN_TAIL &&
		    column->field->kind != PFM_FORMAT_BRANCH) {
			json_number(json, NULL, column->field,
				    element_of(lister, entry, column, i));
			continue;
		}
		rewind(lister->stream);
		put_element(lister, entry, column, i);
		fputc('\0', lister->stream);
		if (fflush(lister->stream))
			return no_memory();
		jsonw_string(json, NULL, lister->cell);
	}
	jsonw_close(json);
	return 0;
}

static int json_entry(struct lister *lister, void *arg,
		      const struct stored_entry *entry)
{
	const struct entry_columns *columns = &lister->types[entry->type];
	struct json *json = arg;
	size_t i;

	jsonw_line_object(json, NULL);
	jsonw_string(json, "entry",
		     pfm_format_entry(lister->format, entry->type)->name);
	for (i = 0; i < columns->count; i++)
		if (json_cell(json, lister, entry, &columns->list[i]))
			return -1;
	jsonw_close(json);
	return 0;
}

static void json_argument(struct json *json, const struct lister *lister)
{
	const char *base = lister->sampling->lanes.described.arg;
	const struct pfm_format_arg *arg;
	unsigned int i;

	jsonw_line_object(json, "argument");
	for (i = 0; (arg = pfm_format_arg(lister->format, i)); i++) {
		const struct pfm_format_field field = {
			.offset = arg->offset,
			.size = arg->size,
			.flags = arg->flags,
		};
		const uint64_t value = pfm_format_value(&field, base);

		if (arg->mask)
			jsonw_bool(json, arg->name, value & arg->mask);
		else
			json_number(json, arg->name, &field, value);
	}
	jsonw_close(json);
}

static void json_sum(struct json *json, const struct lister *lister,
		     const char *key, uint32_t kind)
{
	uint64_t sum;

	if (lanes_sum(&lister->sampling->lanes, kind, &sum))
		jsonw_uint(json, key, sum);
	else
		jsonw_null(json, key);
}

static int print_entries_json(FILE *out, struct lister *lister)
{
	const struct pfm_format_info *info = lister->info;
	char text[UUID_TEXT_ROOM];
	struct json json;
	int err;

	jsonw_begin(&json, out);
	jsonw_uint(&json, "schema_version", SCHEMA_VERSION);
	jsonw_string(&json, "type", "entries");
	jsonw_string(&json, "pfmon_version", PFMON_VERSION);
	jsonw_string(&json, "format", info->name);
	jsonw_string(&json, "uuid", formats_uuid_text(info->uuid, text));
	snprintf(text, sizeof(text), "%u.%u", info->version >> 16,
		 info->version & 0xffff);
	jsonw_string(&json, "version", text);
	json_argument(&json, lister);
	json_sum(&json, lister, "seen", PFM_FORMAT_SEEN);
	json_sum(&json, lister, "lost", PFM_FORMAT_LOST);
	jsonw_array(&json, "entries");
	err = each_entry(lister, &json, json_entry);
	/* An error leaves the document where it is: it is of no use. */
	if (err)
		return err;
	jsonw_close(&json);
	jsonw_finish(&json);
	return 0;
}

static int print_form(FILE *out, struct lister *lister)
{
	switch (lister->sampling->options->smpl.output) {
	case SMPL_OUTPUT_CSV:
		return print_entries_csv(out, lister);
	case SMPL_OUTPUT_JSON:
		return print_entries_json(out, lister);
	default:
		return print_entries_text(out, lister);
	}
}

int print_entries(FILE *out, struct sampling *sampling)
{
	const struct described *described = &sampling->lanes.described;
	struct lister lister = {
		.sampling = sampling,
		.format = described->format,
		.info = described->info,
	};
	unsigned int i;
	int err = 0;

	lister.stream = open_memstream(&lister.cell, &lister.size);
	lister.types =
		calloc(described->info->entries + 1, sizeof(*lister.types));
	if (!lister.stream || !lister.types)
		err = no_memory();
	for (i = 0; !err && i < described->info->entries; i++)
		err = make_columns(&lister, i);
	entry_store_sort(&sampling->entries);
	if (!err)
		err = print_form(out, &lister);
	for (i = 0; lister.types && i < described->info->entries; i++)
		free(lister.types[i].list);
	free(lister.types);
	if (lister.stream)
		fclose(lister.stream);
	free(lister.cell);
	return err;
}
