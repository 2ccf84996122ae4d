// SPDX-License-Identifier: GPL-2.0-only
/*
 * A page of metrics: a bar with the shares of level 1 for each process or CPU, plots over time if
 * intervals were recorded, and a table of all metrics.  The page has no program: what is drawn is
 * plain HTML and SVG.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/outfile.h"
#include "metrics/metric_file.h"
#include "metrics/tree.h"
#include "report/html.h"
#include "report/pages.h"
#include "report/report_input.h"

/* clang-format off */
static const char style[] =
"<meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\n"
"<style>\n"
"body { font: 15px/1.4 sans-serif; margin: 1.5em; color: #222; background: #fff }\n"
"table { border-collapse: collapse } td, th { padding: .15em .7em; text-align: right }\n"
"th { border-bottom: 1px solid #999 } td.name, th.name { text-align: left; white-space: nowrap }\n"
"tr.all td { font-weight: bold } .wide { overflow-x: auto }\n"
".key { display: inline-block; width: 1em; height: 1em; margin: 0 .4em 0 1.2em; vertical-align: -.1em }\n"
"svg { max-width: 100%; height: auto } text { font: 12px sans-serif; fill: #222 }\n"
"svg.bar { width: 32em; height: 1.3em; display: block }\n"
"td.off, p.off { color: #b00 } text.off { fill: #b00; font-weight: bold }\n"
"rect.off { stroke: #b00; stroke-width: 2px; stroke-dasharray: 4 2; vector-effect: non-scaling-stroke }\n"
".edge, .grid { stroke: #999; fill: none; stroke-width: 1px; vector-effect: non-scaling-stroke }\n"
".edge { stroke: #222 } .grid { stroke-opacity: .5 }\n"
".line { stroke: #0072b2; fill: none; stroke-width: 1.5px } .bound { fill: #0072b2; fill-opacity: .2 }\n"
".step { fill: #000; fill-opacity: 0 } .step:hover { fill-opacity: .06 }\n"
".small { display: flex; flex-wrap: wrap } figure { margin: .5em 1.5em .5em 0 } figure p { color: #666 }\n"
".plot { display: none } .plots > input { position: absolute; opacity: 0 }\n"
".plots > label { display: inline-block; border: 1px solid #999; border-radius: .3em; padding: .1em .6em; margin: .15em; cursor: pointer }\n"
".plots > input:checked + label { background: #0072b2; border-color: #0072b2; color: #fff }\n"
".plots > input:focus-visible + label { outline: 2px solid #e69f00 }\n"
"</style>\n";
/* clang-format on */

/* A cell; what it has no room for is said when it is pointed at. */
static void print_cell(FILE *out, const struct written_metric *metric)
{
	if (metric && !metric->known) {
		fputs("<td title=\"", out);
		html_print(out, metric->why);
		fputs("\">", out);
	} else if (metric && written_is_outside(metric)) {
		fputs("<td class=\"off\" title=\"outside 0..100\">", out);
	} else {
		fputs("<td>", out);
	}
	html_print_value(out, metric);
	fputs("</td>", out);
}

static void print_row(FILE *out, const struct written_row *all,
		      const struct written_row *row, const char *title)
{
	size_t i;

	fprintf(out, "<tr%s><td class=\"name\">",
		row == all ? " class=\"all\"" : "");
	html_print(out, title);
	fputs("</td>", out);
	for (i = 0; i < all->count; i++)
		print_cell(out, written_row_find(row, all->list[i].name));
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
		html_print(out, all->list[i].name);
		fputs("<br><small>", out);
		html_print(out, all->list[i].unit);
		fputs("</small></th>", out);
	}
	fputs("</tr>\n", out);
	for (i = 0; i < file->results.count; i++)
		print_row(out, all, &file->results.list[i],
			  file->results.list[i].title);
	print_row(out, all, all, "all");
	fputs("</table></div>\n", out);
}

/* Says why there are no values, once for each metric and reason. */
static void print_reasons(FILE *out, const struct metric_file *file)
{
	const struct written_row *all = &file->all;
	size_t i;

	for (i = 0; i < all->count; i++) {
		if (all->list[i].known)
			continue;
		fputs("<p>", out);
		html_print(out, all->list[i].name);
		fputs(": no value", out);
		if (*all->list[i].why) {
			fputs(": ", out);
			html_print(out, all->list[i].why);
		}
		fputs("</p>\n", out);
	}
}

static void print_sum(FILE *out, const struct written_row *row,
		      const char *title)
{
	if (!row->off)
		return;
	fputs("<p class=\"off\">", out);
	html_print(out, title);
	fputs(": ", out);
	tree_sum_print(out, row->sum);
	fputs("</p>\n", out);
}

/* Says where the shares of level 1 do not add up to 100 %. */
static void print_sums(FILE *out, const struct metric_file *file)
{
	size_t i;

	for (i = 0; i < file->results.count; i++)
		print_sum(out, &file->results.list[i],
			  file->results.list[i].title);
	print_sum(out, &file->all, "all");
}

static void print_page(FILE *out, const struct metric_file *file,
		       const char *title)
{
	if (!title)
		title = *file->command ? file->command : "Metrics";
	fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><title>", out);
	html_print(out, title);
	fprintf(out, "</title>\n%s</head><body>\n<h1>", style);
	html_print(out, title);
	fputs("</h1>\n<p>Model: ", out);
	html_print(out, file->model);
	fputs("</p>\n", out);
	share_bars_print(out, file);
	time_plots_print(out, file);
	print_table(out, file);
	print_reasons(out, file);
	print_sums(out, file);
	fputs("</body></html>\n", out);
}

int topdown_page(const struct report_input *input, const char *title,
		 const char *outfile)
{
	struct outfile output = { .name = outfile, .file = stdout };
	struct metric_file file;
	int err = metric_file_read(&file, input->name, input->in);

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
