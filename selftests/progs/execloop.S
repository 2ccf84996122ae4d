/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * execloop N PROGRAM [ARGUMENT]...: loops N times, then executes PROGRAM.
 *
 * Instructions: COST_NUMBER(digits of N) + COST_LOOP(N) + COST_EXECUTE, then
 * those of PROGRAM.
 */
#include "exact.h"

	number	1, N
	loop	N
	execute	2
	ending	127
