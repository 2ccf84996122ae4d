/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The metrics of a processor model, as a metric file has them.
 */
#ifndef PFMON_METRICS_MODEL_H
#define PFMON_METRICS_MODEL_H

#include <stdbool.h>
#include <stddef.h>

struct formula;

/**
 * struct metric_event - an event that formulas use
 * @name: its name in formulas
 * @event: the event as --events takes it
 * @description: NULL if none
 */
struct metric_event {
	char *name;
	char *event;
	char *description;
};

/**
 * struct metric_constant - a number that formulas use
 * @name: its name in formulas
 * @source: what of the machine it is, for instance "pmmir.slots", or "has" and an
 *	event: 1 if the event can be counted, otherwise 0; NULL if the file has the number
 * @known: @value is valid
 * @value: the number
 */
struct metric_constant {
	char *name;
	char *source;
	bool known;
	double value;
};

/**
 * struct metric_group - metrics that belong together
 * @name: its name
 * @title: for people
 * @description: NULL if none
 * @stage: of Arm's method: 1 for the slots, 2 for what explains them; 0 if none
 */
struct metric_group {
	char *name;
	char *title;
	char *description;
	unsigned int stage;
};

/**
 * struct metric_names - a list of names
 */
struct metric_names {
	char **list;
	unsigned int count;
};

/**
 * struct metric - a metric
 * @name: its name
 * @title: for people
 * @unit: what a value is measured in, for instance "percent of slots"
 * @description: NULL if none
 * @text: the formula as the file has it
 * @formula: the same, parsed
 * @threshold: true where the value deserves a look; NULL if none
 * @threshold_text: the same as the file has it
 * @level: level in the top-down tree, from 1; 0 if it is no node of the tree
 * @parent_name: name of the node above; NULL if none
 * @parent: that node; NULL if none
 * @groups: groups that it belongs to
 * @next: metrics or groups to look at when it is the dominant node
 * @uses: for each event of the model, true if the formula needs it, also by way
 *	of other metrics
 */
struct metric {
	char *name;
	char *title;
	char *unit;
	char *description;
	char *text;
	struct formula *formula;
	char *threshold_text;
	struct formula *threshold;
	unsigned int level;
	char *parent_name;
	const struct metric *parent;
	struct metric_names groups;
	struct metric_names next;
	bool *uses;
};

/**
 * struct metric_memory - values of metrics that formulas use
 *
 * A metric that several formulas use, or one formula several times, is evaluated once for an
 * evaluation.
 *
 * @turn: number of the evaluation that is under way
 * @kept: for each metric of the model, value and slope of evaluation number @turn
 */
struct metric_memory {
	unsigned long turn;
	struct {
		unsigned long turn;
		double value;
		double slope;
	} kept[];
};

/**
 * struct metric_model - the metrics of a processor model
 * @file: name of the file that it comes from
 * @name: its name, which --pmu takes
 * @title: for people
 * @pmu: name of its PMU in libpfm; NULL if it has none
 * @source: where the facts are from; NULL if not said
 * @generic: for processors that have no model of their own
 * @of_file: its counts are those of a file, which has constants as well
 * @memory: scratch of metric_evaluate(); NULL for models whose formulas use no other metric
 */
struct metric_model {
	char *file;
	char *name;
	char *title;
	char *pmu;
	char *source;
	bool generic;
	bool of_file;
	struct metric_event *events;
	unsigned int num_events;
	struct metric_constant *constants;
	unsigned int num_constants;
	struct metric_group *groups;
	unsigned int num_groups;
	struct metric *metrics;
	unsigned int num_metrics;
	struct metric_memory *memory;
};

/*
 * Finds what formulas and the command line name; NULL if there is none.  Upper and lower
 * case differ in formulas only.
 */
const struct metric *metric_find(const struct metric_model *model,
				 const char *name);
const struct metric_group *metric_group_find(const struct metric_model *model,
					     const char *name);

/* True if the metric belongs to the group of that name. */
bool metric_in_group(const struct metric *metric, const char *group);

/* True if the unit of the metric is a kind of per cent. */
bool metric_is_percent(const struct metric *metric);

/*
 * Ends the reading of a model: finds what the names in formulas stand for.  Returns 0,
 * or -1 after a message.
 */
int model_resolve(struct metric_model *model);

/* @model may be NULL. */
void model_free(struct metric_model *model);

#endif
