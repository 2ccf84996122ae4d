// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints a table of options, see long_options.h.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/long_options.h"
#include "base/outfile.h"

static const struct option_value *find(const struct option_value *values,
				       const char *name)
{
	static const struct option_value file = { .what = "FILE" };

	for (; values->option; values++)
		if (!strcmp(values->option, name))
			return values;
	return &file;
}

static void show(const struct option *option, const char *letters,
		 const struct option_value *values)
{
	const struct option_value *value = find(values, option->name);

	if (option->val > 0 && option->val <= CHAR_MAX && option->val != ':' &&
	    strchr(letters, option->val))
		printf("-%c,", option->val);
	printf("--%s ", option->name);
	if (option->has_arg == no_argument)
		fputs("none", stdout);
	else
		printf("%s %s",
		       option->has_arg == required_argument ? "required"
							    : "optional",
		       value->what);
	if (option->has_arg != no_argument && value->choices)
		printf(" %s", value->choices);
	putchar('\n');
}

int long_options_show(const struct option *options, const char *letters,
		      const struct option_value *values)
{
	for (; options->name; options++)
		if (strcmp(options->name, LONG_OPTIONS_SHOW))
			show(options, letters, values);
	return outfile_finish_stdout();
}
