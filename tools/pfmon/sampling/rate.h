/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rate of an event in a second, for sampling by frequency.
 */
#ifndef PFMON_SAMPLING_RATE_H
#define PFMON_SAMPLING_RATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct events;

/*
 * Chooses the period of an event for @frequency samples in each second in which a CPU executes
 * instructions all the time.  The rate is that of a short loop of pfmon's own.  It need not be known
 * if the kernel adapts the period (@adapted), as this is only the first one then.  Returns 0, or -1
 * after a message.
 */
int rate_period(const struct events *events, size_t event, uint64_t frequency,
		bool adapted, uint64_t *period);

#endif
