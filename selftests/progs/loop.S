/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * loop N: loops N times and ends with status 0.
 *
 * Instructions: COST_NUMBER(digits of N) + COST_LOOP(N) + COST_ENDING; on arm64
 * 2 N + 6 digits + 8.
 */
#include "exact.h"

	number	1, N
	loop	N
	ending	0
