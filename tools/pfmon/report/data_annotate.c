// SPDX-License-Identifier: GPL-2.0-only
/*
 * The command line of 'pfmon annotate', and how its file is read.
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/long_options.h"
#include "base/message.h"
#include "base/outfile.h"
#include "base/pager.h"
#include "base/spelling.h"
#include "data/replay.h"
#include "options/options.h"
#include "profiles/annotation_forms.h"
#include "profiles/losses.h"
#include "report/data_annotate.h"
#include "report/data_code.h"
#include "report/data_head.h"
#include "report/report_input.h"

/**
 * struct annotate_request - the command line
 * @input: -i; NULL if not given
 * @outfile: -o; NULL for standard output
 * @by: --by; NULL if not given
 * @how: how the file is read
 * @print: what is printed
 */
struct annotate_request {
	const char *input;
	const char *outfile;
	const char *by;
	struct replay_request how;
	struct annotation_request print;
};

static int refuse(const char *why)
{
	say_error("%s", why);
	fputs("Try 'pfmon annotate --help'.\n", stderr);
	return EXIT_OWN_FAILURE;
}

/* Reads --by.  Returns 0, or -1 if it is another word. */
static int read_by(struct annotate_request *request)
{
	struct annotation_request *print = &request->print;

	print->lines = !request->by || !strcmp(request->by, "line");
	print->instructions = !request->by ||
			      !strcmp(request->by, "instruction");
	return print->lines || print->instructions ? 0 : -1;
}

/* Says which function may be meant, or that there are none. */
static void tell_missing(const struct annotation *annotation,
			 const struct annotate_request *request)
{
	const char *name = request->print.function, *closest;
	struct spelling spelling;
	size_t i;

	if (!name || !annotation->count) {
		say_error(
			annotation->nameless
				? "no sample of '%s' is in a function with a name; 'pfmon report --by=file' says which files they are of, and these need symbols"
				: "there are no samples in '%s'",
			request->print.name);
		return;
	}
	spelling_begin(&spelling, name);
	for (i = 0; i < annotation->count; i++)
		spelling_consider(&spelling,
				  annotation->functions[i].spots->name);
	closest = spelling.closest ? spelling.closest
				   : annotation->functions[0].spots->name;
	say_error(
		"no sample of '%s' is in a function called '%s'; %s '%s'; 'pfmon report' lists all",
		request->print.name, name,
		spelling.closest ? "there is" : "the most are in", closest);
}

static bool has_function(const struct annotation *annotation,
			 const char *function)
{
	size_t i;

	for (i = 0; i < annotation->count; i++)
		if (!function ||
		    annotation_is_called(&annotation->functions[i], function))
			return true;
	return false;
}

/**
 * struct text - what is printed
 * @replay: the samples
 * @annotation: their functions
 * @code: where instructions are read from
 * @request: the form
 */
struct text {
	struct replay *replay;
	struct annotation *annotation;
	struct code *code;
	const struct annotation_request *request;
};

static int print(FILE *out, const void *what)
{
	const struct text *text = what;

	if (text->request->form == ANNOTATION_TEXT)
		data_head_print(out, text->replay->info);
	return annotation_print(out, text->annotation, text->code,
				text->request);
}

static int annotate(struct replay *replay,
		    const struct annotate_request *request)
{
	struct annotation annotation;
	struct code code;
	const struct text text = {
		.replay = replay,
		.annotation = &annotation,
		.code = &code,
		.request = &request->print,
	};
	int err;

	data_code_init(&code, replay);
	err = annotation_make(&annotation, &replay->sampling);
	if (!err && !has_function(&annotation, request->print.function)) {
		tell_missing(&annotation, request);
		err = -1;
	}
	if (!err)
		err = pager_print_whole(request->outfile, print, &text);
	if (!err)
		code_tell(&code, request->print.name);
	code_free(&code);
	annotation_free(&annotation);
	return err;
}

static int annotate_file(struct annotate_request *request)
{
	struct report_input input;
	struct replay *replay;
	int err;

	if (report_input_open(&input, request->input ? request->input
						     : REPORT_INPUT_FILE))
		return -1;
	request->print.name = input.name;
	replay = replay_read(input.name, input.in, &request->how);
	if (!replay)
		return -1;
	print_losses(&replay->sampling);
	err = annotate(replay, request);
	replay_free(replay);
	return err;
}

enum {
	OPTION_BY = 256,
	OPTION_CSV,
	OPTION_JSON,
	OPTION_MANGLED,
	OPTION_SHOW,
	OPTION_SYSMAP,
	SAME_AS_PERF
};

static const char letters[] = "fhi:no:s:";

static const struct option_value values[] = {
	{ "by", "WHAT", "line,instruction" },
	{ "symbol", "FUNCTION", NULL },
	{ NULL },
};

/* Takes the options.  Returns -1, or the exit status if there is nothing more to do. */
static int parse(struct annotate_request *request, int argc, char **argv,
		 const char *help)
{
	static const struct option longopts[] = {
		{ "by", required_argument, NULL, OPTION_BY },
		{ "csv", no_argument, NULL, OPTION_CSV },
		{ "force", no_argument, NULL, 'f' },
		{ "help", no_argument, NULL, 'h' },
		{ "help-all", no_argument, NULL, 'h' },
		{ "input", required_argument, NULL, 'i' },
		{ "json", no_argument, NULL, OPTION_JSON },
		{ "mangled", no_argument, NULL, OPTION_MANGLED },
		{ "outfile", required_argument, NULL, 'o' },
		{ LONG_OPTIONS_SHOW, no_argument, NULL, OPTION_SHOW },
		{ "show-nr-samples", no_argument, NULL, SAME_AS_PERF },
		{ "stdio", no_argument, NULL, SAME_AS_PERF },
		{ "symbol", required_argument, NULL, 's' },
		{ "sysmap-file", required_argument, NULL, OPTION_SYSMAP },
		{ NULL }
	};
	bool csv = false, json = false;
	int opt;

	while ((opt = getopt_long(argc, argv, letters, longopts, NULL)) != -1) {
		switch (opt) {
		case 'f':
			request->how.force = true;
			break;
		case 'h':
			fputs(help, stdout);
			return outfile_finish_stdout() ? EXIT_OWN_FAILURE : 0;
		case 'i':
			request->input = optarg;
			break;
		case 'o':
			request->outfile = strcmp(optarg, "-") ? optarg : NULL;
			break;
		case 's':
			request->print.function = optarg;
			break;
		case OPTION_BY:
			request->by = optarg;
			break;
		case OPTION_CSV:
			csv = true;
			break;
		case OPTION_JSON:
			json = true;
			break;
		case OPTION_MANGLED:
			request->how.mangled = true;
			break;
		case OPTION_SHOW:
			return long_options_show(longopts, letters, values)
				       ? EXIT_OWN_FAILURE
				       : 0;
		case OPTION_SYSMAP:
			request->how.sysmap = optarg;
			break;
		case 'n':
		case SAME_AS_PERF:
			break;
		default:
			fputs("Try 'pfmon annotate --help'.\n", stderr);
			return EXIT_OWN_FAILURE;
		}
	}
	if (csv && json)
		return refuse("--csv and --json contradict each other");
	request->print.form = csv    ? ANNOTATION_CSV
			      : json ? ANNOTATION_JSON
				     : ANNOTATION_TEXT;
	return -1;
}

int data_annotate(int argc, char **argv, const char *help)
{
	static char name[] = "pfmon annotate";
	struct annotate_request request = { .how.output = SMPL_OUTPUT_TEXT };
	int status;

	/* The name that getopt's messages begin with. */
	argv[0] = name;
	status = parse(&request, argc, argv, help);
	if (status >= 0)
		return status;
	if (argc - optind + !!request.print.function > 1)
		return refuse(
			"name one function; a file of samples is named with -i FILE");
	if (optind < argc)
		request.print.function = argv[optind];
	if (read_by(&request))
		return refuse("--by is line or instruction");
	return annotate_file(&request) ? EXIT_OWN_FAILURE : 0;
}
