// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shares as JSON and CSV, see share_table.h.
 */
#include <inttypes.h>

#include "base/json_writer.h"
#include "base/message.h"
#include "base/quoting.h"
#include "estimate/proportion.h"
#include "events/event_list.h"
#include "profiles/losses.h"
#include "profiles/precision.h"
#include "profiles/share_table.h"
#include "sampling/sampling.h"

static const char *label_of(const struct sampling *sampling, size_t event)
{
	return sampling->events->list[sampling->periods.list[event].event].label;
}

static void json_figures(struct json *json, const struct shares *shares,
			 const struct tally *tally)
{
	const double share = shares_percent(shares, tally);
	const struct proportion bounds =
		proportion_bounds(share / 100, shares->total.count);

	jsonw_uint(json, "samples", tally->count);
	jsonw_uint(json, "events", tally->weight);
	jsonw_double(json, "share", share);
	jsonw_double(json, "low", 100 * bounds.low);
	jsonw_double(json, "high", 100 * bounds.high);
}

static void json_row(struct json *json, const struct shares *shares,
		     const struct share *share)
{
	unsigned int i;

	jsonw_line_object(json, NULL);
	for (i = 0; i < NUM_SHARE_KEYS; i++)
		if (share->texts[i])
			jsonw_string(json, share_key_names[i], share->texts[i]);
	json_figures(json, shares, &share->tally);
	jsonw_close(json);
}

/* Rows below the limit are added up, so that sums are those of all samples. */
static void json_rest(struct json *json, const struct shares *shares,
		      size_t from)
{
	struct tally rest = { 0 };
	size_t i;

	for (i = from; i < shares->count; i++) {
		rest.count += shares->list[i].tally.count;
		rest.weight += shares->list[i].tally.weight;
	}
	jsonw_line_object(json, "left_out");
	jsonw_uint(json, "rows", shares->count - from);
	jsonw_uint(json, "samples", rest.count);
	jsonw_uint(json, "events", rest.weight);
	jsonw_close(json);
}

static int json_event(struct json *json, struct sampling *sampling,
		      size_t event, const struct share_request *request)
{
	const struct period *period = &sampling->periods.list[event];
	struct shares shares;
	size_t i;

	if (shares_make(&shares, sampling, event, request->keys,
			request->reader))
		return -1;
	jsonw_object(json, NULL);
	jsonw_string(json, "event", label_of(sampling, event));
	jsonw_uint(json, "samples", shares.total.count);
	jsonw_uint(json, "events", shares.total.weight);
	if (!period->frequency && !period->measured)
		jsonw_uint(json, "period", period->between);
	else
		jsonw_null(json, "period");
	jsonw_uint(json, "precise_samples", precision_samples(sampling, event));
	jsonw_array(json, "rows");
	for (i = 0;
	     i < shares.count &&
	     shares_percent(&shares, &shares.list[i].tally) >= request->limit;
	     i++)
		json_row(json, &shares, &shares.list[i]);
	jsonw_close(json);
	json_rest(json, &shares, i);
	jsonw_close(json);
	shares_free(&shares);
	return 0;
}

int share_json_print(FILE *out, struct sampling *sampling,
		     const struct share_request *request)
{
	struct json json;
	size_t event;
	int err = 0;

	jsonw_begin(&json, out);
	jsonw_string(&json, "file", request->name);
	jsonw_uint(&json, "lost", sampling_missing(sampling));
	jsonw_array(&json, "events");
	for (event = 0; !err && event < sampling->periods.count; event++)
		err = json_event(&json, sampling, event, request);
	jsonw_close(&json);
	jsonw_finish(&json);
	return err;
}

static void csv_row(FILE *out, const char *label, const struct shares *shares,
		    const struct share *share)
{
	const double percent = shares_percent(shares, &share->tally);
	const struct proportion bounds =
		proportion_bounds(percent / 100, shares->total.count);
	unsigned int i;

	csv_field_print(out, label);
	for (i = 0; i < NUM_SHARE_KEYS; i++) {
		if (!share->texts[i])
			continue;
		fputc(',', out);
		csv_field_print(out, share->texts[i]);
	}
	fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%.4f,%.4f,%.4f\n",
		share->tally.count, share->tally.weight, percent,
		100 * bounds.low, 100 * bounds.high);
}

int share_csv_print(FILE *out, struct sampling *sampling,
		    const struct share_request *request)
{
	struct shares shares;
	size_t event, i;

	fputs("event", out);
	for (i = 0; i < NUM_SHARE_KEYS; i++)
		if (request->keys >> i & 1)
			fprintf(out, ",%s", share_key_names[i]);
	fputs(",samples,events,share,low,high\n", out);
	for (event = 0; event < sampling->periods.count; event++) {
		if (shares_make(&shares, sampling, event, request->keys,
				request->reader))
			return -1;
		for (i = 0; i < shares.count; i++) {
			const struct share *share = &shares.list[i];

			if (shares_percent(&shares, &share->tally) <
			    request->limit)
				break;
			csv_row(out, label_of(sampling, event), &shares, share);
		}
		if (i < shares.count)
			say_note(
				"%zu rows with less than %g%% each are left out",
				shares.count - i, request->limit);
		shares_free(&shares);
	}
	return 0;
}
