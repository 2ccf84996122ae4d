/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which events the formulas of metrics need.
 */
#ifndef PFMON_METRICS_METRIC_NEEDS_H
#define PFMON_METRICS_METRIC_NEEDS_H

struct metric_model;

/*
 * Fills in metric.uses of all metrics.  It is called again when constants became known: of
 * "A ? B : C" both sides are needed as long as A is not known, and then one.  Returns 0, or -1
 * after a message.
 */
int metric_needs_find(struct metric_model *model);

#endif
