// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfmon mem: which instructions and data miss caches, and which lines threads share.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "base/pager.h"
#include "options/options.h"
#include "verbs/mem.h"
#include "verbs/verb.h"
#include "views/view_command.h"

/**
 * struct mem - the command line
 * @view: the views
 * @input: -i; NULL if not given
 * @samples: --samples; NULL if not given
 * @words: command line of 'pfmon record' that takes the samples
 * @count: elements of @words
 * @first: an option of @words; NULL if none was given
 */
struct mem {
	struct view_request view;
	const char *input;
	const char *samples;
	char **words;
	int count;
	const char *first;
};

static int refuse(const char *why)
{
	say_error("%s", why);
	fputs("Try 'pfmon mem --help'.\n", stderr);
	return EXIT_OWN_FAILURE;
}

/**
 * struct views - what is printed
 * @request: the views
 * @name: the file of samples
 */
struct views {
	const struct view_request *request;
	const char *name;
};

static int print(FILE *out, const void *what)
{
	const struct views *views = what;

	return view_write(views->request, views->name, out);
}

static int show(const struct view_request *view, const char *name)
{
	const struct views views = { view, name };

	return pager_print_whole(view->outfile, print, &views);
}

/* Letters that 'pfmon record' has, too: their options are passed on to it. */
#define SAMPLING "aC:c:kp:qt:uv"

enum {
	OPTION_IMAGE = 256,
	OPTION_JSON,
	OPTION_ROWS,
	OPTION_SAMPLES,
	OPTION_SORT,
	OPTION_SYSMAP,
	OPTION_VIEW
};

static const struct option longopts[] = {
	{ "all-cpus", no_argument, NULL, 'a' },
	{ "count", required_argument, NULL, 'c' },
	{ "cpu", required_argument, NULL, 'C' },
	{ "help", no_argument, NULL, 'h' },
	{ "help-all", no_argument, NULL, 'h' },
	{ "image", required_argument, NULL, OPTION_IMAGE },
	{ "input", required_argument, NULL, 'i' },
	{ "json", no_argument, NULL, OPTION_JSON },
	{ "kernel-level", no_argument, NULL, 'k' },
	{ "max-rows", required_argument, NULL, OPTION_ROWS },
	{ "outfile", required_argument, NULL, 'o' },
	{ "pid", required_argument, NULL, 'p' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "samples", required_argument, NULL, OPTION_SAMPLES },
	{ "session-timeout", required_argument, NULL, 't' },
	{ "sort", required_argument, NULL, OPTION_SORT },
	{ "sysmap-file", required_argument, NULL, OPTION_SYSMAP },
	{ "user-level", no_argument, NULL, 'u' },
	{ "verbose", no_argument, NULL, 'v' },
	{ "view", required_argument, NULL, OPTION_VIEW },
	{ NULL }
};

static const char *long_name(int option)
{
	const struct option *row;

	for (row = longopts; row->val != option; row++)
		;
	return row->name;
}

/* Returns 0, or -1 after a message. */
static int pass(struct mem *mem, int option)
{
	char **word = &mem->words[mem->count++];
	const char *name = long_name(option);

	/* Those two are also about the views. */
	if (option == 'q')
		message_level.quiet = 1;
	else if (option == 'v')
		message_level.verbose = 1;
	else
		mem->first = name;
	if (asprintf(word, "--%s%s%s", name, optarg ? "=" : "",
		     optarg ? optarg : "") >= 0)
		return 0;
	*word = NULL;
	say_error("out of memory for the options");
	return -1;
}

static void take(struct mem *mem, int option)
{
	switch (option) {
	case 'i':
		mem->input = optarg;
		break;
	case 'o':
		mem->view.outfile = strcmp(optarg, "-") ? optarg : NULL;
		break;
	case OPTION_IMAGE:
		mem->view.images[mem->view.num_images++] = optarg;
		break;
	case OPTION_JSON:
		mem->view.json = true;
		break;
	case OPTION_ROWS:
		mem->view.max_rows = optarg;
		break;
	case OPTION_SAMPLES:
		mem->samples = optarg;
		break;
	case OPTION_SORT:
		mem->view.sort = optarg;
		break;
	case OPTION_SYSMAP:
		mem->view.sysmap = optarg;
		break;
	case OPTION_VIEW:
		mem->view.view = optarg;
		break;
	}
}

/* Takes the options.  Returns -1, or the exit status if there is nothing more to do. */
static int parse(struct mem *mem, int argc, char **argv)
{
	int option;

	while ((option = getopt_long(argc, argv, "+hi:o:" SAMPLING, longopts,
				     NULL)) != -1) {
		if (option == 'h')
			return verb_print_help(&verb_mem);
		if (option == '?') {
			fputs("Try 'pfmon mem --help'.\n", stderr);
			return EXIT_OWN_FAILURE;
		}
		if (option < 256 && strchr(SAMPLING, option)) {
			if (pass(mem, option))
				return EXIT_OWN_FAILURE;
		} else {
			take(mem, option);
		}
	}
	return -1;
}

/* The exit status of the command is that of pfmon. */
static int sample(struct mem *mem, char **command)
{
	const char *file = mem->samples ? mem->samples : MEM_FILE;
	int count = mem->count, status;

	mem->words[count++] = (char *)"--";
	while (*command)
		mem->words[count++] = *command++;
	/* getopt begins anew. */
	optind = 0;
	status = mem_sample(count, mem->words, file);
	if (status == EXIT_OWN_FAILURE)
		return status;
	return show(&mem->view, file) ? EXIT_OWN_FAILURE : status;
}

static int run_mem(struct mem *mem, char **command)
{
	const char *mistake = view_check(&mem->view);

	if (mistake)
		return refuse(mistake);
	if (*command || mem->first) {
		if (mem->input)
			return refuse(
				"-i names a file that was sampled before; leave it out, or leave out the command and the options of sampling");
		return sample(mem, command);
	}
	if (mem->samples)
		return refuse(
			"--samples names the file that is written, and there is no command; -i reads a file");
	if (!mem->input && access(MEM_FILE, F_OK)) {
		say_error("cannot open '" MEM_FILE
			  "': %s; 'pfmon mem -- COMMAND' writes it",
			  strerror(errno));
		return EXIT_OWN_FAILURE;
	}
	return show(&mem->view, mem->input ? mem->input : MEM_FILE)
		       ? EXIT_OWN_FAILURE
		       : 0;
}

static int run(int argc, char **argv)
{
	static char name[] = "pfmon mem";
	struct mem mem = { 0 };
	int status = EXIT_OWN_FAILURE, i;

	mem.words = calloc(argc + 3, sizeof(*mem.words));
	mem.view.images = calloc(argc, sizeof(*mem.view.images));
	/* The name that messages of getopt begin with. */
	argv[0] = name;
	if (mem.words && mem.view.images) {
		mem.words[mem.count++] = name;
		status = parse(&mem, argc, argv);
		if (status < 0)
			status = run_mem(&mem, argv + optind);
	} else {
		say_error("out of memory for the options");
	}
	for (i = 1; mem.words && i < mem.count; i++)
		free(mem.words[i]);
	free(mem.words);
	free(mem.view.images);
	return status;
}

const struct verb verb_mem = {
	.name = "mem",
	.title = "what misses caches, and which lines threads share (AMD)",
	.help = "Usage: pfmon mem [OPTION]... [--] COMMAND [ARGUMENT]...\n"
		"       pfmon mem -p PID|NAME | -a | -C LIST [OPTION]... [[--] COMMAND]\n"
		"       pfmon mem [-i FILE] [OPTION]...\n"
		"Samples accesses to memory by AMD's IBS into pfmon-mem.data, and prints which\n"
		"instructions and data miss caches and TLBs, how long that takes, and which cache\n"
		"lines threads share, also by mistake. Without COMMAND: of the file.\n"
		"\n"
		"  -i, --input=FILE        sampled before\n"
		"      --view=VIEW         all rows of instructions, data, addresses or lines\n"
		"      --sort=FIGURE       latency, misses, tlb, samples; of lines: sharing\n"
		"      --image=PATH[@ADDRESS], --sysmap-file=FILE, --max-rows=N\n"
		"                          as in 'pfmon report --view'\n"
		"      --samples=FILE      write samples to FILE\n"
		"  -c, --count=PERIOD      a sample of each PERIOD ops (100000)\n"
		"  -u, -k                  in user code only, in the kernel only\n"
		"  -p, -a, -C, -t TIME     as in 'pfmon record'\n"
		"      --json              for programs\n"
		"  -o, --outfile=FILE      write to FILE instead of standard output\n"
		"  -q, -v, -h              fewer or more messages; this help\n"
		"Example: pfmon mem -- ./program; pfmon mem --view=lines\n",
	.run = run,
};
