/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts as an OpenMetrics document.
 */
#ifndef PFMON_METRICS_H
#define PFMON_METRICS_H

#include <stdio.h>

struct session;

void metrics_print(FILE *out, const struct session *session);

#endif
