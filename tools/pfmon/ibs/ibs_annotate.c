// SPDX-License-Identifier: GPL-2.0-only
/*
 * 'pfmon ibs annotate', see ibs_annotate.h.
 */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/outfile.h"
#include "ibs/ibs.h"
#include "ibs/ibs_annotation.h"
#include "options/options.h"

#define IMAGES_MAX 64

/**
 * struct annotate - one run of 'pfmon ibs annotate'
 * @name: the file of samples
 * @function: --function; NULL if not given
 * @view: --by; NUM_IBS_VIEWS if not given
 * @kind: --event; NUM_IBS_KINDS if not given
 * @limit: --limit; 0 if not given
 * @json: --json
 * @sysmap: --sysmap-file; NULL if not given
 * @images: --image, in their order
 * @num_images: elements of @images
 * @places: what the file's addresses are
 * @code: where code at them is read from
 * @tally: its samples
 * @rows: the rows
 */
struct annotate {
	const char *name;
	const char *function;
	enum ibs_view view;
	enum ibs_kind kind;
	size_t limit;
	bool json;
	const char *sysmap;
	const char *images[IMAGES_MAX];
	unsigned int num_images;
	struct ibs_places places;
	struct code code;
	struct ibs_tally tally;
	struct ibs_rows rows;
};

/* clang-format off */
static const char usage[] =
"usage: pfmon ibs annotate [OPTION]... FILE\n"
"\n"
"Shows where the IBS samples in FILE were taken: by function, by source line or by\n"
"instruction. Each sample is in one row. FILE is one of perfmon, or a raw file of\n"
"AMD's IBS Toolkit, and cannot be a pipe.\n"
"\n"
"  -b, --by=VIEW                 function (the default), line, instruction\n"
"  -f, --function=NAME           only functions called NAME; --by=instruction, the\n"
"                                default then, lists all of their instructions\n"
"  -e, --event=EVENT             op or fetch; default: op, if there are any\n"
"  -l, --limit=N                 print N rows, and the sum of the others\n"
"      --image=PATH[@ADDRESS]    PATH was mapped, at ADDRESS (hexadecimal), in all\n"
"                                processes; for files without mappings, such as\n"
"                                those of the toolkit\n"
"      --sysmap-file=FILE        symbols of the kernel\n"
"      --json                    print JSON\n"
"  -h, --help\n";
/* clang-format on */

static int usage_hint(void)
{
	fputs("Try 'pfmon ibs annotate --help'.\n", stderr);
	return EXIT_OWN_FAILURE;
}

static int find_word(const char *option, const char *text,
		     const char *const *words, int count)
{
	int i;

	for (i = 0; i < count; i++)
		if (!strcmp(text, words[i]))
			return i;
	say_error("--%s: there is no '%s'", option, text);
	return -1;
}

static int read_limit(struct annotate *annotate, const char *text)
{
	char *end;

	errno = 0;
	annotate->limit = strtoul(text, &end, 10);
	if (*text >= '0' && *text <= '9' && !*end && !errno && annotate->limit)
		return 0;
	say_error("--limit: '%s' is no number of rows, from 1 on", text);
	return -1;
}

enum { OPTION_IMAGE = 256, OPTION_SYSMAP, OPTION_JSON };

static int take_option(struct annotate *annotate, int option)
{
	static const char *const kinds[] = {
		[IBS_OP] = "op", [IBS_FETCH] = "fetch"
	};
	int word;

	switch (option) {
	case 'b':
		word = find_word("by", optarg, ibs_view_names, NUM_IBS_VIEWS);
		annotate->view = word;
		return word < 0 ? -1 : 0;
	case 'e':
		word = find_word("event", optarg, kinds, NUM_IBS_KINDS);
		annotate->kind = word;
		return word < 0 ? -1 : 0;
	case 'f':
		annotate->function = optarg;
		return 0;
	case 'l':
		return read_limit(annotate, optarg);
	case OPTION_JSON:
		annotate->json = true;
		return 0;
	case OPTION_SYSMAP:
		annotate->sysmap = optarg;
		return 0;
	case OPTION_IMAGE:
		if (annotate->num_images == IMAGES_MAX) {
			say_error("--image can be given %d times", IMAGES_MAX);
			return -1;
		}
		annotate->images[annotate->num_images++] = optarg;
		return 0;
	}
	return -1;
}

/* Takes the options.  Returns -1, or the exit status if there is nothing more to do. */
static int parse(struct annotate *annotate, int argc, char **argv)
{
	static const struct option longopts[] = {
		{ "by", required_argument, NULL, 'b' },
		{ "function", required_argument, NULL, 'f' },
		{ "event", required_argument, NULL, 'e' },
		{ "limit", required_argument, NULL, 'l' },
		{ "image", required_argument, NULL, OPTION_IMAGE },
		{ "sysmap-file", required_argument, NULL, OPTION_SYSMAP },
		{ "json", no_argument, NULL, OPTION_JSON },
		{ "help", no_argument, NULL, 'h' },
		{},
	};
	char program[] = "pfmon ibs annotate";
	int option;

	/* getopt_long() begins its messages with it. */
	argv[0] = program;
	optind = 0;
	while ((option = getopt_long(argc, argv, "b:f:e:l:h", longopts,
				     NULL)) >= 0) {
		if (option == 'h') {
			fputs(usage, stdout);
			return outfile_finish_stdout() ? EXIT_OWN_FAILURE : 0;
		}
		if (take_option(annotate, option))
			return usage_hint();
	}
	if (optind + 1 != argc) {
		say_error("say which file of samples to annotate: one");
		return usage_hint();
	}
	annotate->name = argv[optind];
	if (annotate->view == NUM_IBS_VIEWS)
		annotate->view = annotate->function ? IBS_VIEW_INSTRUCTION
						    : IBS_VIEW_FUNCTION;
	return -1;
}

static int read_places(struct annotate *annotate)
{
	struct ibs_places *places = &annotate->places;
	unsigned int i;

	if (ibs_places_read(places, annotate->name))
		return -1;
	for (i = 0; i < annotate->num_images; i++)
		if (ibs_places_add_image(places, annotate->images[i]))
			return -1;
	annotate->code.kernel_here = places->kernel_here;
	annotate->code.kernel_seen = places->kernel_seen;
	if (annotate->sysmap && ibs_places_set_sysmap(places, annotate->sysmap))
		return -1;
	if (!places->noted && !annotate->num_images)
		say_warning("%s does not say what was mapped: functions of "
			    "programs are not named; --image=PATH@ADDRESS "
			    "says it",
			    annotate->name);
	return 0;
}

static int check_found(const struct annotate *annotate)
{
	const struct ibs_tally *tally = &annotate->tally;
	static const char *const names[] = {
		[IBS_OP] = "op", [IBS_FETCH] = "fetch"
	};

	if (tally->others)
		say_note("%llu %s samples are left out: --event=%s shows them",
			 (unsigned long long)tally->others, names[!tally->kind],
			 names[!tally->kind]);
	if (!tally->samples)
		say_warning("%s has no %s samples", annotate->name,
			    names[tally->kind]);
	if (!annotate->function || annotate->rows.matched)
		return 0;
	say_error("no sample was taken in a function called '%s'; without "
		  "--function the functions with samples are listed",
		  annotate->function);
	return -1;
}

static int show(const struct annotate *annotate)
{
	const struct ibs_annotation annotation = {
		.name = annotate->name,
		.tally = &annotate->tally,
		.rows = &annotate->rows,
		.view = annotate->view,
		.function = annotate->function,
		.limit = annotate->limit,
	};

	/* A reader that goes away early is told like any other failure to write. */
	signal(SIGPIPE, SIG_IGN);
	if (annotate->json)
		ibs_annotation_print_json(stdout, &annotation);
	else
		ibs_annotation_print_text(stdout, &annotation);
	return outfile_finish_stdout();
}

static int run(struct annotate *annotate)
{
	if (read_places(annotate) ||
	    ibs_tally_read(&annotate->tally, annotate->name, &annotate->places,
			   annotate->kind) ||
	    ibs_rows_make(&annotate->rows, &annotate->tally, &annotate->code,
			  annotate->view, annotate->function) ||
	    check_found(annotate))
		return -1;
	code_tell(&annotate->code, annotate->name);
	return show(annotate);
}

int ibs_annotate(int argc, char **argv)
{
	struct annotate *annotate = calloc(1, sizeof(*annotate));
	int status;

	if (!annotate) {
		say_error("out of memory");
		return EXIT_OWN_FAILURE;
	}
	annotate->view = NUM_IBS_VIEWS;
	annotate->kind = NUM_IBS_KINDS;
	code_init(&annotate->code, &annotate->places.images,
		  &annotate->places.kernel);
	status = parse(annotate, argc, argv);
	if (status < 0)
		status = run(annotate) ? EXIT_OWN_FAILURE : 0;
	ibs_rows_free(&annotate->rows);
	ibs_tally_free(&annotate->tally);
	code_free(&annotate->code);
	ibs_places_free(&annotate->places);
	free(annotate);
	return status;
}
