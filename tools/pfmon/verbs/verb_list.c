// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfmon list: events by groups and words, or metrics.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/outfile.h"
#include "base/pager.h"
#include "events/info.h"
#include "metrics/metric_forms.h"
#include "options/options.h"
#include "processor/machine.h"
#include "verbs/list.h"
#include "verbs/verb.h"

#define SUGGESTIONS 3

static bool is_one_of(const char *word, const char *const *words)
{
	for (; *words; words++)
		if (!strcmp(*words, word))
			return true;
	return false;
}

/* Writes the words with @separator between them.  NULL after a message. */
static char *join(char **words, const char *separator)
{
	char *text = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);
	int i;

	for (i = 0; file && words[i]; i++)
		fprintf(file, "%s%s", i ? separator : "", words[i]);
	if (file && !fclose(file))
		return text;
	say_error("out of memory for the words");
	return NULL;
}

/*
 * Takes the words that are no options out of @argv.  @words has room for all, and NULL behind them.
 * Returns the new number of arguments.
 */
static int take_words(int argc, char **argv, char **words)
{
	int i, kept = 1, count = 0;

	for (i = 1; i < argc; i++) {
		if (argv[i][0] == '-')
			argv[kept++] = argv[i];
		else
			words[count++] = argv[i];
	}
	words[count] = NULL;
	return kept;
}

/* The original's list of metrics, whose REGEX has the words. */
static int list_metrics(int argc, char **argv)
{
	const char *first[] = { "--list-metrics", NULL, NULL };
	char **words = calloc(argc + 1, sizeof(*words));
	char *regex = NULL;
	int status = EXIT_OWN_FAILURE;

	if (words) {
		argc = take_words(argc, argv, words);
		/* Without the word that asks for metrics. */
		regex = join(words + 1, "|");
	}
	if (regex) {
		if (*regex)
			first[1] = regex;
		status = original_run_as(first, argc, argv, true);
	}
	free(regex);
	free(words);
	return status;
}

static int set_driver(struct machine *machine, const char *word)
{
	unsigned int i;

	for (i = 0; i <= PFM_DRIVER_PERF; i++) {
		if (!driver_names[i] || strcmp(driver_names[i], word))
			continue;
		machine->driver = i;
		return 0;
	}
	say_error("--pmu-driver: '%s' is not one of native, perf", word);
	return -1;
}

static int set_format(struct list *list, enum output_format format)
{
	if (list->format != OUTPUT_TEXT && list->format != format) {
		say_error("--json and --csv cannot be combined");
		return -1;
	}
	list->format = format;
	return 0;
}

static int refuse(char **argv)
{
	say_error("'%s' is no option of list; 'pfmon help list' has them",
		  argv[optind - 1]);
	return -1;
}

/* Returns 0, or -1 after a message.  Words are at the end of @argv, from optind on. */
static int read_options(struct list *list, struct machine *machine, int argc,
			char **argv)
{
	static const struct option names[] = {
		{ "all", no_argument, NULL, 'a' },
		{ "csv", no_argument, NULL, 'c' },
		{ "json", no_argument, NULL, 'j' },
		{ "long", no_argument, NULL, 'L' },
		{ "pmu-driver", required_argument, NULL, 'd' },
		{ "quiet", no_argument, NULL, 'q' },
		{ 0 },
	};
	int opt, err = 0;

	opterr = 0;
	while (!err &&
	       (opt = getopt_long(argc, argv, "ajLq", names, NULL)) != -1) {
		switch (opt) {
		case 'a':
			list->all = true;
			break;
		case 'c':
			err = set_format(list, OUTPUT_CSV);
			break;
		case 'j':
			err = set_format(list, OUTPUT_JSON);
			break;
		case 'L':
			list->masks = true;
			break;
		case 'd':
			err = set_driver(machine, optarg);
			break;
		case 'q':
			message_level.quiet = 1;
			break;
		default:
			err = refuse(argv);
		}
	}
	return err;
}

/* Returns how many words in front stand for groups, or -1 after a message. */
static int take_groups(struct list *list, char **words)
{
	static const char *const tracepoints[] = { "tracepoint", "tracepoints",
						   NULL };
	unsigned int groups;
	int i;

	for (i = 0; words[i]; i++) {
		if (is_one_of(words[i], tracepoints)) {
			say_error(
				"tracepoints are counted by perf alone; 'pfmon list sw' has the kernel's events that are counted here");
			return -1;
		}
		groups = list_groups_of(words[i]);
		if (!groups)
			break;
		list->groups |= groups;
	}
	if (!i)
		list->groups = (1u << NUM_LIST_GROUPS) - 1;
	return i;
}

/* Words end at the separators of an event string, and at perf's wildcards. */
static void part(char *words)
{
	for (; *words; words++)
		if (strchr(":*?,{} \t\n", *words))
			*words = ' ';
}

static int not_found(const struct list *list, char **words)
{
	char names[SUGGESTIONS][PFM_EVENT_NAME_LEN];
	char *text = join(words, " ");
	int count = 0, i;

	if (!text)
		return -1;
	if (list->lacking)
		say_error("%u %s, which this machine lacks; -a lists %s",
			  list->lacking,
			  list->lacking == 1 ? "event matches" : "events match",
			  list->lacking == 1 ? "it" : "them");
	else if (*text)
		say_error("no event matches '%s'; 'pfmon list' lists all",
			  text);
	else
		say_error(
			"this machine has no such events; 'pfmon doctor' says why");
	for (i = 0; !list->lacking && words[i] && count <= 0; i++)
		count = pfm_event_suggest(list->map, words[i], names,
					  SUGGESTIONS);
	for (i = 0; i < count; i++)
		say_error("did you mean %s?", names[i]);
	free(text);
	return -1;
}

static int list_words(struct list *list, char **words)
{
	char *text = join(words, " ");
	char why[1500];
	int err;

	if (!text)
		return -1;
	part(text);
	list->words = text + strspn(text, " ");
	list->columns = metric_text_columns(stdout);
	err = list_events(list);
	if (err == -EBADMSG)
		say_error("%s", pfm_event_strerror(list->map, text, err, why,
						   sizeof(why)));
	else if (err)
		say_error("cannot list the events: %s", strerror(-err));
	else if (!list->count)
		err = not_found(list, words);
	else
		list_end(list);
	free(text);
	if (outfile_finish_stdout())
		err = -1;
	pager_end();
	if (!err && list->lacking)
		say_note(
			"left out, as this machine lacks them: %u; -a lists them",
			list->lacking);
	return err ? -1 : 0;
}

static int list(int argc, char **argv)
{
	struct machine machine = { 0 };
	struct list list = { 0 };
	int groups, err = -1, i;
	bool plain = false;

	/* Behind -- no word stands for a group. */
	for (i = 1; i < argc; i++)
		plain |= !strcmp(argv[i], "--");
	if (!read_options(&list, &machine, argc, argv)) {
		argv += optind;
		groups = plain ? 0 : take_groups(&list, argv);
		if (plain)
			list.groups = (1u << NUM_LIST_GROUPS) - 1;
		if (groups >= 0) {
			list.map = info_read_map(&machine, NULL);
			err = list_words(&list, argv + groups);
		}
	}
	machine_free(&machine);
	return err ? EXIT_OWN_FAILURE : 0;
}

static int run(int argc, char **argv)
{
	static const char *const metrics[] = { "metric", "metrics",
					       "metricgroup", "metricgroups",
					       NULL };
	int i;

	for (i = 1; i < argc && argv[i][0] == '-'; i++)
		if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
			return verb_print_help(&verb_list);
	if (i < argc && is_one_of(argv[i], metrics) &&
	    strcmp(argv[i - 1], "--"))
		return list_metrics(argc, argv);
	return list(argc, argv);
}

const struct verb verb_list = {
	.name = "list",
	.title = "events and metrics of this processor",
	.help = "Usage: pfmon list [OPTION]... [GROUP]... [WORD]...\n"
		"       pfmon list metrics [--pmu=MODEL] [OPTION]... [WORD]...\n"
		"Lists events, with what they count and, in brackets, what a name is here.\n"
		"An event is listed if each WORD is in its name or its description.\n"
		"\n"
		"GROUP is one of\n"
		"  hw       hardware events, by names that all processors have\n"
		"  cache    caches, TLBs, branches, memory, by names that all processors have\n"
		"  sw       events that the kernel counts\n"
		"  pmu      events of the processor by its own names, those of IBS included\n"
		"  ibs      events of IBS\n"
		"\n"
		"  -a, --all    also events that this machine lacks\n"
		"  -L, --long   unit masks, too\n"
		"  -j, --json   a document for programs; --csv: a table\n"
		"  -q, --quiet  no notes\n"
		"\n"
		"'pfmon -i EVENT' tells all about an event; -- in front of a word that is a GROUP\n"
		"searches for it: 'pfmon list -- cache'.\n",
	.run = run,
};
