// SPDX-License-Identifier: GPL-2.0-only
/*
 * Numbers in units that people read.
 */
#include <stdio.h>

#include "base/units.h"

unsigned int units_shorten(double *number, unsigned int steps)
{
	unsigned int step = 0;

	for (; step < steps && *number >= 999.9995; step++)
		*number /= 1000;
	return step;
}

const char *units_time(uint64_t ns, char *text)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	double number = ns;
	unsigned int step = units_shorten(&number, 3);

	snprintf(text, UNITS_TIME_ROOM, "%.*f %s", step ? 3 : 0, number,
		 units[step]);
	return text;
}
