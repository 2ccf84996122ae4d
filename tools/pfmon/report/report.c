// SPDX-License-Identifier: GPL-2.0-only
/*
 * 'pfmon report', see report.h.
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/long_options.h"
#include "base/message.h"
#include "base/outfile.h"
#include "options/options.h"
#include "report/data_branches.h"
#include "report/data_report.h"
#include "report/forms.h"
#include "report/pages.h"
#include "report/report.h"
#include "report/report_input.h"
#include "views/view_command.h"

/* getopt_long(3) returns this plus enum smpl_output for the form of another program. */
#define FORM_FIRST 256

/* It returns this for options of perf that ask for what the table is in any case. */
#define SAME_AS_PERF 'n'

/**
 * struct report - one run of 'pfmon report'
 * @html: --html was given
 * @compare: --compare was given
 * @branches: --branches or --blocks was given, and
 * @blocks: the latter
 * @title: --title; NULL if none
 * @outfile: -o; NULL for standard output
 */
struct report {
	bool html;
	bool compare;
	bool branches;
	bool blocks;
	const char *title;
	const char *outfile;
};

/* clang-format off */
static const char usage[] =
"usage: pfmon report [OPTION]... [FILE]\n"
"       pfmon report --html [OPTION]... [FILE | FOLDED | METRICS.json]\n"
"       pfmon report --view=VIEW [OPTION]... FILE\n"
"       pfmon report --from=COUNTS --pmu=MODEL [OPTION]...\n"
"       pfmon report --compare [OPTION]... A.json B.json\n"
"\n"
"Prints which programs and functions the samples are of that 'pfmon record' has\n"
"written into FILE (pfmon.data), or writes them in the form of another program.\n"
"FILE may also be one of 'perf record'.\n"
"\n"
"Or makes a page with a flame graph of them, or of the stacks in FOLDED, a file that\n"
"'pfmon --smpl-output=folded' has written. Without a file, or when it is -, reads\n"
"standard input. The page is one file that a browser opens from disk. Of metrics that\n"
"'pfmon --topdown --json' wrote, the page has bars, a table, and plots over time.\n"
"\n"
"Or evaluates metrics of the counts in COUNTS, or compares the metrics that\n"
"'pfmon --json' wrote into A.json and B.json; one of them may be -.\n"
"\n"
"Or says which cache and TLB misses there are in FILE, which\n"
"'pfmon --smpl-module=ibs' has recorded, and how long they took.\n"
"\n"
"      --by=WHAT,...             rows of program, process, thread, file, function\n"
"                                (program,function), or of its code: opcode,\n"
"                                class, memory\n"
"  -g, --call-graph[=ORDER]      trees of functions: caller (what each one calls),\n"
"                                or callee (what it is called by)\n"
"  -i, --input=FILE              the file, which also may be named without -i\n"
"      --percent-limit=SHARE     leave out rows with less\n"
"      --branches, --blocks      branches that 'pfmon record -b' has written, or the\n"
"                                code between them, with misprediction rates\n"
"      --folded, --pprof, --speedscope, --firefox, --perf-script\n"
"                                write the form of flame graphs, of pprof, of speedscope,\n"
"                                of the Firefox Profiler, or of 'perf script'\n"
"      --latency                 by wall-clock time: a sample counts by one over the\n"
"                                number of threads that ran (record --latency)\n"
"      --mangled                 leave names of C++, Rust and D as they are\n"
"      --inline                  inlined functions as frames of their own (programs\n"
"                                with debugging information)\n"
"      --force                   read a damaged FILE up to the damage\n"
"      --html                    make a page\n"
"      --title=TITLE             title of the page\n"
"      --view=VIEW               instructions, data (variables, stacks, heaps,\n"
"                                mappings), addresses (of data), or lines (of the\n"
"                                cache, with the threads that share them)\n"
"      --sort=FIGURE             latency (default), misses, tlb or samples, or of\n"
"                                lines sharing, their default\n"
"      --json                    a JSON document instead of a table\n"
"      --csv                     the table of samples or of --from as CSV\n"
"      --max-rows=N              rows to distinguish (65536); the rest is one row\n"
"      --image=PATH[@ADDRESS]    file that was mapped, if FILE does not say it\n"
"      --sysmap-file=FILE        System.map with the functions of the kernel\n"
"      --from=COUNTS             CSV: an event and its count in each row, or what\n"
"                                'pfmon --csv' wrote\n"
"      --pmu=MODEL               model of the processor that they are of\n"
"      --metric-file=FILE        metrics of your own\n"
"      --topdown[=LEVEL]         the top-down tree (down to LEVEL)\n"
"  -M, --metrics=NAME,...        these metrics or groups; without these two, all\n"
"  -o, --outfile=FILE            write to FILE instead of standard output\n"
"  -h, --help\n";
/* clang-format on */

static int usage_hint(void)
{
	fputs("Try 'pfmon report --help'.\n", stderr);
	return EXIT_OWN_FAILURE;
}

static int refuse(const char *why)
{
	say_error("%s", why);
	return usage_hint();
}

static int help(void)
{
	fputs(usage, stdout);
	return outfile_finish_stdout() ? EXIT_OWN_FAILURE : 0;
}

static int fill_page(const struct report *report,
		     const struct data_request *data,
		     struct report_input *input)
{
	if (data_report_fold(data, input->name, &input->in))
		return -1;
	if (report_input_is_json(input))
		return topdown_page(input, report->title, report->outfile);
	if (*report_page)
		return stacks_page(input, report->title, report->outfile);
	say_error("this pfmon was built without the page of 'report'; "
		  "install npm and build pfmon again");
	return -1;
}

static int make_page(const struct report *report,
		     const struct data_request *data, int argc, char **argv)
{
	struct report_input input;
	int err;

	if (argc > 1)
		return refuse("one file at a time");
	if (!report->outfile && isatty(STDOUT_FILENO))
		return refuse("the page would go to the terminal; use -o FILE");
	/* A person at a terminal means the file that was just recorded. */
	if (report_input_open(&input, argc || !isatty(STDIN_FILENO) ?
					      argv[0] :
					      REPORT_INPUT_FILE))
		return EXIT_OWN_FAILURE;
	err = fill_page(report, data, &input);
	report_input_close(&input);
	return err ? EXIT_OWN_FAILURE : 0;
}

static int make_view(const struct view_request *request, int argc, char **argv)
{
	const char *mistake = view_check(request);

	if (mistake)
		return refuse(mistake);
	if (argc != 1)
		return refuse("name one file of IBS samples");
	return view_report(request, argv[0]) ? EXIT_OWN_FAILURE : 0;
}

/* An option that only views have was given. */
static bool is_of_view(const struct view_request *request)
{
	return request->max_rows || request->num_images;
}

static int make_metrics(const struct counts_request *request, int argc)
{
	const char *mistake = counts_request_check(request);

	if (mistake)
		return refuse(mistake);
	if (argc)
		return refuse("--from names the file; leave out the other one");
	return counts_report(request) ? EXIT_OWN_FAILURE : 0;
}

static int make_comparison(const struct report *report, bool json, int argc,
			   char **argv)
{
	if (argc != 2)
		return refuse("--compare needs two JSON documents of pfmon");
	if (!strcmp(argv[0], "-") && !strcmp(argv[1], "-"))
		return refuse(
			"only one of the two documents can be standard input");
	return compare_report(argv[0], argv[1], json, report->outfile)
		       ? EXIT_OWN_FAILURE
		       : 0;
}

static int make_table(const struct data_request *request, int argc, char **argv)
{
	if (argc > 1)
		return refuse("one file at a time");
	return data_report(request, argv[0]) ? EXIT_OWN_FAILURE : 0;
}

/* Refuses what contradicts the kind of report.  Returns NULL if nothing does. */
static const char *check(const struct report *report,
			 const struct view_request *request,
			 const struct counts_request *metrics,
			 const struct data_request *data)
{
	bool from = metrics->from;

	int kinds = report->html + !!request->view + from + report->compare;

	if (kinds + report->branches > 1)
		return "--html, --view, --from, --compare and --branches contradict each other";
	if (report->branches &&
	    (data->output != SMPL_OUTPUT_TEXT || data->by || data->calls ||
	     data->latency || metrics->csv || data->unfold))
		return "--branches and --blocks are tables of their own, as text or --json";
	if (data->output != SMPL_OUTPUT_TEXT &&
	    (data->by || data->limit || data->calls))
		return "--by, --percent-limit and -g are for the table";
	if (data->calls && metrics->csv)
		return "-g prints trees, of which --json has the lines; --csv is for the table";
	if (kinds &&
	    (data->output != SMPL_OUTPUT_TEXT || data->by || data->limit ||
	     data->calls))
		return "--by, --percent-limit, -g, --folded, --pprof, --speedscope, --firefox and --perf-script contradict another kind of report";
	if (kinds && !report->html && data_request_any(data))
		return "--force, --mangled, --inline and --latency are for files of 'pfmon record'";
	if (!from && counts_request_any(metrics))
		return "--pmu, --metric-file, --metrics and --topdown are for --from";
	if (!request->view && is_of_view(request))
		return "--max-rows and --image are for --view";
	if (request->sysmap && (from || report->compare))
		return "--sysmap-file is for --view and files of 'pfmon record'";
	if (report->html && request->json)
		return "--json is for tables, --view, --from and --compare";
	if (metrics->csv && kinds && !from)
		return "--csv is for tables and --from";
	if (data->output != SMPL_OUTPUT_TEXT && (request->json || metrics->csv))
		return "--json and --csv are for the table";
	if (metrics->csv && request->json)
		return "--csv and --json contradict each other";
	if (!report->html && report->title)
		return "--title is for --html";
	return NULL;
}

static int run(const struct report *report, const struct view_request *request,
	       struct counts_request *metrics, struct data_request *data,
	       int argc, char **argv)
{
	const char *mistake;

	/* perf's option for what the rows are about */
	if (!request->view && request->sort)
		data->by = request->sort;
	mistake = check(report, request, metrics, data);
	if (mistake)
		return refuse(mistake);
	if (data->name && argc)
		return refuse("-i names the file; leave out the other one");
	if (data->name) {
		argc = 1;
		argv = &data->name;
	}
	metrics->json = request->json;
	data->json = request->json;
	data->csv = metrics->csv;
	metrics->outfile = request->outfile;
	data->outfile = request->outfile;
	data->sysmap = request->sysmap;
	if (report->compare)
		return make_comparison(report, request->json, argc, argv);
	if (metrics->from)
		return make_metrics(metrics, argc);
	if (request->view)
		return make_view(request, argc, argv);
	if (report->branches && argc > 1)
		return refuse("one file at a time");
	if (report->branches)
		return data_branches(data, argv[0], report->blocks)
			       ? EXIT_OWN_FAILURE
			       : 0;
	if (report->html)
		return make_page(report, data, argc, argv);
	return make_table(data, argc, argv);
}

/* Takes an option of views. */
static void take_view_option(struct view_request *request, int opt)
{
	if (opt == 'G')
		request->images[request->num_images++] = optarg;
	else if (opt == 'j')
		request->json = true;
	else if (opt == 'm')
		request->max_rows = optarg;
	else if (opt == 's')
		request->sort = optarg;
	else if (opt == 'S')
		request->sysmap = optarg;
	else
		request->view = optarg;
}

/* Takes an option of metrics.  Returns false if it is none. */
static bool take_metric_option(struct counts_request *request, int opt)
{
	if (opt == 'R')
		request->from = optarg;
	else if (opt == 'p')
		request->pmu = optarg;
	else if (opt == 'F')
		request->metric_file = optarg;
	else if (opt == 'M')
		request->names = optarg;
	else if (opt == 'C')
		request->csv = true;
	else if (opt != 'T')
		return false;
	if (opt != 'T')
		return true;
	request->topdown = true;
	request->level = optarg;
	return true;
}

/* Takes an option of tables.  Returns false if it is none. */
static bool take_data_option(struct data_request *request, int opt)
{
	if (opt >= FORM_FIRST)
		request->output = opt - FORM_FIRST;
	else if (opt == 'b')
		request->by = optarg;
	else if (opt == 'l')
		request->limit = optarg;
	else if (opt == 'D')
		request->mangled = true;
	else if (opt == 'f')
		request->force = true;
	else if (opt == 'i')
		request->name = optarg;
	else if (opt == 'I')
		request->unfold = true;
	else if (opt == 'L')
		request->latency = true;
	else if (opt == SAME_AS_PERF || opt == 'g')
		return true;
	else
		return false;
	return true;
}

static const char letters[] = "fg::hi:M:no:s:";

static const struct option_value values[] = {
	{ "by", "WHAT,...",
	  "program,process,thread,file,function,opcode,class,memory" },
	{ "call-graph", "ORDER", "caller,callee" },
	{ "from", "FILE", NULL },
	{ "image", "FILE", NULL },
	{ "max-rows", "N", NULL },
	{ "metrics", "METRIC,...", NULL },
	{ "percent-limit", "SHARE", NULL },
	{ "pmu", "MODEL", NULL },
	{ "sort", "FIGURE", "latency,misses,tlb,samples,sharing" },
	{ "title", "TITLE", NULL },
	{ "topdown", "LEVEL", NULL },
	{ "view", "VIEW", "instructions,data,addresses,lines" },
	{ NULL },
};

/*
 * Takes the order of -g, which may be a word behind it, as in perf.  Returns false if it is none.
 */
static bool take_order(struct data_request *request, int argc, char **argv)
{
	const char *word = optarg;

	if (!word && optind < argc && call_order_find(argv[optind]))
		word = argv[optind++];
	request->calls = word ? call_order_find(word) : CALL_CALLER;
	return request->calls;
}

/* Takes the options.  Returns -1, or the exit status if there is nothing more to do. */
static int parse(struct report *report, struct view_request *request,
		 struct counts_request *metrics, struct data_request *data,
		 int argc, char **argv)
{
	static const struct option longopts[] = {
		{ "blocks", no_argument, NULL, 'K' },
		{ "branches", no_argument, NULL, 'B' },
		{ "by", required_argument, NULL, 'b' },
		{ "call-graph", optional_argument, NULL, 'g' },
		{ "compare", no_argument, NULL, 'c' },
		{ "csv", no_argument, NULL, 'C' },
		{ "firefox", no_argument, NULL,
		  FORM_FIRST + SMPL_OUTPUT_FIREFOX },
		{ "folded", no_argument, NULL,
		  FORM_FIRST + SMPL_OUTPUT_FOLDED },
		{ "force", no_argument, NULL, 'f' },
		{ "from", required_argument, NULL, 'R' },
		{ "help", no_argument, NULL, 'h' },
		{ "html", no_argument, NULL, 'H' },
		{ "input", required_argument, NULL, 'i' },
		{ "image", required_argument, NULL, 'G' },
		{ "inline", no_argument, NULL, 'I' },
		{ "latency", no_argument, NULL, 'L' },
		{ "json", no_argument, NULL, 'j' },
		{ "kallsyms", required_argument, NULL, 'S' },
		{ "mangled", no_argument, NULL, 'D' },
		{ "max-rows", required_argument, NULL, 'm' },
		{ "metric-file", required_argument, NULL, 'F' },
		{ "metrics", required_argument, NULL, 'M' },
		{ "no-children", no_argument, NULL, SAME_AS_PERF },
		{ "outfile", required_argument, NULL, 'o' },
		{ "percent-limit", required_argument, NULL, 'l' },
		{ "perf-script", no_argument, NULL,
		  FORM_FIRST + SMPL_OUTPUT_PERF_SCRIPT },
		{ "pprof", no_argument, NULL, FORM_FIRST + SMPL_OUTPUT_PPROF },
		{ "pmu", required_argument, NULL, 'p' },
		{ LONG_OPTIONS_SHOW, no_argument, NULL, 'O' },
		{ "show-nr-samples", no_argument, NULL, SAME_AS_PERF },
		{ "sort", required_argument, NULL, 's' },
		{ "speedscope", no_argument, NULL,
		  FORM_FIRST + SMPL_OUTPUT_SPEEDSCOPE },
		{ "stdio", no_argument, NULL, SAME_AS_PERF },
		{ "sysmap-file", required_argument, NULL, 'S' },
		{ "title", required_argument, NULL, 't' },
		{ "topdown", optional_argument, NULL, 'T' },
		{ "view", required_argument, NULL, 'v' },
		{ NULL }
	};
	int opt;

	while ((opt = getopt_long(argc, argv, letters, longopts, NULL)) != -1) {
		if (opt == 'h')
			return help();
		else if (opt == 'O')
			return long_options_show(longopts, letters, values)
				       ? EXIT_OWN_FAILURE
				       : 0;
		else if (opt == 'g' && !take_order(data, argc, argv))
			return refuse(
				"-g has the trees 'caller', what each function calls, or 'callee', what it is called by; 'pfmon report --html -o FILE' has a flame graph");
		else if (opt == 'H')
			report->html = true;
		else if (opt == 'B' || opt == 'K')
			report->branches = true, report->blocks |= opt == 'K';
		else if (opt == 'c')
			report->compare = true;
		else if (opt == 'o')
			report->outfile = strcmp(optarg, "-") ? optarg : NULL;
		else if (opt == 't')
			report->title = optarg;
		else if (opt == '?')
			return usage_hint();
		else if (!take_data_option(data, opt) &&
			 !take_metric_option(metrics, opt))
			take_view_option(request, opt);
	}
	request->outfile = report->outfile;
	return -1;
}

int report(int argc, char **argv)
{
	static char name[] = "pfmon report";
	struct counts_request metrics = { 0 };
	struct view_request request = { 0 };
	struct data_request data = { 0 };
	struct report report = { 0 };
	int status;

	/* The name that getopt's messages begin with. */
	argv[0] = name;
	request.images = calloc(argc, sizeof(*request.images));
	if (!request.images) {
		say_error("out of memory");
		return EXIT_OWN_FAILURE;
	}
	status = parse(&report, &request, &metrics, &data, argc, argv);
	if (status < 0)
		status = run(&report, &request, &metrics, &data, argc - optind,
			     argv + optind);
	free(request.images);
	return status;
}
