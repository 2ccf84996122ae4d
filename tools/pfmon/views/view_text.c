// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints views as tables, see view_text.h.
 */
#include <inttypes.h>

#include "views/view_forms.h"

/* A column of percent has "-" where there is nothing to divide by. */
static void print_share(FILE *out, uint64_t part, uint64_t whole)
{
	if (whole)
		fprintf(out, " %6.2f", 100.0 * part / whole);
	else
		fputs("      -", out);
}

static void print_names(FILE *out, const struct view *view)
{
	static const char *const rows[] = {
		[VIEW_INSTRUCTIONS] = "instruction",
		[VIEW_DATA] = "data",
		[VIEW_ADDRESSES] = "address",
		[VIEW_LINES] = "threads line",
	};

	fputs("#samples    loads   stores   misses  %self   %cum"
	      "    %L2    %L3  %peer   %RAM %other   %n/k"
	      "    L1tlb    L2tlb  latency median    p90    max   %lat ",
	      out);
	fprintf(out, "%s\n", rows[view->kind]);
}

static void print_latency(FILE *out, const struct cycles *latency)
{
	fprintf(out, " %8" PRIu64, latency->count);
	if (latency->count)
		fprintf(out, " %6u %6u %6u", cycles_percentile(latency, 50),
			cycles_percentile(latency, 90), latency->max);
	else
		fputs("      -      -      -", out);
}

/* @before: misses of the rows above, for the column of sums. */
static void print_misses(FILE *out, const struct view *view,
			 const struct misses *misses, uint64_t before)
{
	uint64_t all = misses_all(misses);
	enum ibs_level level;

	fprintf(out, "%8" PRIu64 " %8" PRIu64 " %8" PRIu64 " %8" PRIu64,
		misses->samples, misses->loads, misses->stores, all);
	print_share(out, all, misses_all(&view->total));
	print_share(out, before + all, misses_all(&view->total));
	for (level = 0; level < NUM_IBS_LEVELS; level++)
		print_share(out, misses->levels[level], misses->load_misses);
	fprintf(out, " %8" PRIu64 " %8" PRIu64, misses->l1_tlb_misses,
		misses->l2_tlb_misses);
	print_latency(out, &misses->latency);
	print_share(out, misses->latency.sum, view->total.latency.sum);
	fputc(' ', out);
}

/* Bytes as ranges: "0-7 16". */
static void print_bytes(FILE *out, uint64_t bytes)
{
	unsigned int first, last;

	for (first = 0; first < LINE_BYTES; first = last + 1) {
		last = first;
		if (!(bytes >> first & 1))
			continue;
		while (last + 1 < LINE_BYTES && bytes >> (last + 1) & 1)
			last++;
		fprintf(out, first == last ? " %u" : " %u-%u", first, last);
	}
}

static void print_sharer(FILE *out, const struct sharer *sharer)
{
	fprintf(out, "#   thread %" PRIu32, sharer->tid);
	if (sharer->read) {
		fputs(" loads bytes", out);
		print_bytes(out, sharer->read);
	}
	if (sharer->written) {
		fputs(sharer->read ? ", stores bytes" : " stores bytes", out);
		print_bytes(out, sharer->written);
	}
	fputc('\n', out);
}

static void print_sharing(FILE *out, const struct group *group)
{
	const char *text = view_sharing_text(group->sharing);

	if (*text)
		fprintf(out, ", %s", text);
}

static void print_threads(FILE *out, const struct group *group)
{
	const struct sharers *sharers = &group->sharers;
	size_t i;

	if (group->sharing == SHARING_PRIVATE)
		return;
	for (i = 0; i < sharers->count; i++)
		print_sharer(out, &sharers->list[i]);
	if (sharers->beyond)
		fprintf(out,
			"#   threads beyond the first %d: %" PRIu64
			" accesses\n",
			SHARERS_MAX, sharers->beyond);
	if (sharers->unknown)
		fprintf(out,
			"#   accesses whose bytes are not known: %" PRIu64 "\n",
			sharers->unknown);
}

static void print_row(FILE *out, const struct view *view,
		      const struct group *group, uint64_t before)
{
	print_misses(out, view, &group->misses, before);
	if (view->kind == VIEW_LINES)
		fprintf(out, "%6zu%c ", group->sharers.count,
			group->sharers.beyond ? '+' : ' ');
	view_print_label(out, view, group);
	if (view->kind == VIEW_LINES)
		print_sharing(out, group);
	fputc('\n', out);
	if (view->kind == VIEW_LINES)
		print_threads(out, group);
}

/* Returns the misses of all rows, also of those that are not printed. */
static uint64_t print_rows(FILE *out, const struct view *view)
{
	uint64_t before = 0;
	size_t i;

	for (i = 0; i < view->groups.count; i++) {
		const struct group *group = &view->groups.list[i];

		if (!view->shown || i < view->shown)
			print_row(out, view, group, before);
		before += misses_all(&group->misses);
	}
	return before;
}

/* A row that is no group. */
static void print_rest(FILE *out, const struct view *view,
		       const struct misses *misses, uint64_t *before,
		       const char *label)
{
	if (!misses->samples)
		return;
	print_misses(out, view, misses, *before);
	*before += misses_all(misses);
	fprintf(out, "%s(%s)\n", view->kind == VIEW_LINES ? "      - " : "",
		label);
}

static void print_left_out(FILE *out, const struct view *view)
{
	const struct misses *total = &view->total;

	fprintf(out, "# samples: %" PRIu64 " of ops", total->samples);
	if (view->kind != VIEW_INSTRUCTIONS)
		fputs(" that load or store", out);
	if (view->no_access || view->fetches)
		fputs("; left out:", out);
	if (view->no_access)
		fprintf(out, " %" PRIu64 " that do neither%s", view->no_access,
			view->fetches ? "," : "");
	if (view->fetches)
		fprintf(out, " %" PRIu64 " of fetches", view->fetches);
	fprintf(out,
		"\n# not known: %" PRIu64 " hits or misses, %" PRIu64
		" of the TLB; of %" PRIu64 " load misses %" PRIu64
		" sources, %" PRIu64 " latencies\n",
		total->misses_unknown, total->tlb_unknown, total->load_misses,
		total->levels[IBS_LEVEL_NOT_KNOWN], total->latency_unknown);
}

void view_print_text(FILE *out, const struct view *view)
{
	uint64_t before;

	fprintf(out, "# view: %s of %s\n", view_names[view->kind], view->name);
	print_left_out(out, view);
	print_names(out, view);
	before = print_rows(out, view);
	if (view->shown && view->shown < view->groups.count)
		fprintf(out, "# %zu more rows: --view=%s has them all\n",
			view->groups.count - view->shown,
			view_names[view->kind]);
	print_rest(out, view, &view->others, &before, "beyond --max-rows");
	print_rest(out, view, &view->unknown, &before, "address not known");
	before = 0;
	print_rest(out, view, &view->total, &before, "total");
}
