/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * orphan N: ends at once, leaving a child that sleeps 100 ms and loops N times.
 *
 * Instructions: parent COST_NUMBER(digits of N) + COST_NEW + COST_IF_CHILD +
 * COST_ENDING; child COST_IF_CHILD + COST_NAP + COST_LOOP(N) + COST_ENDING.
 */
#include "exact.h"

	number	1, N
	new_process
	if_child 2f
	ending	3
2:	nap
	loop	N
	ending	4
