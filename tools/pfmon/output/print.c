// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints warnings, samples and counts in the format that the command line asks
 * for.
 */
#include <stdbool.h>
#include <stdio.h>

#include "base/outfile.h"
#include "options/options.h"
#include "output/cpus.h"
#include "output/csv.h"
#include "output/header.h"
#include "output/json.h"
#include "output/losses.h"
#include "output/print.h"
#include "output/samples.h"
#include "output/text.h"
#include "output/warnings.h"
#include "sampling/sampling.h"
#include "session/session.h"

static void print_counts(FILE *out, const struct session *session, bool fresh)
{
	switch (session->options->format) {
	case OUTPUT_JSON:
		print_json(out, session);
		break;
	case OUTPUT_CSV:
		if (session->system)
			print_cpus_csv(out, session, fresh);
		else
			print_csv(out, session, fresh);
		break;
	default:
		if (session->system)
			print_cpus_text(out, session);
		else
			print_text(out, session);
	}
}

/* The samples are in the file already. */
static int finish_recording(struct sampling *sampling)
{
	if (sampling_end_recording(sampling))
		return -1;
	return outfile_close(&sampling->output) ? -1 : 0;
}

/* Prints the samples to their own file, or before the counts. */
static int print_sampling(struct outfile *output, const struct session *session)
{
	struct sampling *sampling = session->sampling;
	bool apart = sampling->output.file;
	FILE *out = apart ? sampling->output.file : output->file;
	int err;

	print_losses(sampling);
	if (sampling->options->smpl.module == MODULE_IBS)
		return finish_recording(sampling);
	if (apart && outfile_start(&sampling->output))
		return -1;
	if (session->options->with_header && print_has_comments(sampling))
		header_print(out, session);
	err = print_samples(out, sampling);
	if (apart && outfile_close(&sampling->output))
		err = -1;
	return err;
}

int print_results(struct outfile *output, const struct session *session)
{
	const struct options *options = session->options;
	bool counts = true;
	int err = 0;

	print_warnings(session);
	if (outfile_start(output)) {
		outfile_abandon(output);
		return -1;
	}
	if (session->sampling) {
		err = print_sampling(output, session);
		counts = options->smpl.print_counts ||
			 options->format != OUTPUT_TEXT;
	}
	if (counts)
		print_counts(output->file, session, output->fresh);
	return outfile_close(output) || err ? -1 : 0;
}
