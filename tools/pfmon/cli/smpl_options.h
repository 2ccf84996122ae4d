/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options of sampling.
 */
#ifndef PFMON_CLI_SMPL_OPTIONS_H
#define PFMON_CLI_SMPL_OPTIONS_H

struct options;
struct smpl_options;

/* Numbers of the options for getopt_long(3). */
enum {
	OPT_SMPL_FIRST = 512,
	OPT_LONG_PERIODS = OPT_SMPL_FIRST,
	OPT_SHORT_PERIODS,
	OPT_PERIODS_RANDOM,
	OPT_ENTRIES,
	OPT_MODULE,
	OPT_SMPL_OUTFILE,
	OPT_SMPL_OUTPUT,
	OPT_RESOLVE,
	OPT_PER_FUNCTION,
	OPT_SHOW_TOP,
	OPT_CUM_THRESHOLD,
	OPT_PRINT_COUNTS,
	OPT_SATURATE,
	OPT_RESET_NON_SMPL,
	OPT_EXTRA_PMDS,
	OPT_OVERFLOW_BLOCK,
	OPT_DEMANGLE_CPP,
	OPT_SYMBOL_FILE,
	OPT_SYSMAP_FILE,
	OPT_PARTS,
	OPT_DEPTH,
	OPT_AGGREGATE_STACKS,
	OPT_SMPL_END,
};

#define SMPL_LONG_OPTIONS						\
	{ "long-smpl-periods", required_argument, NULL, OPT_LONG_PERIODS }, \
	{ "short-smpl-periods", required_argument, NULL, OPT_SHORT_PERIODS }, \
	{ "smpl-periods-random", required_argument, NULL,		\
	  OPT_PERIODS_RANDOM },						\
	{ "smpl-entries", required_argument, NULL, OPT_ENTRIES },	\
	{ "smpl-module", required_argument, NULL, OPT_MODULE },		\
	{ "smpl-outfile", required_argument, NULL, OPT_SMPL_OUTFILE },	\
	{ "smpl-output", required_argument, NULL, OPT_SMPL_OUTPUT },	\
	{ "resolve-addresses", no_argument, NULL, OPT_RESOLVE },	\
	{ "smpl-per-function", no_argument, NULL, OPT_PER_FUNCTION },	\
	{ "smpl-show-top", required_argument, NULL, OPT_SHOW_TOP },	\
	{ "smpl-cum-threshold", required_argument, NULL,		\
	  OPT_CUM_THRESHOLD },						\
	{ "smpl-print-counts", no_argument, NULL, OPT_PRINT_COUNTS },	\
	{ "saturate-smpl-buffer", no_argument, NULL, OPT_SATURATE },	\
	{ "reset-non-smpl-periods", optional_argument, NULL,		\
	  OPT_RESET_NON_SMPL },						\
	{ "extra-smpl-pmds", required_argument, NULL, OPT_EXTRA_PMDS },	\
	{ "overflow-block", no_argument, NULL, OPT_OVERFLOW_BLOCK },	\
	{ "demangle-cpp", no_argument, NULL, OPT_DEMANGLE_CPP },	\
	{ "symbol-file", required_argument, NULL, OPT_SYMBOL_FILE },	\
	{ "sysmap-file", required_argument, NULL, OPT_SYSMAP_FILE },	\
	{ "smpl-parts", required_argument, NULL, OPT_PARTS },		\
	{ "smpl-depth", required_argument, NULL, OPT_DEPTH },		\
	{ "smpl-aggregate-stacks", no_argument, NULL, OPT_AGGREGATE_STACKS }

void smpl_options_init(struct smpl_options *options);
/* Fills in what was not given. */
void smpl_options_finish(struct smpl_options *options);

#define SMPL_WHY_ROOM	512

/*
 * Each returns 0, or -1 with what is wrong in @why, which has SMPL_WHY_ROOM
 * bytes.
 */
int smpl_options_take(struct smpl_options *options, int opt, const char *value,
		      char *why);
int smpl_options_check(const struct options *options, char *why);

#endif
