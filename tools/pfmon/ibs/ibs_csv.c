// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes samples as CSV, see ibs_csv.h.  Which columns there are is decided once, so that
 * names and values cannot differ, and the millions of rows cost no decisions.
 */
#include <string.h>

#include "ibs/ibs_column.h"
#include "ibs/ibs_csv.h"

static size_t choose(const struct ibs_column *from,
		     const struct ibs_format *format,
		     const struct ibs_column **to)
{
	size_t count = 0;

	for (; from->name; from++)
		if (!from->present || from->present(format))
			to[count++] = from;
	return count;
}

static size_t choose_all(const struct ibs_format *format, enum ibs_kind kind,
			 const struct ibs_column **to)
{
	size_t count = choose(ibs_first_columns, format, to);

	count += choose(kind == IBS_OP ? ibs_op_columns : ibs_fetch_columns,
			format, to + count);
	return count + choose(ibs_last_columns, format, to + count);
}

int ibs_csv_begin(struct ibs_csv *csv, FILE *out,
		  const struct ibs_format *format, enum ibs_kind kind)
{
	size_t i;

	csv->out = out;
	csv->format = format;
	csv->row.length = 0;
	csv->count = choose_all(format, kind, csv->columns);
	for (i = 0; i < csv->count; i++)
		ibs_row_text(&csv->row, csv->columns[i]->name);
	return ibs_row_write(&csv->row, out);
}

int ibs_csv_continue(struct ibs_csv *csv, const struct ibs_format *format,
		     enum ibs_kind kind)
{
	const struct ibs_column *columns[IBS_CSV_COLUMNS_MAX];
	size_t count = choose_all(format, kind, columns);

	if (count != csv->count ||
	    memcmp(columns, csv->columns, count * sizeof(*columns)))
		return -1;
	csv->format = format;
	return 0;
}

int ibs_csv_sample(struct ibs_csv *csv, const struct ibs_sample *sample)
{
	const struct ibs_column *column;
	uint64_t value;
	size_t i;

	for (i = 0; i < csv->count; i++) {
		column = csv->columns[i];
		if (column->print) {
			column->print(&csv->row, csv->format, sample);
			continue;
		}
		memcpy(&value, (const char *)sample + column->offset,
		       sizeof(value));
		ibs_row_number(&csv->row, ibs_field(value, column->field));
	}
	return ibs_row_write(&csv->row, csv->out);
}
