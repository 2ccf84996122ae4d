// SPDX-License-Identifier: GPL-2.0-only
/*
 * From names to metrics.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/message.h"
#include "base/spelling.h"
#include "metrics/model.h"
#include "metrics/selection.h"

/* Itanium 2's table of stalls, which old command lines name, and the group that has its place. */
#define ITANIUM2_STALLS "itanium2-stalls"
#define FIRST_LEVEL	"Topdown_L1"

static int no_memory(void)
{
	say_error("out of memory for the metrics");
	return -1;
}

bool selection_has(const struct metric_selection *selection,
		   const struct metric *metric)
{
	unsigned int i, k;

	for (i = 0; i < selection->count; i++)
		for (k = 0; k < selection->units[i].count; k++)
			if (selection->units[i].metrics[k] == metric)
				return true;
	return false;
}

static struct metric_unit *new_unit(struct metric_selection *selection,
				    const char *name, const char *title)
{
	struct metric_unit *unit;

	if (array_reserve(&selection->units, sizeof(*selection->units),
			  &selection->room, selection->count + 1)) {
		no_memory();
		return NULL;
	}
	unit = &selection->units[selection->count];
	*unit = (struct metric_unit){
		.name = name,
		.title = title,
		.first = selection->num_metrics,
	};
	unit->metrics = calloc(selection->model->num_metrics + 1,
			       sizeof(*unit->metrics));
	if (!unit->metrics) {
		no_memory();
		return NULL;
	}
	selection->count++;
	return unit;
}

static void add_metric(struct metric_selection *selection,
		       struct metric_unit *unit, const struct metric *metric)
{
	if (selection_has(selection, metric))
		return;
	unit->metrics[unit->count++] = metric;
	selection->num_metrics++;
}

/* Takes back a unit that got no metric. */
static void drop_empty(struct metric_selection *selection)
{
	if (selection->units[selection->count - 1].count)
		return;
	free(selection->units[--selection->count].metrics);
}

/* Adds the nodes below a node, each with those below it. */
static void add_nodes(struct metric_selection *selection,
		      struct metric_unit *unit, const struct metric *parent,
		      unsigned int level, const char *group)
{
	const struct metric_model *model = selection->model;
	unsigned int i;

	for (i = 0; i < model->num_metrics; i++) {
		const struct metric *metric = &model->metrics[i];

		if (!metric->level || metric->level > level ||
		    metric->parent != parent)
			continue;
		if (!group || metric_in_group(metric, group))
			add_metric(selection, unit, metric);
		add_nodes(selection, unit, metric, level, group);
	}
}

static int add_group(struct metric_selection *selection,
		     const struct metric_group *group)
{
	const struct metric_model *model = selection->model;
	struct metric_unit *unit;
	unsigned int i;

	unit = new_unit(selection, group->name, group->title);
	if (!unit)
		return -1;
	unit->group = true;
	add_nodes(selection, unit, NULL, UINT_MAX, group->name);
	for (i = 0; i < model->num_metrics; i++)
		if (metric_in_group(&model->metrics[i], group->name))
			add_metric(selection, unit, &model->metrics[i]);
	unit->tree = unit->count && unit->metrics[0]->level;
	drop_empty(selection);
	return 0;
}

static int refuse_name(const struct metric_model *model, const char *name)
{
	struct spelling spelling;
	unsigned int i;

	spelling_begin(&spelling, name);
	for (i = 0; i < model->num_metrics; i++)
		spelling_consider(&spelling, model->metrics[i].name);
	for (i = 0; i < model->num_groups; i++)
		spelling_consider(&spelling, model->groups[i].name);
	if (spelling.closest)
		say_error(
			"'%s' is no metric or group of %s; did you mean '%s'?",
			name, model->title, spelling.closest);
	else
		say_error(
			"'%s' is no metric or group of %s; 'pfmon --list-metrics' lists them",
			name, model->title);
	return -1;
}

static int add_name(struct metric_selection *selection, const char *name)
{
	const struct metric_model *model = selection->model;
	const struct metric_group *group = metric_group_find(model, name);
	const struct metric *metric = metric_find(model, name);
	struct metric_unit *unit;

	if (group)
		return add_group(selection, group);
	if (!metric)
		return refuse_name(model, name);
	unit = new_unit(selection, metric->name, metric->title);
	if (!unit)
		return -1;
	add_metric(selection, unit, metric);
	drop_empty(selection);
	return 0;
}

int selection_names(struct metric_selection *selection, const char *list)
{
	char *copy = strdup(list), *rest = copy, *name;
	int err = 0;

	if (!copy)
		return no_memory();
	while (!err && (name = strsep(&rest, ",")))
		err = add_name(selection, strcmp(name, ITANIUM2_STALLS)
						  ? name
						  : FIRST_LEVEL);
	free(copy);
	return err;
}

static int add_next(struct metric_selection *selection,
		    const struct metric *metric)
{
	const struct metric_group *group;
	unsigned int i;

	for (i = 0; i < metric->next.count; i++) {
		group = metric_group_find(selection->model,
					  metric->next.list[i]);
		if (group && add_group(selection, group))
			return -1;
	}
	return 0;
}

int selection_topdown(struct metric_selection *selection, unsigned int level)
{
	const struct metric_model *model = selection->model;
	struct metric_unit *unit;
	unsigned int i;

	unit = new_unit(selection, "topdown", "Top-down");
	if (!unit)
		return -1;
	add_nodes(selection, unit, NULL, level, NULL);
	unit->group = true;
	unit->tree = true;
	if (!unit->count) {
		say_error(
			"%s has no top-down tree; 'pfmon --list-metrics' lists its metrics",
			model->title);
		return -1;
	}
	for (i = 0; level > 1 && i < model->num_metrics; i++)
		if (model->metrics[i].level &&
		    model->metrics[i].level <= level &&
		    add_next(selection, &model->metrics[i]))
			return -1;
	return 0;
}

int selection_all(struct metric_selection *selection)
{
	const struct metric_model *model = selection->model;
	struct metric_unit *unit;
	unsigned int i;

	for (i = 0; i < model->num_groups; i++)
		if (add_group(selection, &model->groups[i]))
			return -1;
	/* Metrics need not be in a group. */
	unit = new_unit(selection, "others", "Others");
	if (!unit)
		return -1;
	unit->group = true;
	for (i = 0; i < model->num_metrics; i++)
		add_metric(selection, unit, &model->metrics[i]);
	drop_empty(selection);
	return 0;
}

const struct metric *selection_metric(const struct metric_selection *selection,
				      unsigned int number)
{
	unsigned int i;

	for (i = 0;
	     number >= selection->units[i].first + selection->units[i].count;
	     i++)
		;
	return selection->units[i].metrics[number - selection->units[i].first];
}

void selection_free(struct metric_selection *selection)
{
	unsigned int i;

	for (i = 0; i < selection->count; i++)
		free(selection->units[i].metrics);
	free(selection->units);
	selection->units = NULL;
	selection->count = 0;
	selection->room = 0;
}
