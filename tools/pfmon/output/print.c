// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints warnings, samples and counts in the format that the command line asks
 * for.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/outfile.h"
#include "events/event_names.h"
#include "metrics/metric_plan.h"
#include "metrics/model.h"
#include "options/options.h"
#include "output/notes.h"
#include "output/outcome.h"
#include "output/print.h"
#include "output/rows.h"
#include "plan/plan.h"
#include "profiles/losses.h"
#include "profiles/samples.h"
#include "sampling/sampling.h"
#include "session/session.h"

/*
 * The first line says what was left out, unless the intervals or the samples before the counts
 * have said it already.
 */
static void begin_counts(FILE *out, const struct outcome *outcome)
{
	const struct sampling *sampling = outcome->session->sampling;

	if (outcome->session->options->format != OUTPUT_TEXT ||
	    outcome->session->options->scope.interval_ns ||
	    outcome->session->options->stat.user_only)
		return;
	if (sampling && !sampling->output.file && print_tells_levels(sampling))
		return;
	event_labels_print_left_out(out, outcome->events);
}

static int print_rows(FILE *out, const struct rows *rows, bool fresh)
{
	switch (rows->outcome->session->options->format) {
	case OUTPUT_JSON:
		print_json(out, rows);
		return 0;
	case OUTPUT_CSV:
		print_csv(out, rows, fresh);
		return 0;
	default:
		return print_text(out, rows);
	}
}

static int print_counts(FILE *out, const struct outcome *outcome, bool fresh)
{
	struct rows rows;
	int err = rows_take(&rows, outcome);

	if (!err)
		err = print_rows(out, &rows, fresh);
	rows_free(&rows);
	return err;
}

static int print_type(struct outfile *output, const struct session *session,
		      const struct plan_part *part)
{
	struct results results;
	struct outcome outcome;
	int err = outcome_of_part(&outcome, &results, session, part);

	if (!err) {
		print_warnings(&outcome);
		if (outcome.first)
			begin_counts(output->file, &outcome);
		if (session->options->format == OUTPUT_TEXT)
			fprintf(output->file, "# %s, CPU%s %s\n",
				part->metrics->model->title,
				strpbrk(part->list, "-,") ? "s" : "",
				part->list);
		err = print_counts(output->file, &outcome, output->fresh);
	}
	results_free(&results);
	return err;
}

/* Prints the counts of each type of CPUs: those of different types are not added up. */
static int print_types(struct outfile *output, const struct session *session)
{
	const struct plan *plan = session->plan;
	unsigned int i;
	int err = 0;

	if (outfile_start(output)) {
		outfile_abandon(output);
		return -1;
	}
	for (i = 0; !err && i < plan->count; i++)
		err = print_type(output, session, &plan->parts[i]);
	return outfile_close(output) || err ? -1 : 0;
}

/* The samples are in the file already. */
static int finish_recording(struct sampling *sampling)
{
	const struct sampling_sink *sink = sampling->sink;

	if (sink ? sink->end(sink->arg) : sampling_end_recording(sampling))
		return -1;
	return outfile_close(&sampling->output) ? -1 : 0;
}

/* Prints the samples to their own file, or before the counts. */
static int print_sampling(struct outfile *output, const struct outcome *outcome)
{
	struct sampling *sampling = outcome->session->sampling;
	bool apart = sampling->output.file;
	FILE *out = apart ? sampling->output.file : output->file;
	int err;

	print_losses(sampling);
	if (sampling->sink || sampling->options->smpl.module == MODULE_IBS)
		return finish_recording(sampling);
	if (apart && outfile_start(&sampling->output))
		return -1;
	if (print_tells_levels(sampling))
		event_labels_print_left_out(out, outcome->events);
	if (outcome->session->options->with_header &&
	    print_has_comments(sampling))
		header_print(out, outcome);
	err = print_samples(out, sampling);
	if (apart && outfile_close(&sampling->output))
		err = -1;
	return err;
}

int print_results(struct outfile *output, const struct session *session)
{
	const struct outcome outcome = outcome_of(session);
	const struct options *options = session->options;
	bool counts = true;
	int err = 0;

	if (session->plan->count > 1)
		return print_types(output, session);
	print_warnings(&outcome);
	if (outfile_start(output)) {
		outfile_abandon(output);
		return -1;
	}
	if (session->sampling) {
		err = print_sampling(output, &outcome);
		counts = options->smpl.print_counts ||
			 options->format != OUTPUT_TEXT;
	}
	if (counts) {
		begin_counts(output->file, &outcome);
		if (print_counts(output->file, &outcome, output->fresh))
			err = -1;
	}
	return outfile_close(output) || err ? -1 : 0;
}
