// SPDX-License-Identifier: GPL-2.0-only
/*
 * Derived values.
 *
 * A value is the count of an event by that of its base.  Both count at the same privilege levels;
 * if there are several bases, the one that is counted in the same set is taken.  The values are
 * metrics of a model with two events, so that they have bounds and reasons as others have.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/json_writer.h"
#include "base/units.h"
#include "events/event_list.h"
#include "metrics/evaluate.h"
#include "metrics/formula.h"
#include "metrics/metric_forms.h"
#include "metrics/metric_plan.h"
#include "metrics/model.h"
#include "options/options.h"
#include "output/count.h"
#include "output/derived.h"
#include "output/metric_values.h"
#include "output/outcome.h"
#include "session/session.h"

/**
 * struct kind - a kind of derived value
 * @role: of the event; ROLE_NONE any but @base
 * @base: role of the event that it is divided by
 * @name: for programs
 * @title: for people
 * @factor: what the quotient is multiplied by
 * @unit: as metrics have it
 */
struct kind {
	enum event_role role;
	enum event_role base;
	char *name;
	char *title;
	double factor;
	char *unit;
};

static const struct kind kinds[] = {
	{ ROLE_INSTRUCTIONS, ROLE_CYCLES, "instructions_per_cycle", "per cycle",
	  1, "per cycle" },
	{ ROLE_BRANCH_MISSES, ROLE_BRANCHES, "branch_miss_ratio",
	  "% of all branches", 100, "percent" },
	{ ROLE_CACHE_MISSES, ROLE_CACHE_REFERENCES, "cache_miss_ratio",
	  "% of all cache references", 100, "percent" },
	/* The clock counts nanoseconds. */
	{ ROLE_NONE, ROLE_TASK_CLOCK, "per_second", "per second of CPU time",
	  1e9, "per second" },
};

static bool is_clock(const struct event *event)
{
	return event->role == ROLE_TASK_CLOCK || event->role == ROLE_WALL_CLOCK;
}

/* The event that the count of @event is divided by; events->count there is none. */
static size_t find_base(const struct outcome *outcome, size_t event,
			enum event_role role)
{
	const struct events *events = outcome->events;
	const struct event *list = events->list;
	size_t found = events->count, i;

	for (i = 0; i < events->count; i++) {
		if (list[i].role != role ||
		    metric_plan_owns(outcome->metrics, i) ||
		    (list[i].hardware && list[i].plm != list[event].plm))
			continue;
		if (found == events->count || list[i].set == list[event].set)
			found = i;
	}
	return found;
}

/* The kind of value that the event gives; NULL if none.  *@base: what it is divided by. */
static const struct kind *find_kind(const struct outcome *outcome, size_t event,
				    size_t *base)
{
	const struct event *ev = &outcome->events->list[event];
	size_t i;

	if (outcome->session->options->no_metrics || ev->gauge ||
	    is_clock(ev) || ev->implemented == PFM_IMPLEMENTED_NO ||
	    metric_plan_owns(outcome->metrics, event))
		return NULL;
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (kinds[i].role && kinds[i].role != ev->role)
			continue;
		*base = find_base(outcome, event, kinds[i].base);
		if (*base < outcome->events->count)
			return &kinds[i];
	}
	return NULL;
}

static bool take(const struct counts_of *counts, size_t event,
		 struct metric_count *to)
{
	struct count count;

	if (!counts->take(counts, event, &count))
		return false;
	*to = metric_count_of(counts->outcome, event, &count);
	return true;
}

/* Evaluates the formula.  Returns false if the row lacks one of the counts. */
static bool evaluate(const struct counts_of *counts, const struct kind *kind,
		     size_t event, size_t base, struct metric_value *value)
{
	const struct events *events = counts->outcome->events;
	struct metric_event names[] = {
		{ .name = events->list[event].name },
		{ .name = events->list[base].name },
	};
	const struct metric_model model = { .events = names, .num_events = 2 };
	bool uses[] = { true, true };
	struct formula a = { .op = FORMULA_NAME,
			     .name = names[0].name,
			     .kind = NAME_EVENT };
	struct formula b = { .op = FORMULA_NAME,
			     .name = names[1].name,
			     .kind = NAME_EVENT,
			     .index = 1 };
	struct formula ratio = { .op = FORMULA_DIVIDE, .args = { &a, &b } };
	struct formula factor = { .op = FORMULA_NUMBER,
				  .number = kind->factor };
	struct formula whole = { .op = FORMULA_MULTIPLY,
				 .args = { &factor, &ratio } };
	const struct metric metric = { .uses = uses, .formula = &whole };
	struct metric_count list[2] = { 0 };
	const size_t places[] = { event, base };

	if (!take(counts, event, &list[0]) || !take(counts, base, &list[1]))
		return false;
	metric_values_evaluate(counts->outcome, &model, &metric, list, places,
			       value);
	return true;
}

/* Writes a number with a letter for thousands, millions or milliards. */
static const char *short_number(const struct metric_value *value, char *text)
{
	static const char *const letters[] = { "", " K", " M", " G" };
	double number = value->value;
	unsigned int step = units_shorten(&number, 3);

	snprintf(text, METRIC_TEXT_ROOM, "%s%.3f%s",
		 value->scaled || value->low ? "~" : "", number, letters[step]);
	return text;
}

/* Prints the mean number of CPUs that the tasks had.  Several runs have no time in common. */
static void print_cpus(FILE *out, const struct counts_of *counts, size_t event,
		       uint64_t ns)
{
	const struct session *session = counts->outcome->session;
	uint64_t elapsed = session->end - session->start;

	if (session->options->stat.on && session->options->stat.repeat <= 1 &&
	    !session->system && elapsed &&
	    counts->outcome->events->list[event].role == ROLE_TASK_CLOCK)
		fprintf(out, ", %.3f CPUs used", (double)ns / elapsed);
}

/* The clocks count nanoseconds, which are hard to read. */
static void print_time(FILE *out, const struct counts_of *counts, size_t event)
{
	char text[UNITS_TIME_ROOM];
	struct count count;

	if (!counts->take(counts, event, &count) || count.missing)
		return;
	fprintf(out, "  # %s%s", count.scaled || count.low ? "~" : "",
		units_time(count.value, text));
	print_cpus(out, counts, event, count.value);
}

/* Cycles of a second are the frequency of the processor, which has a unit of its own. */
static bool is_frequency(const struct counts_of *counts, size_t event,
			 const struct kind *kind)
{
	return counts->outcome->session->options->stat.on &&
	       kind->base == ROLE_TASK_CLOCK &&
	       counts->outcome->events->list[event].role == ROLE_CYCLES;
}

void derived_print(FILE *out, const struct counts_of *counts, size_t event)
{
	struct metric_value value;
	const struct kind *kind;
	char text[METRIC_TEXT_ROOM];
	struct metric metric;
	size_t base;

	if (is_clock(&counts->outcome->events->list[event]) &&
	    !counts->outcome->session->options->no_metrics) {
		print_time(out, counts, event);
		return;
	}
	kind = find_kind(counts->outcome, event, &base);
	if (!kind || !evaluate(counts, kind, event, base, &value) ||
	    !value.known)
		return;
	if (is_frequency(counts, event, kind)) {
		fprintf(out, "  # %s%.3f GHz",
			value.scaled || value.low ? "~" : "",
			value.value / 1e9);
		return;
	}
	metric = (struct metric){ .unit = kind->unit };
	fprintf(out, "  # %s %s",
		kind->base == ROLE_TASK_CLOCK
			? short_number(&value, text)
			: metric_value_text(&metric, &value, text),
		kind->title);
}

static void write_value(struct json *json, const struct counts_of *counts,
			const struct kind *kind, size_t event, size_t base)
{
	const struct events *events = counts->outcome->events;
	struct metric_value value;

	if (!evaluate(counts, kind, event, base, &value))
		return;
	jsonw_line_object(json, NULL);
	jsonw_string(json, "event", events->list[event].name);
	jsonw_string(json, "base", events->list[base].name);
	jsonw_string(json, "metric", kind->name);
	metric_json_value(json, kind->unit, &value);
	jsonw_close(json);
}

void derived_json(struct json *json, const struct counts_of *counts)
{
	const struct outcome *outcome = counts->outcome;
	const struct kind *kind;
	bool open = false;
	size_t i, base;

	for (i = 0; i < outcome->events->count; i++) {
		kind = find_kind(outcome, i, &base);
		if (!kind)
			continue;
		if (!open)
			jsonw_array(json, "derived");
		open = true;
		write_value(json, counts, kind, i, base);
	}
	if (open)
		jsonw_close(json);
}
