/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The monotonic clock, on which all times of a session are given.
 */
#ifndef PFMON_BASE_CLOCK_H
#define PFMON_BASE_CLOCK_H

#include <stdint.h>

#define NS_PER_S 1000000000ULL

/* CLOCK_MONOTONIC, in nanoseconds. */
uint64_t clock_now(void);

#endif
