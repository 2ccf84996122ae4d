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

/*
 * Reads the last document of a file: with --print-interval it has one for each interval, and
 * the results at the end.
 */
static json_t *read_last(FILE *in, const char *name)
{
	json_t *last = NULL;
	json_error_t error;

	errno = 0;
	while (peek(in) != EOF) {
		json_decref(last);
		last = json_loadf(in, JSON_DISABLE_EOF_CHECK, &error);
		if (last)
			continue;
		say_error("%s: line %d, column %d: %s", name, error.line,
			  error.column, error.text);
		return NULL;
	}
	if (!last)
		say_error("cannot read '%s': %s", name,
			  ferror(in) ? strerror(errno) : "it is empty");
	return last;
}

static json_t *load(const char *name)
{
	FILE *in = fopen(name, "re");
	json_t *document;

	if (!in) {
		say_error("cannot open '%s': %s", name, strerror(errno));
		return NULL;
	}
	document = read_last(in, name);
	fclose(in);
	return document;
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

static int read_metrics(struct metric_file *file, const json_t *document)
{
	const json_t *metrics = json_object_get(document, "metrics"), *object;
	const char *slash = strrchr(file->name, '/');
	size_t i;

	if (!json_is_array(metrics) || !json_array_size(metrics)) {
		say_error(
			"'%s' has no metrics; 'pfmon --topdown --json' writes them",
			file->name);
		return -1;
	}
	file->model =
		copy_text(document, "model", slash ? slash + 1 : file->name);
	file->list = calloc(json_array_size(metrics), sizeof(*file->list));
	if (!file->model || !file->list)
		return no_memory();
	json_array_foreach(
		(json_t *)metrics, i,
		object) if (read_metric(object,
					&file->list[file->count++])) return -1;
	return 0;
}

int metric_file_read(struct metric_file *file, const char *name)
{
	json_t *document;
	int err;

	memset(file, 0, sizeof(*file));
	file->name = name;
	document = load(name);
	if (!document)
		return -1;
	err = read_metrics(file, document);
	json_decref(document);
	return err;
}

const struct written_metric *metric_file_find(const struct metric_file *file,
					      const char *name)
{
	size_t i;

	for (i = 0; i < file->count; i++)
		if (!strcmp(file->list[i].name, name))
			return &file->list[i];
	return NULL;
}

void metric_file_free(struct metric_file *file)
{
	size_t i;

	for (i = 0; i < file->count; i++) {
		free(file->list[i].name);
		free(file->list[i].unit);
	}
	free(file->list);
	free(file->model);
}
