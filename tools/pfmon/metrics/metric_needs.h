/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which events the formulas of metrics need.
 */
#ifndef PFMON_METRICS_METRIC_NEEDS_H
#define PFMON_METRICS_METRIC_NEEDS_H

#include <stdbool.h>

struct metric_model;

/*
 * Gives the constants their values that say whether an event can be counted, unless they
 * have one.  @has tells it of an event of the model, by its index; @arg is for it.
 */
void metric_needs_choose(struct metric_model *model,
			 bool (*has)(void *arg, unsigned int event), void *arg);

/*
 * Fills in metric.uses of all metrics.  It is called again when constants became known: of
 * "A ? B : C" both sides are needed as long as A is not known, and then one.  Returns 0, or -1
 * after a message.
 */
int metric_needs_find(struct metric_model *model);

#endif
