/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * yieldloop K N: loops N times and offers the processor to others, K times.
 *
 * Instructions: COST_NUMBER(digits of K) + COST_NUMBER(digits of N) + K *
 * (COST_LOOP(N) + COST_YIELD + COST_REPEAT) + COST_ENDING.
 */
#include "exact.h"

	number	1, K
	number	2, N
1:	loop	N
	yield
	repeat	K, 1b
	ending	0
