// SPDX-License-Identifier: GPL-2.0-only
/*
 * The monotonic clock.
 */
#include <time.h>

#include "base/clock.h"

uint64_t clock_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * NS_PER_S + ts.tv_nsec;
}
