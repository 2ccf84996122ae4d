// SPDX-License-Identifier: GPL-2.0-only
/*
 * Durations on the command line.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

int duration_parse(const char *text, uint64_t *ns)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {
		{ "", 1e9 }, { "s", 1e9 }, { "ms", 1e6 }, { "us", 1e3 },
		{ "ns", 1 }, { "m", 60e9 }, { "min", 60e9 }, { "h", 3600e9 },
	};
	unsigned int i;
	double value;
	char *end;

	errno = 0;
	value = strtod(text, &end);
	if (end == text || errno || !isfinite(value) || value <= 0)
		return -1;
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(end, units[i].name))
			continue;
		value *= units[i].ns;
		/*
		 * 3.2e18 ns are a century: as good as no limit, and below
		 * INT64_MAX.
		 */
		if (value < 1 || value > 3.2e18)
			return -1;
		*ns = value;
		return 0;
	}
	return -1;
}
