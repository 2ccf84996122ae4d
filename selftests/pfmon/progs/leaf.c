// SPDX-License-Identifier: GPL-2.0-only
/*
 * leaf N: functions that a sample finds without a frame of their own: some call none, others
 * are interrupted before they have set up their frame, or behind it.
 *
 * The stacks below main() are: work, with large(), or with middle() and small();
 * and CALLS of again(), the innermost with small().
 */
#include <stdlib.h>

#include "burn.h"

#define CALLS 5

static volatile unsigned long sink;

/* Half of the time, in a function that calls none. */
static NOINLINE void large(unsigned long n)
{
	while (n--)
		sink = n;
}

static NOINLINE void small(unsigned long n)
{
	sink = n;
}

static NOINLINE void middle(unsigned long n)
{
	small(n);
	small(n + 1);
	sink = n;
}

static NOINLINE void again(unsigned int calls, unsigned long n)
{
	if (calls > 1)
		again(calls - 1, n);
	else
		small(n);
	sink = calls;
}

static NOINLINE void work(unsigned long n)
{
	unsigned long i;

	for (i = 0; i < n; i++)
		middle(i);
	large(5 * n);
	sink = n;
}

int main(int argc, char **argv)
{
	unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 0) : 100000, i;

	work(n);
	for (i = 0; i < n / 4; i++)
		again(CALLS, i);
	return 0;
}
