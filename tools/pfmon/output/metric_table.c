// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table has a row for each process or CPU and one for all of them.  What does not
 * fit beside each other on a terminal is printed below each other.  Why there is no value, or
 * no bound, is said once, below the table.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "metrics/evaluate.h"
#include "metrics/metric_forms.h"
#include "metrics/metric_plan.h"
#include "metrics/model.h"
#include "metrics/tree.h"
#include "output/metric_table.h"
#include "output/outcome.h"
#include "output/row.h"
#include "output/rows.h"
#include "output/value.h"

/**
 * struct table - rows of metrics
 * @selection: the metrics
 * @rows: the rows
 * @titles: what each row is about
 * @count: elements of both
 * @columns: of the terminal; 0 if it is none
 */
struct table {
	const struct metric_selection *selection;
	const struct row **rows;
	char **titles;
	size_t count;
	unsigned int columns;
};

static char *title_of(const struct row *row)
{
	char room[PRINT_TITLE_ROOM], *title = NULL;
	size_t size;
	FILE *out;

	if (!row->task)
		return strdup(print_title_text(row, room));
	out = open_memstream(&title, &size);
	if (!out)
		return NULL;
	print_program(out, row->task);
	return fclose(out) ? NULL : title;
}

static int fill(struct table *table, const struct rows *rows)
{
	size_t i;

	table->selection = &rows->outcome->metrics->selection;
	table->rows = calloc(rows->count, sizeof(*table->rows));
	table->titles = calloc(rows->count, sizeof(*table->titles));
	if (!table->rows || !table->titles)
		return -1;
	for (i = 0; i < rows->count; i++) {
		if (rows->list[i].topology && !rows->list[i].cgroup)
			continue;
		table->rows[table->count] = &rows->list[i];
		table->titles[table->count] = title_of(&rows->list[i]);
		if (!table->titles[table->count++])
			return -1;
	}
	return 0;
}

static void free_table(struct table *table)
{
	size_t i;

	for (i = 0; i < table->count; i++)
		free(table->titles[i]);
	free(table->titles);
	free(table->rows);
}

/* Room for a value with its bound and mark. */
#define CELL_ROOM (2 * METRIC_TEXT_ROOM)

/*
 * Writes a cell: a value with its bound.  "!" follows a per cent value that is outside
 * 0..100.
 */
static const char *cell(const struct metric_selection *selection,
			const struct row *row, unsigned int number, char *text)
{
	const struct metric *metric = selection_metric(selection, number);
	const struct metric_value *value = &row->metrics[number];
	char bound[METRIC_TEXT_ROOM];

	metric_value_text(metric, value, text);
	strcat(text, metric_bound_text(metric, value, bound));
	if (metric_is_outside(metric, value))
		strcat(text, "!");
	return text;
}

/* Prints a cell right-aligned. */
static void print_cell(FILE *out, const struct metric_selection *selection,
		       const struct row *row, unsigned int number,
		       unsigned int width)
{
	char text[CELL_ROOM];
	int pad;

	cell(selection, row, number, text);
	pad = (int)width - metric_text_width(text);
	fprintf(out, "%*s%s", pad > 0 ? pad : 0, "", text);
}

static unsigned int column_width(const struct table *table, unsigned int number)
{
	unsigned int width = strlen(selection_metric(table->selection, number)->name);
	char text[CELL_ROOM];
	unsigned int own;
	size_t i;

	for (i = 0; i < table->count; i++) {
		own = metric_text_width(
			cell(table->selection, table->rows[i], number, text));
		if (own > width)
			width = own;
	}
	return width;
}

static unsigned int title_width(const struct table *table)
{
	unsigned int width = 0;
	size_t i;

	for (i = 0; i < table->count; i++)
		if (strlen(table->titles[i]) > width)
			width = strlen(table->titles[i]);
	return width;
}

/* Number of the first column that does not fit beside @first. */
static unsigned int end_of_block(const struct table *table, unsigned int first,
				 unsigned int *width)
{
	unsigned int end = first;

	*width = 0;
	while (end < table->selection->num_metrics) {
		unsigned int more = column_width(table, end) + 2;

		if (end > first && table->columns &&
		    *width + more + 2 > table->columns)
			break;
		*width += more;
		end++;
	}
	return end;
}

static void print_row(FILE *out, const struct table *table, size_t row,
		      unsigned int first, unsigned int end)
{
	unsigned int i;

	for (i = first; i < end; i++) {
		print_cell(out, table->selection, table->rows[row], i,
			   column_width(table, i));
		fputs("  ", out);
	}
}

/*
 * The title of a row is its last column, as for counts: it may be long.  On a terminal with no
 * room for it, it is a line of its own.
 */
static void print_block(FILE *out, const struct table *table,
			unsigned int first, unsigned int end,
			unsigned int width)
{
	bool apart = table->columns &&
		     width + title_width(table) > table->columns;
	unsigned int i;
	size_t row;

	for (i = first; i < end; i++)
		fprintf(out, "%*s  ", (int)column_width(table, i),
			selection_metric(table->selection, i)->name);
	fputc('\n', out);
	for (row = 0; row < table->count; row++) {
		if (apart)
			fprintf(out, "%s\n", table->titles[row]);
		print_row(out, table, row, first, end);
		fprintf(out, "%s\n", apart ? "" : table->titles[row]);
	}
}

/* The note on a value for which a cell has no room; NULL if there is none. */
static const char *reason(const struct metric_value *value)
{
	if (!value->known)
		return value->why;
	if (value->low)
		return "a count is a lower bound only";
	if (value->scaled && !value->bounded)
		return "error not known";
	return NULL;
}

static bool same_reason(const struct table *table, unsigned int number,
			size_t a, size_t b)
{
	const struct metric_value *x = &table->rows[a]->metrics[number];
	const struct metric_value *y = &table->rows[b]->metrics[number];

	return x->known == y->known && reason(x) && reason(y) &&
	       !strcmp(reason(x), reason(y));
}

/* Prints the reason of a row, and of how many others, unless one above has the same. */
static void print_reason(FILE *out, const struct table *table,
			 unsigned int number, size_t row)
{
	const struct metric_value *value = &table->rows[row]->metrics[number];
	size_t count = 0, i;

	if (!reason(value))
		return;
	for (i = 0; i < row; i++)
		if (same_reason(table, number, i, row))
			return;
	for (i = row; i < table->count; i++)
		count += same_reason(table, number, i, row);
	fprintf(out, "%s: %s%s", selection_metric(table->selection, number)->name,
		value->known ? "" : "no value: ", reason(value));
	if (count < table->count)
		fprintf(out, " (%zu of %zu rows)", count, table->count);
	fputc('\n', out);
}

static void print_reasons(FILE *out, const struct table *table)
{
	unsigned int number;
	size_t row;

	for (number = 0; number < table->selection->num_metrics; number++)
		for (row = 0; row < table->count; row++)
			print_reason(out, table, number, row);
}

/* Says of how many rows the shares of level 1 do not add up, and the sum of the first. */
static void print_sums(FILE *out, const struct table *table)
{
	struct tree_sum sum, first = { 0 };
	size_t count = 0, row;

	for (row = 0; row < table->count; row++) {
		tree_sum_find(&sum, table->selection,
			      table->rows[row]->metrics);
		if (!tree_sum_is_off(&sum))
			continue;
		if (!count++)
			first = sum;
	}
	if (!count)
		return;
	fprintf(out, "in %zu of %zu rows ", count, table->count);
	tree_sum_print(out, first.value);
	fputc('\n', out);
}

static void print_table(FILE *out, struct table *table)
{
	unsigned int first, end, width;

	table->columns = metric_text_columns(out);
	for (first = 0; first < table->selection->num_metrics; first = end) {
		end = end_of_block(table, first, &width);
		print_block(out, table, first, end, width);
	}
	print_reasons(out, table);
	print_sums(out, table);
}

int metric_table_print(FILE *out, const struct rows *rows)
{
	struct table table = { 0 };
	int err = fill(&table, rows);

	if (err)
		say_error("out of memory for the metrics");
	else
		print_table(out, &table);
	free_table(&table);
	return err;
}

void metric_names_print(FILE *out, const struct outcome *outcome)
{
	const struct metric_plan *plan = outcome->metrics;
	unsigned int i;

	for (i = 0; plan && i < plan->selection.num_metrics; i++)
		fprintf(out, " %s", selection_metric(&plan->selection, i)->name);
}

void metric_cells_print(FILE *out, const struct row *row)
{
	const struct metric_plan *plan = row->counts.outcome->metrics;
	unsigned int i;

	for (i = 0; plan && i < plan->selection.num_metrics; i++) {
		fputc(' ', out);
		print_cell(out, &plan->selection, row, i, 20);
	}
}
