// SPDX-License-Identifier: GPL-2.0-only
/*
 * Messages on options that the table does not have, or not in this form.
 */
#include <stdio.h>
#include <string.h>

#include "base/spelling.h"
#include "cli/option_table.h"
#include "cli/setters.h"
#include "cli/wrong_options.h"

/* The option whose name is closest; NULL if none is close. */
static const struct option_row *find_closest(const struct option_table *table,
					     const char *name, size_t length)
{
	/* More than one wrong letter in three: the user meant something else. */
	unsigned int i, new, best = length / 3 + 1;
	const struct option_row *found = NULL;

	if (length > SPELLING_LENGTH_MAX)
		return NULL;
	for (i = 0; i < table->count; i++) {
		if (!table->rows[i].name)
			continue;
		new = spelling_distance(name, length, table->rows[i].name);
		if (new >= best)
			continue;
		best = new;
		found = &table->rows[i];
	}
	return found;
}

/* Lists the options that begin with the name.  Returns their number. */
static unsigned int list_prefixed(const struct option_table *table,
				  const char *name, size_t length, char *list,
				  size_t size)
{
	unsigned int i, count = 0;
	size_t at = 0;

	for (i = 0; i < table->count; i++) {
		if (!table->rows[i].name ||
		    strncmp(table->rows[i].name, name, length))
			continue;
		if (at < size)
			at += snprintf(list + at, size - at, "%s--%s",
				       count ? ", " : "", table->rows[i].name);
		count++;
	}
	return count;
}

int parse_unknown_letter(const struct option_table *table, char letter,
			 char *why)
{
	const char *instead = table->letter ? table->letter(letter) : NULL;

	return option_refuse(why, "there is no option '-%c'%s%s", letter,
			     instead ? ": " : "", instead ? instead : "");
}

int parse_unknown_name(const struct option_table *table, const char *word,
		       char *why)
{
	const char *name = word + strspn(word, "-");
	size_t length = strcspn(name, "=");
	const struct option_row *closest;
	char list[OPTION_WHY_ROOM / 2];
	const char *instead;

	if (length &&
	    list_prefixed(table, name, length, list, sizeof(list)) > 1)
		return option_refuse(
			why, "option '--%.*s' is ambiguous; it can be %s",
			(int)length, name, list);
	instead = table->name ? table->name(name, length) : NULL;
	if (instead)
		return option_refuse(why, "there is no option '--%.*s': %s",
				     (int)length, name, instead);
	closest = find_closest(table, name, length);
	return option_refuse(why, "there is no option '--%.*s'%s%s%s",
			     (int)length, name,
			     closest ? "; did you mean '--" : "",
			     closest ? closest->name : "", closest ? "'?" : "");
}

int parse_missing_argument(const struct option_row *row, char letter, char *why)
{
	if (letter)
		return option_refuse(why, "-%c requires an argument: -%c %s",
				     letter, letter, row->argument);
	return option_refuse(why, "--%s requires an argument: --%s=%s",
			     row->name, row->name, row->argument);
}

int parse_needless_argument(const struct option_row *row, char *why)
{
	return option_refuse(
		why, "--%s takes no argument; leave out '=' and what follows",
		row->name);
}

static bool same_member(const struct option_row *a, const struct option_row *b)
{
	return a->set == b->set && a->offset == b->offset;
}

int parse_conflict(const struct option_table *table,
		   const struct option_row *row, char *why)
{
	unsigned int i, left = 0;
	size_t at;

	for (i = 0; i < table->count; i++)
		left += same_member(row, &table->rows[i]);
	at = snprintf(why, OPTION_WHY_ROOM, "only one of ");
	for (i = 0; i < table->count && at < OPTION_WHY_ROOM; i++) {
		if (!same_member(row, &table->rows[i]))
			continue;
		left--;
		at += snprintf(why + at, OPTION_WHY_ROOM - at, "--%s%s",
			       table->rows[i].name,
			       left > 1	   ? ", "
			       : left == 1 ? " and "
					   : " can be given");
	}
	return -1;
}
