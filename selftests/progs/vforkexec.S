/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * vforkexec K PROGRAM [ARGUMENT]...: executes PROGRAM K times, one after the
 * other, each in a child made by vfork.
 *
 * Instructions: parent COST_NUMBER(digits of K) + K * (COST_NEW +
 * COST_IF_CHILD + COST_REAP + COST_REPEAT) + COST_ENDING; each child
 * COST_IF_CHILD + COST_EXECUTE, then those of PROGRAM.
 */
#include "exact.h"

	number	1, K
1:	new_vfork
	if_child 2f
	reap
	repeat	K, 1b
	ending	0
2:	execute	2
	ending	127
