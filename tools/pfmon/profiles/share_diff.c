// SPDX-License-Identifier: GPL-2.0-only
/*
 * The same rows of two profiles beside each other.
 *
 * A share is known up to the error of drawing a sample.  A change that drawing explains is called
 * noise.  The threshold depends on the number of rows: of a hundred rows that have not changed, five
 * would pass a test at 5 %.
 */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "events/event_list.h"
#include "profiles/losses.h"
#include "profiles/share_diff.h"
#include "profiles/shares.h"
#include "sampling/sampling.h"

/* Chance that any row of a table is called a change and is none. */
#define CHANCE 0.05

/* With fewer samples of a row in both profiles together, nothing is said of it. */
#define SAMPLES_MIN 10

/* Standard deviations to both sides that 95 % of the drawings are within. */
#define DEVIATIONS 1.96

/**
 * struct share_change - a row
 * @texts: for each key of the table what the row is about; NULL for other keys
 * @tally: its samples in both profiles
 * @share: its shares, per cent
 * @error: what drawing explains in 95 of 100 cases, in per cent of all samples
 * @chance: chance of such a difference between profiles of equal shares
 */
struct share_change {
	char *const *texts;
	struct tally tally[2];
	double share[2];
	double error;
	double chance;
};

/**
 * struct diff - the table of an event
 * @both: the rows of each profile
 * @list: the rows of both
 * @count: elements of @list
 */
struct diff {
	struct shares both[2];
	struct share_change *list;
	size_t count;
};

static double size_of(const struct share_change *change)
{
	return fabs(change->share[1] - change->share[0]);
}

static int by_size(const void *a, const void *b)
{
	const struct share_change *x = a, *y = b;

	if (size_of(x) != size_of(y))
		return size_of(x) > size_of(y) ? -1 : 1;
	if (x->share[0] != y->share[0])
		return x->share[0] > y->share[0] ? -1 : 1;
	return 0;
}

/* The shares of two drawings from the same samples differ by this standard deviation. */
static void judge(const struct diff *diff, struct share_change *change)
{
	double all[2], together, deviation;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		all[i] = diff->both[i].total.count;
		change->share[i] =
			shares_percent(&diff->both[i], &change->tally[i]);
	}
	change->chance = 1;
	if (!all[0] || !all[1])
		return;
	together = (change->tally[0].count + change->tally[1].count) /
		   (all[0] + all[1]);
	deviation = 100 *
		    sqrt(together * (1 - together) * (1 / all[0] + 1 / all[1]));
	change->error = DEVIATIONS * deviation;
	if (deviation > 0)
		change->chance = erfc(size_of(change) / deviation / M_SQRT2);
}

/* Rows of both profiles, which are in the order of what they are about. */
static void join(struct diff *diff)
{
	const struct shares *a = &diff->both[0], *b = &diff->both[1];
	size_t i = 0, k = 0;

	while (i < a->count || k < b->count) {
		struct share_change *change = &diff->list[diff->count++];
		int order = i == a->count ? 1
			    : k == b->count
				    ? -1
				    : shares_compare(&a->list[i], &b->list[k]);

		change->texts = order > 0 ? b->list[k].texts : a->list[i].texts;
		if (order <= 0)
			change->tally[0] = a->list[i++].tally;
		if (order >= 0)
			change->tally[1] = b->list[k++].tally;
		judge(diff, change);
	}
	qsort(diff->list, diff->count, sizeof(*diff->list), by_size);
}

static const char *verdict(const struct diff *diff,
			   const struct share_change *change)
{
	if (change->tally[0].count + change->tally[1].count < SAMPLES_MIN)
		return "few";
	return change->chance * diff->count < CHANCE ? "" : "noise";
}

static void print_rows(FILE *out, const struct diff *diff,
		       const struct share_diff_request *request)
{
	int widths[NUM_SHARE_KEYS];
	size_t i;
	unsigned int k;

	for (k = 0; k < NUM_SHARE_KEYS; k++)
		widths[k] = diff->both[diff->both[1].widths[k] >
				       diff->both[0].widths[k]]
				    .widths[k];
	fprintf(out, "#     a        b     b - a  %6s       ", "error");
	shares_print_texts(out, widths, share_key_names, request->keys);
	for (i = 0; i < diff->count; i++) {
		const struct share_change *change = &diff->list[i];

		if (size_of(change) < request->limit)
			break;
		fprintf(out, " %6.2f%%  %6.2f%%  %+7.2f  %6.2f  %-5s",
			change->share[0], change->share[1],
			change->share[1] - change->share[0], change->error,
			verdict(diff, change));
		shares_print_texts(out, widths,
				   (const char *const *)change->texts,
				   request->keys);
	}
	if (i < diff->count)
		fprintf(out,
			"# %zu rows that have changed by less than %g are left out\n",
			diff->count - i, request->limit);
}

/* How much there was in each: shares say nothing about that. */
static void print_totals(FILE *out, const struct diff *diff, const char *label)
{
	const struct tally *a = &diff->both[0].total, *b = &diff->both[1].total;

	fprintf(out, "#\n# %s: a %" PRIu64 ", b %" PRIu64 " samples", label,
		a->count, b->count);
	if (a->weight && b->weight)
		fprintf(out,
			", which stand for %" PRIu64 " and %" PRIu64
			" events (%+.1f%%)",
			a->weight, b->weight,
			100.0 * ((double)b->weight - (double)a->weight) /
				a->weight);
	fputc('\n', out);
}

static const char *label_of(const struct sampling *sampling, size_t event)
{
	return sampling->events->list[sampling->periods.list[event].event].label;
}

static int print_event(FILE *out, struct sampling *const both[2],
		       const size_t *events,
		       const struct share_diff_request *request)
{
	struct diff diff = { 0 };
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < 2; i++) {
		struct shares *shares = &diff.both[i];

		err = shares_make(shares, both[i], events[i], request->keys,
				  request->readers[i]);
		if (!err)
			qsort(shares->list, shares->count,
			      sizeof(*shares->list), shares_compare);
	}
	if (!err) {
		diff.list = calloc(diff.both[0].count + diff.both[1].count + 1,
				   sizeof(*diff.list));
		err = diff.list ? 0 : -1;
		if (err)
			say_error("out of memory for the table");
	}
	if (!err) {
		join(&diff);
		print_totals(out, &diff, label_of(both[0], events[0]));
		if (diff.count)
			print_rows(out, &diff, request);
	}
	free(diff.list);
	shares_free(&diff.both[0]);
	shares_free(&diff.both[1]);
	return err;
}

/* The event of that label; the number of events if there is none. */
static size_t find_event(const struct sampling *sampling, const char *label)
{
	size_t i;

	for (i = 0; i < sampling->periods.count; i++)
		if (!strcmp(label_of(sampling, i), label))
			break;
	return i;
}

/* Events that only one of the profiles has. */
static void tell_missing(struct sampling *const both[2],
			 const char *const names[2])
{
	unsigned int k;
	size_t i;

	for (k = 0; k < 2; k++)
		for (i = 0; i < both[k]->periods.count; i++)
			if (find_event(both[!k], label_of(both[k], i)) ==
			    both[!k]->periods.count)
				say_note("'%s' is sampled in '%s' only",
					 label_of(both[k], i), names[k]);
}

static void print_losses_of(FILE *out, struct sampling *sampling, char letter,
			    const char *name)
{
	char text[PRINT_LOSS_ROOM];

	fprintf(out, "# %c: %s, %s\n", letter, name,
		print_lost(sampling, text));
	if (print_paused(sampling, text))
		fprintf(out, "# %c: %s\n", letter, text);
}

int share_diff_print(FILE *out, struct sampling *const both[2],
		     const char *const names[2],
		     const struct share_diff_request *request)
{
	size_t events[2], common = 0;

	for (events[0] = 0; events[0] < both[0]->periods.count; events[0]++)
		common += find_event(both[1], label_of(both[0], events[0])) <
			  both[1]->periods.count;
	if (!common) {
		say_error(
			"'%s' has samples of %s, '%s' of %s; record both with the same event (-e) and levels (-u, -k)",
			names[0], label_of(both[0], 0), names[1],
			label_of(both[1], 0));
		return -1;
	}
	tell_missing(both, names);
	print_losses_of(out, both[0], 'a', names[0]);
	print_losses_of(out, both[1], 'b', names[1]);
	fputs("# error: what drawing samples explains in 95 of 100 cases; how much runs differ is not in it\n",
	      out);
	for (events[0] = 0; events[0] < both[0]->periods.count; events[0]++) {
		events[1] = find_event(both[1], label_of(both[0], events[0]));
		if (events[1] < both[1]->periods.count &&
		    print_event(out, both, events, request))
			return -1;
	}
	return 0;
}
