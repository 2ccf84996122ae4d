// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bars with the shares of level 1, all to the same scale.  A share below 0 is drawn to the left
 * of 0; shares that are more than 100 % together go beyond the line at 100 %.
 */
#include <math.h>

#include "metrics/metric_file.h"
#include "report/html.h"
#include "report/pages.h"

static void print_share(FILE *out, const struct written_metric *metric,
			double x, size_t share)
{
	fprintf(out,
		"<rect%s x=\"%.4g\" y=\"1\" width=\"%.4g\" height=\"8\" fill=\"%s\"><title>",
		written_is_outside(metric) ? " class=\"off\"" : "", x,
		fabs(metric->value), html_colour(share));
	html_print(out, metric->name);
	fputs(": ", out);
	html_print_value(out, metric);
	fputs(written_is_outside(metric) ? " % (outside 0..100)" : " %", out);
	fputs("</title></rect>", out);
}

static void print_bar(FILE *out, const struct written_row *all,
		      const struct written_row *row,
		      const struct html_range *range)
{
	const struct written_metric *metric;
	double above = 0, below = 0;
	size_t i, share = 0;

	fprintf(out,
		"<svg class=\"bar\" viewBox=\"%.4g 0 %.4g 10\" preserveAspectRatio=\"none\" role=\"img\">",
		range->low - 0.5, range->high - range->low + 1);
	for (i = 0; i < all->count; i++) {
		if (!html_is_share(&all->list[i]))
			continue;
		metric = written_row_find(row, all->list[i].name);
		if (metric && metric->known && metric->value < 0) {
			below += metric->value;
			print_share(out, metric, below, share);
		} else if (metric && metric->known) {
			print_share(out, metric, above, share);
			above += metric->value;
		}
		share++;
	}
	fputs("<path class=\"edge\" d=\"M0 0V10M100 0V10\"/></svg>", out);
}

static void print_row(FILE *out, const struct written_row *all,
		      const struct written_row *row, const char *title,
		      const struct html_range *range)
{
	const struct written_metric *metric;
	size_t i;

	fprintf(out, "<tr%s><td class=\"name\">",
		row == all ? " class=\"all\"" : "");
	html_print(out, title);
	fputs("</td><td>", out);
	print_bar(out, all, row, range);
	fputs("</td>", out);
	for (i = 0; i < all->count; i++) {
		if (!html_is_share(&all->list[i]))
			continue;
		metric = written_row_find(row, all->list[i].name);
		fputs(metric && written_is_outside(metric)
			      ? "<td class=\"off\">"
			      : "<td>",
		      out);
		html_print_value(out, metric);
		fputs("</td>", out);
	}
	fputs("</tr>\n", out);
}

void share_bars_print(FILE *out, const struct metric_file *file)
{
	struct html_range range = { 0, 100 };
	size_t i;

	if (!html_has_shares(&file->all))
		return;
	html_range_add(&range, &file->all, &file->all);
	for (i = 0; i < file->results.count; i++)
		html_range_add(&range, &file->all, &file->results.list[i]);
	fputs("<h2>Where the slots went</h2>\n", out);
	html_print_keys(out, &file->all);
	fputs("<div class=\"wide\"><table>\n<tr><th class=\"name\"></th><th class=\"name\">",
	      out);
	fprintf(out, "%.4g to %.4g %%</th>", range.low, range.high);
	for (i = 0; i < file->all.count; i++) {
		if (!html_is_share(&file->all.list[i]))
			continue;
		fputs("<th>", out);
		html_print(out, file->all.list[i].name);
		fputs("</th>", out);
	}
	fputs("</tr>\n", out);
	for (i = 0; i < file->results.count; i++)
		print_row(out, &file->all, &file->results.list[i],
			  file->results.list[i].title, &range);
	print_row(out, &file->all, &file->all, "all", &range);
	fputs("</table></div>\n", out);
}
