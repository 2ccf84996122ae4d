// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads counts, as CSV (RFC 4180), and as 'perf stat -x,' writes them.
 */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/message.h"
#include "metrics/evaluate.h"
#include "metrics/model.h"
#include "report/forms.h"
#include "report/perf_stat.h"

#define FIELDS_MAX 64

/**
 * struct titles - the column of each field that is read; -1 if there is none
 */
struct titles {
	int type;
	int event;
	int count;
	int scaled;
	int error;
	int low;
	int set;
};

/**
 * struct counts_file - a file that is being read
 * @name: its name in messages
 * @line: number of the current line
 * @model: the model
 * @counts: one for each of its events
 * @titles: the columns
 * @fields: of the current row
 * @num_fields: elements of @fields
 * @unused: rows with events that the model does not use
 * @used: rows with counts
 * @perf: columns before the count in a file of perf stat; -1 if it is of another kind
 * @named: what perf stat calls the event of each count; NULL if no row had it yet
 */
struct counts_file {
	const char *name;
	unsigned long line;
	struct metric_model *model;
	struct metric_count *counts;
	struct titles titles;
	char *fields[FIELDS_MAX];
	int num_fields;
	unsigned long unused;
	unsigned long used;
	int perf;
	char **named;
};

static int bad_line(const struct counts_file *file, const char *why)
{
	say_error("%s: line %lu: %s", file->name, file->line, why);
	return -1;
}

/* Takes a field in quotes, with "" for each quote in it, to its end. */
static char *take_quoted(char *at)
{
	char *to = at++;

	for (;; at++) {
		if (*at == '"' && at[1] == '"')
			at++;
		else if (*at == '"' || !*at)
			break;
		*to++ = *at;
	}
	if (!*at++)
		return NULL;
	*to = '\0';
	return at;
}

/* Splits a line at its commas, in place. */
static int split(struct counts_file *file, char *line)
{
	char *at = line;

	file->num_fields = 0;
	line[strcspn(line, "\r\n")] = '\0';
	for (;;) {
		if (file->num_fields == FIELDS_MAX)
			return bad_line(file, "it has too many columns");
		file->fields[file->num_fields++] = at;
		at = *at == '"' ? take_quoted(at) : at + strcspn(at, ",");
		if (!at)
			return bad_line(file, "a quote is not closed");
		if (!*at)
			return 0;
		if (*at != ',')
			return bad_line(file,
					"characters follow a closed quote");
		*at++ = '\0';
	}
}

static const char *field(const struct counts_file *file, int column)
{
	return column >= 0 && column < file->num_fields ? file->fields[column]
							: "";
}

static int find_title(const struct counts_file *file, const char *title)
{
	int i;

	for (i = 0; i < file->num_fields; i++)
		if (!strcasecmp(file->fields[i], title))
			return i;
	return -1;
}

/* Takes a row of titles.  Returns false if it is none. */
static bool take_titles(struct counts_file *file)
{
	struct titles *titles = &file->titles;
	int event = find_title(file, "event");
	int count = find_title(file, "count");

	if (count < 0)
		count = find_title(file, "value");
	if (event < 0 || count < 0)
		return false;
	*titles = (struct titles){
		.type = find_title(file, "type"),
		.event = event,
		.count = count,
		.scaled = find_title(file, "scaled"),
		.error = find_title(file, "error"),
		.low = find_title(file, "at_least"),
		.set = find_title(file, "set"),
	};
	return true;
}

/* A number that is not negative. */
static bool read_number(const char *text, double *number)
{
	char *end;

	if ((*text < '0' || *text > '9') && *text != '.')
		return false;
	*number = strtod(text, &end);
	return !*end && isfinite(*number);
}

/* Length of a name without levels, as in "cpu_cycles:uk". */
static size_t without_levels(const char *name)
{
	const char *colon = strrchr(name, ':');

	return colon && strspn(colon + 1, "ukh") == strlen(colon + 1)
		       ? (size_t)(colon - name)
		       : strlen(name);
}

static bool is_name(const char *name, size_t length, const char *other)
{
	return !strncasecmp(name, other, length) && !other[length];
}

/* The number of an event set; none is set 0. */
static bool read_set(const char *text, unsigned int *set)
{
	char *end;
	unsigned long number = strtoul(text, &end, 10);

	*set = number;
	return !*text || (*text >= '0' && *text <= '9' && !*end && number < 64);
}

static void warn_twice(const struct counts_file *file, const char *what)
{
	say_warning("%s: line %lu: '%s' has another %s above, which is taken",
		    file->name, file->line, field(file, file->titles.event),
		    what);
}

/* A constant that the file tells in place of a machine. */
static int take_constant(struct counts_file *file,
			 struct metric_constant *constant)
{
	double value;

	if (!read_number(field(file, file->titles.count), &value))
		return bad_line(file, "the constant is not a number");
	if (constant->known && constant->value != value)
		warn_twice(file, "value");
	if (!constant->known)
		constant->value = value;
	constant->known = true;
	return 0;
}

static int take_count(struct counts_file *file, struct metric_count *count)
{
	const struct titles *titles = &file->titles;
	const char *text = field(file, titles->count);
	struct metric_count new = { .known = true, .bounded = true };

	if (!*text) {
		if (!count->known)
			count->why = "has no count in the file";
		return 0;
	}
	if (!read_number(text, &new.value))
		return bad_line(file, "the count is not a number");
	new.scaled = !strcmp(field(file, titles->scaled), "1");
	new.low = !strcmp(field(file, titles->low), "1");
	if (!read_set(field(file, titles->set), &new.set))
		return bad_line(file, "the set is not a number below 64");
	text = field(file, titles->error);
	if (new.scaled)
		new.bounded = read_number(text, &new.error);
	if (count->known && count->value != new.value)
		warn_twice(file, "count");
	if (!count->known)
		*count = new;
	file->used++;
	return 0;
}

/* Room for the name of an event, as perf stat has it. */
#define NAME_ROOM 256

/*
 * Takes a count of perf stat for event number @i of the model.  Intervals, CPUs and the like have a
 * row each, and the count of the event is their sum: a lower bound if one of them is missing.
 */
static int take_perf_count(struct counts_file *file, unsigned int i,
			   const struct perf_stat_row *row)
{
	struct metric_count *count = &file->counts[i];
	const bool first = !file->named[i];
	double value = 0;

	if (first)
		file->named[i] = strdup(row->event);
	if (!file->named[i])
		return bad_line(file, "out of memory");
	if (!first && (!file->perf || strcmp(file->named[i], row->event))) {
		if (!row->why && count->value != strtod(row->value, NULL))
			say_warning(
				"%s: line %lu: '%s' is counted above as '%s', which is taken",
				file->name, file->line, row->event,
				file->named[i]);
		return 0;
	}
	if (row->why) {
		count->low |= count->known;
		count->why = row->why;
		return 0;
	}
	if (!read_number(row->value, &value))
		return bad_line(file, "the count is not a number");
	count->low |= !count->known && count->why;
	count->known = true;
	count->value += value;
	count->scaled |= row->scaled;
	count->bounded = !count->scaled;
	file->used++;
	return 0;
}

static bool is_event(const struct metric_event *event, const char *name)
{
	return !strcasecmp(name, event->name) ||
	       !strcasecmp(name, event->event);
}

/* Finds out what kind of file it is by its first row.  True if that row has counts. */
static bool begin_rows(struct counts_file *file)
{
	if (take_titles(file))
		return false;
	file->num_fields = perf_stat_join(file->fields, file->num_fields);
	file->perf = perf_stat_offset(file->fields, file->num_fields);
	return true;
}

static int take_row(struct counts_file *file)
{
	const char *name = field(file, file->titles.event);
	const char *type = field(file, file->titles.type);
	struct metric_model *model = file->model;
	size_t length = without_levels(name);
	bool found = false;
	unsigned int i;

	if (file->titles.type >= 0 && strcmp(type, "total"))
		return 0;
	if (file->num_fields < 2)
		return bad_line(file,
				"it has no count: EVENT,COUNT is expected");
	for (i = 0; i < model->num_constants; i++)
		if (model->constants[i].source &&
		    is_name(name, length, model->constants[i].name))
			return take_constant(file, &model->constants[i]);
	for (i = 0; i < model->num_events; i++) {
		if (!is_name(name, length, model->events[i].name) &&
		    !is_name(name, length, model->events[i].event))
			continue;
		found = true;
		if (take_count(file, &file->counts[i]))
			return -1;
	}
	file->unused += !found;
	return 0;
}

static int take_perf_row(struct counts_file *file)
{
	struct metric_model *model = file->model;
	const char *name, *other = NULL;
	struct perf_stat_row row;
	char text[NAME_ROOM];
	bool found = false;
	unsigned int i;

	/* Constants that perf does not know may be added to its file. */
	if (file->num_fields == 2)
		return take_row(file);
	file->num_fields = perf_stat_join(file->fields, file->num_fields);
	if (!perf_stat_read(file->fields, file->num_fields, file->perf, &row))
		return 0;
	perf_stat_name(row.event, text, sizeof(text));
	for (name = text; name && !found; name = other) {
		for (i = 0; i < model->num_events; i++) {
			if (!is_event(&model->events[i], name))
				continue;
			found = true;
			if (take_perf_count(file, i, &row))
				return -1;
		}
		other = perf_stat_alias(text, other);
	}
	file->unused += !found;
	return 0;
}

static int read_rows(struct counts_file *file, FILE *in)
{
	char *line = NULL;
	size_t size = 0;
	bool first = true;
	int err = 0;

	while (!err && getline(&line, &size, in) >= 0) {
		file->line++;
		if (!line[strspn(line, " \t\r\n")] || *line == '#')
			continue;
		err = split(file, line);
		if (!err && (!first || begin_rows(file)))
			err = file->perf < 0 ? take_row(file)
					     : take_perf_row(file);
		first = false;
	}
	if (!err && !feof(in)) {
		say_error("cannot read %s: %s", file->name, strerror(errno));
		err = -1;
	}
	free(line);
	return err;
}

int counts_file_read(const char *name, struct metric_model *model,
		     struct metric_count *counts)
{
	struct counts_file file = {
		.name = name,
		.model = model,
		.counts = counts,
		.titles = { -1, 0, 1, -1, -1, -1, -1 },
		.perf = -1,
	};
	FILE *in = strcmp(name, "-") ? fopen(name, "re") : stdin;
	unsigned int i;
	int err;

	if (!in) {
		say_error("cannot open '%s': %s", name, strerror(errno));
		return -1;
	}
	file.named = calloc(model->num_events + 1, sizeof(*file.named));
	if (!file.named)
		say_error("out of memory for the counts");
	err = file.named ? read_rows(&file, in) : -1;
	for (i = 0; file.named && i < model->num_events; i++)
		free(file.named[i]);
	free(file.named);
	if (in != stdin)
		fclose(in);
	if (!err && file.unused)
		say_note(
			"%s: %lu count%s of events that the metrics of %s do not use",
			name, file.unused, file.unused == 1 ? "" : "s",
			model->title);
	if (!err && !file.used) {
		say_error("%s has no count of an event of %s", name,
			  model->title);
		err = -1;
	}
	return err;
}
