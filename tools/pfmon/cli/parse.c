// SPDX-License-Identifier: GPL-2.0-only
/*
 * Command line parser.  The option names are those of the original pfmon.
 */
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <perfmon/perfmon.h>

#include "base/duration.h"
#include "base/message.h"
#include "cli/parse.h"
#include "cli/scope_options.h"
#include "cli/set_options.h"
#include "cli/smpl_options.h"
#include "options/options.h"

enum {
	OPT_FIRST = 256,
	OPT_CHECK,
	OPT_DEBUG,
	OPT_PRIV_LEVELS,
	OPT_AGGREGATE,
	OPT_DONT_START,
	OPT_FOLLOW_FORK,
	OPT_FOLLOW_VFORK,
	OPT_FOLLOW_PTHREAD,
	OPT_FOLLOW_EXEC,
	OPT_FOLLOW_EXEC_EXCLUDE,
	OPT_FOLLOW_ALL,
	OPT_EXEC_SPLIT,
	OPT_APPEND,
	OPT_HEADER,
	OPT_US,
	OPT_EU,
	OPT_HEX,
	OPT_SHOW_TIME,
	OPT_NO_CMD_OUTPUT,
	OPT_JSON,
	OPT_CSV,
	OPT_QUIET,
	OPT_DOCTOR,
	OPT_FORCE,
};

/* '+': parsing stops at the command; its options are its own. */
static const char short_options[] = "+hVIl::L::i:ve:u3k012t:o:p:";

static const struct option long_options[] = {
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ "info", no_argument, NULL, 'I' },
	{ "show-events", optional_argument, NULL, 'l' },
	{ "long-show-events", optional_argument, NULL, 'L' },
	{ "event-info", required_argument, NULL, 'i' },
	{ "check-events-only", no_argument, NULL, OPT_CHECK },
	{ "doctor", no_argument, NULL, OPT_DOCTOR },
	{ "verbose", no_argument, NULL, 'v' },
	{ "debug", no_argument, NULL, OPT_DEBUG },
	{ "quiet", no_argument, NULL, OPT_QUIET },
	{ "events", required_argument, NULL, 'e' },
	{ "force", no_argument, NULL, OPT_FORCE },
	{ "user-level", no_argument, NULL, 'u' },
	{ "kernel-level", no_argument, NULL, 'k' },
	{ "priv-levels", required_argument, NULL, OPT_PRIV_LEVELS },
	{ "session-timeout", required_argument, NULL, 't' },
	{ "aggregate-results", no_argument, NULL, OPT_AGGREGATE },
	{ "dont-start", no_argument, NULL, OPT_DONT_START },
	{ "follow-fork", no_argument, NULL, OPT_FOLLOW_FORK },
	{ "follow-vfork", no_argument, NULL, OPT_FOLLOW_VFORK },
	{ "follow-pthread", no_argument, NULL, OPT_FOLLOW_PTHREAD },
	{ "follow-exec", optional_argument, NULL, OPT_FOLLOW_EXEC },
	{ "follow-exec-exclude", required_argument, NULL,
	  OPT_FOLLOW_EXEC_EXCLUDE },
	{ "follow-all", no_argument, NULL, OPT_FOLLOW_ALL },
	{ "exec-split-results", no_argument, NULL, OPT_EXEC_SPLIT },
	{ "outfile", required_argument, NULL, 'o' },
	{ "append", no_argument, NULL, OPT_APPEND },
	{ "with-header", no_argument, NULL, OPT_HEADER },
	{ "us-counter-format", no_argument, NULL, OPT_US },
	{ "eu-counter-format", no_argument, NULL, OPT_EU },
	{ "hex-counter-format", no_argument, NULL, OPT_HEX },
	{ "show-time", no_argument, NULL, OPT_SHOW_TIME },
	{ "no-cmd-output", no_argument, NULL, OPT_NO_CMD_OUTPUT },
	{ "json", no_argument, NULL, OPT_JSON },
	{ "csv", no_argument, NULL, OPT_CSV },
	SCOPE_LONG_OPTIONS,
	SMPL_LONG_OPTIONS,
	SET_LONG_OPTIONS,
	{ NULL, 0, NULL, 0 }
};

static int usage_hint(void)
{
	fputs("Try 'pfmon --help' for the options.\n", stderr);
	return EXIT_OWN_FAILURE;
}

static int __attribute__((format(printf, 1, 2)))
usage_error(const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	say_error("%s", text);
	return usage_hint();
}

static int set_action(struct options *options, enum action action,
		      const char *pattern)
{
	/* --help and --version win, so that they can be added to anything. */
	if (options->action == ACTION_HELP || options->action == ACTION_VERSION)
		return 0;
	if (options->action != ACTION_COUNT && options->action != action &&
	    action != ACTION_HELP && action != ACTION_VERSION)
		return usage_error("only one of -I, -l, -L, -i, --doctor and --check-events-only can be given");
	options->action = action;
	if (pattern)
		options->pattern = pattern;
	return 0;
}

static int set_format(struct options *options, enum output_format format)
{
	if (options->format != OUTPUT_TEXT && options->format != format)
		return usage_error("--json and --csv cannot be combined");
	options->format = format;
	return 0;
}

static int set_counter(struct options *options, enum counter_format counter)
{
	if (options->counter != COUNTER_PLAIN && options->counter != counter)
		return usage_error("only one of --us-counter-format, --eu-counter-format and --hex-counter-format can be given");
	options->counter = counter;
	return 0;
}

static int set_regex(const char *option, const char *text, regex_t *regex,
		     bool *have)
{
	char why[256];
	int err;

	if (*have)
		return usage_error("%s: only one regular expression can be given; join several as 'one|two'",
				   option);
	err = regcomp(regex, text, REG_EXTENDED | REG_NOSUB);
	if (err) {
		regerror(err, regex, why, sizeof(why));
		return usage_error("%s: '%s' is not a regular expression: %s",
				   option, text, why);
	}
	*have = true;
	return 0;
}

static int parse_sampling(struct options *options, int opt)
{
	char why[SMPL_WHY_ROOM];

	if (smpl_options_take(&options->smpl, opt, optarg, why))
		return usage_error("%s", why);
	return 0;
}

static int parse_sets(struct options *options, int opt)
{
	char why[SET_WHY_ROOM];

	if (set_options_take(&options->sets, opt, optarg, why))
		return usage_error("%s", why);
	return 0;
}

static int parse_scope(struct options *options, int opt)
{
	char why[SCOPE_WHY_ROOM];

	if (scope_options_take(&options->scope, opt, optarg, why))
		return usage_error("%s", why);
	return 0;
}

static int parse_one(struct options *options, int opt)
{
	if (opt >= OPT_SCOPE_FIRST && opt < OPT_SCOPE_END)
		return parse_scope(options, opt);
	if (opt >= OPT_SMPL_FIRST && opt < OPT_SMPL_END)
		return parse_sampling(options, opt);
	if (opt >= OPT_SET_FIRST && opt < OPT_SET_END)
		return parse_sets(options, opt);
	switch (opt) {
	case 'h':
		return set_action(options, ACTION_HELP, NULL);
	case 'V':
		return set_action(options, ACTION_VERSION, NULL);
	case 'I':
		return set_action(options, ACTION_INFO, NULL);
	case 'l':
		return set_action(options, ACTION_LIST, optarg);
	case 'L':
		return set_action(options, ACTION_LIST_LONG, optarg);
	case 'i':
		return set_action(options, ACTION_EVENT_INFO, optarg);
	case OPT_DOCTOR:
		return set_action(options, ACTION_DOCTOR, NULL);
	case OPT_CHECK:
		return set_action(options, ACTION_CHECK, NULL);
	case 'p':
		return parse_scope(options, OPT_ATTACH_TASK);
	case 'v':
		message_level.verbose = 1;
		return 0;
	case OPT_DEBUG:
		message_level.verbose = 1;
		message_level.debug = 1;
		return 0;
	case OPT_QUIET:
		message_level.quiet = 1;
		return 0;
	case 'e':
		if (!set_options_add(&options->sets, optarg))
			return 0;
		say_error("out of memory for the events");
		return EXIT_OWN_FAILURE;
	case 'u':
	case '3':
		options->plm |= PFM_PLM_USER;
		return 0;
	case 'k':
	case '0':
		options->plm |= PFM_PLM_KERNEL;
		return 0;
	case '1':
		options->plm |= PLM_1;
		return 0;
	case '2':
		options->plm |= PLM_2;
		return 0;
	case OPT_FORCE:
		options->force = true;
		return 0;
	case OPT_PRIV_LEVELS:
		if (options->priv_levels)
			return usage_error("--priv-levels given twice; it takes a list, one entry an event");
		options->priv_levels = optarg;
		return 0;
	case 't':
		if (duration_parse(optarg, &options->timeout_ns))
			return usage_error("--session-timeout: '%s' is not a time; give seconds (2.5) or a unit (500ms, 2m)",
					   optarg);
		return 0;
	case OPT_AGGREGATE:
		options->aggregate = true;
		return 0;
	case OPT_DONT_START:
		options->dont_start = true;
		return 0;
	case OPT_FOLLOW_FORK:
		options->follow |= PFM_CTX_FOLLOW_FORK;
		return 0;
	case OPT_FOLLOW_VFORK:
		options->follow |= PFM_CTX_FOLLOW_VFORK;
		return 0;
	case OPT_FOLLOW_PTHREAD:
		options->follow |= PFM_CTX_FOLLOW_CLONE;
		return 0;
	case OPT_FOLLOW_EXEC:
		options->follow |= PFM_CTX_FOLLOW_EXEC;
		if (!optarg)
			return 0;
		return set_regex("--follow-exec", optarg, &options->only,
				 &options->have_only);
	case OPT_FOLLOW_EXEC_EXCLUDE:
		options->follow |= PFM_CTX_FOLLOW_EXEC;
		return set_regex("--follow-exec-exclude", optarg,
				 &options->except, &options->have_except);
	case OPT_FOLLOW_ALL:
		options->follow |= PFM_CTX_FOLLOW_ALL;
		return 0;
	case OPT_EXEC_SPLIT:
		options->exec_split = true;
		return 0;
	case 'o':
		if (options->outfile)
			return usage_error("--outfile given twice");
		options->outfile = optarg;
		return 0;
	case OPT_APPEND:
		options->append = true;
		return 0;
	case OPT_HEADER:
		options->with_header = true;
		return 0;
	case OPT_US:
		return set_counter(options, COUNTER_US);
	case OPT_EU:
		return set_counter(options, COUNTER_EU);
	case OPT_HEX:
		return set_counter(options, COUNTER_HEX);
	case OPT_SHOW_TIME:
		options->show_time = true;
		return 0;
	case OPT_NO_CMD_OUTPUT:
		options->no_cmd_output = true;
		return 0;
	case OPT_JSON:
		return set_format(options, OUTPUT_JSON);
	case OPT_CSV:
		return set_format(options, OUTPUT_CSV);
	default:
		/* getopt has said what is wrong. */
		return usage_hint();
	}
}

static bool describes_events(const struct options *options)
{
	return options->action == ACTION_LIST ||
	       options->action == ACTION_LIST_LONG ||
	       options->action == ACTION_EVENT_INFO;
}

static int check_together(const struct options *options)
{
	char why[SMPL_WHY_ROOM > SCOPE_WHY_ROOM ? SMPL_WHY_ROOM :
						  SCOPE_WHY_ROOM];

	if (options->action == ACTION_HELP || options->action == ACTION_VERSION)
		return 0;
	if (options->append && !options->outfile)
		return usage_error("--append needs --outfile: it says which file to append to");
	if (options->append && options->format == OUTPUT_JSON)
		return usage_error("--append and --json cannot be combined: a file holds one JSON document");
	if (options->format != OUTPUT_TEXT && options->counter != COUNTER_PLAIN)
		return usage_error("the counter formats are for text; --json and --csv write plain integers");
	if (options->format == OUTPUT_CSV && options->with_header)
		return usage_error("--with-header and --csv cannot be combined: CSV has no comments; --json carries the header");
	if (options->format == OUTPUT_CSV && options->show_time)
		return usage_error("--show-time and --csv cannot be combined; --json carries the times");
	if (options->exec_split && !(options->follow & PFM_CTX_FOLLOW_EXEC))
		return usage_error("--exec-split-results needs --follow-exec or --follow-all");
	if (options->exec_split && options->aggregate)
		return usage_error("--exec-split-results and --aggregate-results contradict each other");
	if (options->action == ACTION_DOCTOR &&
	    options->format == OUTPUT_CSV)
		return usage_error("--doctor has no form for --csv; --json is for programs");
	if (describes_events(options) && options->format == OUTPUT_CSV)
		return usage_error("descriptions of events have no form for --csv; --json is for programs");
	if (options->action == ACTION_INFO && options->format != OUTPUT_TEXT)
		return usage_error("--json and --csv are for counts");
	if (message_level.quiet && message_level.verbose)
		return usage_error("--quiet and --verbose contradict each other");
	if (scope_options_check(options, why) ||
	    smpl_options_check(options, why) ||
	    set_options_check(options, why))
		return usage_error("%s", why);
	return 0;
}

/* "perf stat -- ls" is a habit; stat(1) and top(1) are commands as well. */
static void tell_habit(char **command)
{
	static const char *const names[] = { "stat", "record", "top" };
	size_t i;

	for (i = 0; command[1] && i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(command[0], names[i]) && !strcmp(command[1], "--"))
			say_note("'%s' is the command that is monitored; 'pfmon -- %s' is without it",
				 names[i], command[2] ? command[2] : "COMMAND");
}

static int take_command(struct options *options, int argc, char **argv)
{
	int rest = argc - optind;

	switch (options->action) {
	case ACTION_COUNT:
		if (!rest && options->scope.scope != SCOPE_COMMAND)
			return 0;
		if (!rest)
			return usage_error("no command to run");
		options->command = argv + optind;
		tell_habit(options->command);
		return 0;
	case ACTION_LIST:
	case ACTION_LIST_LONG:
		/* "-l cycles" is what one types; getopt wants "-lcycles". */
		if (rest == 1 && !options->pattern) {
			options->pattern = argv[optind];
			return 0;
		}
		break;
	case ACTION_CHECK:
		/* A whole command line may be tried out. */
		return 0;
	default:
		break;
	}
	if (rest && options->action != ACTION_HELP &&
	    options->action != ACTION_VERSION)
		return usage_error("'%s' has no meaning here; the information options run no command",
				   argv[optind]);
	return 0;
}

int options_parse(struct options *options, int argc, char **argv)
{
	int opt, err;

	memset(options, 0, sizeof(*options));
	smpl_options_init(&options->smpl);
	options->argv = argv;
	while ((opt = getopt_long(argc, argv, short_options, long_options,
				  NULL)) != -1) {
		err = parse_one(options, opt);
		if (err)
			return err;
	}
	if (!options->plm)
		options->plm = PFM_PLM_USER;
	err = take_command(options, argc, argv);
	if (!err)
		err = check_together(options);
	if (!err)
		scope_options_finish(options);
	if (!err)
		smpl_options_finish(&options->smpl);
	return err;
}

void options_free(struct options *options)
{
	if (options->have_only)
		regfree(&options->only);
	if (options->have_except)
		regfree(&options->except);
	set_options_free(&options->sets);
	scope_options_free(&options->scope);
}
