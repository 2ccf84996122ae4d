// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rows as comma-separated values.
 */
#include <inttypes.h>

#include "base/quoting.h"
#include "events/event_list.h"
#include "metrics/evaluate.h"
#include "metrics/metric_plan.h"
#include "metrics/model.h"
#include "output/count.h"
#include "output/outcome.h"
#include "output/row_csv.h"
#include "session/session.h"

static const enum column task_columns[] = {
	COLUMN_TYPE,	COLUMN_EVENT,	  COLUMN_VALUE,	   COLUMN_SCALED,
	COLUMN_PID,	COLUMN_TID,	  COLUMN_PPID,	   COLUMN_PATH,
	COLUMN_COMM,	COLUMN_REASON,	  COLUMN_TASKS,	   COLUMN_START,
	COLUMN_END,	COLUMN_EXIT_CODE, COLUMN_SIGNAL,   COLUMN_ACTIVE,
	COLUMN_ENABLED, COLUMN_ERROR,	  COLUMN_AT_LEAST, COLUMN_IMPLEMENTED,
};

static const enum column cpu_columns[] = {
	COLUMN_TYPE,	    COLUMN_EVENT, COLUMN_VALUE,	 COLUMN_SCALED,
	COLUMN_CPU,	    COLUMN_CORE,  COLUMN_SOCKET, COLUMN_NODE,
	COLUMN_INTERVAL,    COLUMN_START, COLUMN_END,	 COLUMN_AT_LEAST,
	COLUMN_IMPLEMENTED,
};

static void add_columns(struct row_csv *csv, const enum column *columns,
			size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		csv->columns[csv->count++] = columns[i];
}

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

void row_csv_begin(struct row_csv *csv, FILE *out,
		   const struct outcome *outcome)
{
	const char *separator = outcome->session->options->stat.separator;

	*csv = (struct row_csv){
		.out = out,
		.outcome = outcome,
		.separator = separator ? separator : ",",
	};
	if (outcome->session->system) {
		add_columns(csv, cpu_columns, LENGTH(cpu_columns));
		if (outcome->session->options->scope.each_cgroup)
			csv->columns[csv->count++] = COLUMN_CGROUP;
	} else {
		add_columns(csv, task_columns, LENGTH(task_columns));
		if (outcome->session->options->scope.interval_ns)
			csv->columns[csv->count++] = COLUMN_INTERVAL;
	}
	if (outcome->metrics) {
		csv->columns[csv->count++] = COLUMN_UNIT;
		csv->columns[csv->count++] = COLUMN_WHY;
	}
}

void row_csv_titles(const struct row_csv *csv)
{
	size_t i;

	for (i = 0; i < csv->count; i++)
		fprintf(csv->out, "%s%s", i ? csv->separator : "",
			column_name(csv->columns[i]));
	fputs("\r\n", csv->out);
}

void row_csv_print_field(FILE *out, const struct field *field,
			 const char *separator)
{
	switch (field->kind) {
	case FIELD_NONE:
		break;
	case FIELD_NUMBER:
		fprintf(out, "%" PRIu64, field->number);
		break;
	case FIELD_REAL:
		fprintf(out, "%.12g", field->real);
		break;
	case FIELD_FLAG:
		fputc(field->flag ? '1' : '0', out);
		break;
	case FIELD_WORD:
		fputs(field->text, out);
		break;
	case FIELD_TEXT:
		csv_field_print_between(out, field->text, separator);
	}
}

static void print_cell(const struct row_csv *csv, const struct row *row,
		       const struct cell *cell)
{
	struct field field;
	size_t i;

	for (i = 0; i < csv->count; i++) {
		field = row_field(row, cell, csv->columns[i]);
		if (i)
			fputs(csv->separator, csv->out);
		row_csv_print_field(csv->out, &field, csv->separator);
	}
	fputs("\r\n", csv->out);
}

void row_csv_print_event(const struct row_csv *csv, const struct row *row,
			 size_t event)
{
	const struct event *ev = &csv->outcome->events->list[event];
	struct count count;
	const struct cell cell = {
		.type = ev->gauge ? row->level_type : row->type,
		.name = ev->label,
		.event = ev,
		.count = &count,
	};

	if (row_count(row, event, &count))
		print_cell(csv, row, &cell);
}

void row_csv_print_metrics(const struct row_csv *csv, const struct row *row)
{
	const struct metric_plan *plan = csv->outcome->metrics;
	unsigned int i, k;

	if (!plan || !row->metric_type)
		return;
	for (i = 0; i < plan->selection.count; i++) {
		const struct metric_unit *unit = &plan->selection.units[i];

		for (k = 0; k < unit->count; k++) {
			const struct cell cell = {
				.type = row->metric_type,
				.metric = unit->metrics[k],
				.value = &row->metrics[unit->first + k],
			};

			print_cell(csv, row, &cell);
		}
	}
}

void row_csv_print(const struct row_csv *csv, const struct row *row)
{
	size_t k;

	for (k = 0; k < csv->outcome->events->count; k++)
		row_csv_print_event(csv, row, k);
	row_csv_print_metrics(csv, row);
}

void row_csv_print_number(const struct row_csv *csv, const char *type,
			  const char *name, const struct count *count)
{
	const struct row row = row_of_total(csv->outcome);
	const struct cell cell = { .type = type, .name = name, .count = count };

	print_cell(csv, &row, &cell);
}
