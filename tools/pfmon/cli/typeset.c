// SPDX-License-Identifier: GPL-2.0-only
/*
 * Options as typesetting leaves them: copied from a page, "--system-wide" may begin with an en dash.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/option_table.h"
#include "cli/wrong_options.h"

/* En dash, em dash and minus sign in UTF-8 */
static const char *const dashes[] = { "\xe2\x80\x93", "\xe2\x80\x94",
				      "\xe2\x88\x92" };

/* Bytes of the dash at the beginning of a text; 0 if there is none. */
static size_t dash_length(const char *text)
{
	size_t i;

	for (i = 0; i < sizeof(dashes) / sizeof(dashes[0]); i++)
		if (!strncmp(text, dashes[i], strlen(dashes[i])))
			return strlen(dashes[i]);
	return 0;
}

/* True if the text is the name of an option or its beginning, and not a group of letters. */
static bool is_long(const char *text)
{
	size_t length = strcspn(text, "=");
	unsigned int i;

	for (i = 0; i < option_num_rows; i++)
		if (option_rows[i].name && length > 1 &&
		    !strncmp(option_rows[i].name, text, length))
			return true;
	return missing_option_name(text, length);
}

int typeset_replace(char **word)
{
	const char *rest = *word;
	size_t length;
	char *option;

	if (!dash_length(rest))
		return 0;
	while ((length = *rest == '-' ? 1 : dash_length(rest)))
		rest += length;
	if (asprintf(&option, "%s%s", *rest && !is_long(rest) ? "-" : "--",
		     rest) < 0)
		return -1;
	*word = option;
	return 1;
}
