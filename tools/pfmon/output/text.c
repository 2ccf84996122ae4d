// SPDX-License-Identifier: GPL-2.0-only
/*
 * Results as text: the counts of all rows, then their metrics.
 */
#include "metrics/metric_forms.h"
#include "metrics/metric_plan.h"
#include "options/options.h"
#include "output/metric_table.h"
#include "output/notes.h"
#include "output/outcome.h"
#include "output/print.h"
#include "output/row_text.h"
#include "output/rows.h"
#include "output/value.h"
#include "session/session.h"

int print_text(FILE *out, const struct rows *rows)
{
	const struct outcome *outcome = rows->outcome;
	const struct options *options = outcome->session->options;
	struct row_text text;
	size_t i;

	row_text_begin(&text, out, rows);
	if (options->with_header)
		header_print(out, outcome);
	if (options->scope.interval_ns)
		fputs("# all intervals\n", out);
	for (i = 0; i < rows->count; i++)
		row_text_print(&text, &rows->list[i]);
	if (outcome->metrics) {
		if (text.titled && metric_table_print(out, rows))
			return -1;
		metric_text_print(out, &outcome->metrics->selection,
				  rows_total(rows)->metrics,
				  metric_text_columns(out));
	}
	if (options->show_time)
		print_times(out, outcome->session);
	return 0;
}
