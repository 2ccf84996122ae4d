/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * forkloop K N: has K children, one after the other, that loop N times each.
 *
 * Instructions: parent COST_NUMBER(digits of K) + COST_NUMBER(digits of N) +
 * K * (COST_NEW + COST_IF_CHILD + COST_REAP + COST_REPEAT) + COST_ENDING; each
 * child COST_IF_CHILD + COST_LOOP(N) + COST_ENDING.
 */
#include "exact.h"

	number	1, K
	number	2, N
1:	new_process
	if_child 2f
	reap
	repeat	K, 1b
	ending	0
2:	loop	N
	ending	0
