// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a command several times, and prints mean, standard deviation and range of each count and metric.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_writer.h"
#include "base/message.h"
#include "base/outfile.h"
#include "base/quoting.h"
#include "cli/measure.h"
#include "events/event_list.h"
#include "metrics/evaluate.h"
#include "metrics/metric_forms.h"
#include "metrics/metric_plan.h"
#include "metrics/model.h"
#include "metrics/selection.h"
#include "options/options.h"
#include "output/count.h"
#include "output/derived.h"
#include "output/notes.h"
#include "output/outcome.h"
#include "output/print.h"
#include "output/value.h"
#include "session/results.h"
#include "session/session.h"
#include "verbs/figures.h"
#include "verbs/repeat.h"

/**
 * struct repeat - the runs
 * @options: the command line
 * @run: number of the present run, from 1
 * @figures: what they have counted
 * @table: the table of the runs so far, which is printed if a later one fails; NULL if none
 * @size: bytes of @table
 * @taken: the present run has ended and was counted
 * @stopped: no more runs, as a signal came
 */
struct repeat {
	struct options *options;
	uint64_t run;
	struct figures figures;
	char *table;
	size_t size;
	bool taken;
	bool stopped;
};

/* The mean as a count, so that what is derived from counts is derived from it. */
static bool take_mean(const struct counts_of *counts, size_t event,
		      struct count *count)
{
	const struct figure_row *row = counts->arg;
	const struct figure *figure = &row->counts[event];

	*count = (struct count){
		.value = llround(figure->mean),
		.missing = !figure->runs,
		.scaled = figure->scaled,
	};
	return true;
}

static const char *value(const struct repeat *repeat, double number,
			 bool scaled, char *text)
{
	const struct count count = { .value = llround(number),
				     .scaled = scaled };

	return print_value_text(repeat->options, &count, text);
}

/**
 * struct text - a table as text
 * @out: the file
 * @repeat: the runs
 * @outcome: the last run
 * @width: of counts
 */
struct text {
	FILE *out;
	const struct repeat *repeat;
	const struct outcome *outcome;
	int width;
};

/* True if an event has a line: one that is counted for metrics alone, or by others alone, has none. */
static bool has_line(const struct outcome *outcome,
		     const struct figure_row *row, size_t event)
{
	return !metric_plan_owns(outcome->metrics, event) &&
	       (!row->program || row->counts[event].runs);
}

static void print_count(const struct text *text, const struct figure_row *row,
			size_t event)
{
	const struct counts_of means = { text->outcome, take_mean, row };
	const struct figure *figure = &row->counts[event];
	const struct event *ev = &text->outcome->events->list[event];
	const struct repeat *repeat = text->repeat;
	char room[3][PRINT_COUNT_ROOM];

	if (!figure->runs) {
		fprintf(text->out, "%*s %s\n", text->width, "<not counted>",
			ev->label);
		return;
	}
	fprintf(text->out, "%*s %s  deviation %.2f%%, %s to %s", text->width,
		value(repeat, figure->mean, figure->scaled, room[0]), ev->label,
		figure_percent(figure),
		value(repeat, figure->min, figure->scaled, room[1]),
		value(repeat, figure->max, figure->scaled, room[2]));
	derived_print(text->out, &means, event);
	fputc('\n', text->out);
}

static const char *metric_number(const struct metric *metric,
				 const struct figure *figure, double number,
				 char *text)
{
	const struct metric_value of = {
		.known = figure->runs,
		.value = number,
		.scaled = figure->scaled,
	};

	return metric_value_text(metric, &of, text);
}

static void print_metric(const struct text *text, const struct metric *metric,
			 const struct figure *figure)
{
	char room[3][METRIC_TEXT_ROOM];

	fprintf(text->out, "%*s %s", text->width,
		figure->runs
			? metric_number(metric, figure, figure->mean, room[0])
			: "<no value>",
		metric->unit);
	if (figure->runs)
		fprintf(text->out, "  deviation %.2f%%, %s to %s",
			figure_percent(figure),
			metric_number(metric, figure, figure->min, room[1]),
			metric_number(metric, figure, figure->max, room[2]));
	fprintf(text->out, "  %s\n", metric->title);
}

static void print_row(const struct text *text, const struct figure_row *row)
{
	const struct metric_plan *plan = text->outcome->metrics;
	const struct figures *figures = &text->repeat->figures;
	size_t k;

	for (k = 0; k < figures->events; k++)
		if (has_line(text->outcome, row, k))
			print_count(text, row, k);
	for (k = 0; k < figures->metrics; k++)
		print_metric(text, selection_metric(&plan->selection, k),
			     &row->metrics[k]);
}

/* The width of the widest mean. */
static int width_of(const struct repeat *repeat, const struct figure_row *row,
		    int width)
{
	char text[PRINT_COUNT_ROOM];
	int length;
	size_t k;

	for (k = 0; k < repeat->figures.events; k++) {
		length = strlen(value(repeat, row->counts[k].mean, true, text));
		if (length > width)
			width = length;
	}
	return width;
}

static void print_text_table(FILE *out, const struct repeat *repeat,
			     const struct session *session)
{
	const struct outcome outcome = outcome_of(session);
	const struct figures *figures = &repeat->figures;
	const struct figure *time = &figures->elapsed;
	struct text text = { out, repeat, &outcome, strlen("<not counted>") };
	size_t i;

	text.width = width_of(repeat, &figures->total, text.width);
	fprintf(out, "# %" PRIu64 " runs: mean, standard deviation, range\n",
		time->runs);
	for (i = 0; i < figures->count; i++) {
		const struct figure_row *row = &figures->list[i];

		print_path(out, row->program);
		if (row->runs < time->runs)
			fprintf(out, " (in %" PRIu64 " of %" PRIu64 " runs)",
				row->runs, time->runs);
		fputc('\n', out);
		print_row(&text, row);
	}
	if (figures->count)
		fputs("TOTAL\n", out);
	print_row(&text, &figures->total);
	fprintf(out, "%.6f seconds elapsed  deviation %.2f%%, %.6f to %.6f\n",
		time->mean, figure_percent(time), time->min, time->max);
}

/**
 * struct figure_name - what a figure is, for programs
 * @type: of the row in CSV
 * @key: the kind of name in JSON
 * @name: name of the event or metric
 * @unit: of a metric, otherwise empty
 * @program: the program; NULL for all tasks
 */
struct figure_name {
	const char *type;
	const char *key;
	const char *name;
	const char *unit;
	const char *program;
};

/* Writes a figure in the form of a table.  @arg: that of visit_row(). */
typedef void (*visit_figure)(void *arg, const struct figure_name *name,
			     const struct figure *figure);

static void visit_row(const struct repeat *repeat,
		      const struct outcome *outcome,
		      const struct figure_row *row, visit_figure visit,
		      void *arg)
{
	struct figure_name name = { .program = row->program };
	size_t k;

	name.type = "runs";
	name.key = "event";
	name.unit = "";
	for (k = 0; k < repeat->figures.events; k++) {
		name.name = outcome->events->list[k].label;
		if (has_line(outcome, row, k))
			visit(arg, &name, &row->counts[k]);
	}
	name.type = "runs-metric";
	name.key = "metric";
	for (k = 0; k < repeat->figures.metrics; k++) {
		const struct metric *metric =
			selection_metric(&outcome->metrics->selection, k);

		name.name = metric->name;
		name.unit = metric->unit;
		visit(arg, &name, &row->metrics[k]);
	}
}

static const struct figure_name elapsed = {
	.type = "runs",
	.key = "event",
	.name = "elapsed_seconds",
	.unit = "",
};

/**
 * struct csv - a table of CSV
 * @out: the file
 * @repeat: the runs
 * @s: what separates fields
 */
struct csv {
	FILE *out;
	const struct repeat *repeat;
	const char *s;
};

static void print_csv_line(void *arg, const struct figure_name *name,
			   const struct figure *figure)
{
	const struct csv *csv = arg;
	const char *s = csv->s;

	fprintf(csv->out, "%s%s", name->type, s);
	csv_field_print_between(csv->out, name->name, s);
	fprintf(csv->out, "%s%.12g%s%.12g%s%.12g%s%.12g%s%" PRIu64, s,
		figure->mean, s, figure_deviation(figure), s, figure->min, s,
		figure->max, s, figure->runs);
	if (csv->repeat->figures.metrics) {
		fputs(s, csv->out);
		csv_field_print_between(csv->out, name->unit, s);
	}
	if (csv->repeat->figures.count)
		fputs(s, csv->out);
	if (name->program)
		csv_field_print_between(csv->out, name->program, s);
	fputs("\r\n", csv->out);
}

static void print_csv_table(FILE *out, const struct repeat *repeat,
			    const struct session *session)
{
	const struct outcome outcome = outcome_of(session);
	const struct figures *figures = &repeat->figures;
	const char *s = repeat->options->stat.separator;
	struct csv csv = { out, repeat, s ? s : "," };
	size_t i;

	s = csv.s;
	fprintf(out, "type%sevent%smean%sdeviation%smin%smax%sruns", s, s, s, s,
		s, s);
	if (figures->metrics)
		fprintf(out, "%sunit", s);
	if (figures->count)
		fprintf(out, "%spath", s);
	fputs("\r\n", out);
	for (i = 0; i < figures->count; i++)
		visit_row(repeat, &outcome, &figures->list[i], print_csv_line,
			  &csv);
	visit_row(repeat, &outcome, &figures->total, print_csv_line, &csv);
	print_csv_line(&csv, &elapsed, &figures->elapsed);
}

static void write_figure(void *arg, const struct figure_name *name,
			 const struct figure *figure)
{
	struct json *json = arg;

	jsonw_line_object(json, NULL);
	jsonw_string(json, name->key, name->name);
	if (*name->unit)
		jsonw_string(json, "unit", name->unit);
	jsonw_uint(json, "runs", figure->runs);
	jsonw_double(json, "mean", figure->mean);
	jsonw_double(json, "deviation", figure_deviation(figure));
	jsonw_double(json, "min", figure->min);
	jsonw_double(json, "max", figure->max);
	jsonw_bool(json, "scaled", figure->scaled);
	jsonw_close(json);
}

static void write_program(struct json *json, const struct repeat *repeat,
			  const struct outcome *outcome,
			  const struct figure_row *row)
{
	jsonw_line_object(json, NULL);
	jsonw_string(json, "path", row->program);
	jsonw_uint(json, "runs", row->runs);
	jsonw_array(json, "figures");
	visit_row(repeat, outcome, row, write_figure, json);
	jsonw_close(json);
	jsonw_close(json);
}

static void print_json_line(FILE *out, const struct repeat *repeat,
			    const struct session *session)
{
	const struct outcome outcome = outcome_of(session);
	const struct figures *figures = &repeat->figures;
	struct json json;
	size_t i;

	jsonw_begin_line(&json, out);
	jsonw_string(&json, "type", "runs");
	jsonw_uint(&json, "runs", repeat->run);
	jsonw_array(&json, "figures");
	visit_row(repeat, &outcome, &figures->total, write_figure, &json);
	write_figure(&json, &elapsed, &figures->elapsed);
	jsonw_close(&json);
	if (figures->count) {
		jsonw_array(&json, "programs");
		for (i = 0; i < figures->count; i++)
			write_program(&json, repeat, &outcome,
				      &figures->list[i]);
		jsonw_close(&json);
	}
	jsonw_finish(&json);
}

static void print_form(FILE *out, const struct repeat *repeat,
		       const struct session *session)
{
	switch (repeat->options->format) {
	case OUTPUT_JSON:
		print_json_line(out, repeat, session);
		break;
	case OUTPUT_CSV:
		print_csv_table(out, repeat, session);
		break;
	default:
		print_text_table(out, repeat, session);
	}
}

static int print_table(const struct repeat *repeat, struct outfile *output,
		       const struct session *session)
{
	if (outfile_start(output)) {
		outfile_abandon(output);
		return -1;
	}
	print_form(output->file, repeat, session);
	return outfile_close(output);
}

/* The session ends before it is known whether the next run fails. */
static int keep_table(struct repeat *repeat, const struct session *session)
{
	FILE *memory;

	free(repeat->table);
	repeat->table = NULL;
	memory = open_memstream(&repeat->table, &repeat->size);
	if (memory)
		print_form(memory, repeat, session);
	if (memory && !fclose(memory))
		return 0;
	say_error("out of memory for the runs");
	return -1;
}

/* Prints the table of the runs before the one that failed. */
static void print_kept(const struct repeat *repeat)
{
	const struct options *options = repeat->options;
	struct outfile output;

	if (!repeat->table)
		return;
	say_error("run %" PRIu64 " of %" PRIu64
		  " failed: the table is about the runs before it",
		  repeat->run, options->stat.repeat);
	if (outfile_open(&output, options->outfile, options->append))
		return;
	if (outfile_start(&output)) {
		outfile_abandon(&output);
		return;
	}
	fwrite(repeat->table, 1, repeat->size, output.file);
	outfile_close(&output);
}

static int append_json_line(const struct repeat *repeat,
			    const struct session *session)
{
	struct outfile output;

	if (outfile_open(&output, repeat->options->outfile, true))
		return -1;
	print_form(output.file, repeat, session);
	return outfile_close(&output);
}

static void tell_warnings(const struct session *session)
{
	const struct outcome outcome = outcome_of(session);

	print_warnings(&outcome);
}

/* Prints a run of JSON; of other forms, the table after the last run. */
static int print(void *arg, struct outfile *output, struct session *session)
{
	struct repeat *repeat = arg;
	const struct options *options = repeat->options;
	bool last;
	int err;

	repeat->stopped |= session->signals > 0;
	results_group(&session->results, options->stat.by);
	if (figures_take(&repeat->figures, session)) {
		outfile_abandon(output);
		return -1;
	}
	last = repeat->stopped || repeat->run == options->stat.repeat;
	if (!last && keep_table(repeat, session)) {
		outfile_abandon(output);
		return -1;
	}
	repeat->taken = true;
	if (options->format == OUTPUT_JSON) {
		err = print_results(output, session);
		return !err && last ? append_json_line(repeat, session) : err;
	}
	tell_warnings(session);
	if (last)
		return print_table(repeat, output, session);
	outfile_abandon(output);
	return 0;
}

int repeat_run(struct options *options, struct machine *machine)
{
	struct repeat repeat = { .options = options };
	const struct measure_printer printer = { .print = print,
						 .arg = &repeat };
	int status = 0;

	message_level.once = true;
	for (repeat.run = 1;
	     repeat.run <= options->stat.repeat && !repeat.stopped;
	     repeat.run++) {
		repeat.taken = false;
		status = measure_run_for(options, machine, &printer);
		/* A status of 125 may be that of the command. */
		if (!repeat.taken) {
			print_kept(&repeat);
			break;
		}
		/* The runs of JSON are lines of one file. */
		options->append = options->format == OUTPUT_JSON &&
				  options->outfile;
	}
	free(repeat.table);
	figures_free(&repeat.figures);
	return status;
}
