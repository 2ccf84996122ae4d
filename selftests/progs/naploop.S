/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * naploop K N: K times sleeps 100 ms and loops N times.
 *
 * Instructions: COST_NUMBER(digits of K) + COST_NUMBER(digits of N) + K *
 * (COST_NAP + COST_LOOP(N) + COST_REPEAT) + COST_ENDING.
 */
#include "exact.h"

	number	1, K
	number	2, N
1:	nap
	loop	N
	repeat	K, 1b
	ending	0
