// SPDX-License-Identifier: GPL-2.0-only
/*
 * A table of functions, or the forms of other programs, of the samples in a file.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "base/pager.h"
#include "data/replay.h"
#include "profiles/losses.h"
#include "profiles/samples.h"
#include "profiles/share_table.h"
#include "report/data_code.h"
#include "report/data_head.h"
#include "report/data_report.h"
#include "report/report_input.h"
#include "symbols/instruction_reader.h"

#define BY_DFL "program,function"

/* What trees can be about. */
#define CALL_KEYS (1U << SHARE_PROGRAM | 1U << SHARE_FUNCTION)

/* Smallest share of a line of a tree, per cent: most of the lines are less. */
#define CALLS_LIMIT_DFL 0.5

bool data_request_any(const struct data_request *request)
{
	return request->output != SMPL_OUTPUT_TEXT || request->by ||
	       request->calls || request->limit || request->force ||
	       request->mangled || request->unfold || request->latency;
}

/**
 * struct text - what is printed
 * @replay: the samples
 * @output: in which form
 * @shares: rows of the table, if that is the form
 * @calls: trees in its place
 */
struct text {
	struct replay *replay;
	enum smpl_output output;
	struct share_request shares;
	struct call_request calls;
};

static int print_calls(FILE *out, const struct text *text)
{
	if (text->shares.form == SHARE_JSON)
		return call_graph_print_json(out, &text->replay->sampling,
					     &text->calls);
	data_head_print(out, text->replay->info);
	return call_graph_print(out, &text->replay->sampling, &text->calls);
}

static int print(FILE *out, const void *what)
{
	const struct text *text = what;

	if (text->output != SMPL_OUTPUT_TEXT)
		return print_samples(out, &text->replay->sampling);
	if (text->calls.order)
		return print_calls(out, text);
	if (text->shares.form == SHARE_JSON)
		return share_json_print(out, &text->replay->sampling,
					&text->shares);
	if (text->shares.form == SHARE_CSV)
		return share_csv_print(out, &text->replay->sampling,
				       &text->shares);
	data_head_print(out, text->replay->info);
	return share_table_print(out, &text->replay->sampling, &text->shares);
}

static int print_text(struct text *text, const char *outfile)
{
	struct share_request *shares = &text->shares;
	struct instruction_reader reader = { 0 };
	int err;

	if (text->output != SMPL_OUTPUT_TEXT ||
	    !(shares->keys & SHARE_INSTRUCTION_KEYS))
		return pager_print(outfile, print, text);
	data_code_init(&reader.code, text->replay);
	shares->reader = &reader;
	err = pager_print(outfile, print, text);
	if (!err)
		code_tell(&reader.code, shares->name);
	instruction_reader_free(&reader);
	return err;
}

static struct replay *read_file(const struct data_request *request,
				enum smpl_output output, const char *name,
				FILE *in)
{
	const struct replay_request how = {
		.output = output,
		.force = request->force,
		.mangled = request->mangled,
		.unfold = request->unfold,
		.latency = request->latency,
		.sysmap = request->sysmap,
	};
	struct replay *replay = replay_read(name, in, &how);

	if (replay)
		symbols_tell_folded(&replay->sampling.symbols);
	return replay;
}

int data_report(const struct data_request *request, const char *name)
{
	struct text text = { .output = request->output };
	struct share_request *shares = &text.shares;
	struct report_input input;
	int err;

	shares->form = request->json  ? SHARE_JSON
		       : request->csv ? SHARE_CSV
				      : SHARE_TEXT;
	shares->keys = shares_read_keys(request->by ? request->by : BY_DFL,
					SHARE_ALL_KEYS);
	if (!shares->keys || shares_read_limit(request->limit, &shares->limit))
		return -1;
	text.calls = (struct call_request){
		.order = request->calls,
		.programs = shares->keys & 1U << SHARE_PROGRAM,
		.limit = request->limit ? shares->limit : CALLS_LIMIT_DFL,
	};
	if (request->calls &&
	    (shares->keys | 1U << SHARE_PROGRAM) != CALL_KEYS) {
		say_error(
			"-g has trees of functions: --by=program,function (each program has its own) or --by=function");
		return -1;
	}
	if (request->output == SMPL_OUTPUT_PPROF && !request->outfile &&
	    isatty(STDOUT_FILENO)) {
		say_error(
			"a profile of pprof is not text; name a file with -o");
		return -1;
	}
	if (report_input_open(&input, name ? name : REPORT_INPUT_FILE))
		return -1;
	shares->name = input.name;
	text.calls.name = input.name;
	text.replay = read_file(request, request->output, input.name, input.in);
	if (!text.replay)
		return -1;
	print_losses(&text.replay->sampling);
	err = print_text(&text, request->outfile);
	replay_free(text.replay);
	return err;
}

int data_report_fold(const struct data_request *request, const char *name,
		     FILE **in)
{
	struct replay *replay;

	if (!replay_knows(*in))
		return 0;
	replay = read_file(request, SMPL_OUTPUT_FOLDED, name, *in);
	*in = replay ? tmpfile() : NULL;
	if (replay && !*in) {
		say_error("cannot make a temporary file for the stacks");
	} else if (replay &&
		   (print_samples(*in, &replay->sampling) || fflush(*in))) {
		fclose(*in);
		*in = NULL;
	} else if (replay) {
		rewind(*in);
	}
	replay_free(replay);
	return *in ? 0 : -1;
}
