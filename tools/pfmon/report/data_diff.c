// SPDX-License-Identifier: GPL-2.0-only
/*
 * The command line of 'pfmon diff', and how its two files are read.
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/long_options.h"
#include "base/message.h"
#include "base/outfile.h"
#include "base/pager.h"
#include "data/replay.h"
#include "options/options.h"
#include "profiles/losses.h"
#include "profiles/share_diff.h"
#include "profiles/shares.h"
#include "report/counts_diff.h"
#include "report/data_code.h"
#include "report/data_diff.h"
#include "report/report_input.h"
#include "symbols/instruction_reader.h"

#define BY_DFL "program,function"

/**
 * struct diff_request - the command line
 * @by: --by; NULL if not given
 * @limit: --percent-limit; NULL if not given
 * @counts: how counts are compared; has -o
 * @how: how files of samples are read
 */
struct diff_request {
	const char *by;
	const char *limit;
	struct counts_diff_request counts;
	struct replay_request how;
};

static int refuse(const char *why)
{
	say_error("%s", why);
	fputs("Try 'pfmon diff --help'.\n", stderr);
	return EXIT_OWN_FAILURE;
}

/**
 * struct profiles - what is compared
 * @replays: the profiles
 * @names: their files
 * @shares: how they are compared
 */
struct profiles {
	struct replay *replays[2];
	const char *names[2];
	struct share_diff_request shares;
};

static int print(FILE *out, const void *what)
{
	const struct profiles *profiles = what;
	struct sampling *both[2] = { &profiles->replays[0]->sampling,
				     &profiles->replays[1]->sampling };

	return share_diff_print(out, both, profiles->names, &profiles->shares);
}

static int print_profiles(struct profiles *profiles, const char *outfile)
{
	struct instruction_reader readers[2] = { 0 };
	unsigned int i;
	int err;

	for (i = 0; i < 2; i++) {
		data_code_init(&readers[i].code, profiles->replays[i]);
		profiles->shares.readers[i] = &readers[i];
	}
	err = pager_print(outfile, print, profiles);
	for (i = 0; i < 2; i++) {
		if (!err)
			code_tell(&readers[i].code, profiles->names[i]);
		instruction_reader_free(&readers[i]);
	}
	return err;
}

static int diff_samples(struct report_input inputs[2],
			const struct diff_request *request)
{
	struct profiles profiles = {
		.names = { inputs[0].name, inputs[1].name },
	};
	struct share_diff_request *shares = &profiles.shares;
	unsigned int i;
	int err = 0;

	if (request->counts.form != COUNTS_DIFF_TEXT ||
	    request->counts.intervals)
		return refuse(
			"--json, --csv and --intervals are for counts and metrics of 'pfmon stat'");
	shares->keys = shares_read_keys(request->by ? request->by : BY_DFL,
					SHARE_ALL_KEYS);
	if (!shares->keys || shares_read_limit(request->limit, &shares->limit))
		return -1;
	for (i = 0; !err && i < 2; i++) {
		profiles.replays[i] = replay_read(inputs[i].name, inputs[i].in,
						  &request->how);
		/* It is closed. */
		inputs[i].in = NULL;
		if (!profiles.replays[i])
			err = -1;
	}
	if (!err)
		err = print_profiles(&profiles, request->counts.outfile);
	replay_free(profiles.replays[0]);
	replay_free(profiles.replays[1]);
	return err;
}

static int diff_counts(const struct report_input inputs[2], const bool json[2],
		       const struct diff_request *request)
{
	if (request->by || request->limit || request->how.force ||
	    request->how.mangled || request->how.sysmap)
		return refuse(
			"--by, --percent-limit, --force, --mangled and --sysmap-file are for files of 'pfmon record' and 'perf record'");
	return counts_diff(inputs, json, &request->counts);
}

static int diff_inputs(struct report_input inputs[2],
		       const struct diff_request *request)
{
	bool profile[2], json[2];
	unsigned int i;

	for (i = 0; i < 2; i++) {
		json[i] = report_input_is_json(&inputs[i]);
		profile[i] = !json[i] && replay_knows(inputs[i].in);
	}
	if (profile[0] && profile[1])
		return diff_samples(inputs, request);
	if (!profile[0] && !profile[1])
		return diff_counts(inputs, json, request);
	say_error(
		"'%s' is a profile and '%s' is not a file of 'pfmon record' or 'perf record'; name two profiles, or two files with counts of 'pfmon stat'",
		inputs[profile[1]].name, inputs[profile[0]].name);
	return -1;
}

static int diff_files(char **names, const struct diff_request *request)
{
	struct report_input inputs[2];
	int err;

	if (report_input_open(&inputs[0], names[0]))
		return -1;
	if (report_input_open(&inputs[1], names[1])) {
		report_input_close(&inputs[0]);
		return -1;
	}
	err = diff_inputs(inputs, request);
	report_input_close(&inputs[0]);
	report_input_close(&inputs[1]);
	return err;
}

static const char letters[] = "ho:";

static const struct option_value values[] = {
	{ "by", "WHAT,...",
	  "program,process,thread,file,function,opcode,class,memory" },
	{ "percent-limit", "SHARE", NULL },
	{ NULL },
};

/* Takes the options.  Returns -1, or the exit status if there is nothing more to do. */
static int parse(struct diff_request *request, int argc, char **argv,
		 const char *help)
{
	static const struct option longopts[] = {
		{ "by", required_argument, NULL, 'b' },
		{ "csv", no_argument, NULL, 'c' },
		{ "force", no_argument, NULL, 'f' },
		{ "help", no_argument, NULL, 'h' },
		{ "help-all", no_argument, NULL, 'h' },
		{ "intervals", no_argument, NULL, 'i' },
		{ "json", no_argument, NULL, 'j' },
		{ "mangled", no_argument, NULL, 'm' },
		{ "outfile", required_argument, NULL, 'o' },
		{ "percent-limit", required_argument, NULL, 'l' },
		{ LONG_OPTIONS_SHOW, no_argument, NULL, 'O' },
		{ "sysmap-file", required_argument, NULL, 'S' },
		{ NULL }
	};
	int opt;

	while ((opt = getopt_long(argc, argv, letters, longopts, NULL)) != -1) {
		switch (opt) {
		case 'b':
			request->by = optarg;
			break;
		case 'c':
			request->counts.form = COUNTS_DIFF_CSV;
			break;
		case 'f':
			request->how.force = true;
			break;
		case 'h':
			fputs(help, stdout);
			return outfile_finish_stdout() ? EXIT_OWN_FAILURE : 0;
		case 'i':
			request->counts.intervals = true;
			break;
		case 'j':
			request->counts.form = COUNTS_DIFF_JSON;
			break;
		case 'l':
			request->limit = optarg;
			break;
		case 'm':
			request->how.mangled = true;
			break;
		case 'o':
			request->counts.outfile = strcmp(optarg, "-") ? optarg
								      : NULL;
			break;
		case 'O':
			return long_options_show(longopts, letters, values)
				       ? EXIT_OWN_FAILURE
				       : 0;
		case 'S':
			request->how.sysmap = optarg;
			break;
		default:
			fputs("Try 'pfmon diff --help'.\n", stderr);
			return EXIT_OWN_FAILURE;
		}
	}
	return -1;
}

int data_diff(int argc, char **argv, const char *help)
{
	static char name[] = "pfmon diff";
	struct diff_request request = { .how.output = SMPL_OUTPUT_TEXT };
	int status;

	/* The name that getopt's messages begin with. */
	argv[0] = name;
	status = parse(&request, argc, argv, help);
	if (status >= 0)
		return status;
	if (argc - optind != 2)
		return refuse(
			"name two files, the one before and the one after, as in 'pfmon diff before.data after.data'; 'pfmon record -o FILE' and 'pfmon stat --json -o FILE' write them");
	if (!strcmp(argv[optind], "-") && !strcmp(argv[optind + 1], "-"))
		return refuse(
			"only one of the two files can be standard input");
	return diff_files(argv + optind, &request) ? EXIT_OWN_FAILURE : 0;
}
