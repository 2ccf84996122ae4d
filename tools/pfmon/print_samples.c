// SPDX-License-Identifier: GPL-2.0-only
/*
 * The choice of a form, and what any form leaves out.
 */
#include <inttypes.h>

#include "message.h"
#include "options.h"
#include "print_samples.h"
#include "sampling.h"

/* Time without counting that is worth a word, in thousandths of a second. */
#define GAP_MS	1.0

int print_samples(FILE *out, struct sampling *sampling)
{
	switch (sampling->options->smpl.output) {
	case SMPL_OUTPUT_FOLDED:
		return print_folded(out, sampling);
	case SMPL_OUTPUT_SPEEDSCOPE:
		return print_speedscope(out, sampling);
	case SMPL_OUTPUT_PPROF:
		return print_pprof(out, sampling);
	case SMPL_OUTPUT_PERF_SCRIPT:
		return print_perf_script(out, sampling);
	default:
		break;
	}
	switch (sampling->options->smpl.module) {
	case MODULE_DETAILED:
		return print_detailed(out, sampling);
	case MODULE_COMPACT:
		return print_compact(out, sampling);
	case MODULE_RAW:
		return print_raw(out, sampling);
	default:
		return print_profile(out, sampling);
	}
}

bool print_has_comments(const struct sampling *sampling)
{
	const struct smpl_options *smpl = &sampling->options->smpl;

	return smpl->output == SMPL_OUTPUT_TEXT && smpl->module != MODULE_RAW;
}

uint64_t print_missing(const struct sampling *sampling)
{
	const struct losses *losses = &sampling->losses;

	return losses->lost + losses->skipped + losses->errors;
}

double print_loss_percent(const struct sampling *sampling)
{
	const uint64_t missing = print_missing(sampling);
	const uint64_t all = sampling->losses.taken + missing;

	return all ? 100.0 * missing / all : 0;
}

/* A small loss is not none. */
static const char *percent_text(double percent, char *text, size_t size)
{
	if (percent > 0 && percent < 0.01)
		snprintf(text, size, "less than 0.01%%");
	else
		snprintf(text, size, "%.2f%%", percent);
	return text;
}

static void tell_lost(const struct sampling *sampling)
{
	const struct losses *losses = &sampling->losses;
	uint64_t all = print_missing(sampling);
	char percent[32];

	percent_text(print_loss_percent(sampling), percent, sizeof(percent));
	if (sampling->options->smpl.saturate) {
		if (all)
			say_note("%" PRIu64 " samples (%s) came when the buffer was full (--saturate-smpl-buffer)",
				 all, percent);
		return;
	}
	if (all)
		say_warning("%s of the samples were lost: %" PRIu64 " of %" PRIu64 " (%" PRIu64 " found the buffer full, %" PRIu64 " came faster than interrupts can, %" PRIu64 " were refused by the format); longer periods or more --smpl-entries lose fewer",
			    percent, all, losses->taken + all, losses->lost,
			    losses->skipped, losses->errors);
}

void print_losses(const struct sampling *sampling)
{
	const struct losses *losses = &sampling->losses;

	tell_lost(sampling);
	if (losses->stackless)
		say_warning("%" PRIu64 " samples lost their stack: the buffer was full of others; give more --smpl-entries",
			    losses->stackless);
	if (losses->throttled)
		say_warning("samples came so fast that counting was paused (%" PRIu64 " time%s, up to a millisecond each): counts and samples are missing; take longer periods",
			    losses->throttled,
			    losses->throttled == 1 ? "" : "s");
	if (losses->masked_ns / 1e6 >= GAP_MS)
		say_warning("nothing was counted for %.3f ms in total, while a full buffer was read (%" PRIu64 " time%s); --smpl-parts=4 goes on meanwhile, %smore --smpl-entries make it rarer",
			    losses->masked_ns / 1e6, losses->fills,
			    losses->fills == 1 ? "" : "s",
			    smpl_options_may_block(sampling->options) ?
			    "--overflow-block stops the command, " : "");
	if (sampling->profile.failed)
		say_warning("%" PRIu64 " samples are missing in the profile for lack of memory",
			    sampling->profile.failed);
	if (losses->inexact && (sampling->options->smpl.print_counts ||
				sampling->options->format != OUTPUT_TEXT))
		say_warning("the counts of events with random periods may lack the events since their last sample");
	if (losses->maps || sampling->symbols.maps.failed)
		say_warning("%" PRIu64 " mappings are not known for lack of memory: symbols are missing",
			    losses->maps + sampling->symbols.maps.failed);
}
