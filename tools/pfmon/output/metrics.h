/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts as a document that Prometheus reads.
 */
#ifndef PFMON_OUTPUT_METRICS_H
#define PFMON_OUTPUT_METRICS_H

#include <stdio.h>

struct session;

/**
 * enum metrics_form - one of the two that there are
 * @METRICS_TEXT: Prometheus' text form, version 0.0.4, which everything reads
 * @METRICS_OPEN: OpenMetrics 1.0, which has units and an end
 */
enum metrics_form {
	METRICS_TEXT,
	METRICS_OPEN,
};

void metrics_print(FILE *out, const struct session *session,
		   enum metrics_form form);

#endif
