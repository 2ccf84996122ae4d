// SPDX-License-Identifier: GPL-2.0-only
/*
 * 'pfmon report --from'.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/outfile.h"
#include "base/quoting.h"
#include "metrics/evaluate.h"
#include "metrics/metric_forms.h"
#include "metrics/metric_needs.h"
#include "metrics/model.h"
#include "metrics/model_find.h"
#include "metrics/selection.h"
#include "options/options.h"
#include "processor/machine.h"
#include "report/forms.h"

/**
 * struct counts_report - the metrics of one file
 * @selection: the metrics
 * @counts: one for each event of the model
 * @values: one for each metric of the selection
 */
struct counts_report {
	struct metric_selection selection;
	struct metric_count *counts;
	struct metric_value *values;
};

bool counts_request_any(const struct counts_request *request)
{
	return request->pmu || request->metric_file || request->names ||
	       request->topdown;
}

const char *counts_request_check(const struct counts_request *request)
{
	if (!request->pmu && !request->metric_file)
		return "--from needs --pmu=MODEL or --metric-file=FILE: the counts may be of another machine";
	if (request->level && metric_options_level(request->level) == 0)
		return "--topdown: the level is not a number from 1 to 16";
	return NULL;
}

static int select_metrics(struct metric_selection *selection,
			  const struct counts_request *request)
{
	unsigned int level =
		request->level ? metric_options_level(request->level) : 1;

	if (request->topdown && selection_topdown(selection, level))
		return -1;
	if (request->names && selection_names(selection, request->names))
		return -1;
	if (!request->topdown && !request->names)
		return selection_all(selection);
	return 0;
}

static int evaluate(struct counts_report *report)
{
	const struct metric_selection *selection = &report->selection;
	/* A file says nothing about how errors depend on each other. */
	const struct metric_counts counts = { .list = report->counts };
	unsigned int i, k;

	report->values =
		calloc(selection->num_metrics + 1, sizeof(*report->values));
	if (!report->values) {
		say_error("out of memory for the metrics");
		return -1;
	}
	for (i = 0; i < selection->count; i++)
		for (k = 0; k < selection->units[i].count; k++)
			metric_evaluate(
				selection->model,
				selection->units[i].metrics[k], &counts,
				&report->values[selection->units[i].first + k]);
	return 0;
}

/* A row for each metric, with those columns of 'pfmon --csv' that have a meaning here. */
static void write_csv(FILE *out, const struct counts_report *report)
{
	const struct metric_selection *selection = &report->selection;
	unsigned int i, k;

	fputs("type,event,value,scaled,error,at_least,unit,why\r\n", out);
	for (i = 0; i < selection->count; i++) {
		const struct metric_unit *unit = &selection->units[i];

		for (k = 0; k < unit->count; k++) {
			const struct metric_value *value =
				&report->values[unit->first + k];

			fputs("total-metric,", out);
			csv_field_print(out, unit->metrics[k]->name);
			fputc(',', out);
			if (value->known)
				fprintf(out, "%.12g", value->value);
			fprintf(out, ",%d,", value->scaled);
			if (value->known && value->scaled && value->bounded)
				fprintf(out, "%.12g", value->error);
			fprintf(out, ",%d,", value->low);
			csv_field_print(out, unit->metrics[k]->unit);
			fputc(',', out);
			csv_field_print(out, value->why);
			fputs("\r\n", out);
		}
	}
}

static int write_report(const struct counts_report *report,
			const struct counts_request *request)
{
	struct outfile output = { .name = request->outfile, .file = stdout };

	if (request->outfile) {
		output.file = fopen(request->outfile, "we");
		if (!output.file) {
			say_error("cannot open '%s': %s", request->outfile,
				  strerror(errno));
			return -1;
		}
	}
	if (request->json)
		metric_json_document(output.file, &report->selection,
				     report->values);
	else if (request->csv)
		write_csv(output.file, report);
	else
		metric_text_print(output.file, &report->selection,
				  report->values,
				  metric_text_columns(output.file));
	return request->outfile ? outfile_close(&output)
				: outfile_finish_stdout();
}

/* True if the file has counts of the event. */
static bool has_counts(void *arg, unsigned int event)
{
	const struct counts_report *report = arg;

	return report->counts[event].known;
}

int counts_report(const struct counts_request *request)
{
	struct counts_report report = { 0 };
	struct machine machine = { 0 };
	struct metric_model *model;
	int err;

	model = model_find(&machine, request->pmu, request->metric_file, false,
			   NULL);
	machine_free(&machine);
	if (!model)
		return -1;
	model->of_file = true;
	report.selection.model = model;
	report.counts = calloc(model->num_events + 1, sizeof(*report.counts));
	err = select_metrics(&report.selection, request);
	if (!err && !report.counts) {
		say_error("out of memory for the counts");
		err = -1;
	}
	if (!err)
		err = counts_file_read(request->from, model, report.counts);
	/* The file may have told constants. */
	if (!err)
		metric_needs_choose(model, has_counts, &report);
	if (!err)
		err = metric_needs_find(model);
	if (!err)
		err = evaluate(&report);
	if (!err)
		err = write_report(&report, request);
	selection_free(&report.selection);
	free(report.counts);
	free(report.values);
	model_free(model);
	return err;
}
