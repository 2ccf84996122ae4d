// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints what begins and ends a colour on a terminal.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/colour.h"

static bool refused;

void colour_refuse(void)
{
	refused = true;
}

static bool is_on(FILE *out)
{
	const char *no_colour = getenv("NO_COLOR"), *term = getenv("TERM");

	/* A stream in memory has no descriptor. */
	return !refused && fileno(out) >= 0 && isatty(fileno(out)) &&
	       (!no_colour || !*no_colour) && term && *term &&
	       strcmp(term, "dumb");
}

void colour_begin(FILE *out, enum colour colour)
{
	if (colour != COLOUR_NONE && is_on(out))
		fputs(colour == COLOUR_MISSING ? "\033[31m" : "\033[33m", out);
}

void colour_end(FILE *out, enum colour colour)
{
	if (colour != COLOUR_NONE && is_on(out))
		fputs("\033[0m", out);
}
