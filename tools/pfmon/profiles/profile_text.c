// SPDX-License-Identifier: GPL-2.0-only
/*
 * Profiles as text: how often each address, function or stack was sampled.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "events/event_list.h"
#include "options/options.h"
#include "profiles/profile_forms.h"
#include "profiles/losses.h"
#include "sampling/sampling.h"

/**
 * struct row - a line of a profile
 * @result: profile that it belongs to: number of the group that names it
 * @stack: the first of the stacks that it adds up
 * @tally: sums, one for each event that samples
 */
struct row {
	uint32_t result;
	const struct stack *stack;
	struct tally *tally;
};

/**
 * struct view - determines which stacks share a line; global because qsort(3) passes no argument
 */
static struct view {
	struct sampling *sampling;
	const uint32_t *results;
	bool stacks;
	bool functions;
	bool addresses;
} view;

static int compare_text(const char *a, const char *b)
{
	if (!a || !b)
		return !!a - !!b;
	return strcmp(a, b);
}

static int compare_number(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_function(uint32_t a, uint32_t b)
{
	const struct symbol *x, *y;
	int order;

	if (a == b)
		return 0;
	x = symbols_get(&view.sampling->symbols, a);
	y = symbols_get(&view.sampling->symbols, b);
	order = compare_text(x->module, y->module);
	if (!order)
		order = compare_text(x->name, y->name);
	/* Places without names are distinguished by their addresses. */
	if (!order && !x->name && !x->module)
		order = compare_number(x->address, y->address);
	return order;
}

/* Orders stacks so that those of one line are adjacent. */
static int by_key(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	const struct stack *s = x->stack, *t = y->stack;
	int order = compare_number(x->result, y->result);
	uint32_t i;

	if (order)
		return order;
	if (view.addresses)
		return view.sampling->options->aggregate ||
		       s->frames[0] != t->frames[0] ?
		       compare_number(s->frames[0], t->frames[0]) :
		       compare_number(s->ip, t->ip);
	if (view.functions)
		return compare_function(s->frames[0], t->frames[0]);
	for (i = 0; i < s->nframes && i < t->nframes; i++) {
		order = compare_function(s->frames[i], t->frames[i]);
		if (order)
			return order;
	}
	return compare_number(s->nframes, t->nframes);
}

/*
 * Orders rows by profile, then by the counts of the first event, then of the next
 * ones.
 */
static int by_count(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	size_t e, events = view.sampling->periods.count;

	if (x->result != y->result)
		return compare_number(x->result, y->result);
	for (e = 0; e < events; e++)
		if (x->tally[e].count != y->tally[e].count)
			return x->tally[e].count > y->tally[e].count ? -1 : 1;
	return compare_number(x->stack->ip, y->stack->ip);
}

/* Orders groups by task, and those of a task by the order of its programs. */
static int by_task(const void *a, const void *b)
{
	const struct group *groups = view.sampling->profile.groups;
	const struct group *x = &groups[*(const uint32_t *)a];
	const struct group *y = &groups[*(const uint32_t *)b];

	if (x->pid != y->pid)
		return compare_number(x->pid, y->pid);
	if (x->tid != y->tid)
		return compare_number(x->tid, y->tid);
	return compare_number(x->phase, y->phase);
}

static bool same_result(const struct options *options, const struct group *a,
			const struct group *b)
{
	if (options->aggregate)
		return true;
	return a->pid == b->pid && a->tid == b->tid &&
	       (!options->exec_split || a->phase == b->phase);
}

/*
 * Determines which groups make one profile: for each group the number of the one
 * that names the profile.  That is the group of the task's last program.
 */
static uint32_t *choose_results(const struct sampling *sampling)
{
	const struct profile *profile = &sampling->profile;
	uint32_t *results, *order, i, count = 0, last = UINT32_MAX;

	results = calloc(profile->num_groups + 1, sizeof(*results));
	order = calloc(profile->num_groups + 1, sizeof(*order));
	if (!results || !order) {
		free(results);
		free(order);
		return NULL;
	}
	for (i = 0; i < profile->num_groups; i++) {
		results[i] = UINT32_MAX;
		if (sampling_selects(sampling, &profile->groups[i]))
			order[count++] = i;
	}
	qsort(order, count, sizeof(*order), by_task);
	for (i = count; i--;) {
		if (last == UINT32_MAX ||
		    !same_result(sampling->options,
				 &profile->groups[order[i]],
				 &profile->groups[last]))
			last = order[i];
		results[order[i]] = last;
	}
	free(order);
	return results;
}

static void print_titles(FILE *out, const struct sampling *sampling)
{
	size_t e;

	for (e = 0; e < sampling->periods.count; e++) {
		const struct period *period = &sampling->periods.list[e];

		fprintf(out, "# event%02zu: %s, ", e,
			sampling->events->list[period->event].label);
		if (period->measured)
			fputs("ns off the CPU", out);
		else if (period->frequency)
			fprintf(out, "of various periods for %" PRIu64 " a second",
				period->frequency);
		else
			fprintf(out, "period %" PRIu64, period->between);
		if (period->first != period->between)
			fprintf(out, " (%" PRIu64 " after a notification)",
				period->first);
		if (period->mask)
			fprintf(out, ", random mask 0x%" PRIx64, period->mask);
		fputc('\n', out);
	}
	fputc('#', out);
	for (e = 0; e < sampling->periods.count; e++)
		fprintf(out, "%20sevent%02zu", "", e);
	fputs("\n#", out);
	for (e = 0; e < sampling->periods.count; e++)
		fprintf(out, " %10s %7s %7s", "counts", "%self", "%cum");
	if (view.addresses)
		fprintf(out, " %18s", "code addr");
	if (sampling->symbols.on || view.stacks)
		fputs(view.stacks ? " stack" : view.functions ? " function" :
		      " symbol", out);
	fputc('\n', out);
}

static void print_head(FILE *out, const struct sampling *sampling,
		       const struct group *group, uint64_t samples)
{
	const struct losses *losses = &sampling->losses;
	bool many = sampling->options->follow && !sampling->options->aggregate;
	const char *of_all = many ? " (of all tasks)" : "";
	char text[PRINT_LOSS_ROOM];
	struct group_name name;
	struct due due;

	sampling_name(sampling, group, &name);
	print_due(sampling, &due);
	if (sampling->options->aggregate)
		fputs("# aggregated results\n", out);
	else
		fprintf(out, "# results for [%u:%u<-[%u]] (%s)\n", name.pid,
			name.tid, name.ppid,
			*name.path ? name.path : name.program);
	fprintf(out, "# total samples          : %" PRIu64 "\n", samples);
	fprintf(out, "# total buffer overflows : %" PRIu64 "%s\n",
		losses->fills, of_all);
	fprintf(out, "# lost samples           : %s",
		print_loss_percent(sampling, text));
	if (due.missing || *due.mark)
		fprintf(out, ", %s%" PRIu64 " of %s%" PRIu64, due.mark,
			due.missing, due.mark, due.all);
	fprintf(out, "%s\n", of_all);
	if (print_paused(sampling, text))
		fprintf(out, "# %s%s\n", text, of_all);
	fputs("#\n", out);
	print_titles(out, sampling);
}

static void print_row(FILE *out, struct sampling *sampling,
		      const struct row *row, const uint64_t *totals,
		      uint64_t *sums)
{
	const struct stack *stack = row->stack;
	const struct symbol *symbol;
	struct symbol start;
	uint32_t i;
	size_t e;

	fputc(' ', out);
	for (e = 0; e < sampling->periods.count; e++) {
		uint64_t total = totals[e] ? totals[e] : 1;

		sums[e] += row->tally[e].count;
		fprintf(out, " %10" PRIu64 " %6.2f%% %6.2f%%",
			row->tally[e].count,
			100.0 * row->tally[e].count / total,
			100.0 * sums[e] / total);
	}
	symbol = symbols_get(&sampling->symbols, stack->frames[0]);
	if (view.addresses)
		fprintf(out, " 0x%016" PRIx64, sampling->options->aggregate ?
			symbol->address : stack->ip);
	if (!sampling->symbols.on && !view.stacks) {
		fputc('\n', out);
		return;
	}
	for (i = 0; i < (view.stacks ? stack->nframes : 1); i++) {
		start = *symbols_get(&sampling->symbols, stack->frames[i]);
		if (!view.addresses)
			start.offset = 0;
		if (!view.addresses && !start.name && start.module)
			start.name = "[unknown]";
		/* The place of a caller is its call; without a name it is where that returns to. */
		if (i && !start.name && !start.module)
			start.address++;
		fputs(i ? "\n                              " : " ", out);
		symbols_print(out, &start);
	}
	fputc('\n', out);
}

/* Prints one profile: the sorted rows of one result. */
static void print_rows(FILE *out, struct sampling *sampling,
		       const struct row *rows, size_t count, uint64_t *totals,
		       uint64_t *sums)
{
	const struct smpl_options *smpl = &sampling->options->smpl;
	size_t e, events = sampling->periods.count, i;
	uint64_t samples = 0;

	memset(totals, 0, events * sizeof(*totals));
	memset(sums, 0, events * sizeof(*sums));
	for (i = 0; i < count; i++)
		for (e = 0; e < events; e++)
			totals[e] += rows[i].tally[e].count;
	for (e = 0; e < events; e++)
		samples += totals[e];
	print_head(out, sampling,
		   &sampling->profile.groups[rows[0].result], samples);
	for (i = 0; i < count; i++) {
		if (smpl->show_top && i >= smpl->show_top)
			break;
		print_row(out, sampling, &rows[i], totals, sums);
		if (smpl->cum_threshold &&
		    sums[0] * 100 >= totals[0] * smpl->cum_threshold)
			break;
	}
}

/* Adds up the stacks of each line.  Returns the number of lines. */
static size_t merge_rows(const struct sampling *sampling, struct row *rows,
			 size_t count)
{
	size_t e, i, kept = 0;

	qsort(rows, count, sizeof(*rows), by_key);
	for (i = 0; i < count; i++) {
		if (kept && !by_key(&rows[kept - 1], &rows[i])) {
			for (e = 0; e < sampling->periods.count; e++)
				rows[kept - 1].tally[e].count +=
					rows[i].tally[e].count;
			continue;
		}
		rows[kept++] = rows[i];
	}
	qsort(rows, kept, sizeof(*rows), by_count);
	return kept;
}

static size_t make_rows(const struct sampling *sampling,
			const uint32_t *results, struct row *rows)
{
	const struct profile *profile = &sampling->profile;
	size_t i, count = 0;

	for (i = 0; i < profile->count; i++) {
		struct stack *stack = profile->stacks[i];

		if (results[stack->group] == UINT32_MAX)
			continue;
		rows[count].result = results[stack->group];
		rows[count].stack = stack;
		rows[count].tally = stack->tally;
		count++;
	}
	return count;
}

int print_profile(FILE *out, struct sampling *sampling)
{
	const struct profile *profile = &sampling->profile;
	size_t count, begin, end, events = sampling->periods.count;
	uint64_t *totals = calloc(2 * events, sizeof(*totals));
	struct row *rows = calloc(profile->count + 1, sizeof(*rows));
	uint32_t *results;

	view.sampling = sampling;
	results = choose_results(sampling);
	if (!totals || !rows || !results) {
		say_error("out of memory for the profile");
		free(totals);
		free(rows);
		free(results);
		return -1;
	}
	view.functions = sampling->options->smpl.per_function;
	view.stacks = sampling->options->smpl.module == MODULE_CALLSTACK &&
		      !view.functions;
	view.addresses = !view.stacks && !view.functions;
	count = make_rows(sampling, results, rows);
	count = merge_rows(sampling, rows, count);
	for (begin = 0; begin < count; begin = end) {
		for (end = begin; end < count; end++)
			if (rows[end].result != rows[begin].result)
				break;
		if (begin)
			fputc('\n', out);
		print_rows(out, sampling, rows + begin, end - begin, totals,
			   totals + events);
	}
	if (!count) {
		fputs("# no samples\n", out);
		print_loss_comments(out, sampling, false);
	}
	free(totals);
	free(rows);
	free(results);
	return 0;
}
