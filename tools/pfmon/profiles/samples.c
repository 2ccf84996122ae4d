// SPDX-License-Identifier: GPL-2.0-only
/*
 * Chooses the format of the samples.
 */
#include "options/options.h"
#include "profiles/profile_forms.h"
#include "profiles/samples.h"
#include "sampling/sampling.h"

int print_samples(FILE *out, struct sampling *sampling)
{
	if (sampling->options->smpl.module == MODULE_FORMAT)
		return print_entries(out, sampling);
	switch (sampling->options->smpl.output) {
	case SMPL_OUTPUT_FOLDED:
		return print_folded(out, sampling);
	case SMPL_OUTPUT_SPEEDSCOPE:
		return print_speedscope(out, sampling);
	case SMPL_OUTPUT_PPROF:
		return print_pprof(out, sampling);
	case SMPL_OUTPUT_PERF_SCRIPT:
		return print_perf_script(out, sampling);
	case SMPL_OUTPUT_FIREFOX:
		return print_firefox(out, sampling);
	default:
		break;
	}
	switch (sampling->options->smpl.module) {
	case MODULE_DETAILED:
		return print_detailed(out, sampling);
	case MODULE_DETAILED_OLD:
		return print_detailed_old(out, sampling);
	case MODULE_COMPACT:
		return print_compact(out, sampling);
	case MODULE_RAW:
		return print_raw(out, sampling);
	default:
		return print_profile(out, sampling);
	}
}

bool print_has_comments(const struct sampling *sampling)
{
	const struct smpl_options *smpl = &sampling->options->smpl;

	return smpl->output == SMPL_OUTPUT_TEXT && smpl->module != MODULE_RAW &&
	       smpl->module != MODULE_IBS;
}

bool print_tells_levels(const struct sampling *sampling)
{
	enum smpl_module module = sampling->options->smpl.module;

	return print_has_comments(sampling) &&
	       (sampling->options->with_header ||
		(module != MODULE_COMPACT && module != MODULE_DETAILED &&
		 module != MODULE_DETAILED_OLD));
}
