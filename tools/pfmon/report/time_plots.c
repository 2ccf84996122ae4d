// SPDX-License-Identifier: GPL-2.0-only
/*
 * Plots of metrics over time.  A row is chosen by a radio button, which shows its plots and hides
 * the others: the page has no program.
 */
#include <math.h>
#include <stdbool.h>

#include "metrics/metric_file.h"
#include "report/html.h"
#include "report/pages.h"

/* Sizes in the plots' own units. */
#define SHARES_WIDTH  900
#define SHARES_HEIGHT 240
#define SMALL_WIDTH   280
#define SMALL_HEIGHT  80

/* Rows to choose from: each has its plots in the page. */
#define ROWS_MAX 24

/**
 * struct frame - where a plot draws
 * @width: of the area that is drawn on
 * @height: of the same
 * @begin: time at its left edge
 * @end: time at its right edge
 * @range: values at its lower and upper edge
 */
struct frame {
	int width;
	int height;
	double begin;
	double end;
	struct html_range range;
};

static double x_of(const struct frame *frame, double time)
{
	return (time - frame->begin) * frame->width /
	       (frame->end - frame->begin);
}

static double y_of(const struct frame *frame, double value)
{
	return (frame->range.high - value) * frame->height /
	       (frame->range.high - frame->range.low);
}

static void print_svg(FILE *out, const struct frame *frame)
{
	fprintf(out,
		"<svg viewBox=\"-56 -16 %d %d\" shape-rendering=\"crispEdges\" width=\"%d\" role=\"img\">\n",
		frame->width + 76, frame->height + 40, frame->width + 76);
}

static void print_value_label(FILE *out, const struct frame *frame,
			      double value, const char *unit)
{
	double y = y_of(frame, value);

	fprintf(out,
		"<path class=\"grid\" d=\"M0 %.2fH%d\"/><text x=\"-6\" y=\"%.2f\" text-anchor=\"end\">%.4g%s</text>\n",
		y, frame->width, y + 4, value, unit);
}

static void print_times(FILE *out, const struct frame *frame, int steps)
{
	int i;

	for (i = 0; i <= steps; i++)
		fprintf(out,
			"<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%.3g s</text>\n",
			i * frame->width / steps, frame->height + 18,
			(frame->end - frame->begin) * i / steps / 1e9);
}

/* Says what a piece of a plot is of. */
static void print_title(FILE *out, const struct frame *frame,
			const struct written_row *row,
			const struct written_metric *metric)
{
	fputs("<title>", out);
	html_print(out, metric->name);
	fputs(": ", out);
	html_print_value(out, metric);
	fputc(' ', out);
	html_print(out, metric->unit);
	fprintf(out, "%s, %.3f to %.3f s</title>",
		written_is_outside(metric) ? " (outside 0..100)" : "",
		(row->start - frame->begin) / 1e9,
		(row->end - frame->begin) / 1e9);
}

static void print_share(FILE *out, const struct frame *frame,
			const struct written_row *row,
			const struct written_metric *metric, double from,
			size_t share)
{
	double x = x_of(frame, row->start);
	double top = metric->value > 0 ? from + metric->value : from;

	fprintf(out,
		"<rect%s x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\">",
		written_is_outside(metric) ? " class=\"off\"" : "", x,
		y_of(frame, top), x_of(frame, row->end) - x,
		fabs(metric->value) * frame->height /
			(frame->range.high - frame->range.low),
		html_colour(share));
	print_title(out, frame, row, metric);
	fputs("</rect>\n", out);
}

/* Draws the shares of one interval on top of each other, and marks it if one is outside. */
static void print_column(FILE *out, const struct frame *frame,
			 const struct written_row *all,
			 const struct written_row *row)
{
	const struct written_metric *metric;
	double above = 0, below = 0;
	size_t i, share = 0;
	bool outside = false;

	for (i = 0; i < all->count; i++) {
		if (!html_is_share(&all->list[i]))
			continue;
		metric = written_row_find(row, all->list[i].name);
		if (metric && metric->known) {
			double *at = metric->value < 0 ? &below : &above;

			print_share(out, frame, row, metric, *at, share);
			*at += metric->value;
			outside |= written_is_outside(metric);
		}
		share++;
	}
	if (outside)
		fprintf(out,
			"<text class=\"off\" x=\"%.2f\" y=\"-4\" text-anchor=\"middle\">!</text>\n",
			x_of(frame, (row->start + row->end) / 2));
}

static void print_shares(FILE *out, const struct metric_file *file,
			 const struct written_series *series,
			 const struct frame *frame)
{
	double value;
	size_t i;

	print_svg(out, frame);
	for (i = 0; i < series->rows.count; i++)
		print_column(out, frame, &file->all, &series->rows.list[i]);
	for (value = 0; value <= 100; value += 25)
		print_value_label(out, frame, value, " %");
	if (frame->range.low < 0)
		print_value_label(out, frame, frame->range.low, " %");
	if (frame->range.high > 100)
		print_value_label(out, frame, frame->range.high, " %");
	print_times(out, frame, 4);
	fputs("</svg>\n", out);
}

/* The range of a metric, which includes 0.  False if it has no value in any interval. */
static bool find_range(const struct written_series *series, const char *name,
		       struct html_range *range)
{
	const struct written_metric *metric;
	bool any = false;
	double bound;
	size_t i;

	*range = (struct html_range){ 0, 0 };
	for (i = 0; i < series->rows.count; i++) {
		metric = written_row_find(&series->rows.list[i], name);
		if (!metric || !metric->known)
			continue;
		any = true;
		bound = metric->bounded ? metric->error : 0;
		range->low = fmin(range->low, metric->value - bound);
		range->high = fmax(range->high, metric->value + bound);
	}
	if (range->low == range->high)
		range->high = 1;
	return any;
}

/* A value is one of the whole interval, hence a step; where there is none the line has a gap. */
static void print_line(FILE *out, const struct frame *frame,
		       const struct written_series *series, const char *name)
{
	const struct written_metric *metric;
	bool drawn = false;
	size_t i;

	fputs("<path class=\"line\" d=\"", out);
	for (i = 0; i < series->rows.count; i++) {
		const struct written_row *row = &series->rows.list[i];

		metric = written_row_find(row, name);
		if (!metric || !metric->known) {
			drawn = false;
			continue;
		}
		if (drawn && row->start > series->rows.list[i - 1].end)
			drawn = false;
		if (drawn)
			fprintf(out, "V%.2f", y_of(frame, metric->value));
		else
			fprintf(out, "M%.2f %.2f", x_of(frame, row->start),
				y_of(frame, metric->value));
		fprintf(out, "H%.2f", x_of(frame, row->end));
		drawn = true;
	}
	fputs("\"/>\n", out);
}

/* Of each interval the bound, and what it says when it is pointed at. */
static void print_steps(FILE *out, const struct frame *frame,
			const struct written_series *series, const char *name)
{
	const struct written_metric *metric;
	double x, top, bottom;
	size_t i;

	for (i = 0; i < series->rows.count; i++) {
		const struct written_row *row = &series->rows.list[i];

		metric = written_row_find(row, name);
		if (!metric || !metric->known)
			continue;
		x = x_of(frame, row->start);
		top = metric->bounded
			      ? y_of(frame, metric->value + metric->error)
			      : 0;
		bottom = metric->bounded
				 ? y_of(frame, metric->value - metric->error)
				 : frame->height;
		fprintf(out,
			"<rect class=\"%s\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\">",
			metric->bounded ? "bound" : "step", x, top,
			x_of(frame, row->end) - x, bottom - top);
		print_title(out, frame, row, metric);
		fputs("</rect>\n", out);
		if (written_is_outside(metric))
			fprintf(out,
				"<text class=\"off\" x=\"%.2f\" y=\"-4\" text-anchor=\"middle\">!</text>\n",
				x_of(frame, (row->start + row->end) / 2));
	}
}

static void print_small(FILE *out, const struct frame *whole,
			const struct written_series *series,
			const struct written_metric *metric)
{
	struct frame frame = *whole;

	frame.width = SMALL_WIDTH;
	frame.height = SMALL_HEIGHT;
	fputs("<figure><figcaption>", out);
	html_print(out, metric->name);
	fputs(" <small>", out);
	html_print(out, metric->unit);
	fputs("</small></figcaption>\n", out);
	if (!find_range(series, metric->name, &frame.range)) {
		fputs("<p>no value</p></figure>\n", out);
		return;
	}
	print_svg(out, &frame);
	print_value_label(out, &frame, frame.range.high, "");
	print_value_label(out, &frame, 0, "");
	if (frame.range.low < 0)
		print_value_label(out, &frame, frame.range.low, "");
	print_line(out, &frame, series, metric->name);
	print_steps(out, &frame, series, metric->name);
	print_times(out, &frame, 1);
	fputs("</svg></figure>\n", out);
}

static void print_plots(FILE *out, const struct metric_file *file,
			const struct written_series *series,
			const struct frame *frame)
{
	size_t i;

	if (html_has_shares(&file->all))
		print_shares(out, file, series, frame);
	fputs("<div class=\"small\">\n", out);
	for (i = 0; i < file->all.count; i++)
		if (!html_is_share(&file->all.list[i]))
			print_small(out, frame, series, &file->all.list[i]);
	fputs("</div>\n", out);
}

/*
 * True if a row can be chosen: all, and those that were there in the most intervals.
 */
static bool is_offered(const struct metric_file *file, size_t number)
{
	size_t mine = file->series[number].rows.count, before = 0, i;

	for (i = 1; i < file->num_series; i++)
		before += file->series[i].rows.count > mine ||
			  (file->series[i].rows.count == mine && i < number);
	return !number || before + 1 < ROWS_MAX;
}

static void print_choice(FILE *out, const struct metric_file *file)
{
	size_t left = 0, i;

	/* The rules that show the plots of the row that is chosen. */
	fputs("<style>", out);
	for (i = 0; i < file->num_series; i++)
		if (is_offered(file, i))
			fprintf(out, "%s#row%zu:checked ~ #plot%zu",
				i ? ", " : "", i, i);
	fputs(" { display: block }</style>\n<div class=\"plots\">\n", out);
	for (i = 0; i < file->num_series; i++) {
		if (!is_offered(file, i)) {
			left++;
			continue;
		}
		fprintf(out,
			"<input type=\"radio\" name=\"row\" id=\"row%zu\"%s><label for=\"row%zu\">",
			i, i ? "" : " checked", i);
		html_print(out, file->series[i].title);
		fputs("</label>\n", out);
	}
	if (left)
		fprintf(out,
			"<small>and %zu more, which were there in fewer intervals</small>\n",
			left);
}

void time_plots_print(FILE *out, const struct metric_file *file)
{
	struct frame frame = {
		.width = SHARES_WIDTH,
		.height = SHARES_HEIGHT,
		.range = { 0, 100 },
	};
	const struct written_rows *all;
	size_t i, k;

	if (!file->num_series)
		return;
	/* The first series is that of all, so it has every interval. */
	all = &file->series[0].rows;
	frame.begin = all->list[0].start;
	frame.end = all->list[all->count - 1].end;
	if (frame.end <= frame.begin)
		return;
	for (i = 0; i < file->num_series; i++)
		for (k = 0;
		     is_offered(file, i) && k < file->series[i].rows.count; k++)
			html_range_add(&frame.range, &file->all,
				       &file->series[i].rows.list[k]);
	fputs("<h2>Over time</h2>\n", out);
	if (html_has_shares(&file->all))
		html_print_keys(out, &file->all);
	print_choice(out, file);
	for (i = 0; i < file->num_series; i++) {
		if (!is_offered(file, i))
			continue;
		fprintf(out, "<div class=\"plot\" id=\"plot%zu\">\n", i);
		print_plots(out, file, &file->series[i], &frame);
		fputs("</div>\n", out);
	}
	fputs("</div>\n", out);
}
