// SPDX-License-Identifier: GPL-2.0-only
/*
 * Metrics as text.
 *
 * Where a line does not fit the terminal, remarks about the value move to lines of their own,
 * and so does the value; nothing is cut.
 */
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "metrics/evaluate.h"
#include "metrics/metric_forms.h"
#include "metrics/model.h"
#include "metrics/selection.h"
#include "metrics/tree.h"

#define REMARKS_MAX 5

/**
 * struct remarks - what there is to say of a value
 */
struct remarks {
	char text[REMARKS_MAX][METRIC_WHY_ROOM + 32];
	unsigned int count;
};

/**
 * struct layout - widths of the columns
 * @columns: of the terminal; 0 if it is none
 * @title: of indentation and title
 * @value: of the value
 * @unit: of the unit
 */
struct layout {
	unsigned int columns;
	int title;
	int value;
	int unit;
};

unsigned int metric_text_columns(FILE *out)
{
	struct winsize size;

	if (ioctl(fileno(out), TIOCGWINSZ, &size))
		return 0;
	return size.ws_col;
}

const char *metric_value_text(const struct metric *metric,
			      const struct metric_value *value, char *text)
{
	if (!value->known)
		return strcpy(text, "-");
	snprintf(text, METRIC_TEXT_ROOM, "%s%.*f",
		 value->scaled || value->low ? "~" : "",
		 metric_is_percent(metric) ? 1 : 3, value->value);
	if (strlen(text) > 16)
		snprintf(text, METRIC_TEXT_ROOM, "%s%g",
			 value->scaled || value->low ? "~" : "", value->value);
	return text;
}

/* Rounds a bound up to the decimals of its value: rounded down it is no bound. */
static double round_bound(const struct metric *metric, double error)
{
	double unit = metric_is_percent(metric) ? 10 : 1000;

	return ceil(error * unit) / unit;
}

const char *metric_bound_text(const struct metric *metric,
			      const struct metric_value *value, char *text)
{
	if (!value->known || !value->scaled || value->low)
		return strcpy(text, "");
	if (!value->bounded)
		return strcpy(text, "±?");
	snprintf(text, METRIC_TEXT_ROOM, "±%.*f",
		 metric_is_percent(metric) ? 1 : 3,
		 round_bound(metric, value->error));
	return text;
}

bool metric_is_outside(const struct metric *metric,
		       const struct metric_value *value)
{
	return value->known && metric_is_percent(metric) &&
	       (value->value < 0 || value->value > 100);
}

__attribute__((format(printf, 2, 3))) static void
remark(struct remarks *remarks, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(remarks->text[remarks->count++], sizeof(remarks->text[0]),
		  format, args);
	va_end(args);
}

static void collect_remarks(struct remarks *remarks,
			    const struct metric *metric,
			    const struct metric_value *value, bool dominant)
{
	char bound[METRIC_TEXT_ROOM];

	remarks->count = 0;
	if (!value->known) {
		remark(remarks, "no value: %s", value->why);
		return;
	}
	if (value->low)
		remark(remarks, "a count is a lower bound only");
	else if (value->scaled && value->bounded)
		remark(remarks, "%s", metric_bound_text(metric, value, bound));
	else if (value->scaled)
		remark(remarks, "error not known");
	if (metric_is_outside(metric, value))
		remark(remarks, "outside 0..100");
	if (dominant)
		remark(remarks, "<==");
	else if (value->marked)
		remark(remarks, "<-- exceeds the threshold");
}

/* Bytes that continue a character of UTF-8 have no width. */
int metric_text_width(const char *text)
{
	int width = 0;

	for (; *text; text++)
		width += (*text & 0xc0) != 0x80;
	return width;
}

/*
 * The unit beside a value: that of most nodes of a tree is in its title.  Other nodes are per
 * cent of the node above.  Returns the width on the terminal.
 */
static int print_unit(FILE *out, const struct metric *metric)
{
	const char *unit = metric->unit, *of = NULL;

	if (!strcmp(unit, "percent") && metric->parent)
		of = metric->parent->title;
	if (!strcmp(unit, "percent") || !strcmp(unit, "percent of slots"))
		unit = "%";
	if (out)
		fprintf(out, "%s%s%s", unit, of ? " of " : "", of ? of : "");
	return metric_text_width(unit) + (of ? 4 + metric_text_width(of) : 0);
}

static int indentation(const struct metric *metric)
{
	return 2 * (metric->level ? metric->level : 1);
}

static void measure(struct layout *layout,
		    const struct metric_selection *selection,
		    const struct metric_value *values)
{
	char text[METRIC_TEXT_ROOM];
	unsigned int i, k;
	int width;

	for (i = 0; i < selection->count; i++) {
		const struct metric_unit *unit = &selection->units[i];

		for (k = 0; k < unit->count; k++) {
			const struct metric *metric = unit->metrics[k];

			width = indentation(metric) +
				metric_text_width(metric->title);
			if (width > layout->title)
				layout->title = width;
			width = strlen(metric_value_text(
				metric, &values[unit->first + k], text));
			if (width > layout->value)
				layout->value = width;
			width = print_unit(NULL, metric);
			if (width > layout->unit)
				layout->unit = width;
		}
	}
}

static bool fits(const struct layout *layout, int width)
{
	return !layout->columns || width <= (int)layout->columns;
}

static void print_remarks(FILE *out, const struct layout *layout,
			  const struct remarks *remarks, int width, int pad)
{
	int all = width;
	unsigned int i;

	for (i = 0; i < remarks->count; i++)
		all += 2 + metric_text_width(remarks->text[i]);
	if (remarks->count && fits(layout, all)) {
		fprintf(out, "%*s", pad, "");
		for (i = 0; i < remarks->count; i++)
			fprintf(out, "  %s", remarks->text[i]);
	}
	fputc('\n', out);
	for (i = 0; !fits(layout, all) && i < remarks->count; i++)
		fprintf(out, "      %s\n", remarks->text[i]);
}

static void print_metric(FILE *out, const struct layout *layout,
			 const struct metric *metric,
			 const struct metric_value *value, bool dominant)
{
	int indent = indentation(metric);
	int pad = layout->title - indent - metric_text_width(metric->title);
	int width = layout->title + 2 + layout->value + 1 + layout->unit;
	char text[METRIC_TEXT_ROOM];
	struct remarks remarks;

	collect_remarks(&remarks, metric, value, dominant);
	fprintf(out, "%*s%s", indent, "", metric->title);
	if (!fits(layout, width)) {
		fprintf(out, "\n%*s", indent + 2, "");
		pad = 0;
		width = indent + 4 + layout->value + 1 + layout->unit;
	}
	fprintf(out, "%*s  %*s ", pad, "", layout->value,
		metric_value_text(metric, value, text));
	pad = layout->unit - print_unit(out, metric);
	print_remarks(out, layout, &remarks, width, pad);
}

static bool on_path(const struct dominant *dominant,
		    const struct metric *metric)
{
	unsigned int i;

	for (i = 0; i < dominant->length; i++)
		if (dominant->path[i] == metric)
			return true;
	return false;
}

/* True if all that the name of a metric or group stands for is selected. */
static bool contains(const struct metric_selection *selection, const char *name)
{
	const struct metric_model *model = selection->model;
	unsigned int i;

	for (i = 0; i < model->num_metrics; i++)
		if ((metric_in_group(&model->metrics[i], name) ||
		     !strcmp(model->metrics[i].name, name)) &&
		    !selection_has(selection, &model->metrics[i]))
			return false;
	return true;
}

/* True if the name is that of metrics which the tree has already. */
static bool is_in_tree(const struct metric_selection *selection,
		       const char *name)
{
	const struct metric_model *model = selection->model;
	unsigned int i;

	for (i = 0; i < model->num_metrics; i++)
		if ((metric_in_group(&model->metrics[i], name) ||
		     !strcmp(model->metrics[i].name, name)) &&
		    !model->metrics[i].level)
			return false;
	return contains(selection, name);
}

/* Prints the advice of a node; nothing if the tree has all of it. */
static void print_advice(FILE *out, const struct metric_selection *selection,
			 const struct metric *node)
{
	const char *separator = " ";
	bool counted = true, any = false;
	unsigned int i;

	for (i = 0; i < node->next.count; i++) {
		any |= !is_in_tree(selection, node->next.list[i]);
		counted &= contains(selection, node->next.list[i]);
	}
	if (!any)
		return;
	fprintf(out, "look at next, for '%s':%s", node->title,
		counted ? "" : " -M");
	for (i = 0; i < node->next.count; i++) {
		if (is_in_tree(selection, node->next.list[i]))
			continue;
		fprintf(out, "%s%s", separator, node->next.list[i]);
		separator = ",";
	}
	fputc('\n', out);
}

/* The last node of the path that has an advice says what to look at. */
static void print_next(FILE *out, const struct metric_selection *selection,
		       const struct dominant *dominant)
{
	const struct metric *node = NULL;
	unsigned int i;

	for (i = 0; i < dominant->length; i++)
		if (dominant->path[i]->next.count)
			node = dominant->path[i];
	if (node)
		print_advice(out, selection, node);
}

void metric_text_print(FILE *out, const struct metric_selection *selection,
		       const struct metric_value *values, unsigned int columns)
{
	struct layout layout = { .columns = columns };
	struct dominant dominant;
	struct tree_sum sum;
	bool tree = false;
	unsigned int i, k;

	measure(&layout, selection, values);
	dominant_find(&dominant, selection, values);
	for (i = 0; i < selection->count; i++) {
		const struct metric_unit *unit = &selection->units[i];

		tree |= unit->tree;
		if (unit->group)
			fprintf(out, "%s (%s):\n", unit->title,
				unit->metrics[0]->level ? unit->metrics[0]->unit
							: unit->name);
		for (k = 0; k < unit->count; k++)
			print_metric(out, &layout, unit->metrics[k],
				     &values[unit->first + k],
				     unit->tree && on_path(&dominant,
							   unit->metrics[k]));
	}
	tree_sum_find(&sum, selection, values);
	if (tree_sum_is_off(&sum)) {
		tree_sum_print(out, sum.value);
		fputc('\n', out);
	}
	if (tree)
		print_next(out, selection, &dominant);
}
