/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Content negotiation of the exporter.
 */
#ifndef PFMON_LIVE_HTTP_ACCEPT_H
#define PFMON_LIVE_HTTP_ACCEPT_H

#include <stdbool.h>

/*
 * True if the Accept header of an HTTP request prefers OpenMetrics 1.0 to
 * everything else.
 */
bool accept_openmetrics(const char *request);

#endif
