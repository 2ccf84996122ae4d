// SPDX-License-Identifier: GPL-2.0-only
/*
 * A page of metrics: a bar with the shares of level 1 for each process or CPU, a table of all
 * metrics, and a plot of the shares over time if intervals were recorded.  The page has no
 * program: what is drawn is plain HTML and SVG.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/outfile.h"
#include "report/metric_file.h"
#include "report/topdown_page.h"

/* Size of the plot in its own units. */
#define PLOT_WIDTH  900
#define PLOT_HEIGHT 240

/* Colours of the shares, in their order; distinct for people who confuse red and green. */
static const char *const colours[] = { "#56b4e9", "#e69f00", "#cc79a7",
				       "#009e73", "#f0e442", "#0072b2" };

#define NUM_COLOURS (sizeof(colours) / sizeof(colours[0]))

/* clang-format off */
static const char style[] =
"<meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\n"
"<style>\n"
"body { font: 15px/1.4 sans-serif; margin: 1.5em; color: #222; background: #fff }\n"
"table { border-collapse: collapse } td, th { padding: .15em .7em; text-align: right }\n"
"th { border-bottom: 1px solid #999 } td.name, th.name { text-align: left }\n"
"tr.all td { font-weight: bold } .off { color: #b00 }\n"
".wide { overflow-x: auto } .bar { display: flex; width: 32em; height: 1.3em }\n"
".key { display: inline-block; width: 1em; height: 1em; margin: 0 .4em 0 1.2em; vertical-align: -.1em }\n"
"svg { max-width: 100%; height: auto } text { font: 12px sans-serif; fill: #222 }\n"
"</style>\n";
/* clang-format on */

static void print_text(FILE *out, const char *text)
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

/* True if the metric is a share of all slots, or of whatever level 1 divides. */
static bool is_share(const struct written_metric *metric)
{
	return metric->level == 1 &&
	       !strncmp(metric->unit, "percent", strlen("percent"));
}

/* What a share can be drawn as: the number beside it is what it is. */
static double drawn(const struct written_metric *metric)
{
	if (!metric || !metric->known || metric->value < 0)
		return 0;
	return metric->value > 100 ? 100 : metric->value;
}

static void print_keys(FILE *out, const struct written_row *all)
{
	size_t i, colour = 0;

	fputs("<p>", out);
	for (i = 0; i < all->count; i++) {
		if (!is_share(&all->list[i]))
			continue;
		fprintf(out,
			"<span class=\"key\" style=\"background:%s\"></span>",
			colours[colour++ % NUM_COLOURS]);
		print_text(out, all->list[i].name);
	}
	fputs("</p>\n", out);
}

static void print_value(FILE *out, const struct written_metric *metric)
{
	bool percent;

	if (!metric || !metric->known) {
		fputs("<td>–</td>", out);
		return;
	}
	percent = !strncmp(metric->unit, "percent", strlen("percent"));
	fprintf(out, "<td%s>%s%.*f",
		percent && (metric->value < 0 || metric->value > 100)
			? " class=\"off\" title=\"outside 0..100\""
			: "",
		metric->scaled ? "~" : "", percent ? 1 : 3, metric->value);
	if (metric->bounded)
		fprintf(out, " ±%.*f", percent ? 2 : 4, metric->error);
	fputs("</td>", out);
}

static void print_bar(FILE *out, const struct written_row *all,
		      const struct written_row *row, const char *title)
{
	size_t i, colour = 0;

	fprintf(out, "<tr%s><td class=\"name\">",
		row == all ? " class=\"all\"" : "");
	print_text(out, title);
	fputs("</td><td><div class=\"bar\">", out);
	for (i = 0; i < all->count; i++) {
		if (!is_share(&all->list[i]))
			continue;
		fprintf(out,
			"<div style=\"flex:%.4f 0 0;background:%s\"></div>",
			drawn(written_row_find(row, all->list[i].name)),
			colours[colour++ % NUM_COLOURS]);
	}
	fputs("</div></td>", out);
	for (i = 0; i < all->count; i++)
		if (is_share(&all->list[i]))
			print_value(out,
				    written_row_find(row, all->list[i].name));
	fputs("</tr>\n", out);
}

static void print_bars(FILE *out, const struct metric_file *file)
{
	size_t i;

	fputs("<h2>Where the slots went</h2>\n", out);
	print_keys(out, &file->all);
	fputs("<div class=\"wide\"><table>\n<tr><th class=\"name\"></th><th></th>",
	      out);
	for (i = 0; i < file->all.count; i++) {
		if (!is_share(&file->all.list[i]))
			continue;
		fputs("<th>", out);
		print_text(out, file->all.list[i].name);
		fputs("</th>", out);
	}
	fputs("</tr>\n", out);
	for (i = 0; i < file->results.count; i++)
		print_bar(out, &file->all, &file->results.list[i],
			  file->results.list[i].title);
	print_bar(out, &file->all, &file->all, "all");
	fputs("</table></div>\n", out);
}

static void print_row(FILE *out, const struct written_row *all,
		      const struct written_row *row, const char *title)
{
	size_t i;

	fprintf(out, "<tr%s><td class=\"name\">",
		row == all ? " class=\"all\"" : "");
	print_text(out, title);
	fputs("</td>", out);
	for (i = 0; i < all->count; i++)
		print_value(out, written_row_find(row, all->list[i].name));
	fputs("</tr>\n", out);
}

static void print_table(FILE *out, const struct metric_file *file)
{
	const struct written_row *all = &file->all;
	size_t i;

	fputs("<h2>Metrics</h2>\n<div class=\"wide\"><table>\n<tr><th class=\"name\"></th>",
	      out);
	for (i = 0; i < all->count; i++) {
		fputs("<th>", out);
		print_text(out, all->list[i].name);
		fputs("<br><small>", out);
		print_text(out, all->list[i].unit);
		fputs("</small></th>", out);
	}
	fputs("</tr>\n", out);
	for (i = 0; i < file->results.count; i++)
		print_row(out, all, &file->results.list[i],
			  file->results.list[i].title);
	print_row(out, all, all, "all");
	fputs("</table></div>\n", out);
}

/* Draws the shares of one interval on top of each other. */
static void print_column(FILE *out, const struct written_row *all,
			 const struct written_row *interval, double begin,
			 double scale)
{
	double x = (interval->start - begin) * scale;
	double width = (interval->end - interval->start) * scale;
	double y = PLOT_HEIGHT, height;
	size_t i, colour = 0;

	for (i = 0; i < all->count; i++) {
		if (!is_share(&all->list[i]))
			continue;
		height = drawn(written_row_find(interval, all->list[i].name)) *
			 PLOT_HEIGHT / 100;
		y -= height;
		fprintf(out,
			"<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"><title>",
			x, y, width, height, colours[colour++ % NUM_COLOURS]);
		print_text(out, all->list[i].name);
		if (written_row_find(interval, all->list[i].name) &&
		    written_row_find(interval, all->list[i].name)->known)
			fprintf(out, " %.1f %%",
				written_row_find(interval, all->list[i].name)
					->value);
		fputs("</title></rect>\n", out);
	}
}

static void print_plot(FILE *out, const struct metric_file *file)
{
	const struct written_rows *intervals = &file->intervals;
	double begin, end;
	size_t i;

	if (!intervals->count)
		return;
	begin = intervals->list[0].start;
	end = intervals->list[intervals->count - 1].end;
	fprintf(out,
		"<h2>Over time</h2>\n<svg viewBox=\"-50 -10 %d %d\" shape-rendering=\"crispEdges\" width=\"%d\" role=\"img\">\n",
		PLOT_WIDTH + 80, PLOT_HEIGHT + 45, PLOT_WIDTH + 80);
	for (i = 0; i < intervals->count && end > begin; i++)
		print_column(out, &file->all, &intervals->list[i], begin,
			     PLOT_WIDTH / (end - begin));
	for (i = 0; i <= 4; i++) {
		fprintf(out,
			"<text x=\"-6\" y=\"%zu\" text-anchor=\"end\">%zu %%</text>\n",
			PLOT_HEIGHT - i * PLOT_HEIGHT / 4 + 4, i * 25);
		fprintf(out,
			"<text x=\"%zu\" y=\"%d\" text-anchor=\"middle\">%.3g s</text>\n",
			i * PLOT_WIDTH / 4, PLOT_HEIGHT + 20,
			(end - begin) * i / 4 / 1e9);
	}
	fputs("</svg>\n", out);
}

static void print_page(FILE *out, const struct metric_file *file,
		       const char *title)
{
	if (!title)
		title = *file->command ? file->command : "Metrics";
	fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><title>", out);
	print_text(out, title);
	fprintf(out, "</title>\n%s</head><body>\n<h1>", style);
	print_text(out, title);
	fputs("</h1>\n<p>Model: ", out);
	print_text(out, file->model);
	fputs("</p>\n", out);
	print_bars(out, file);
	print_plot(out, file);
	print_table(out, file);
	fputs("</body></html>\n", out);
}

int topdown_page(const struct report_input *input, const char *title,
		 const char *outfile)
{
	struct outfile output = { .name = outfile, .file = stdout };
	struct metric_file file;
	int err = metric_file_read(&file, input);

	if (!err && outfile)
		output.file = fopen(outfile, "we");
	if (!err && !output.file) {
		say_error("cannot open '%s' for the page: %s", outfile,
			  strerror(errno));
		err = -1;
	}
	if (!err) {
		print_page(output.file, &file, title);
		err = outfile ? outfile_close(&output)
			      : outfile_finish_stdout();
	}
	metric_file_free(&file);
	return err;
}
