// SPDX-License-Identifier: GPL-2.0-only
/*
 * Metrics as CSV.
 */
#include <stdlib.h>

#include "base/csv_field.h"
#include "metrics/evaluate.h"
#include "metrics/metric_plan.h"
#include "metrics/model.h"
#include "options/options.h"
#include "output/metric_csv.h"
#include "output/metric_values.h"
#include "output/outcome.h"
#include "session/session.h"

void metric_csv_error(FILE *out, const struct metric_value *value)
{
	if (value->known && value->scaled && value->bounded)
		fprintf(out, "%.12g", value->error);
}

static void print_row(FILE *out, const struct metric_row *row,
		      const struct metric *metric,
		      const struct metric_value *value)
{
	fprintf(out, "%s,%s,", row->type, metric->name);
	if (value->known)
		fprintf(out, "%.12g", value->value);
	fprintf(out, ",%d,", value->scaled);
	row->middle(out, row, value);
	fputc(',', out);
	csv_field_print(out, metric->unit);
	fputc(',', out);
	csv_field_print(out, value->why);
	fputs("\r\n", out);
}

void metric_csv_rows(FILE *out, const struct counts_of *counts,
		     const struct metric_row *row)
{
	const struct metric_plan *plan = counts->outcome->metrics;
	struct metric_value *values;
	unsigned int i, k;

	values = plan ? metric_values(counts) : NULL;
	for (i = 0; values && i < plan->selection.count; i++) {
		const struct metric_unit *unit = &plan->selection.units[i];

		for (k = 0; k < unit->count; k++)
			print_row(out, row, unit->metrics[k],
				  &values[unit->first + k]);
	}
	free(values);
}

void metric_csv_end_titles(FILE *out, const struct outcome *outcome)
{
	fputs(outcome->metrics ? ",unit,why\r\n" : "\r\n", out);
}

void metric_csv_end_row(FILE *out, const struct outcome *outcome)
{
	fputs(outcome->metrics ? ",,\r\n" : "\r\n", out);
}
