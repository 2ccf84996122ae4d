// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads metrics from JSON documents of pfmon.
 */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "report/metric_file.h"
#include "report/report_input.h"

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

static int read_metric(const json_t *object, struct written_metric *metric)
{
	const json_t *value = json_object_get(object, "value");
	const json_t *error = json_object_get(object, "error");

	metric->name = copy_text(object, "metric", "");
	metric->unit = copy_text(object, "unit", "");
	metric->level = json_integer_value(json_object_get(object, "level"));
	metric->known = json_is_number(value);
	metric->value = json_number_value(value);
	metric->scaled = json_is_true(json_object_get(object, "scaled"));
	metric->bounded = json_is_number(error);
	metric->error = json_number_value(error);
	return metric->name && metric->unit ? 0 : no_memory();
}

/* Reads the metrics of an object.  Without any the row is empty. */
static int read_row(const json_t *object, const char *start, const char *end,
		    struct written_row *row)
{
	const json_t *metrics = json_object_get(object, "metrics"), *metric;
	size_t i;

	row->start = json_number_value(json_object_get(object, start));
	row->end = json_number_value(json_object_get(object, end));
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
	struct written_row *list;

	list = realloc(rows->list, (rows->count + 1) * sizeof(*list));
	if (!list) {
		no_memory();
		return NULL;
	}
	rows->list = list;
	list += rows->count++;
	memset(list, 0, sizeof(*list));
	return list;
}

/* What a result is of: "CPU3", "ls (17)", or of merged tasks "ls (15 tasks)". */
static char *title_of(const json_t *result)
{
	const json_t *cpu = json_object_get(result, "cpu");
	const char *path = json_string_value(json_object_get(result, "path"));
	long long pid = json_integer_value(json_object_get(result, "pid"));
	long long tasks = json_integer_value(json_object_get(result, "tasks"));
	char *title;
	int err;

	if (cpu)
		err = asprintf(&title, "CPU%lld",
			       (long long)json_integer_value(cpu));
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
		if (read_row(result, "start_ns", "end_ns", row))
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
	if (read_row(document, "start_ns", "end_ns", &file->all) ||
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

static int read_document(struct metric_file *file, const json_t *document)
{
	struct written_row *row;

	if (!json_object_get(document, "type")) {
		if (!file->model)
			return read_results_document(file, document);
		say_error("'%s' has more than one document with results",
			  file->name);
		return -1;
	}
	row = add_row(&file->intervals);
	return row ? read_row(document, "start_ns", "end_ns", row) : -1;
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

int metric_file_read(struct metric_file *file, const struct report_input *input)
{
	memset(file, 0, sizeof(*file));
	file->name = input->name;
	return read_documents(file, input->in);
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
	free_row(&file->all);
	free_rows(&file->results);
	free_rows(&file->intervals);
	free(file->model);
	free(file->command);
}
