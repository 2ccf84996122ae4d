/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which form of the metrics a client of the exporter takes.
 */
#ifndef PFMON_OUTPUT_HTTP_ACCEPT_H
#define PFMON_OUTPUT_HTTP_ACCEPT_H

#include <stdbool.h>

/*
 * Whether the Accept header of an HTTP request asks for OpenMetrics 1.0, and
 * prefers nothing else.
 */
bool accept_openmetrics(const char *request);

#endif
