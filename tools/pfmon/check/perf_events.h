/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The processes that have events of perf.
 */
#ifndef PFMON_CHECK_PERF_EVENTS_H
#define PFMON_CHECK_PERF_EVENTS_H

#include <stddef.h>

/*
 * Writes a phrase that names processes with open events of perf, and says how to end them.  Which
 * events they are the kernel does not tell.  Those of other users are visible to root only.
 */
const char *perf_events_tell(char *text, size_t size);

#endif
