// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compares the metrics of two measurements, which may be of different processors: metrics of the
 * same name stand beside each other.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_writer.h"
#include "base/message.h"
#include "base/outfile.h"
#include "metrics/metric_file.h"
#include "report/forms.h"
#include "report/report_input.h"

#define CELL_ROOM 64

/* Width of a column of values. */
#define CELL_WIDTH 18

/**
 * struct pair - a metric of both measurements
 * @name: its name
 * @a: the metric in the first measurement; NULL if it is not there
 * @b: the same of the second one
 * @any: one of them
 */
struct pair {
	const char *name;
	const struct written_metric *a;
	const struct written_metric *b;
	const struct written_metric *any;
};

/* The metrics of the first file, in its order, then those that only the second one has. */
static struct pair *make_pairs(const struct metric_file *files, size_t *count)
{
	struct pair *pairs;
	size_t i, k;

	*count = 0;
	pairs = calloc(files[0].all.count + files[1].all.count, sizeof(*pairs));
	for (k = 0; pairs && k < 2; k++)
		for (i = 0; i < files[k].all.count; i++) {
			const struct written_metric *any =
				&files[k].all.list[i];

			if (k && written_row_find(&files[0].all, any->name))
				continue;
			pairs[(*count)++] = (struct pair){
				.name = any->name,
				.a = written_row_find(&files[0].all, any->name),
				.b = written_row_find(&files[1].all, any->name),
				.any = any,
			};
		}
	return pairs;
}

static const char *cell(const struct written_metric *metric, char *text)
{
	int digits;

	if (!metric || !metric->known)
		return metric ? "no value" : "-";
	digits = written_decimals(metric);
	if (metric->bounded)
		snprintf(text, CELL_ROOM, "~%.*f ±%.*f", digits, metric->value,
			 digits, written_bound(metric));
	else
		snprintf(text, CELL_ROOM, "%s%.*f", metric->scaled ? "~" : "",
			 digits, metric->value);
	return text;
}

static bool both_known(const struct pair *pair)
{
	return pair->a && pair->b && pair->a->known && pair->b->known;
}

/* True if the two values can be subtracted. */
static bool comparable(const struct pair *pair)
{
	return both_known(pair) && !strcmp(pair->a->unit, pair->b->unit);
}

static void print_cell(FILE *out, const struct written_metric *metric)
{
	char room[CELL_ROOM];
	const char *text = cell(metric, room);

	/* "±" takes two bytes and one column. */
	fprintf(out, " %*s", CELL_WIDTH + (strstr(text, "±") ? 1 : 0), text);
}

static int indentation(const struct pair *pair)
{
	return pair->any->level ? 2 * (pair->any->level - 1) : 0;
}

static void print_pair(FILE *out, const struct pair *pair, int width)
{
	int indent = indentation(pair);

	fprintf(out, "%*s%-*s", indent, "", width - indent, pair->name);
	print_cell(out, pair->a);
	print_cell(out, pair->b);
	if (comparable(pair))
		fprintf(out, " %+*.*f", CELL_WIDTH, written_decimals(pair->any),
			pair->b->value - pair->a->value);
	else
		fprintf(out, " %*s", CELL_WIDTH,
			both_known(pair) ? "other unit" : "");
	fprintf(out, "  %s\n", pair->any->unit);
}

static void print_text(FILE *out, const struct metric_file *files,
		       const struct pair *pairs, size_t count)
{
	int width = strlen("metric");
	size_t i;

	for (i = 0; i < count; i++)
		if ((int)strlen(pairs[i].name) + indentation(&pairs[i]) > width)
			width = strlen(pairs[i].name) + indentation(&pairs[i]);
	fprintf(out, "# a: %s, b: %s\n", files[0].name, files[1].name);
	fprintf(out, "%-*s %*s %*s %*s  unit\n", width, "metric", CELL_WIDTH,
		files[0].model, CELL_WIDTH, files[1].model, CELL_WIDTH,
		"b - a");
	for (i = 0; i < count; i++)
		print_pair(out, &pairs[i], width);
}

static void write_value(struct json *json, const char *key,
			const struct written_metric *metric)
{
	if (metric && metric->known)
		jsonw_double(json, key, metric->value);
	else
		jsonw_null(json, key);
}

static void write_pair(struct json *json, const struct pair *pair)
{
	jsonw_line_object(json, NULL);
	jsonw_string(json, "metric", pair->name);
	jsonw_string(json, "unit", pair->any->unit);
	write_value(json, "a", pair->a);
	write_value(json, "b", pair->b);
	if (comparable(pair))
		jsonw_double(json, "difference",
			     pair->b->value - pair->a->value);
	jsonw_close(json);
}

static void print_json(FILE *out, const struct metric_file *files,
		       const struct pair *pairs, size_t count)
{
	struct json json;
	size_t i;

	jsonw_begin(&json, out);
	jsonw_string(&json, "a", files[0].model);
	jsonw_string(&json, "b", files[1].model);
	jsonw_array(&json, "metrics");
	for (i = 0; i < count; i++)
		write_pair(&json, &pairs[i]);
	jsonw_close(&json);
	jsonw_finish(&json);
}

static int write_pairs(const struct metric_file *files, bool json,
		       const char *outfile)
{
	struct outfile output = { .name = outfile, .file = stdout };
	struct pair *pairs;
	size_t count;

	pairs = make_pairs(files, &count);
	if (!pairs) {
		say_error("out of memory for the metrics");
		return -1;
	}
	if (outfile)
		output.file = fopen(outfile, "we");
	if (!output.file)
		say_error("cannot open '%s': %s", outfile, strerror(errno));
	else if (json)
		print_json(output.file, files, pairs, count);
	else
		print_text(output.file, files, pairs, count);
	free(pairs);
	if (!output.file)
		return -1;
	return outfile ? outfile_close(&output) : outfile_finish_stdout();
}

/* The inputs are closed. */
static int compare_inputs(struct report_input inputs[2], bool json,
			  const char *outfile)
{
	struct metric_file files[2] = { 0 };
	int err = 0;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		if (!err)
			err = metric_file_read(&files[i], inputs[i].name,
					       inputs[i].in);
		report_input_close(&inputs[i]);
	}
	if (!err)
		err = write_pairs(files, json, outfile);
	metric_file_free(&files[0]);
	metric_file_free(&files[1]);
	return err;
}

int compare_report(const char *a, const char *b, bool json, const char *outfile)
{
	struct report_input inputs[2];

	if (report_input_open(&inputs[0], a))
		return -1;
	if (report_input_open(&inputs[1], b)) {
		report_input_close(&inputs[0]);
		return -1;
	}
	return compare_inputs(inputs, json, outfile);
}
