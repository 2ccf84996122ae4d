// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads metrics from JSON documents of pfmon.
 */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/message.h"
#include "metrics/metric_file.h"

static int no_memory(void)
{
	say_error("out of memory for the metrics");
	return -1;
}

/* The next character that is not white space; it stays in the file. */
static int peek(FILE *in)
{
	int c;

	do
		c = getc(in);
	while (c == ' ' || c == '\n' || c == '\r' || c == '\t');
	if (c != EOF)
		ungetc(c, in);
	return c;
}

static char *copy_text(const json_t *object, const char *key, const char *dfl)
{
	const char *text = json_string_value(json_object_get(object, key));

	return strdup(text ? text : dfl);
}

/* The unit; "percent" alone, of a node that has a parent, is per cent of the parent. */
static char *unit_of(const json_t *object)
{
	const char *unit = json_string_value(json_object_get(object, "unit"));
	const char *parent =
		json_string_value(json_object_get(object, "parent"));
	char *text;

	if (!unit || strcmp(unit, "percent") || !parent)
		return strdup(unit ? unit : "");
	return asprintf(&text, "percent of %s", parent) < 0 ? NULL : text;
}

static int read_metric(const json_t *object, struct written_metric *metric)
{
	const json_t *value = json_object_get(object, "value");
	const json_t *error = json_object_get(object, "error");

	metric->name = copy_text(object, "metric", "");
	metric->unit = unit_of(object);
	metric->why = copy_text(object, "why", "");
	metric->level = json_integer_value(json_object_get(object, "level"));
	metric->known = json_is_number(value);
	metric->value = json_number_value(value);
	metric->scaled = json_is_true(json_object_get(object, "scaled"));
	metric->low = json_is_true(json_object_get(object, "at_least"));
	metric->bounded = json_is_number(error);
	metric->error = json_number_value(error);
	return metric->name && metric->unit && metric->why ? 0 : no_memory();
}

/* Reads the metrics of an object, and the times of @timed.  Without any the row is empty. */
static int read_row(const json_t *object, const json_t *timed,
		    struct written_row *row)
{
	const json_t *metrics = json_object_get(object, "metrics"), *metric;
	const json_t *sum = json_object_get(object, "topdown_sum");
	size_t i;

	row->start = json_number_value(json_object_get(timed, "start_ns"));
	row->end = json_number_value(json_object_get(timed, "end_ns"));
	row->off = json_is_false(json_object_get(sum, "adds_up"));
	row->sum = json_number_value(json_object_get(sum, "value"));
	row->list = calloc(json_array_size(metrics) + 1, sizeof(*row->list));
	if (!row->list)
		return no_memory();
	json_array_foreach(
		(json_t *)metrics, i,
		metric) if (read_metric(metric,
					&row->list[row->count++])) return -1;
	return 0;
}

static struct written_row *add_row(struct written_rows *rows)
{
	struct written_row *row;

	if (array_reserve(&rows->list, sizeof(*rows->list), &rows->room,
			  rows->count + 1)) {
		no_memory();
		return NULL;
	}
	row = &rows->list[rows->count++];
	memset(row, 0, sizeof(*row));
	return row;
}

/*
 * Title of a result: "CPU3", "ls (17)", of another thread "ls (17,18)", or of merged tasks
 * "ls (15 tasks)".
 */
static char *title_of(const json_t *result)
{
	const json_t *cpu = json_object_get(result, "cpu");
	const char *path = json_string_value(json_object_get(result, "path"));
	long long pid = json_integer_value(json_object_get(result, "pid"));
	long long tid = json_integer_value(json_object_get(result, "tid"));
	long long tasks = json_integer_value(json_object_get(result, "tasks"));
	char *title;
	int err;

	if (cpu)
		err = asprintf(&title, "CPU%lld",
			       (long long)json_integer_value(cpu));
	else if (pid && tid && tid != pid)
		err = asprintf(&title, "%s (%lld,%lld)", path ? path : "", pid,
			       tid);
	else if (pid)
		err = asprintf(&title, "%s (%lld)", path ? path : "", pid);
	else
		err = asprintf(&title, "%s (%lld task%s)", path ? path : "",
			       tasks, tasks == 1 ? "" : "s");
	return err < 0 ? NULL : title;
}

static int read_results(struct metric_file *file, const json_t *list)
{
	struct written_row *row;
	const json_t *result;
	size_t i;

	json_array_foreach((json_t *)list, i, result)
	{
		row = add_row(&file->results);
		if (!row)
			return -1;
		row->title = title_of(result);
		if (!row->title)
			return no_memory();
		if (read_row(result, result, row))
			return -1;
	}
	return 0;
}

static int read_command(struct metric_file *file, const json_t *document)
{
	const json_t *words = json_object_get(document, "command"), *word;
	size_t i, size;
	FILE *out = open_memstream(&file->command, &size);

	if (!out)
		return no_memory();
	json_array_foreach((json_t *)words, i, word)
		fprintf(out, "%s%s", i ? " " : "", json_string_value(word));
	return fclose(out) ? no_memory() : 0;
}

/* Reads the document with the results. */
static int read_results_document(struct metric_file *file,
				 const json_t *document)
{
	const char *slash = strrchr(file->name, '/');

	file->model =
		copy_text(document, "model", slash ? slash + 1 : file->name);
	if (!file->model)
		return no_memory();
	if (read_row(document, document, &file->all) ||
	    read_command(file, document) ||
	    read_results(file, json_object_get(document, "results")) ||
	    read_results(file, json_object_get(document, "cpus")))
		return -1;
	if (file->all.count)
		return 0;
	say_error("'%s' has no metrics; 'pfmon --topdown --json' writes them",
		  file->name);
	return -1;
}

/*
 * Key that tells a CPU or a task from others: a task may execute another program, and more may
 * be merged with those that are already.
 */
static char *key_of(const json_t *object)
{
	long long tid = json_integer_value(json_object_get(object, "tid"));
	char *key;

	if (json_object_get(object, "cpu"))
		return title_of(object);
	if (!tid)
		return copy_text(object, "path", "");
	return asprintf(&key, "%lld", tid) < 0 ? NULL : key;
}

/* Takes over @key and @title. */
static struct written_series *find_series(struct metric_file *file, char *key,
					  char *title)
{
	struct written_series *series;
	size_t i;

	for (i = 0; key && title && i < file->num_series; i++)
		if (!strcmp(file->series[i].key, key))
			break;
	if (key && title && i == file->num_series &&
	    !array_reserve(&file->series, sizeof(*file->series), &file->room,
			   i + 1)) {
		file->series[file->num_series++] =
			(struct written_series){ .key = key };
		key = NULL;
	}
	series = i < file->num_series ? &file->series[i] : NULL;
	if (series && title) {
		free(series->title);
		series->title = title;
		title = NULL;
	}
	free(key);
	free(title);
	if (!series)
		no_memory();
	return series;
}

/* Adds an interval to what it is of. */
static int add_interval(struct metric_file *file, char *key, char *title,
			const json_t *object, const json_t *interval)
{
	struct written_series *series = find_series(file, key, title);
	struct written_row *row = series ? add_row(&series->rows) : NULL;

	return row ? read_row(object, interval, row) : -1;
}

static int add_intervals(struct metric_file *file, const json_t *list,
			 const json_t *interval)
{
	const json_t *object;
	size_t i;

	json_array_foreach((json_t *)list, i, object)
	{
		if (add_interval(file, key_of(object), title_of(object), object,
				 interval))
			return -1;
	}
	return 0;
}

static int read_interval(struct metric_file *file, const json_t *document)
{
	if (add_interval(file, strdup("all"), strdup("all"), document,
			 document) ||
	    add_intervals(file, json_object_get(document, "cpus"), document) ||
	    add_intervals(file, json_object_get(document, "tasks"), document))
		return -1;
	return 0;
}

static int read_document(struct metric_file *file, const json_t *document)
{
	if (!json_object_get(document, "type")) {
		if (!file->model)
			return read_results_document(file, document);
		say_error("'%s' has more than one document with results",
			  file->name);
		return -1;
	}
	return read_interval(file, document);
}

/* With --print-interval there is a document for each interval, and the results at the end. */
static int read_documents(struct metric_file *file, FILE *in)
{
	json_error_t error;
	json_t *document;
	int err = 0;

	errno = 0;
	while (!err && peek(in) != EOF) {
		document = json_loadf(in, JSON_DISABLE_EOF_CHECK, &error);
		if (!document) {
			say_error("%s: line %d, column %d: %s", file->name,
				  error.line, error.column, error.text);
			return -1;
		}
		err = read_document(file, document);
		json_decref(document);
	}
	if (err || file->model)
		return err;
	say_error("cannot read '%s': %s", file->name,
		  ferror(in) ? strerror(errno) : "it has no results");
	return -1;
}

int metric_file_read(struct metric_file *file, const char *name, FILE *in)
{
	memset(file, 0, sizeof(*file));
	file->name = name;
	return read_documents(file, in);
}

bool written_is_percent(const struct written_metric *metric)
{
	return !strncmp(metric->unit, "percent", strlen("percent"));
}

bool written_is_outside(const struct written_metric *metric)
{
	return metric->known && written_is_percent(metric) &&
	       (metric->value < 0 || metric->value > 100);
}

int written_decimals(const struct written_metric *metric)
{
	return written_is_percent(metric) ? 1 : 3;
}

double written_bound(const struct written_metric *metric)
{
	double unit = written_is_percent(metric) ? 10 : 1000;

	return ceil(metric->error * unit) / unit;
}

const struct written_metric *written_row_find(const struct written_row *row,
					      const char *name)
{
	size_t i;

	for (i = 0; i < row->count; i++)
		if (!strcmp(row->list[i].name, name))
			return &row->list[i];
	return NULL;
}

static void free_row(struct written_row *row)
{
	size_t i;

	for (i = 0; i < row->count; i++) {
		free(row->list[i].name);
		free(row->list[i].unit);
		free(row->list[i].why);
	}
	free(row->list);
	free(row->title);
}

static void free_rows(struct written_rows *rows)
{
	size_t i;

	for (i = 0; i < rows->count; i++)
		free_row(&rows->list[i]);
	free(rows->list);
}

void metric_file_free(struct metric_file *file)
{
	size_t i;

	for (i = 0; i < file->num_series; i++) {
		free(file->series[i].key);
		free(file->series[i].title);
		free_rows(&file->series[i].rows);
	}
	free(file->series);
	free_row(&file->all);
	free_rows(&file->results);
	free(file->model);
	free(file->command);
}
