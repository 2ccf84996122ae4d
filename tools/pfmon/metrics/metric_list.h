/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * 'pfmon --list-metrics'.
 */
#ifndef PFMON_METRICS_METRIC_LIST_H
#define PFMON_METRICS_METRIC_LIST_H

struct machine;
struct options;

/*
 * Describes the metrics whose name, title or group matches the regular expression of the
 * command line; all metrics if there is none.  Returns 0, or -1 after a message.
 */
int metric_list(const struct options *options, struct machine *machine);

#endif
