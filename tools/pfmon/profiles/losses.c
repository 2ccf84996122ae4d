// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples and time that are missing in a profile.
 */
#include <inttypes.h>

#include "base/message.h"
#include "options/options.h"
#include "profiles/losses.h"
#include "sampling/sampling.h"

/* Report time without counting from this length on, in milliseconds. */
#define GAP_MS 1.0

void print_due(const struct sampling *sampling, struct due *due)
{
	uint64_t taken = sampling->losses.taken;

	due->missing = sampling_missing(sampling);
	due->all = taken + due->missing;
	due->mark = "";
	if (!sampling_paused(sampling))
		return;
	due->mark = "at least ";
	if (!sampling_estimate(sampling, &due->all))
		return;
	due->mark = "~";
	due->missing = due->all - taken;
}

/* A small loss must not be rounded to none. */
const char *print_loss_percent(const struct sampling *sampling, char *text)
{
	double percent;
	struct due due;

	print_due(sampling, &due);
	percent = due.all ? 100.0 * due.missing / due.all : 0;
	if (percent > 0 && percent < 0.01)
		snprintf(text, PRINT_LOSS_ROOM, "less than 0.01%%");
	else
		snprintf(text, PRINT_LOSS_ROOM, "%s%.2f%%", due.mark, percent);
	return text;
}

const char *print_lost(const struct sampling *sampling, char *text)
{
	struct due due;

	print_due(sampling, &due);
	snprintf(text, PRINT_LOSS_ROOM,
		 "lost: %s%" PRIu64 " of %s%" PRIu64 " samples", due.mark,
		 due.missing, due.mark, due.all);
	return text;
}

const char *print_paused(const struct sampling *sampling, char *text)
{
	const struct losses *losses = &sampling->losses;
	char of[40] = "";

	if (!sampling_paused(sampling))
		return NULL;
	if (losses->running_ns)
		snprintf(of, sizeof(of), " of %.3f ms",
			 losses->running_ns / 1e6);
	snprintf(text, PRINT_LOSS_ROOM,
		 "paused: %.3f ms%s without counting (throttled %" PRIu64
		 " time%s for %.3f ms, buffer full for %.3f ms)",
		 sampling_paused_ns(sampling) / 1e6, of, losses->throttled,
		 losses->throttled == 1 ? "" : "s", losses->throttled_ns / 1e6,
		 losses->masked_ns / 1e6);
	return text;
}

void print_loss_comments(FILE *out, const struct sampling *sampling, bool all)
{
	char text[PRINT_LOSS_ROOM];

	if (!all && !sampling_missing(sampling) && !sampling_paused(sampling))
		return;
	fprintf(out, "# %s\n", print_lost(sampling, text));
	if (print_paused(sampling, text))
		fprintf(out, "# %s\n", text);
}

/* Nothing can be changed any more in a recording that is read from a file. */
static const char *advice(const struct sampling *sampling, const char *text)
{
	return sampling->past ? "" : text;
}

/* The option that makes the buffer larger, so that it is full less often */
static const char *more_room(const struct sampling *sampling)
{
	return sampling->options->smpl.module == MODULE_FORMAT
		       ? "larger buffers (see 'pfmon formats')"
		       : "more --smpl-entries";
}

static void tell_lost(const struct sampling *sampling)
{
	const struct losses *losses = &sampling->losses;
	uint64_t missing = sampling_missing(sampling);
	uint64_t all = losses->taken + missing;
	char percent[32], text[PRINT_LOSS_ROOM];

	if (!missing)
		return;
	if (100.0 * missing / all < 0.01)
		snprintf(percent, sizeof(percent), "less than 0.01%%");
	else
		snprintf(percent, sizeof(percent), "%.2f%%",
			 100.0 * missing / all);
	snprintf(text, sizeof(text), "; longer periods or %s lose fewer",
		 more_room(sampling));
	if (sampling->options->smpl.saturate)
		say_note(
			"%" PRIu64
			" samples (%s) came when the buffer was full (--saturate-smpl-buffer)",
			missing, percent);
	else
		say_warning("%s of the samples were lost: %" PRIu64
			    " of %" PRIu64 " (%" PRIu64
			    " found the buffer full, %" PRIu64
			    " came faster than interrupts can, %" PRIu64
			    " were refused by the format)%s",
			    percent, missing, all, losses->lost,
			    losses->skipped, losses->errors,
			    advice(sampling, text));
}

/*
 * Writes "; ~39119 of ~60100 samples that were due are missing" if that is known.
 */
static const char *estimate_text(const struct sampling *sampling, char *text)
{
	struct due due;

	*text = '\0';
	print_due(sampling, &due);
	if (*due.mark == '~')
		snprintf(text, PRINT_LOSS_ROOM,
			 "; ~%" PRIu64 " of ~%" PRIu64
			 " samples that were due are missing",
			 due.missing, due.all);
	return text;
}

/* Writes what makes it rarer that nothing is counted while a full buffer is read. */
static const char *gap_advice(const struct sampling *sampling, char *text)
{
	const struct smpl_options *smpl = &sampling->options->smpl;

	snprintf(text, PRINT_LOSS_ROOM, "; %s%s%s make it rarer",
		 smpl->parts > 1 || smpl->module == MODULE_FORMAT
			 ? ""
			 : "--smpl-parts=4 goes on meanwhile, ",
		 smpl_options_may_block(sampling->options)
			 ? "--overflow-block stops the command, "
			 : "",
		 more_room(sampling));
	return advice(sampling, text);
}

static void tell_pauses(const struct sampling *sampling)
{
	const struct losses *losses = &sampling->losses;
	char text[PRINT_LOSS_ROOM];

	if (losses->throttled)
		say_warning(
			"samples came so fast that counting was paused (%" PRIu64
			" time%s, %.3f ms in total): counts are lower bounds%s%s",
			losses->throttled, losses->throttled == 1 ? "" : "s",
			losses->throttled_ns / 1e6,
			estimate_text(sampling, text),
			advice(sampling, "; take longer periods"));
	if (losses->escapes) {
		snprintf(text, sizeof(text), "; %s make it rarer",
			 more_room(sampling));
		say_warning(
			"%" PRIu64
			" signal%s let the command run for %.3f ms without counting, while a full buffer was read%s",
			losses->escapes, losses->escapes == 1 ? "" : "s",
			losses->escaped_ns / 1e6, advice(sampling, text));
	}
	if (losses->masked_ns / 1e6 < GAP_MS)
		return;
	if (sampling->options->smpl.saturate)
		say_note(
			"nothing was counted for %.3f ms in total, after the buffer had become full (--saturate-smpl-buffer)",
			losses->masked_ns / 1e6);
	else
		say_warning(
			"nothing was counted for %.3f ms in total, while a full buffer was read (%" PRIu64
			" time%s)%s",
			losses->masked_ns / 1e6, losses->fills,
			losses->fills == 1 ? "" : "s",
			gap_advice(sampling, text));
}

void print_losses(const struct sampling *sampling)
{
	const struct losses *losses = &sampling->losses;

	tell_lost(sampling);
	if (losses->stackless)
		say_warning(
			"%" PRIu64
			" samples lost their stack: the buffer was full of others%s",
			losses->stackless,
			advice(sampling, "; give more --smpl-entries"));
	tell_pauses(sampling);
	if (sampling->profile.failed)
		say_warning(
			"%" PRIu64
			" samples are missing in the profile for lack of memory",
			sampling->profile.failed);
	if (losses->inexact && (sampling->options->smpl.print_counts ||
				sampling->options->format != OUTPUT_TEXT))
		say_warning(
			"%s",
			sampling->lanes.weightless
				? "the counts of events that sample lack the events of their samples: the entries of the format do not say how many events they stand for"
				: "the counts of events with random periods may lack the events since their last sample");
	if (losses->maps || sampling->symbols.maps.failed)
		say_warning(
			"%" PRIu64
			" mappings are not known, for lack of memory or time: symbols may be missing, or those of what was mapped before",
			losses->maps + sampling->symbols.maps.failed);
}
