// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sets the options that hold unless the command line has them.
 */
#include <stddef.h>
#include <string.h>

#include "cli/option_defaults.h"
#include "cli/option_table.h"
#include "cli/setters.h"
#include "options/options.h"

static const struct option_row *find_row(const struct option_table *table,
					 const char *name)
{
	unsigned int i;

	for (i = 0; i < table->count; i++)
		if (table->rows[i].name && !strcmp(table->rows[i].name, name))
			return &table->rows[i];
	return NULL;
}

/* Rows without a member have a setter that knows it. */
static bool set_the_same(const struct option_row *a, const struct option_row *b)
{
	return a == b || (a->offset && a->offset == b->offset) ||
	       (!a->offset && !a->argument == !b->argument &&
		a->set == b->set && a->value == b->value);
}

static bool is_given(const struct option_table *table,
		     const struct option_row *row, const bool *given)
{
	unsigned int i;

	for (i = 0; i < table->count; i++)
		if (given[i] && set_the_same(row, &table->rows[i]))
			return true;
	return false;
}

/* Returns the wanted state of an option without an argument: 1, 0, or -1 if the text is neither. */
static int read_switch(const char *text)
{
	return !strcmp(text, "yes") ? 1 : !strcmp(text, "no") ? 0 : -1;
}

static int set_default(struct options *options,
		       const struct option_table *table,
		       const struct option_default *def, const bool *given,
		       char *why)
{
	const struct option_row *row = find_row(table, def->name);
	char reason[OPTION_WHY_ROOM] = "";
	int on = 1;

	if (!row || row->group == GROUP_INFORMATION)
		return option_refuse(
			why,
			"%s: there is no option '%s' that could have a default; names are long and without dashes",
			def->place, def->name);
	if (!row->argument)
		on = read_switch(def->value);
	if (on < 0)
		return option_refuse(why, "%s: '%s' is yes or no, not '%s'",
				     def->place, def->name, def->value);
	if (!on || is_given(table, row, given))
		return 0;
	if (option_set(options, table, row, row->argument ? def->value : NULL,
		       reason))
		return option_refuse(why, "%s: %s", def->place, reason);
	return 0;
}

bool option_defaults_hold(const struct options *options,
			  const struct option_table *table)
{
	/* Options that only tell about pfmon take no defaults. */
	return table->num_defaults && !options->stat.no_config &&
	       (options->action == ACTION_COUNT ||
		options->action == ACTION_CHECK);
}

int option_defaults_set(struct options *options,
			const struct option_table *table, const bool *given,
			char *why)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < table->num_defaults && !err; i++)
		err = set_default(options, table, &table->defaults[i], given,
				  why);
	return err;
}
