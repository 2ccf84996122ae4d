// SPDX-License-Identifier: GPL-2.0-only
/*
 * A table of the counts and metrics of two measurements, and of what has changed between them.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/json_writer.h"
#include "base/message.h"
#include "base/pager.h"
#include "base/version.h"
#include "options/options.h"
#include "output/table.h"
#include "report/counts_diff.h"
#include "report/measurement.h"

#define SCHEMA_VERSION 1

/* Larger values have no decimals in text. */
#define DECIMALS_BELOW 10000

/**
 * struct count_change - a row
 * @both: the series in each measurement; NULL if it has none
 * @any: one of them
 * @label: name of the event with its levels, or of the metric
 * @difference: of those that both have
 */
struct count_change {
	const struct series *both[2];
	const struct series *any;
	char *label;
	struct difference difference;
};

/**
 * struct counts_table - the rows
 * @files: the measurements
 * @form: what is written
 * @list: the rows
 * @count: elements of @list
 * @tests: number of rows whose difference was tested
 * @cells: their cells
 */
struct counts_table {
	const struct measurement *files;
	enum counts_diff_form form;
	struct count_change *list;
	size_t count;
	size_t tests;
	struct table_cell *cells;
};

static int no_memory(void)
{
	say_error("out of memory for the table");
	return -1;
}

static bool has_value(const struct series *series)
{
	return series && (series->summary || series->side.runs);
}

/* perf leaves out the levels of an event that counts in user code and the kernel. */
static const struct series *find_pair(const struct measurement *files,
				      unsigned int of, struct series_key key)
{
	const struct measurement *other = &files[!of];
	const struct series *series = measurement_find(other, &key);

	if (!series && files[of].perf && !other->perf && !*key.levels)
		key.levels = "uk";
	else if (!series && !files[of].perf && other->perf &&
		 !strcmp(key.levels, "uk"))
		key.levels = "";
	else
		return has_value(series) ? series : NULL;
	series = measurement_find(other, &key);
	return has_value(series) ? series : NULL;
}

/* Levels belong to the event, which may be in parentheses. */
static char *label_of(const struct series_key *key)
{
	const char *name = key->name, *separator = ":";
	size_t length = strlen(name);
	const bool derived = key->kind == SERIES_DERIVED;
	char *label;

	if (!*key->levels || !length || (key->kind != SERIES_EVENT && !derived))
		return strdup(name);
	length -= derived;
	if (name[length - 1] == '/')
		separator = "";
	if (asprintf(&label, "%.*s%s%s%s", (int)length, name, separator,
		     key->levels, derived ? ")" : "") < 0)
		return NULL;
	return label;
}

/*
 * Number of programs, CPUs, groups and intervals that a measurement has rows of; more than one are not
 * counted.
 */
static unsigned int count_parts(const struct measurement *measurement)
{
	const struct series_key *first = NULL;
	size_t i;

	for (i = 0; i < measurement->count; i++) {
		const struct series_key *key = &measurement->list[i].key;

		if (series_is_whole(key))
			continue;
		if (!first)
			first = key;
		else if (first->cpu != key->cpu || key->group ||
			 key->interval ||
			 (key->program && first->program &&
			  strcmp(first->program, key->program)))
			return 2;
	}
	return !!first;
}

static int add_change(struct counts_table *table, unsigned int of,
		      const struct series *series)
{
	struct count_change *change = &table->list[table->count];

	*change = (struct count_change){
		.any = series,
		.label = label_of(&series->key),
	};
	if (!change->label)
		return no_memory();
	table->count++;
	change->both[of] = series;
	change->both[!of] = find_pair(table->files, of, series->key);
	if (change->both[0] && change->both[1])
		change->difference = difference_of(
			&change->both[0]->side, &change->both[1]->side,
			series->key.kind == SERIES_EVENT &&
				change->both[0]->whole &&
				change->both[1]->whole);
	return 0;
}

/* Rows of all together come before those of programs, CPUs, groups and intervals. */
static int add_changes(struct counts_table *table, bool parts)
{
	unsigned int k;
	size_t i;

	for (k = 0; k < 2; k++)
		for (i = 0; i < table->files[k].count; i++) {
			const struct series *series = &table->files[k].list[i];
			bool part = !series_is_whole(&series->key);

			if (part != parts || !has_value(series) ||
			    (k && find_pair(table->files, k, series->key)))
				continue;
			if (add_change(table, k, series))
				return -1;
		}
	return 0;
}

static int judge(struct counts_table *table)
{
	struct difference **list = calloc(table->count + 1, sizeof(*list));
	size_t i, count = 0;

	if (!list)
		return no_memory();
	for (i = 0; i < table->count; i++) {
		struct count_change *change = &table->list[i];

		if (!change->both[0] || !change->both[1])
			continue;
		list[count++] = &change->difference;
		table->tests += change->difference.tested;
	}
	differences_judge(list, count);
	free(list);
	return 0;
}

/* Something that both files name and that cannot be compared. */
static void tell_mismatch(const struct counts_table *table,
			  const struct series_key *a,
			  const struct series_key *b)
{
	if (strcmp(a->unit, b->unit))
		say_warning(
			"'%s' is in %s in '%s' and in %s in '%s': not compared",
			a->name, *a->unit ? a->unit : "plain numbers",
			table->files[0].name,
			*b->unit ? b->unit : "plain numbers",
			table->files[1].name);
	else
		say_warning(
			"'%s' has the levels '%s' in '%s' and '%s' in '%s': not compared; count both with the same ones (-u, -k)",
			a->name, a->levels, table->files[0].name, b->levels,
			table->files[1].name);
}

static bool is_half(const struct count_change *change, unsigned int of)
{
	return series_is_whole(&change->any->key) && change->both[of] &&
	       !change->both[!of];
}

/* Rows of all together that one file has, and the other one in another unit or at other levels. */
static void tell_mismatches(const struct counts_table *table)
{
	size_t i, k;

	for (i = 0; i < table->count; i++) {
		if (!is_half(&table->list[i], 0))
			continue;
		for (k = 0; k < table->count; k++) {
			const struct series_key *a = &table->list[i].any->key;
			const struct series_key *b = &table->list[k].any->key;

			if (is_half(&table->list[k], 1) && a->kind == b->kind &&
			    !strcasecmp(a->name, b->name)) {
				tell_mismatch(table, a, b);
				break;
			}
		}
	}
}

static void tell_files(const struct measurement *files)
{
	unsigned int i;

	for (i = 0; i < 2; i++)
		if (files[i].failed)
			say_warning("the command failed in %" PRIu64
				    " of %" PRIu64 " runs of '%s'",
				    files[i].failed, files[i].runs,
				    files[i].name);
	if (files[0].scope && files[1].scope &&
	    strcmp(files[0].scope, files[1].scope))
		say_warning("'%s' has counts of scope '%s', '%s' of scope '%s'",
			    files[0].name, files[0].scope, files[1].name,
			    files[1].scope);
}

/* The first event of a measurement, for a message. */
static const struct series *first_event(const struct measurement *measurement)
{
	const struct series *metric = NULL;
	size_t i;

	for (i = 0; i < measurement->count; i++) {
		const struct series *series = &measurement->list[i];

		if (series->key.kind == SERIES_EVENT && has_value(series))
			return series;
		if (series->key.kind != SERIES_TIME && !metric)
			metric = series;
	}
	return metric;
}

static int refuse_disjoint(const struct measurement *files)
{
	const struct series *a = first_event(&files[0]);
	const struct series *b = first_event(&files[1]);

	say_error(
		"'%s' and '%s' have nothing in common: the one has '%s', the other '%s'; count the same events at the same levels (-e, -u, -k)",
		files[0].name, files[1].name, a ? a->key.name : "no values",
		b ? b->key.name : "no values");
	return -1;
}

static bool any_common(const struct counts_table *table)
{
	size_t i;

	for (i = 0; i < table->count; i++)
		if (table->list[i].both[0] && table->list[i].both[1] &&
		    table->list[i].any->key.kind != SERIES_TIME)
			return true;
	return false;
}

static int make_rows(struct counts_table *table)
{
	const struct measurement *files = table->files;
	bool parts = count_parts(&files[0]) > 1 || count_parts(&files[1]) > 1;

	table->list = calloc(files[0].count + files[1].count + 1,
			     sizeof(*table->list));
	if (!table->list)
		return no_memory();
	if (add_changes(table, false) || (parts && add_changes(table, true)))
		return -1;
	tell_files(files);
	tell_mismatches(table);
	return any_common(table) ? judge(table) : refuse_disjoint(files);
}

enum change_column {
	CHANGE_TYPE,
	CHANGE_A,
	CHANGE_B,
	CHANGE_SIZE,
	CHANGE_PERCENT,
	CHANGE_ERROR,
	CHANGE_VERDICT,
	CHANGE_EVENT,
	CHANGE_UNIT,
	CHANGE_PROGRAM,
	CHANGE_CPU,
	CHANGE_CHANCE,
	CHANGE_WHY,
	CHANGE_A_RUNS,
	CHANGE_A_DEVIATION,
	CHANGE_A_SCALED,
	CHANGE_A_BOUND,
	CHANGE_B_RUNS,
	CHANGE_B_DEVIATION,
	CHANGE_B_SCALED,
	CHANGE_B_BOUND,
	CHANGE_GROUP,
	CHANGE_INTERVAL,
	NUM_CHANGE_COLUMNS,
};

static const struct table_column columns[NUM_CHANGE_COLUMNS] = {
	[CHANGE_TYPE] = { .name = "type" },
	[CHANGE_A] = { "a", "a", false },
	[CHANGE_B] = { "b", "b", false },
	[CHANGE_SIZE] = { "difference", "b - a", false },
	[CHANGE_PERCENT] = { "percent", "change", false },
	[CHANGE_ERROR] = { "error", "error", false },
	[CHANGE_VERDICT] = { "verdict", "verdict", true },
	[CHANGE_EVENT] = { "event", "event", true },
	[CHANGE_UNIT] = { "unit", "unit", true },
	[CHANGE_PROGRAM] = { "program", "program", true },
	[CHANGE_CPU] = { "cpu", "cpu", true },
	[CHANGE_CHANCE] = { .name = "chance" },
	[CHANGE_WHY] = { .name = "why" },
	[CHANGE_A_RUNS] = { .name = "a_runs" },
	[CHANGE_A_DEVIATION] = { .name = "a_deviation" },
	[CHANGE_A_SCALED] = { .name = "a_scaled" },
	[CHANGE_A_BOUND] = { .name = "a_bound" },
	[CHANGE_B_RUNS] = { .name = "b_runs" },
	[CHANGE_B_DEVIATION] = { .name = "b_deviation" },
	[CHANGE_B_SCALED] = { .name = "b_scaled" },
	[CHANGE_B_BOUND] = { .name = "b_bound" },
	[CHANGE_GROUP] = { "group", "group", true },
	[CHANGE_INTERVAL] = { "interval", "interval", true },
};

/* Sums of values that are no counts of anything may be too large for a number. */
static struct table_cell real(double value, int decimals)
{
	if (!isfinite(value))
		return (struct table_cell){ .field.kind = FIELD_NONE };
	return (struct table_cell){
		.field = { .kind = FIELD_REAL, .real = value },
		.decimals = decimals,
	};
}

static struct table_cell number(uint64_t value)
{
	return (struct table_cell){
		.field = { .kind = FIELD_NUMBER, .number = value },
	};
}

static struct table_cell text(const char *value)
{
	return (struct table_cell){
		.field = { .kind = FIELD_TEXT, .text = value },
	};
}

static const char *type_of(const struct series_key *key)
{
	switch (key->kind) {
	case SERIES_METRIC:
	case SERIES_DERIVED:
		return "metric";
	case SERIES_TIME:
		return "time";
	default:
		return "event";
	}
}

static const char *verdict_of(const struct count_change *change)
{
	if (!change->both[0])
		return "only b";
	if (!change->both[1])
		return "only a";
	switch (change->difference.verdict) {
	case DIFFERENCE_SIGNIFICANT:
		return "significant";
	case DIFFERENCE_NOISE:
		return "noise";
	default:
		return "unknown";
	}
}

/* Decimals in text: those of large values, and of single counts, say nothing. */
static int decimals_of(const struct count_change *change)
{
	const struct series_key *key = &change->any->key;
	double largest = 0;
	bool means = false;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		const struct series *series = change->both[i];

		if (!series)
			continue;
		means |= series->side.runs != 1 || !series->whole;
		largest = fmax(largest, fabs(series->side.mean));
	}
	if (key->kind == SERIES_TIME)
		return 6;
	if (largest >= DECIMALS_BELOW || !means)
		return 0;
	if (key->kind != SERIES_EVENT)
		return strncmp(key->unit, "percent", strlen("percent")) ? 3 : 1;
	return 1;
}

/* The columns of one measurement. */
static void fill_side(const struct count_change *change, unsigned int of,
		      struct table_cell *cells)
{
	static const enum change_column first[] = { CHANGE_A_RUNS,
						    CHANGE_B_RUNS };
	static const enum change_column value[] = { CHANGE_A, CHANGE_B };
	const struct series *series = change->both[of];
	const struct difference_side *side;

	if (!series)
		return;
	side = &series->side;
	cells[value[of]] = real(side->mean, decimals_of(change));
	cells[value[of]].estimate = side->scaled;
	cells += first[of];
	if (side->runs)
		cells[0] = number(side->runs);
	if (side->runs > 1)
		cells[1] = real(side->deviation, 0);
	cells[2].field.kind = FIELD_FLAG;
	cells[2].field.flag = side->scaled;
	if (side->bounded)
		cells[3] = real(side->bound, 0);
}

static void fill_difference(const struct count_change *change,
			    struct table_cell *cells)
{
	const struct difference *difference = &change->difference;
	double base = change->both[0]->side.mean;

	cells[CHANGE_SIZE] = real(difference->size, decimals_of(change));
	cells[CHANGE_SIZE].sign = true;
	if (base > 0) {
		cells[CHANGE_PERCENT] = real(100 * difference->size / base, 2);
		cells[CHANGE_PERCENT].sign = true;
		cells[CHANGE_PERCENT].unit = "%";
	}
	if (difference->known)
		cells[CHANGE_ERROR] =
			real(difference->error, decimals_of(change));
	if (difference->tested)
		cells[CHANGE_CHANCE] = real(difference->chance, 0);
	if (difference->why)
		cells[CHANGE_WHY] = text(difference->why);
}

static void fill_row(const struct count_change *change,
		     struct table_cell *cells)
{
	const struct series_key *key = &change->any->key;

	cells[CHANGE_TYPE] = text(type_of(key));
	cells[CHANGE_EVENT] = text(change->label);
	if (*key->unit)
		cells[CHANGE_UNIT] = text(key->unit);
	if (key->program)
		cells[CHANGE_PROGRAM] = text(key->program);
	if (key->cpu != SERIES_NO_CPU)
		cells[CHANGE_CPU] = number(key->cpu);
	if (key->group)
		cells[CHANGE_GROUP] = text(key->group);
	if (key->interval)
		cells[CHANGE_INTERVAL] = number(key->interval);
	cells[CHANGE_VERDICT] = text(verdict_of(change));
	fill_side(change, 0, cells);
	fill_side(change, 1, cells);
	if (change->both[0] && change->both[1])
		fill_difference(change, cells);
}

static void print_file(FILE *out, char letter,
		       const struct measurement *measurement)
{
	fprintf(out, "# %c: %s, ", letter, measurement->name);
	if (measurement->runs)
		fprintf(out, "%" PRIu64 " run%s", measurement->runs,
			measurement->runs == 1 ? "" : "s");
	else
		fputs("several runs", out);
	if (measurement->model)
		fprintf(out, ", %s", measurement->model);
	fputc('\n', out);
}

/* The reasons of all rows that are unknown, each of them once. */
static void print_reasons(FILE *out, const struct counts_table *table)
{
	size_t i, k;

	for (i = 0; i < table->count; i++) {
		const char *why = table->list[i].difference.why;

		for (k = 0; why && k < i; k++)
			if (table->list[k].difference.why == why)
				break;
		if (why && k == i)
			fprintf(out, "# unknown: %s\n", why);
	}
}

static int print_text(FILE *out, const struct counts_table *table,
		      const struct table *rows)
{
	print_file(out, 'a', &table->files[0]);
	print_file(out, 'b', &table->files[1]);
	fputs("# error: what the spread of the runs, or the bounds of estimates, explain in 95 of 100 cases\n",
	      out);
	if (table->tests)
		fprintf(out,
			"# significant: of 100 tables in which nothing has changed, %g have such a row; rows tested: %zu\n",
			100 * DIFFERENCE_CHANCE, table->tests);
	if (table_print_text(out, rows))
		return -1;
	print_reasons(out, table);
	return 0;
}

static void write_file(struct json *json, const char *key,
		       const struct measurement *measurement)
{
	jsonw_line_object(json, key);
	jsonw_string(json, "file", measurement->name);
	if (measurement->runs)
		jsonw_uint(json, "runs", measurement->runs);
	else
		jsonw_null(json, "runs");
	if (measurement->model)
		jsonw_string(json, "model", measurement->model);
	else
		jsonw_null(json, "model");
	jsonw_close(json);
}

static void print_json(FILE *out, const struct counts_table *table,
		       const struct table *rows)
{
	struct json json;

	jsonw_begin(&json, out);
	jsonw_uint(&json, "schema_version", SCHEMA_VERSION);
	jsonw_string(&json, "type", "diff");
	jsonw_string(&json, "pfmon_version", PFMON_VERSION);
	write_file(&json, "a", &table->files[0]);
	write_file(&json, "b", &table->files[1]);
	jsonw_uint(&json, "tests", table->tests);
	jsonw_double(&json, "chance", DIFFERENCE_CHANCE);
	table_write_json(&json, "rows", rows);
	jsonw_finish(&json);
}

static int print(FILE *out, const void *what)
{
	const struct counts_table *table = what;
	const struct table rows = { columns, NUM_CHANGE_COLUMNS, table->cells,
				    table->count };

	if (table->form == COUNTS_DIFF_TEXT)
		return print_text(out, table, &rows);
	if (table->form == COUNTS_DIFF_CSV)
		table_print_csv(out, &rows);
	else
		print_json(out, table, &rows);
	return 0;
}

static int fill(struct counts_table *table)
{
	size_t i;

	table->cells = calloc((table->count + 1) * NUM_CHANGE_COLUMNS,
			      sizeof(*table->cells));
	if (!table->cells)
		return no_memory();
	for (i = 0; i < table->count; i++)
		fill_row(&table->list[i],
			 &table->cells[i * NUM_CHANGE_COLUMNS]);
	return 0;
}

static int diff_measurements(const struct measurement *files,
			     enum counts_diff_form form, const char *outfile)
{
	struct counts_table table = { .files = files, .form = form };
	int err = make_rows(&table);
	size_t i;

	if (!err)
		err = fill(&table);
	if (!err)
		err = pager_print(outfile, print, &table);
	for (i = 0; i < table.count; i++)
		free(table.list[i].label);
	free(table.list);
	free(table.cells);
	return err;
}

int counts_diff(const struct report_input inputs[2], const bool json[2],
		const struct counts_diff_request *request)
{
	struct measurement files[2] = {
		{ .intervals = request->intervals },
		{ .intervals = request->intervals },
	};
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < 2; i++)
		err = json[i] ? measurement_read_json(&files[i], &inputs[i])
			      : measurement_read_csv(&files[i], &inputs[i]);
	if (!err)
		err = diff_measurements(files, request->form, request->outfile);
	measurement_free(&files[0]);
	measurement_free(&files[1]);
	return err;
}
