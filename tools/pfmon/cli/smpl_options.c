// SPDX-License-Identifier: GPL-2.0-only
/*
 * Setters and checks of the sampling options.  Lists with an entry for each event are
 * read by sampling/periods.c, once the events are known.
 */
#include <string.h>

#include "cli/option_checks.h"
#include "cli/setters.h"
#include "cli/smpl_module.h"
#include "options/options.h"

#define ENTRIES_DFL 2048
#define DEPTH_DFL   64

/* pfmon reads one part while the kernel fills the other one. */
#define PARTS_DFL 2

/* A word that is none of pfmon's own is a sampling format, which is looked up when it is needed. */
SETTER(set_smpl_module)
{
	const char *name = smpl_module_word(value);
	const char *instead = smpl_module_gone(value);
	const size_t length = strcspn(name, ":");
	const enum smpl_module module = smpl_module_find(name, length);

	if (instead)
		return option_refuse(why, "there is no --%s=%s: %s", row->name,
				     value, instead);
	if (!length || strcspn(name, "/. ") < length)
		return set_choice(options, row, name, why);
	if (module != MODULE_FORMAT && name[length])
		return option_refuse(
			why,
			"--smpl-module=%s takes no arguments; options with --smpl- in front set them, or name the sampling format by its UUID",
			smpl_module_names[module]);
	options->smpl.module = module;
	options->smpl.format = module == MODULE_FORMAT ? name : NULL;
	return 0;
}

/* Stores what --smpl-output=@value would. */
SETTER(set_smpl_listing)
{
	enum smpl_output *output = &options->smpl.output;

	(void)value;
	if (*output != SMPL_OUTPUT_TEXT && *output != row->value)
		return option_refuse(
			why,
			"--%s contradicts '%s': both say how samples are written",
			row->name, smpl_output_names[*output]);
	*output = row->value;
	return 0;
}

/* The module that a form of output is the name of; MODULE_FORMAT if it is none. */
static enum smpl_module listing_module(enum smpl_output output)
{
	switch (output) {
	case SMPL_OUTPUT_COMPACT:
		return MODULE_COMPACT;
	case SMPL_OUTPUT_DETAILED:
		return MODULE_DETAILED;
	case SMPL_OUTPUT_DETAILED_OLD:
		return MODULE_DETAILED_OLD;
	case SMPL_OUTPUT_RAW:
		return MODULE_RAW;
	default:
		return MODULE_FORMAT;
	}
}

int smpl_options_settle(struct smpl_options *options, char *why)
{
	enum smpl_module module = listing_module(options->output);

	if (module == MODULE_FORMAT)
		return 0;
	if (options->module != MODULE_INST_HIST && options->module != module)
		return option_refuse(
			why,
			"'%s' and --smpl-module=%s contradict each other: both say how samples are written",
			smpl_output_names[options->output],
			options->module == MODULE_FORMAT
				? options->format
				: smpl_module_names[options->module]);
	options->module = module;
	options->output = SMPL_OUTPUT_TEXT;
	return 0;
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
		options->parts = options->module == MODULE_CALLSTACK ||
						 options->module == MODULE_IBS
					 ? PARTS_DFL
					 : 1;
}

SETTER(set_reset_others)
{
	(void)row;
	(void)why;
	if (value)
		options->smpl.reset_list = value;
	else
		options->smpl.reset_others = true;
	return 0;
}

static bool is_binary(const struct smpl_options *options)
{
	return options->output == SMPL_OUTPUT_PPROF ||
	       (options->output == SMPL_OUTPUT_TEXT &&
		(options->module == MODULE_RAW ||
		 options->module == MODULE_IBS));
}

static bool makes_profile(const struct smpl_options *smpl)
{
	return smpl->output == SMPL_OUTPUT_TEXT &&
	       (smpl->module == MODULE_INST_HIST ||
		smpl->module == MODULE_CALLSTACK);
}

/* The format decides what an entry is, and how many of them there are. */
static int check_format(const struct smpl_options *smpl, char *why)
{
	if (smpl->module != MODULE_FORMAT) {
		if (smpl->output < SMPL_OUTPUT_CSV)
			return 0;
		return option_refuse(
			why,
			"--smpl-output=%s is for sampling formats that pfmon knows by their description; --smpl-module=%s is none of them",
			smpl_output_names[smpl->output],
			smpl_module_names[smpl->module]);
	}
	if (smpl->output != SMPL_OUTPUT_TEXT && smpl->output < SMPL_OUTPUT_CSV)
		return option_refuse(
			why,
			"--smpl-output=%s needs samples that pfmon understands; entries of other formats are written as text, csv or json",
			smpl_output_names[smpl->output]);
	if (smpl->entries != ENTRIES_DFL || smpl->parts > 1)
		return option_refuse(
			why,
			"--smpl-entries and --smpl-parts are not for the sampling format '%s'; 'pfmon formats' tells which argument it has",
			smpl->format);
	return 0;
}

static int check_forms(const struct smpl_options *smpl, char *why)
{
	if (check_format(smpl, why))
		return -1;
	if (smpl->module != MODULE_FORMAT && smpl->output != SMPL_OUTPUT_TEXT &&
	    smpl->module != MODULE_INST_HIST &&
	    smpl->module != MODULE_CALLSTACK)
		return option_refuse(
			why,
			"--smpl-output=%s and --smpl-module=%s contradict each other: both say how samples are written",
			smpl_output_names[smpl->output],
			smpl_module_names[smpl->module]);
	if (smpl->per_function && !smpl_options_need_symbols(smpl))
		return option_refuse(
			why, "--smpl-per-function needs --resolve-addresses");
	if ((smpl->show_top || smpl->cum_threshold || smpl->per_function) &&
	    !makes_profile(smpl))
		return option_refuse(
			why,
			"--smpl-show-top, --smpl-cum-threshold and --smpl-per-function are for the profile that --smpl-module=inst-hist or callstack prints");
	if ((smpl->demangle || smpl->symbol_file || smpl->sysmap_file) &&
	    !smpl_options_need_symbols(smpl))
		return option_refuse(
			why,
			"--demangle-cpp, --symbol-file and --sysmap-file need --resolve-addresses");
	if ((smpl->module == MODULE_RAW || smpl->module == MODULE_IBS) &&
	    smpl->output == SMPL_OUTPUT_TEXT && smpl->resolve)
		return option_refuse(
			why,
			"--resolve-addresses and --smpl-module=%s contradict each other: raw samples are written as they are",
			smpl_module_names[smpl->module]);
	if ((smpl->depth || smpl->aggregate_stacks) &&
	    smpl->module != MODULE_CALLSTACK)
		return option_refuse(
			why,
			"--smpl-depth and --smpl-aggregate-stacks need --smpl-module=callstack");
	if (smpl->aggregate_stacks && smpl_output_lists(smpl->output))
		return option_refuse(
			why,
			"--smpl-output=%s writes each sample; --smpl-aggregate-stacks has the kernel add them up",
			smpl_output_names[smpl->output]);
	if (is_binary(smpl) && !smpl->outfile)
		return option_refuse(
			why,
			"%s is not text; name a file for it with --smpl-outfile",
			smpl->output == SMPL_OUTPUT_PPROF
				? "--smpl-output=pprof"
			: smpl->module == MODULE_IBS
				? "the file of --smpl-module=ibs"
				: "--smpl-module=raw");
	return 0;
}

/* An entry of IBS has the registers of its sample, and a file one header. */
static int check_ibs(const struct options *options, char *why)
{
	const struct smpl_options *smpl = &options->smpl;

	if (smpl->module != MODULE_IBS)
		return 0;
	if (smpl->extra)
		return option_refuse(
			why,
			"--extra-smpl-pmds and --smpl-module=ibs contradict each other: an entry of IBS has the registers of its sample and no others");
	if (smpl->reset_list || smpl->reset_others)
		return option_refuse(
			why,
			"--reset-non-smpl-periods and --smpl-module=ibs contradict each other: there are no other events");
	if (smpl->parts == 1)
		return option_refuse(
			why,
			"--smpl-parts=1 and --smpl-module=ibs contradict each other: the format needs at least two parts");
	if (options->append)
		return option_refuse(
			why,
			"--append and --smpl-module=ibs contradict each other: a file of IBS samples has one header, at its beginning");
	return 0;
}

int smpl_options_check(const struct options *options, char *why)
{
	const struct smpl_options *smpl = &options->smpl;

	if (!smpl_options_on(smpl)) {
		if (!smpl->needed_by)
			return 0;
		return option_refuse(
			why,
			"--%s needs sampling; give a period for at least one event with --long-smpl-periods or --short-smpl-periods",
			smpl->needed_by);
	}
	if (options->sets.apart || options->sets.no_multiplex)
		return option_refuse(
			why,
			"several event sets (%s) and sampling cannot be combined",
			options->sets.no_multiplex ? "--no-multiplex" : "--sets");
	if (smpl->block && options->follow)
		return option_refuse(
			why,
			"--overflow-block and --follow-... cannot be combined: one task's full buffer would stop all others");
	if (smpl->block && smpl->saturate)
		return option_refuse(
			why,
			"--overflow-block and --saturate-smpl-buffer contradict each other: pfmon reads a full buffer only at the end, and the command would sleep for ever");
	if (options->format != OUTPUT_TEXT && !smpl->outfile)
		return option_refuse(
			why,
			"--json and --csv are for counts; give the samples a file of their own with --smpl-outfile");
	if (smpl->outfile && options->outfile &&
	    !strcmp(smpl->outfile, options->outfile))
		return option_refuse(
			why,
			"--smpl-outfile and --outfile need two files; without --smpl-outfile samples go where counts go");
	if (check_ibs(options, why))
		return -1;
	return check_forms(smpl, why);
}
