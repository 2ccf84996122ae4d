// SPDX-License-Identifier: GPL-2.0-only
/*
 * Distributes the events of metrics over event sets.
 *
 * All events in one set are best.  Where they do not fit, each group of metrics is kept
 * together, because its metrics are compared with each other; where a group does not fit,
 * each level of a tree; and then each metric, because its counts are put into one formula.  An event that several groups
 * need may be in several sets.
 */
#include <stdlib.h>
#include <string.h>
#include <perfmon/perfmon.h>

#include "base/array.h"
#include "base/message.h"
#include "metrics/metric_sets.h"
#include "metrics/model.h"
#include "metrics/selection.h"

static int no_memory(void)
{
	say_error("out of memory for the event sets of metrics");
	return -1;
}

static unsigned int num_events(const struct metric_sets *sets)
{
	return sets->selection->model->num_events;
}

static bool has(const struct metric_set *set, unsigned int event)
{
	unsigned int i;

	for (i = 0; i < set->count; i++)
		if (set->events[i] == event)
			return true;
	return false;
}

/* True if all events of the metric can be counted. */
static bool is_usable(const struct metric_sets *sets,
		      const struct metric *metric)
{
	unsigned int i;

	for (i = 0; i < num_events(sets); i++)
		if (metric->uses[i] && !sets->usable[i])
			return false;
	return true;
}

/* Adds what the metric needs to @uses. */
static void unite(const struct metric_sets *sets, const struct metric *metric,
		  bool *uses)
{
	unsigned int i;

	for (i = 0; is_usable(sets, metric) && i < num_events(sets); i++)
		uses[i] |= metric->uses[i];
}

static void unite_unit(const struct metric_sets *sets,
		       const struct metric_unit *unit, bool *uses)
{
	unsigned int i;

	for (i = 0; i < unit->count; i++)
		unite(sets, unit->metrics[i], uses);
}

/* Adds the events to a set, if all of them fit.  Returns false if they do not. */
static bool extend(const struct metric_sets *sets, struct metric_set *set,
		   const bool *uses)
{
	unsigned int room = set->count + num_events(sets), count = set->count;
	struct pfm_assignment *assignment = malloc(sizeof(*assignment));
	struct pfm_event *list = calloc(room + 1, sizeof(*list));
	unsigned int i;
	bool fits;

	for (i = 0; list && i < set->count; i++)
		list[i] = sets->parsed[set->events[i]];
	for (i = 0; list && i < num_events(sets); i++) {
		if (!uses[i] || has(set, i))
			continue;
		set->events[count] = i;
		list[count++] = sets->parsed[i];
	}
	fits = list && assignment && count <= PFM_ASSIGN_MAX &&
	       !pfm_assign_registers(sets->map, list, count, assignment);
	if (fits)
		set->count = count;
	free(list);
	free(assignment);
	return fits;
}

static struct metric_set *add_set(struct metric_sets *sets)
{
	struct metric_set *set;

	if (array_reserve(&sets->sets, sizeof(*sets->sets), &sets->room,
			  sets->count + 1))
		return NULL;
	set = &sets->sets[sets->count];
	set->count = 0;
	/* extend() writes behind the events that it can keep. */
	set->events = calloc(2 * num_events(sets) + 1, sizeof(*set->events));
	if (!set->events)
		return NULL;
	sets->count++;
	return set;
}

/*
 * Puts events into the first set with room for all of them, or into a new one.  Returns its
 * number, or METRIC_SET_NONE if they do not fit even there.
 */
static int place(struct metric_sets *sets, const bool *uses)
{
	struct metric_set *set;
	unsigned int i;

	for (i = 0; i < sets->count; i++)
		if (extend(sets, &sets->sets[i], uses))
			return i;
	set = add_set(sets);
	if (set && extend(sets, set, uses))
		return sets->count - 1;
	if (set)
		free(sets->sets[--sets->count].events);
	return METRIC_SET_NONE;
}

/* Notes that the events of a metric are counted in one set. */
static void settle(struct metric_sets *sets, const struct metric *metric,
		   unsigned int number, int set)
{
	int *where = &sets->where[number * num_events(sets)];
	unsigned int i;

	for (i = 0; is_usable(sets, metric) && i < num_events(sets); i++)
		if (metric->uses[i])
			where[i] = set;
}

/* A metric that does not fit in a set: each event counts where there is room. */
static int scatter(struct metric_sets *sets, const struct metric *metric,
		   unsigned int number)
{
	int *where = &sets->where[number * num_events(sets)];
	bool uses[num_events(sets)];
	unsigned int i;

	for (i = 0; i < num_events(sets); i++) {
		if (!metric->uses[i])
			continue;
		memset(uses, 0, sizeof(uses));
		uses[i] = true;
		where[i] = place(sets, uses);
		if (where[i] != METRIC_SET_NONE)
			continue;
		say_error("'%s': the event %s does not fit the counters",
			  metric->name, sets->selection->model->events[i].name);
		return -1;
	}
	say_note(
		"'%s' needs more counters than there are: its events are counted at different times",
		metric->name);
	return 0;
}

/* True if the metric is of the level that is asked for; any metric is of level 0. */
static bool is_of_level(const struct metric *metric, unsigned int level)
{
	return !level || metric->level == level;
}

static int place_metrics(struct metric_sets *sets,
			 const struct metric_unit *unit, unsigned int level)
{
	bool uses[num_events(sets)];
	unsigned int i;
	int set;

	for (i = 0; i < unit->count; i++) {
		if (!is_usable(sets, unit->metrics[i]) ||
		    !is_of_level(unit->metrics[i], level))
			continue;
		memset(uses, 0, sizeof(uses));
		unite(sets, unit->metrics[i], uses);
		set = place(sets, uses);
		if (set != METRIC_SET_NONE)
			settle(sets, unit->metrics[i], unit->first + i, set);
		else if (scatter(sets, unit->metrics[i], unit->first + i))
			return -1;
	}
	return 0;
}

/* Puts the metrics of a level, or all for level 0, into one set.  False if they do not fit. */
static bool place_together(struct metric_sets *sets,
			   const struct metric_unit *unit, unsigned int level)
{
	bool uses[num_events(sets)];
	unsigned int i;
	int set;

	memset(uses, 0, sizeof(uses));
	for (i = 0; i < unit->count; i++)
		if (is_of_level(unit->metrics[i], level))
			unite(sets, unit->metrics[i], uses);
	set = place(sets, uses);
	if (set == METRIC_SET_NONE)
		return false;
	for (i = 0; i < unit->count; i++)
		if (is_of_level(unit->metrics[i], level))
			settle(sets, unit->metrics[i], unit->first + i, set);
	return true;
}

static unsigned int deepest(const struct metric_unit *unit)
{
	unsigned int level = 0, i;

	for (i = 0; i < unit->count; i++)
		if (unit->metrics[i]->level > level)
			level = unit->metrics[i]->level;
	return level;
}

/*
 * Places the levels of a tree one by one.  The shares of a level are compared with each other
 * and add up, if they are counted at the same time.
 */
static int place_levels(struct metric_sets *sets,
			const struct metric_unit *unit)
{
	unsigned int level, last = deepest(unit);

	for (level = 1; level <= last; level++) {
		if (place_together(sets, unit, level))
			continue;
		say_note(
			"level %u of '%s' needs more counters than there are: its metrics are counted at different times",
			level, unit->name);
		if (place_metrics(sets, unit, level))
			return -1;
	}
	return 0;
}

static int place_unit(struct metric_sets *sets, const struct metric_unit *unit)
{
	if (place_together(sets, unit, 0))
		return 0;
	if (unit->count > 1)
		say_note(
			"'%s' needs more counters than there are: its %s are counted at different times",
			unit->name,
			unit->tree && deepest(unit) > 1 ? "levels" : "metrics");
	if (unit->tree && deepest(unit) > 1)
		return place_levels(sets, unit);
	return place_metrics(sets, unit, 0);
}

int metric_sets_distribute(struct metric_sets *sets)
{
	const struct metric_selection *selection = sets->selection;
	bool uses[num_events(sets) + 1];
	size_t cells, i;

	cells = (size_t)selection->num_metrics * num_events(sets);
	sets->where = malloc((cells + 1) * sizeof(*sets->where));
	if (!sets->where)
		return no_memory();
	for (i = 0; i < cells; i++)
		sets->where[i] = METRIC_SET_NONE;
	/* If all events fit in one set, each unit finds its events there. */
	memset(uses, 0, sizeof(uses));
	for (i = 0; i < selection->count; i++)
		unite_unit(sets, &selection->units[i], uses);
	place(sets, uses);
	for (i = 0; i < selection->count; i++)
		if (place_unit(sets, &selection->units[i]))
			return -1;
	return 0;
}

void metric_sets_empty(struct metric_sets *sets)
{
	while (sets->count)
		free(sets->sets[--sets->count].events);
}

void metric_sets_free(struct metric_sets *sets)
{
	metric_sets_empty(sets);
	free(sets->sets);
	free(sets->where);
}
