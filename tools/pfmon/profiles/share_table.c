// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints a table of shares.
 */
#include <inttypes.h>

#include "estimate/proportion.h"
#include "events/event_list.h"
#include "profiles/losses.h"
#include "profiles/precision.h"
#include "profiles/share_table.h"
#include "sampling/sampling.h"

/* A mix of instructions is a statement about the program, not only about the samples. */
static void print_bounds(FILE *out, const struct shares *shares,
			 const struct share *share)
{
	const struct proportion bounds =
		proportion_bounds(shares_percent(shares, &share->tally) / 100,
				  shares->total.count);

	fprintf(out, "  %6.2f %6.2f%%", 100 * bounds.low, 100 * bounds.high);
}

static void print_rows(FILE *out, const struct shares *shares,
		       const struct share_request *request)
{
	const bool bounds = request->keys & SHARE_INSTRUCTION_KEYS;
	struct tally rest = { 0 };
	size_t i;

	fprintf(out, "#  share    samples%s", bounds ? "      95% bounds" : "");
	shares_print_texts(out, shares->widths, share_key_names, request->keys);
	for (i = 0; i < shares->count; i++) {
		const struct share *share = &shares->list[i];

		if (shares_percent(shares, &share->tally) < request->limit)
			break;
		fprintf(out, " %6.2f%% %10" PRIu64,
			shares_percent(shares, &share->tally),
			share->tally.count);
		if (bounds)
			print_bounds(out, shares, share);
		shares_print_texts(out, shares->widths,
				   (const char *const *)share->texts,
				   request->keys);
	}
	if (i == shares->count)
		return;
	fprintf(out, "# %zu rows with less than %g%% each are left out: ",
		shares->count - i, request->limit);
	for (; i < shares->count; i++) {
		rest.count += shares->list[i].tally.count;
		rest.weight += shares->list[i].tally.weight;
	}
	fprintf(out, "%.2f%%, %" PRIu64 " samples\n",
		shares_percent(shares, &rest), rest.count);
}

static void print_title(FILE *out, const struct sampling *sampling,
			size_t event, const struct shares *shares)
{
	const struct period *period = &sampling->periods.list[event];

	fprintf(out, "# %s: %" PRIu64 " samples, ",
		sampling->events->list[period->event].label,
		shares->total.count);
	if (period->measured)
		fprintf(out, "%.6f s in total", shares->total.weight / 1e9);
	else if (period->frequency)
		fprintf(out, "of various periods for %" PRIu64 " a second",
			period->frequency);
	else
		fprintf(out, "period %" PRIu64, period->between);
	if (period->mask)
		fprintf(out, ", random mask 0x%" PRIx64, period->mask);
	fputs(sampling->latency ? ", by wall-clock time\n" : "\n", out);
}

static void print_notes(FILE *out, const struct sampling *sampling,
			size_t event)
{
	precision_print(out, sampling, event);
	if (sampling->periods.list[event].frequency)
		fputs("# bounds are approximate: the samples stand for various numbers of events\n",
		      out);
}

static int print_event(FILE *out, struct sampling *sampling, size_t event,
		       const struct share_request *request)
{
	struct shares shares;

	if (shares_make(&shares, sampling, event, request->keys,
			request->reader))
		return -1;
	print_title(out, sampling, event, &shares);
	if (request->keys & SHARE_INSTRUCTION_KEYS)
		print_notes(out, sampling, event);
	if (shares.count)
		print_rows(out, &shares, request);
	shares_free(&shares);
	return 0;
}

int share_table_print(FILE *out, struct sampling *sampling,
		      const struct share_request *request)
{
	size_t event;

	print_loss_comments(out, sampling, true);
	for (event = 0; event < sampling->periods.count; event++) {
		fputs("#\n", out);
		if (print_event(out, sampling, event, request))
			return -1;
	}
	return 0;
}
