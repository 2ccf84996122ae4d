// SPDX-License-Identifier: GPL-2.0-only
/*
 * Student's t distribution, by the incomplete beta function.
 */
#include <math.h>

#include "estimate/student.h"

/* Both are far beyond what is needed: 50 steps give the digits of a double for most arguments. */
#define STEPS_MAX 10000
#define PRECISION 1e-15

/* Lentz's algorithm divides by what must not be 0. */
#define TINY 1e-300

static double not_zero(double value)
{
	return fabs(value) < TINY ? TINY : value;
}

/* The continued fraction of the incomplete beta function, for x < (a + 1) / (a + b + 2). */
static double fraction(double a, double b, double x)
{
	double c = 1, d, result, part, change;
	unsigned int m;

	d = 1 / not_zero(1 - (a + b) * x / (a + 1));
	result = d;
	for (m = 1; m <= STEPS_MAX; m++) {
		part = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		d = 1 / not_zero(1 + part * d);
		c = not_zero(1 + part / c);
		result *= d * c;
		part = -(a + m) * (a + b + m) * x /
		       ((a + 2 * m) * (a + 2 * m + 1));
		d = 1 / not_zero(1 + part * d);
		c = not_zero(1 + part / c);
		change = d * c;
		result *= change;
		if (fabs(change - 1) < PRECISION)
			break;
	}
	return result;
}

/* The regularised incomplete beta function; @y is 1 - @x, which may have more digits. */
static double beta_part(double a, double b, double x, double y)
{
	double factor;

	if (x <= 0)
		return 0;
	if (y <= 0)
		return 1;
	factor = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) +
		     b * log(y));
	if (x < (a + 1) / (a + b + 2))
		return factor * fraction(a, b, x) / a;
	return 1 - factor * fraction(b, a, y) / b;
}

double student_chance(double t, double freedom)
{
	double square = t * t;

	if (isinf(square))
		return 0;
	return beta_part(freedom / 2, 0.5, freedom / (freedom + square),
			 square / (freedom + square));
}

/* The chance falls with the value, so halving an interval finds it. */
double student_limit(double chance, double freedom)
{
	double low = 0, high = 1, middle;

	while (student_chance(high, freedom) > chance)
		high *= 2;
	for (;;) {
		middle = low + (high - low) / 2;
		if (middle <= low || middle >= high)
			return middle;
		if (student_chance(middle, freedom) > chance)
			low = middle;
		else
			high = middle;
	}
}
