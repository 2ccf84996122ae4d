/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * threads K N: starts K threads that loop N times each; the first thread ends
 * without waiting for them.
 *
 * Instructions: first thread COST_NUMBER(digits of K) + COST_NUMBER(digits of
 * N) + K * (COST_NEW_THREAD + COST_IF_CHILD + COST_REPEAT) + COST_ENDING; each
 * of the others COST_IF_CHILD + COST_LOOP(N) + COST_ENDING.
 */
#include "exact.h"

	number	1, K
	number	2, N
1:	new_thread
	if_child 2f
	repeat	K, 1b
	ending	0
2:	loop	N
	ending	0
