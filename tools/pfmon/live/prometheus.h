/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts in the formats that Prometheus reads.
 */
#ifndef PFMON_LIVE_PROMETHEUS_H
#define PFMON_LIVE_PROMETHEUS_H

#include <stdio.h>

struct session;

/**
 * enum metrics_form - format of the metrics
 * @METRICS_TEXT: the text format of Prometheus, version 0.0.4, which every
 *	program reads
 * @METRICS_OPEN: OpenMetrics 1.0, which has units and an end mark
 */
enum metrics_form {
	METRICS_TEXT,
	METRICS_OPEN,
};

void metrics_print(FILE *out, const struct session *session,
		   enum metrics_form form);

#endif
