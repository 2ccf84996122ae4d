// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * stride columns|rows: adds up a matrix four times. Both ways add the same numbers, but C has
 * the numbers of a row beside each other: going down a column takes each from another line of
 * the cache, and a column has more lines than the first two caches can keep.
 *
 * Documentation/use/topdown.rst finds this out with pfmon.
 */
#include <stdio.h>
#include <string.h>

#define ROUNDS	4
#define ROWS	1024
#define COLUMNS 512

static double matrix[ROWS][COLUMNS] __attribute__((aligned(4096)));

static double fill(void)
{
	double sum = 0;

	for (int row = 0; row < ROWS; row++)
		for (int column = 0; column < COLUMNS; column++)
			sum += matrix[row][column] = row + column;
	return sum;
}

__attribute__((noinline)) static double sum_by_columns(void)
{
	double sum = 0;

	for (int column = 0; column < COLUMNS; column++)
		for (int row = 0; row < ROWS; row++)
			sum += matrix[row][column];
	return sum;
}

__attribute__((noinline)) static double sum_by_rows(void)
{
	double sum = 0;

	for (int row = 0; row < ROWS; row++)
		for (int column = 0; column < COLUMNS; column++)
			sum += matrix[row][column];
	return sum;
}

int main(int argc, char **argv)
{
	double (*sum_up)(void) = NULL;
	double expected, sum = 0;

	if (argc == 2 && !strcmp(argv[1], "columns"))
		sum_up = sum_by_columns;
	if (argc == 2 && !strcmp(argv[1], "rows"))
		sum_up = sum_by_rows;
	if (!sum_up) {
		fprintf(stderr, "usage: stride columns|rows\n");
		return 2;
	}
	expected = fill() * ROUNDS;
	for (int round = 0; round < ROUNDS; round++)
		sum += sum_up();
	if (sum != expected) {
		fprintf(stderr, "stride: the sum is wrong\n");
		return 1;
	}
	return 0;
}
