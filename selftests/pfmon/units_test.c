// SPDX-License-Identifier: GPL-2.0-only
/*
 * Numbers in units that people read, at the places where the unit changes.
 */
#include <stdio.h>
#include <string.h>

#include "../../lib/tests/tap.h"
#include "../../tools/pfmon/base/units.h"

static void test_times(void)
{
	static const struct {
		uint64_t ns;
		const char *text;
	} cases[] = {
		{ 0, "0 ns" },
		{ 999, "999 ns" },
		{ 1000, "1.000 us" },
		{ 999999, "999.999 us" },
		{ 999999499, "999.999 ms" },
		{ 999999500, "1.000 s" },
		{ 1000000000, "1.000 s" },
		{ 59999999999, "60.000 s" },
		{ 3600000000000, "3600.000 s" },
		{ UINT64_MAX, "18446744073.710 s" },
	};
	char text[UNITS_TIME_ROOM];
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		is_text(units_time(cases[i].ns, text), cases[i].text,
			cases[i].text);
}

static void shortened(double number, const char *text, unsigned int steps)
{
	unsigned int done = units_shorten(&number, 3);
	char got[64];

	snprintf(got, sizeof(got), "%.3f", number);
	ok(!strcmp(got, text) && done == steps, "%s, %u steps", text, steps);
}

int main(void)
{
	test_times();
	shortened(0, "0.000", 0);
	shortened(999.9994, "999.999", 0);
	shortened(999.9996, "1.000", 1);
	shortened(999999600, "1.000", 3);
	shortened(999999400, "999.999", 2);
	shortened(1e12, "1000.000", 3);
	return tap_end();
}
