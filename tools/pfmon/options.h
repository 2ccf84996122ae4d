/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command line.
 */
#ifndef PFMON_OPTIONS_H
#define PFMON_OPTIONS_H

#include <regex.h>
#include <stdbool.h>
#include <stdint.h>

#include "scope_options.h"
#include "set_options.h"
#include "smpl_options.h"

/* Exit statuses of pfmon's own, the ones that env(1) and timeout(1) use. */
#define EXIT_OWN_FAILURE	125
#define EXIT_CANNOT_EXECUTE	126
#define EXIT_NOT_FOUND		127

/**
 * enum action - what to do
 */
enum action {
	ACTION_COUNT,
	ACTION_HELP,
	ACTION_VERSION,
	ACTION_INFO,
	ACTION_LIST,
	ACTION_LIST_LONG,
	ACTION_EVENT_INFO,
	ACTION_CHECK,
	ACTION_DOCTOR,
};

/**
 * enum output_format - form of the results
 */
enum output_format {
	OUTPUT_TEXT,
	OUTPUT_JSON,
	OUTPUT_CSV,
};

/**
 * enum counter_format - how text output writes a count
 */
enum counter_format {
	COUNTER_PLAIN,
	COUNTER_US,
	COUNTER_EU,
	COUNTER_HEX,
};

/**
 * struct options - the command line, checked
 * @action: what to do
 * @pattern: regular expression or event of the information options; NULL all
 * @sets: the events, and how their sets share the counters
 * @plm: PFM_PLM_* that count where nothing else is said
 * @priv_levels: value of --priv-levels; NULL when it was not given
 * @force: count events that the processor does not implement
 * @timeout_ns: --session-timeout; 0 none
 * @follow: PFM_CTX_FOLLOW_*
 * @only: programs that --follow-exec=regex selects; valid when @have_only
 * @except: programs that --follow-exec-exclude leaves out; valid when
 *	@have_except
 * @scope: what is monitored, if not just the command
 * @smpl: sampling
 * @command: the command and its arguments, ends with NULL; NULL none
 * @argv: pfmon's own command line as it was given
 */
struct options {
	enum action action;
	const char *pattern;
	struct set_options sets;
	unsigned int plm;
	const char *priv_levels;
	bool force;
	uint64_t timeout_ns;
	uint32_t follow;
	bool have_only;
	bool have_except;
	regex_t only;
	regex_t except;
	bool aggregate;
	bool exec_split;
	bool dont_start;
	bool no_cmd_output;
	bool show_time;
	bool with_header;
	bool append;
	const char *outfile;
	enum output_format format;
	enum counter_format counter;
	struct scope_options scope;
	struct smpl_options smpl;
	char **command;
	char **argv;
};

/* Fills @options.  Returns 0, or the exit status after saying what is wrong. */
int options_parse(struct options *options, int argc, char **argv);
void options_free(struct options *options);

/* Bits of a level list like "uk" or "03"; -1 when it is not one. */
int options_levels(const char *text, unsigned int length);

#endif
