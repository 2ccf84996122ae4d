// SPDX-License-Identifier: GPL-2.0-only
/*
 * Options of sampling.  Lists that have an element an event are read later, when
 * the events are known (periods.c).
 */
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/perfmon_callstack.h>
#include <linux/perfmon_nway.h>

#include "cli/smpl_options.h"
#include "options/options.h"

#define ENTRIES_DFL	2048
#define DEPTH_DFL	64

/* One part is read while the other one is filled. */
#define STACK_PARTS_DFL	2

static const char *const module_names[] = {
	[MODULE_INST_HIST] = "inst-hist",
	[MODULE_DETAILED] = "detailed",
	[MODULE_COMPACT] = "compact",
	[MODULE_RAW] = "raw",
	[MODULE_CALLSTACK] = "callstack",
};

static const char *const output_names[] = {
	[SMPL_OUTPUT_TEXT] = "text",
	[SMPL_OUTPUT_FOLDED] = "folded",
	[SMPL_OUTPUT_SPEEDSCOPE] = "speedscope",
	[SMPL_OUTPUT_PPROF] = "pprof",
	[SMPL_OUTPUT_PERF_SCRIPT] = "perf-script",
};

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

static int __attribute__((format(printf, 2, 3)))
refuse(char *why, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why, SMPL_WHY_ROOM, format, args);
	va_end(args);
	return -1;
}

static int find_name(const char *const *names, size_t count, const char *name)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!strcmp(names[i], name))
			return i;
	return -1;
}

/* An unsigned number and nothing else. */
static int read_number(const char *text, uint64_t min, uint64_t max,
		       uint64_t *value)
{
	char *end;

	if (*text < '0' || *text > '9')
		return -1;
	errno = 0;
	*value = strtoull(text, &end, 0);
	return errno || *end || *value < min || *value > max ? -1 : 0;
}

void smpl_options_init(struct smpl_options *options)
{
	memset(options, 0, sizeof(*options));
	options->entries = ENTRIES_DFL;
}

void smpl_options_finish(struct smpl_options *options)
{
	if (!options->depth)
		options->depth = DEPTH_DFL;
	if (!options->parts)
		options->parts = options->module == MODULE_CALLSTACK ?
				 STACK_PARTS_DFL : 1;
}

static int take_module(struct smpl_options *options, const char *name,
		       char *why)
{
	int i = find_name(module_names, COUNT(module_names), name);

	if (i < 0)
		return refuse(why, "--smpl-module: unknown module '%s'; there are inst-hist, detailed, compact, raw and callstack",
			      name);
	options->module = i;
	options->module_given = true;
	return 0;
}

static int take_output(struct smpl_options *options, const char *name,
		       char *why)
{
	int i = find_name(output_names, COUNT(output_names), name);

	if (i < 0)
		return refuse(why, "--smpl-output: unknown form '%s'; there are text, folded, speedscope, pprof and perf-script",
			      name);
	options->output = i;
	return 0;
}

static int take_number(const char *option, const char *value, uint64_t max,
		       uint64_t *number, char *why)
{
	if (!read_number(value, 1, max, number))
		return 0;
	return refuse(why, "%s: '%s' is not a number from 1 to %llu", option,
		      value, (unsigned long long)max);
}

static int take_list(const char *option, const char *value, const char **list,
		     char *why)
{
	if (*list)
		return refuse(why, "%s given twice; it takes a list, one entry an event",
			      option);
	*list = value;
	return 0;
}

static const struct option long_options[] = { SMPL_LONG_OPTIONS };

/* Those that have no meaning without periods, for the message. */
static const char *name_of(int opt)
{
	size_t i;

	for (i = 0; i < COUNT(long_options); i++)
		if (long_options[i].val == opt && opt != OPT_LONG_PERIODS &&
		    opt != OPT_SHORT_PERIODS)
			return long_options[i].name;
	return NULL;
}

int smpl_options_take(struct smpl_options *options, int opt, const char *value,
		      char *why)
{
	uint64_t number;

	if (!options->first)
		options->first = name_of(opt);
	switch (opt) {
	case OPT_LONG_PERIODS:
		return take_list("--long-smpl-periods", value,
				 &options->long_periods, why);
	case OPT_SHORT_PERIODS:
		return take_list("--short-smpl-periods", value,
				 &options->short_periods, why);
	case OPT_PERIODS_RANDOM:
		return take_list("--smpl-periods-random", value,
				 &options->random, why);
	case OPT_ENTRIES:
		return take_number("--smpl-entries", value, UINT32_MAX,
				   &options->entries, why);
	case OPT_MODULE:
		return take_module(options, value, why);
	case OPT_SMPL_OUTFILE:
		options->outfile = value;
		return 0;
	case OPT_SMPL_OUTPUT:
		return take_output(options, value, why);
	case OPT_RESOLVE:
		options->resolve = true;
		return 0;
	case OPT_PER_FUNCTION:
		options->per_function = true;
		return 0;
	case OPT_SHOW_TOP:
		return take_number("--smpl-show-top", value, UINT64_MAX,
				   &options->show_top, why);
	case OPT_CUM_THRESHOLD:
		if (take_number("--smpl-cum-threshold", value, 100, &number,
				why))
			return -1;
		options->cum_threshold = number;
		return 0;
	case OPT_PRINT_COUNTS:
		options->print_counts = true;
		return 0;
	case OPT_SATURATE:
		options->saturate = true;
		return 0;
	case OPT_RESET_NON_SMPL:
		if (!value)
			options->reset_others = true;
		else
			options->reset_list = value;
		return 0;
	case OPT_EXTRA_PMDS:
		options->extra = value;
		return 0;
	case OPT_OVERFLOW_BLOCK:
		options->block = true;
		return 0;
	case OPT_DEMANGLE_CPP:
		options->demangle = true;
		return 0;
	case OPT_SYMBOL_FILE:
		options->symbol_file = value;
		return 0;
	case OPT_PARTS:
		return take_number("--smpl-parts", value, PFM_NWAY_PARTS_MAX,
				   &options->parts, why);
	case OPT_DEPTH:
		return take_number("--smpl-depth", value,
				   PFM_CALLSTACK_DEPTH_MAX, &options->depth,
				   why);
	case OPT_AGGREGATE_STACKS:
		options->aggregate_stacks = true;
		return 0;
	default:
		options->sysmap_file = value;
		return 0;
	}
}

static bool is_binary(const struct smpl_options *options)
{
	return options->output == SMPL_OUTPUT_PPROF ||
	       (options->output == SMPL_OUTPUT_TEXT &&
		options->module == MODULE_RAW);
}

static bool makes_profile(const struct smpl_options *smpl)
{
	return smpl->output == SMPL_OUTPUT_TEXT &&
	       (smpl->module == MODULE_INST_HIST ||
		smpl->module == MODULE_CALLSTACK);
}

static int check_forms(const struct smpl_options *smpl, char *why)
{
	if (smpl->output != SMPL_OUTPUT_TEXT && smpl->module_given &&
	    smpl->module != MODULE_INST_HIST &&
	    smpl->module != MODULE_CALLSTACK)
		return refuse(why, "--smpl-output=%s and --smpl-module=%s contradict each other: both say how samples are written",
			      output_names[smpl->output],
			      module_names[smpl->module]);
	if (smpl->per_function && !smpl_options_need_symbols(smpl))
		return refuse(why, "--smpl-per-function needs --resolve-addresses");
	if ((smpl->show_top || smpl->cum_threshold || smpl->per_function) &&
	    !makes_profile(smpl))
		return refuse(why, "--smpl-show-top, --smpl-cum-threshold and --smpl-per-function are for the profile that --smpl-module=inst-hist or callstack prints");
	if ((smpl->demangle || smpl->symbol_file || smpl->sysmap_file) &&
	    !smpl_options_need_symbols(smpl))
		return refuse(why, "--demangle-cpp, --symbol-file and --sysmap-file need --resolve-addresses");
	if (smpl->module == MODULE_RAW && smpl->output == SMPL_OUTPUT_TEXT &&
	    smpl->resolve)
		return refuse(why, "--resolve-addresses and --smpl-module=raw contradict each other: raw samples are written as they are");
	if ((smpl->depth || smpl->aggregate_stacks) &&
	    smpl->module != MODULE_CALLSTACK)
		return refuse(why, "--smpl-depth and --smpl-aggregate-stacks need --smpl-module=callstack");
	if (smpl->aggregate_stacks && smpl->output == SMPL_OUTPUT_PERF_SCRIPT)
		return refuse(why, "--smpl-output=perf-script writes each sample; --smpl-aggregate-stacks has the kernel add them up");
	if (is_binary(smpl) && !smpl->outfile)
		return refuse(why, "%s is not text; name a file for it with --smpl-outfile",
			      smpl->output == SMPL_OUTPUT_PPROF ?
			      "--smpl-output=pprof" : "--smpl-module=raw");
	return 0;
}

int smpl_options_check(const struct options *options, char *why)
{
	const struct smpl_options *smpl = &options->smpl;

	if (!smpl_options_on(smpl)) {
		if (!smpl->first)
			return 0;
		return refuse(why, "--%s needs sampling; give a period for at least one event with --long-smpl-periods or --short-smpl-periods",
			      smpl->first);
	}
	if (options->sets.count > 1 || options->sets.no_multiplex)
		return refuse(why, "several event sets (%s) and sampling cannot be combined",
			      options->sets.no_multiplex ? "--no-multiplex" : "-e");
	if (smpl->block && options->follow)
		return refuse(why, "--overflow-block and --follow-... cannot be combined: one task's full buffer would stop all others");
	if (smpl->block && smpl->saturate)
		return refuse(why, "--overflow-block and --saturate-smpl-buffer contradict each other: nobody would wake the command");
	if (options->format != OUTPUT_TEXT && !smpl->outfile)
		return refuse(why, "--json and --csv are for counts; give the samples a file of their own with --smpl-outfile");
	if (smpl->outfile && options->outfile &&
	    !strcmp(smpl->outfile, options->outfile))
		return refuse(why, "--smpl-outfile and --outfile need two files; without --smpl-outfile samples go where counts go");
	return check_forms(smpl, why);
}
