// SPDX-License-Identifier: GPL-2.0-only
/*
 * 'pfmon ibs decode', see ibs_decode.h.  Samples are written as they are read, so those
 * before an error are in the CSV file.
 */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/message.h"
#include "base/outfile.h"
#include "ibs/ibs.h"
#include "ibs/ibs_csv.h"
#include "ibs/ibs_file.h"
#include "options/options.h"

#define BUFFER_SIZE (256 << 10)

/**
 * struct output - a CSV file
 * @name: its name; "-" for standard output; NULL if not given
 * @file: the file; not open if its stream is NULL
 * @kind: samples in it, once it is open
 * @input: number of the input whose columns were compared with its own last
 * @csv: its rows
 */
struct output {
	const char *name;
	struct outfile file;
	enum ibs_kind kind;
	unsigned int input;
	struct ibs_csv csv;
};

/**
 * struct decode - one run of 'pfmon ibs decode'
 * @inputs: names of the inputs
 * @count: elements of @inputs
 * @input: number of the current input, from 1 on
 * @file: the current input
 * @samples: of the current input
 * @left_out: of them, samples for which there is no file
 * @outputs: CSV files: -o, and for fetches -g
 */
struct decode {
	const char **inputs;
	unsigned int count;
	unsigned int input;
	struct ibs_file file;
	unsigned long long samples;
	unsigned long long left_out;
	struct output outputs[NUM_IBS_KINDS];
};

static const char
	*const kind_names[] = { [IBS_OP] = "op", [IBS_FETCH] = "fetch" };

/* clang-format off */
static const char usage[] =
"usage: pfmon ibs decode [-o CSV] [-g CSV] FILE...\n"
"\n"
"Writes the IBS samples in each FILE as CSV, a row for each sample. FILE is one\n"
"of perfmon, or a raw op or fetch file of AMD's IBS Toolkit; - is standard input.\n"
"\n"
"  -o, --outfile=CSV             write to CSV instead of standard output\n"
"  -g, --fetch-csv=CSV           write samples of fetches to CSV, and only those\n"
"                                of ops to the file of -o\n"
"  -i, --op-file=FILE            as FILE, for command lines of the toolkit\n"
"  -f, --fetch-file=FILE         likewise\n"
"  -h, --help\n";
/* clang-format on */

static int usage_hint(void)
{
	fputs("Try 'pfmon ibs decode --help'.\n", stderr);
	return EXIT_OWN_FAILURE;
}

static int refuse(const char *why)
{
	say_error("%s", why);
	return usage_hint();
}

static bool is_same(const struct stat *a, const struct stat *b)
{
	return S_ISREG(a->st_mode) && a->st_dev == b->st_dev &&
	       a->st_ino == b->st_ino;
}

/* Opening a file for output empties it, so that must not be an input. */
static int check_not_input(const struct decode *decode, const char *name)
{
	struct stat output, input;
	unsigned int i;

	if (stat(name, &output))
		return 0;
	for (i = 0; i < decode->count; i++) {
		if (stat(decode->inputs[i], &input) ||
		    !is_same(&output, &input))
			continue;
		say_error("'%s' is to be read, and also to be written", name);
		return -1;
	}
	return 0;
}

/* The other CSV file must not be the same file under another name. */
static int check_not_output(const struct decode *decode,
			    const struct output *output)
{
	const struct output *other =
		&decode->outputs[output == decode->outputs];
	struct stat a, b;

	if (!other->file.file || fstat(fileno(other->file.file), &a) ||
	    fstat(fileno(output->file.file), &b) || !is_same(&a, &b))
		return 0;
	say_error("%s is named for ops and for fetches, whose columns differ; "
		  "name two files",
		  output->file.name);
	return -1;
}

static int open_output(const struct decode *decode, struct output *output)
{
	if (!strcmp(output->name, "-")) {
		output->file.name = "standard output";
		output->file.file = stdout;
	} else {
		if (check_not_input(decode, output->name))
			return -1;
		output->file.name = output->name;
		output->file.file = fopen(output->name, "we");
	}
	if (!output->file.file) {
		say_error("cannot open '%s' for the samples: %s", output->name,
			  strerror(errno));
		return -1;
	}
	setvbuf(output->file.file, NULL, _IOFBF, BUFFER_SIZE);
	return check_not_output(decode, output);
}

/* Has a CSV file ready for samples of the current input, with their columns. */
static int begin(struct decode *decode, struct output *output,
		 enum ibs_kind kind)
{
	const struct ibs_format *format = &decode->file.format;

	if (output->input == decode->input)
		return 0;
	output->input = decode->input;
	if (!output->file.file) {
		output->kind = kind;
		if (!output->name)
			output->name = "-";
		if (open_output(decode, output))
			return -1;
		return ibs_csv_begin(&output->csv, output->file.file, format,
				     kind);
	}
	if (!ibs_csv_continue(&output->csv, format, kind))
		return 0;
	say_error("the samples of %s have other columns than those before, as "
		  "their processor differs; decode the file alone",
		  decode->file.input.name);
	return -1;
}

/* The CSV file for samples of a kind; NULL if they are left out. */
static struct output *find(struct decode *decode, enum ibs_kind kind)
{
	struct output *first = &decode->outputs[0];

	if (decode->outputs[IBS_FETCH].name)
		return &decode->outputs[kind];
	if (!first->file.file || first->kind == kind)
		return first;
	return NULL;
}

static int take(struct decode *decode, const struct ibs_sample *sample)
{
	struct output *output = find(decode, sample->kind);

	decode->samples++;
	if (!output) {
		decode->left_out++;
		return 0;
	}
	if (begin(decode, output, sample->kind))
		return -1;
	return ibs_csv_sample(&output->csv, sample);
}

/*
 * Begins the files that the input is known to be for, so that they have their first row
 * even without samples.
 */
static int begin_known(struct decode *decode)
{
	enum ibs_file_type type = decode->file.format.type;
	enum ibs_kind kind;
	struct output *output;

	for (kind = 0; kind < NUM_IBS_KINDS; kind++) {
		output = find(decode, kind);
		if (type == IBS_FILE_PERFMON &&
		    (!decode->outputs[IBS_FETCH].name || !output->name))
			continue;
		if (type == (kind == IBS_OP ? IBS_FILE_TOOLKIT_FETCH
					    : IBS_FILE_TOOLKIT_OP))
			continue;
		if (output && begin(decode, output, kind))
			return -1;
	}
	return 0;
}

static int conclude(struct decode *decode)
{
	enum ibs_kind kind = decode->outputs[0].kind;

	if (!decode->samples)
		say_warning("%s has no samples", decode->file.input.name);
	if (!decode->samples && !decode->outputs[0].file.file &&
	    !decode->outputs[IBS_FETCH].file.file)
		return begin(decode, &decode->outputs[0], IBS_OP);
	if (!decode->left_out)
		return 0;
	say_error("%llu %s samples of %s were left out, as one CSV file cannot "
		  "have both kinds; name one for fetches with -g",
		  decode->left_out, kind_names[!kind], decode->file.input.name);
	return -1;
}

static int decode_samples(struct decode *decode)
{
	struct ibs_sample sample;
	int status;

	while ((status = ibs_file_next(&decode->file, &sample)) > 0)
		if (take(decode, &sample))
			return -1;
	return status;
}

static int decode_input(struct decode *decode, const char *name)
{
	int err;

	decode->input++;
	decode->samples = 0;
	decode->left_out = 0;
	err = ibs_file_open(&decode->file, name);
	if (!err)
		err = begin_known(decode);
	if (!err)
		err = decode_samples(decode);
	if (!err)
		err = conclude(decode);
	ibs_file_close(&decode->file);
	return err;
}

static int close_outputs(struct decode *decode)
{
	struct output *output;
	int err = 0;

	for (output = decode->outputs; output < decode->outputs + NUM_IBS_KINDS;
	     output++) {
		if (!output->file.file)
			continue;
		if (output->file.file == stdout)
			err |= outfile_finish_stdout();
		else
			err |= outfile_close(&output->file);
	}
	return err;
}

/* A file that was named and not written may still have the samples of an earlier run. */
static void warn_of_unwritten(const struct decode *decode)
{
	const struct output *output;

	for (output = decode->outputs; output < decode->outputs + NUM_IBS_KINDS;
	     output++)
		if (output->name && !output->file.name)
			say_warning("'%s' was not written: there are no "
				    "samples for it",
				    output->name);
}

/*
 * A reader that goes away early, such as head, is told like any other failure to write:
 * with a message.
 */
static int decode_all(struct decode *decode)
{
	unsigned int i;
	int err = 0;

	signal(SIGPIPE, SIG_IGN);
	for (i = 0; !err && i < decode->count; i++)
		err = decode_input(decode, decode->inputs[i]);
	err |= close_outputs(decode);
	if (!err)
		warn_of_unwritten(decode);
	return err ? EXIT_OWN_FAILURE : 0;
}

static int help(void)
{
	fputs(usage, stdout);
	return outfile_finish_stdout() ? EXIT_OWN_FAILURE : 0;
}

static int run(struct decode *decode)
{
	const char *op = decode->outputs[IBS_OP].name;
	const char *fetch = decode->outputs[IBS_FETCH].name;

	if (!decode->count)
		return refuse("say which file to decode; - is standard input");
	if (fetch && !strcmp(fetch, "-") && (!op || !strcmp(op, "-")))
		return refuse("standard output can have ops or fetches; name "
			      "a file for ops with -o");
	return decode_all(decode);
}

/* Takes the options.  Returns -1, or the exit status if there is nothing more to do. */
static int parse(struct decode *decode, int argc, char **argv)
{
	/* Those with '_' are the toolkit's. */
	static const struct option longopts[] = {
		{ "fetch-csv", required_argument, NULL, 'g' },
		{ "fetch_out_file", required_argument, NULL, 'g' },
		{ "fetch-file", required_argument, NULL, 'f' },
		{ "fetch_in_file", required_argument, NULL, 'f' },
		{ "help", no_argument, NULL, 'h' },
		{ "op-file", required_argument, NULL, 'i' },
		{ "op_in_file", required_argument, NULL, 'i' },
		{ "op_out_file", required_argument, NULL, 'o' },
		{ "outfile", required_argument, NULL, 'o' },
		{ NULL }
	};
	struct output *output;
	int opt;

	while ((opt = getopt_long(argc, argv, "f:g:hi:o:", longopts, NULL)) !=
	       -1) {
		if (opt == 'h')
			return help();
		if (opt == '?')
			return usage_hint();
		if (opt == 'i' || opt == 'f') {
			decode->inputs[decode->count++] = optarg;
			continue;
		}
		output = &decode->outputs[opt == 'g' ? IBS_FETCH : IBS_OP];
		if (output->name)
			return refuse(opt == 'g' ? "-g is given twice"
						 : "-o is given twice");
		output->name = optarg;
	}
	while (optind < argc)
		decode->inputs[decode->count++] = argv[optind++];
	return -1;
}

int ibs_decode(int argc, char **argv)
{
	static char name[] = "pfmon ibs decode";
	struct decode *decode = calloc(1, sizeof(*decode));
	int status = EXIT_OWN_FAILURE;

	/* The name that getopt's messages begin with. */
	argv[0] = name;
	if (decode)
		decode->inputs = calloc(argc, sizeof(*decode->inputs));
	if (!decode || !decode->inputs) {
		say_error("out of memory");
		free(decode);
		return status;
	}
	status = parse(decode, argc, argv);
	if (status < 0)
		status = run(decode);
	free(decode->inputs);
	free(decode);
	return status;
}
