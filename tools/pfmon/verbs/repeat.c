// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a command several times, and prints mean, standard deviation and range of each count.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_writer.h"
#include "base/message.h"
#include "base/outfile.h"
#include "cli/measure.h"
#include "events/event_list.h"
#include "options/options.h"
#include "output/count.h"
#include "output/derived.h"
#include "output/notes.h"
#include "output/outcome.h"
#include "output/print.h"
#include "output/value.h"
#include "session/session.h"
#include "verbs/repeat.h"

/**
 * struct figure - a value of which there is one in each run
 * @runs: number of runs that have it
 * @mean: mean of them
 * @squares: sum of the squares of their distances from @mean
 * @min: the smallest
 * @max: the largest
 * @scaled: some of them are estimates
 */
struct figure {
	uint64_t runs;
	double mean;
	double squares;
	double min;
	double max;
	bool scaled;
};

/**
 * struct repeat - the runs
 * @options: the command line
 * @run: number of the present run, from 1
 * @count: elements of @figures without the last one, which is the elapsed time in seconds
 * @figures: the counts
 * @table: the table of the runs so far, which is printed if a later one fails; NULL if none
 * @size: bytes of @table
 * @taken: the present run has ended and was counted
 * @stopped: no more runs, as a signal came
 */
struct repeat {
	struct options *options;
	uint64_t run;
	size_t count;
	struct figure *figures;
	char *table;
	size_t size;
	bool taken;
	bool stopped;
};

/* Without keeping the values, and without the difference of large squares. */
static void add(struct figure *figure, double value)
{
	double delta = value - figure->mean;

	if (!figure->runs || value < figure->min)
		figure->min = value;
	if (!figure->runs || value > figure->max)
		figure->max = value;
	figure->runs++;
	figure->mean += delta / figure->runs;
	figure->squares += delta * (value - figure->mean);
}

static double deviation(const struct figure *figure)
{
	return figure->runs > 1 ? sqrt(figure->squares / (figure->runs - 1))
				: 0;
}

static int take_run(struct repeat *repeat, const struct session *session)
{
	const struct outcome outcome = outcome_of(session);
	const struct counts_of counts = counts_of_total(&outcome);
	uint64_t end = session->gone ? session->gone : session->end;
	struct count count;
	size_t k;

	if (!repeat->figures) {
		repeat->count = outcome.events->count;
		repeat->figures =
			calloc(repeat->count + 1, sizeof(*repeat->figures));
	}
	if (!repeat->figures) {
		say_error("out of memory for the runs");
		return -1;
	}
	for (k = 0; k < repeat->count; k++) {
		if (!counts.take(&counts, k, &count) || count.missing)
			continue;
		repeat->figures[k].scaled |= count.scaled;
		add(&repeat->figures[k], count.value);
	}
	add(&repeat->figures[repeat->count], (end - session->start) / 1e9);
	return 0;
}

/* The mean as a count, so that what is derived from counts is derived from it. */
static bool take_mean(const struct counts_of *counts, size_t event,
		      struct count *count)
{
	const struct repeat *repeat = counts->arg;
	const struct figure *figure = &repeat->figures[event];

	*count = (struct count){
		.value = llround(figure->mean),
		.missing = !figure->runs,
		.scaled = figure->scaled,
	};
	return true;
}

static double percent(const struct figure *figure)
{
	return figure->mean ? 100 * deviation(figure) / figure->mean : 0;
}

static const char *value(const struct repeat *repeat, double number,
			 bool scaled, char *text)
{
	const struct count count = { .value = llround(number),
				     .scaled = scaled };

	return print_value_text(repeat->options, &count, text);
}

static void print_figure(FILE *out, const struct repeat *repeat,
			 const struct outcome *outcome, size_t event, int width)
{
	const struct counts_of means = { outcome, take_mean, repeat };
	const struct figure *figure = &repeat->figures[event];
	const struct event *ev = &outcome->events->list[event];
	char text[3][PRINT_COUNT_ROOM];

	if (!figure->runs) {
		fprintf(out, "%*s %s\n", width, "<not counted>", ev->label);
		return;
	}
	fprintf(out, "%*s %s  deviation %.2f%%, %s to %s", width,
		value(repeat, figure->mean, figure->scaled, text[0]), ev->label,
		percent(figure),
		value(repeat, figure->min, figure->scaled, text[1]),
		value(repeat, figure->max, figure->scaled, text[2]));
	derived_print(out, &means, event);
	fputc('\n', out);
}

static void print_text_table(FILE *out, const struct repeat *repeat,
			     const struct session *session)
{
	const struct outcome outcome = outcome_of(session);
	const struct figure *time = &repeat->figures[repeat->count];
	char text[PRINT_COUNT_ROOM];
	int width = strlen("<not counted>"), length;
	size_t k;

	for (k = 0; k < repeat->count; k++) {
		length = strlen(
			value(repeat, repeat->figures[k].mean, true, text));
		if (length > width)
			width = length;
	}
	fprintf(out, "# %" PRIu64 " runs: mean, standard deviation, range\n",
		time->runs);
	for (k = 0; k < repeat->count; k++)
		print_figure(out, repeat, &outcome, k, width);
	fprintf(out, "%.6f seconds elapsed  deviation %.2f%%, %.6f to %.6f\n",
		time->mean, percent(time), time->min, time->max);
}

static void print_csv_table(FILE *out, const struct repeat *repeat,
			    const struct session *session)
{
	const char *s = repeat->options->stat.separator;
	size_t k;

	s = s ? s : ",";
	fprintf(out, "type%sevent%smean%sdeviation%smin%smax%sruns\r\n", s, s,
		s, s, s, s);
	for (k = 0; k <= repeat->count; k++) {
		const struct figure *figure = &repeat->figures[k];

		fprintf(out,
			"runs%s%s%s%.12g%s%.12g%s%.12g%s%.12g%s%" PRIu64 "\r\n",
			s,
			k < repeat->count ? session->events->list[k].label
					  : "elapsed_seconds",
			s, figure->mean, s, deviation(figure), s, figure->min,
			s, figure->max, s, figure->runs);
	}
}

static void write_figure(struct json *json, const char *name,
			 const struct figure *figure)
{
	jsonw_line_object(json, NULL);
	jsonw_string(json, "event", name);
	jsonw_uint(json, "runs", figure->runs);
	jsonw_double(json, "mean", figure->mean);
	jsonw_double(json, "deviation", deviation(figure));
	jsonw_double(json, "min", figure->min);
	jsonw_double(json, "max", figure->max);
	jsonw_bool(json, "scaled", figure->scaled);
	jsonw_close(json);
}

static void print_json_line(FILE *out, const struct repeat *repeat,
			    const struct session *session)
{
	struct json json;
	size_t k;

	jsonw_begin_line(&json, out);
	jsonw_string(&json, "type", "runs");
	jsonw_uint(&json, "runs", repeat->run);
	jsonw_array(&json, "figures");
	for (k = 0; k < repeat->count; k++)
		write_figure(&json, session->events->list[k].label,
			     &repeat->figures[k]);
	write_figure(&json, "elapsed_seconds", &repeat->figures[k]);
	jsonw_close(&json);
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
	if (take_run(repeat, session)) {
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
	free(repeat.figures);
	return status;
}
