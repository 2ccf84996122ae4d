// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Marks two regions of a program, one within the other.  It counts nothing unless it is told to:
 *
 *	PFM_REGION_EVENTS=cycles,instructions ./regions
 *
 * Compiled with -DPFM_REGIONS_OFF, nothing of the regions is in it.
 */
#include <stdio.h>
#include <stdlib.h>

#include <perfmon/region.h>

#define SIZE 100000

static int compare(const void *a, const void *b)
{
	const int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

static long count_different(const int *values)
{
	long n = 1;
	int i;

	/* Ends with the block, whatever leaves it. */
	PFM_REGION(count);
	for (i = 1; i < SIZE; i++)
		n += values[i] != values[i - 1];
	return n;
}

int main(void)
{
	static int values[SIZE];
	long n = 0;
	int i, round;

	for (round = 0; round < 3; round++) {
		for (i = 0; i < SIZE; i++)
			values[i] = rand() % 1000;
		PFM_REGION_BEGIN(both);
		qsort(values, SIZE, sizeof(values[0]), compare);
		n += count_different(values);
		PFM_REGION_END(both);
	}
	printf("%ld\n", n);
	return 0;
}
