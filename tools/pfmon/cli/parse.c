// SPDX-License-Identifier: GPL-2.0-only
/*
 * Command line parser: getopt_long(3) with the option table.
 */
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <perfmon/perfmon.h>

#include "base/message.h"
#include "cli/option_checks.h"
#include "cli/option_defaults.h"
#include "cli/option_table.h"
#include "cli/parse.h"
#include "cli/setters.h"
#include "cli/wrong_options.h"
#include "options/options.h"

/* getopt_long() returns this plus the row for a long name, a character for a letter. */
#define ROW_FIRST 256

/**
 * struct getopt_tables - the option table as getopt_long(3) takes it
 * @letters: short options, each with up to two colons
 * @names: long options
 */
struct getopt_tables {
	char letters[4 * OPTION_ROWS_MAX];
	struct option names[OPTION_ROWS_MAX + 1];
};

static void make_tables(struct getopt_tables *tables,
			const struct option_table *table)
{
	struct option *name = tables->names;
	char *at = tables->letters;
	unsigned int i;

	/*
	 * '+': parsing stops at the command, whose options are its own.  ':': a
	 * missing argument is told apart from an unknown option.
	 */
	*at++ = '+';
	*at++ = ':';
	for (i = 0; i < table->count; i++) {
		const struct option_row *row = &table->rows[i];
		int argument = !row->argument  ? no_argument
			       : row->optional ? optional_argument
					       : required_argument;
		const char *letter;

		for (letter = row->letters; letter && *letter; letter++)
			at += sprintf(at, "%c%.*s", *letter, argument, "::");
		if (row->name)
			*name++ = (struct option){ row->name, argument, NULL,
						   ROW_FIRST + i };
	}
	*at = '\0';
	*name = (struct option){ 0 };
}

/* The row of what getopt_long() returned or left in optopt; NULL if there is none. */
static const struct option_row *find_row(const struct option_table *table,
					 int opt)
{
	unsigned int i;

	if (opt >= ROW_FIRST)
		return &table->rows[opt - ROW_FIRST];
	for (i = 0; opt && i < table->count; i++)
		if (table->rows[i].letters &&
		    strchr(table->rows[i].letters, opt))
			return &table->rows[i];
	return NULL;
}

/* Refuses an option that getopt_long() does not take; it returned @opt. */
static int refuse_option(const struct option_table *table, int opt, char **argv,
			 char *why)
{
	const struct option_row *row = find_row(table, optopt);

	if (opt == ':')
		return parse_missing_argument(
			row, optopt < ROW_FIRST ? optopt : 0, why);
	if (row)
		return parse_needless_argument(row, why);
	if (optopt)
		return parse_unknown_letter(table, optopt, why);
	return parse_unknown_name(table, argv[optind - 1], why);
}

int option_set(struct options *options, const struct option_table *table,
	       const struct option_row *row, const char *value, char *why)
{
	int ret;

	if (row->needs == NEEDS_SYSTEM_WIDE && !options->scope.needed_by)
		options->scope.needed_by = row->name;
	if (row->needs == NEEDS_SAMPLING && !options->smpl.needed_by)
		options->smpl.needed_by = row->name;
	ret = row->set(options, row, value, why);
	return ret == OPTION_CONFLICT ? parse_conflict(table, row, why) : ret;
}

/*
 * getopt_long() takes an optional argument only when it is in the same word, as in
 * "--list-metrics=ipc" and "-lcycles".  An information option runs no command, so that the next
 * word can only be its argument.
 */
static void take_next_word(const struct option_row *row, int argc, char **argv)
{
	const char *next = optind < argc ? argv[optind] : "";

	/* The argument of --print-interval may be missing; a number is no command. */
	if (row->set == set_interval && !optarg && *next >= '0' && *next <= '9')
		optarg = argv[optind++];
	if (row->group == GROUP_INFORMATION && row->optional && !optarg &&
	    optind < argc && argv[optind][0] != '-')
		optarg = argv[optind++];
}

/*
 * The next option.  Parsing would stop at a word whose dash is no hyphen, as at a command, but no
 * command is called so.
 */
static int next_option(int argc, char **argv,
		       const struct getopt_tables *tables)
{
	int opt;

	do {
		opt = getopt_long(argc, argv, tables->letters, tables->names,
				  NULL);
	} while (opt == -1 && optind < argc &&
		 (optind < 2 || strcmp(argv[optind - 1], "--")) &&
		 typeset_replace(&argv[optind]) > 0);
	return opt;
}

static int read_options(struct options *options,
			const struct option_table *table, int argc, char **argv,
			bool *given, char *why)
{
	const struct option_row *row;
	struct getopt_tables tables;
	int opt, err = 0;

	make_tables(&tables, table);
	opterr = 0;
	while (!err && (opt = next_option(argc, argv, &tables)) != -1) {
		if (opt == '?' || opt == ':') {
			err = refuse_option(table, opt, argv, why);
			continue;
		}
		row = find_row(table, opt);
		take_next_word(row, argc, argv);
		given[row - table->rows] = true;
		err = option_set(options, table, row, optarg, why);
	}
	return err;
}

static int take_command(struct options *options,
			const struct option_table *table, int argc, char **argv,
			char *why)
{
	int rest = argc - optind;

	if (table->everything && !rest && options->scope.scope == SCOPE_COMMAND)
		options->scope.scope = SCOPE_SYSTEM;
	switch (options->action) {
	case ACTION_COUNT:
		if (!rest && options->scope.scope != SCOPE_COMMAND)
			return 0;
		if (!rest)
			return option_refuse(
				why,
				"no command to run; name one, or monitor what already runs with --attach-task, --cgroup or --system-wide");
		options->command = argv + optind;
		return 0;
	case ACTION_LIST:
	case ACTION_LIST_LONG:
	case ACTION_METRICS:
		/* The REGEX may also be behind other options. */
		if (rest == 1 && !options->pattern) {
			options->pattern = argv[optind];
			return 0;
		}
		break;
	case ACTION_CHECK:
		/* The command may stay when a whole command line is checked. */
		return 0;
	default:
		break;
	}
	if (rest && options->action != ACTION_HELP &&
	    options->action != ACTION_VERSION)
		return option_refuse(
			why,
			"'%s' has no meaning here; the information options run no command",
			argv[optind]);
	return 0;
}

static int check_options(const struct options *options, char *why)
{
	int err = 0;

	if (options->action == ACTION_HELP || options->action == ACTION_VERSION)
		return 0;
	err = count_options_check(options, why);
	if (!err)
		err = scope_options_check(options, why);
	if (!err)
		err = smpl_options_check(options, why);
	if (!err)
		err = set_options_check(options, why);
	if (!err)
		err = metric_options_check(options, why);
	if (!err)
		err = range_options_check(options, why);
	return err;
}

/* The options of the original, and those that were added to them. */
static const struct option_table *original(void)
{
	static struct option_table table = {
		.rows = option_rows,
		.help = "pfmon help' or 'pfmon --help",
		.letter = missing_option_letter,
		.name = missing_option_name,
	};

	table.count = option_num_rows;
	return &table;
}

int options_parse(struct options *options, int argc, char **argv)
{
	return options_parse_table(options, original(), argc, argv);
}

int options_parse_table(struct options *options,
			const struct option_table *table, int argc, char **argv)
{
	bool given[OPTION_ROWS_MAX] = { false }, hold = false;
	char why[OPTION_WHY_ROOM];
	int err;

	memset(options, 0, sizeof(*options));
	smpl_options_init(&options->smpl);
	options->argv = argv;
	err = read_options(options, table, argc, argv, given, why);
	hold = !err && option_defaults_hold(options, table);
	if (hold)
		err = option_defaults_set(options, table, given, why);
	if (err || scope_options_settle(&options->scope, why) ||
	    smpl_options_settle(&options->smpl, why) ||
	    take_command(options, table, argc, argv, why) ||
	    (table->ready && table->ready(options, why)) ||
	    check_options(options, why)) {
		say_error("%s", why);
		if (hold)
			fputs("The defaults of your configuration hold, too; --no-config leaves them out.\n",
			      stderr);
		fprintf(stderr, "Try '%s' for the options.\n", table->help);
		return EXIT_OWN_FAILURE;
	}
	if (!options->plm)
		options->plm = PFM_PLM_USER;
	scope_options_finish(options);
	smpl_options_finish(&options->smpl);
	return 0;
}

void options_free(struct options *options)
{
	count_options_free(options);
	set_options_free(&options->sets);
	scope_options_free(&options->scope);
}
