// SPDX-License-Identifier: GPL-2.0-only
/*
 * The text and the colours that the parts of a page of metrics have in common.
 */
#include <string.h>

#include "metrics/metric_file.h"
#include "report/html.h"

/* Distinct for people who confuse red and green. */
static const char *const colours[] = { "#56b4e9", "#e69f00", "#cc79a7",
				       "#009e73", "#f0e442", "#0072b2" };

#define NUM_COLOURS (sizeof(colours) / sizeof(colours[0]))

void html_print(FILE *out, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '&':
			fputs("&amp;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		default:
			fputc(*text, out);
		}
	}
}

void html_print_value(FILE *out, const struct written_metric *metric)
{
	int digits;

	if (!metric || !metric->known) {
		fputs("–", out);
		return;
	}
	digits = written_decimals(metric);
	fprintf(out, "%s%.*f", metric->scaled || metric->low ? "~" : "", digits,
		metric->value);
	if (metric->bounded)
		fprintf(out, " ±%.*f", digits, written_bound(metric));
	else if (metric->scaled && !metric->low)
		fputs(" ±?", out);
	if (written_is_outside(metric))
		fputc('!', out);
}

bool html_is_share(const struct written_metric *metric)
{
	return metric->level == 1 && written_is_percent(metric);
}

bool html_has_shares(const struct written_row *all)
{
	size_t i;

	for (i = 0; i < all->count; i++)
		if (html_is_share(&all->list[i]))
			return true;
	return false;
}

const char *html_colour(size_t share)
{
	return colours[share % NUM_COLOURS];
}

void html_print_keys(FILE *out, const struct written_row *all)
{
	size_t i, share = 0;

	fputs("<p>", out);
	for (i = 0; i < all->count; i++) {
		if (!html_is_share(&all->list[i]))
			continue;
		fprintf(out,
			"<span class=\"key\" style=\"background:%s\"></span>",
			html_colour(share++));
		html_print(out, all->list[i].name);
	}
	fputs("</p>\n", out);
}

void html_range_add(struct html_range *range, const struct written_row *all,
		    const struct written_row *row)
{
	const struct written_metric *metric;
	double above = 0, below = 0;
	size_t i;

	for (i = 0; i < all->count; i++) {
		metric = written_row_find(row, all->list[i].name);
		if (!html_is_share(&all->list[i]) || !metric || !metric->known)
			continue;
		if (metric->value > 0)
			above += metric->value;
		else
			below += metric->value;
	}
	if (above > range->high)
		range->high = above;
	if (below < range->low)
		range->low = below;
}
