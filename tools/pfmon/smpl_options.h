/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options of sampling.
 */
#ifndef PFMON_SMPL_OPTIONS_H
#define PFMON_SMPL_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct options;

/**
 * enum smpl_module - what is made of the samples
 */
enum smpl_module {
	MODULE_INST_HIST,
	MODULE_DETAILED,
	MODULE_COMPACT,
	MODULE_RAW,
	MODULE_CALLSTACK,
};

/**
 * enum smpl_output - form for other programs; replaces the module's
 */
enum smpl_output {
	SMPL_OUTPUT_TEXT,
	SMPL_OUTPUT_FOLDED,
	SMPL_OUTPUT_SPEEDSCOPE,
	SMPL_OUTPUT_PPROF,
	SMPL_OUTPUT_PERF_SCRIPT,
};

/**
 * struct smpl_options - the command line, as far as it is about sampling
 * @first: an option that has no meaning without sampling; NULL none
 * @long_periods: lists, an element an event; NULL not given
 * @short_periods: the same
 * @random: the same, elements mask:seed
 * @extra: PMDs for each sample; NULL none
 * @reset_list: PMDs that are reset with each sample; NULL none named
 * @reset_others: counters that do not sample are reset with each sample
 * @entries: samples that fit in a buffer
 * @show_top: lines of a profile; 0 all of them
 * @cum_threshold: per cent at which a profile ends; 0 never
 * @parts: parts of the buffer; 1 it is in one piece; 0 not given
 * @depth: frames of a stack that are kept
 * @aggregate_stacks: the kernel counts identical stacks
 */
struct smpl_options {
	const char *first;
	const char *long_periods;
	const char *short_periods;
	const char *random;
	const char *extra;
	const char *reset_list;
	bool reset_others;
	uint64_t entries;
	enum smpl_module module;
	bool module_given;
	enum smpl_output output;
	const char *outfile;
	bool resolve;
	bool per_function;
	bool demangle;
	const char *symbol_file;
	const char *sysmap_file;
	uint64_t show_top;
	unsigned int cum_threshold;
	bool print_counts;
	bool saturate;
	bool block;
	uint64_t parts;
	uint64_t depth;
	bool aggregate_stacks;
};

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

/* Whether --overflow-block could be added to these options. */
bool smpl_options_may_block(const struct options *options);

/* Whether there are periods, that is, whether pfmon samples. */
bool smpl_options_on(const struct smpl_options *options);

/* Whether what is made of the samples needs symbols. */
bool smpl_options_need_symbols(const struct smpl_options *options);

/* Whether what is made of them is for programs only, not for a terminal. */
bool smpl_options_binary(const struct smpl_options *options);

#endif
