/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command line, as the rest of pfmon sees it; cli/ reads it.
 */
#ifndef PFMON_OPTIONS_OPTIONS_H
#define PFMON_OPTIONS_OPTIONS_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Exit statuses of pfmon's own, the ones that env(1) and timeout(1) use. */
#define EXIT_OWN_FAILURE	125
#define EXIT_CANNOT_EXECUTE	126
#define EXIT_NOT_FOUND		127

/* Levels between kernel and user; libpfm4 has bits for them, few PMUs have them. */
#define PLM_1	0x02
#define PLM_2	0x04

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
 * enum scope - what is monitored
 */
enum scope {
	SCOPE_COMMAND,
	SCOPE_TASK, /* a process or thread that runs already */
	SCOPE_CGROUP, /* the processes of a control group */
	SCOPE_SYSTEM, /* CPUs */
};

/**
 * enum topology - how counts of CPUs are summed up
 */
enum topology {
	TOPOLOGY_NONE,
	TOPOLOGY_CORE,
	TOPOLOGY_SOCKET,
	TOPOLOGY_NODE,
};

/**
 * struct scope_options - the command line, as far as it is about that
 * @scope: what is monitored
 * @twice: two options name different scopes
 * @tasks: processes of --attach-task, or the thread of --attach-thread
 * @num_tasks: elements of @tasks
 * @one_thread: only that thread
 * @cgroup: folder of --cgroup
 * @system_only: an option that has no meaning without --system-wide; NULL none
 * @cpu_list: value of --cpu-list; NULL all that are online
 * @pin: the command runs on these CPUs only
 * @no_idle: what the idle task does is not counted
 * @topology: sums besides those of the CPUs
 * @interval_ns: --print-interval; 0 none
 * @delay_ns: --trigger-start-delay
 * @listen: address of --listen; NULL none
 * @textfile: file of --textfile; NULL none
 */
struct scope_options {
	enum scope scope;
	bool twice;
	pid_t *tasks;
	size_t num_tasks;
	bool one_thread;
	const char *cgroup;
	const char *system_only;
	const char *cpu_list;
	bool pin;
	bool no_idle;
	enum topology topology;
	uint64_t interval_ns;
	uint64_t delay_ns;
	const char *listen;
	const char *textfile;
};

/**
 * struct set_options - the command line, as far as it is about event sets
 * @lists: values of -e, in order
 * @triggers: for each of them the value of the --switch-overflow that follows it;
 *	NULL none
 * @count: elements of the two
 * @common: value of a --switch-overflow before all -e; NULL none
 * @timeouts: value of --switch-timeout; NULL not given
 * @no_multiplex: run the command once for each set
 * @exclusive: refuse more than one set
 */
struct set_options {
	const char **lists;
	const char **triggers;
	unsigned int count;
	const char *common;
	const char *timeouts;
	bool no_multiplex;
	bool exclusive;
};

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

/* Bits of a level list like "uk" or "03"; -1 when it is not one. */
int options_levels(const char *text, unsigned int length);

/* Whether --follow-exec and --follow-exec-exclude want a program. */
bool options_select(const struct options *options, const char *path,
		    size_t length);

/* Whether each process has a context of its own. */
bool scope_options_many(const struct scope_options *options);

/* Name of a grouping, as it is given to --topology. */
const char *scope_topology_name(enum topology topology);

/*
 * Time that a set is active unless --switch-timeout says otherwise.  A switch
 * takes 2.5 us of a guest's time (--icount), timer interrupt and all: less than
 * one per cent of this.
 */
#define SWITCH_TIMEOUT_DFL	300000

/* Whether --no-multiplex could be added to these options. */
bool set_options_may_repeat(const struct options *options);

/* Whether any set has a --switch-overflow. */
bool set_options_has_triggers(const struct set_options *options);

/*
 * Takes the time at the head of a list off *@text: milliseconds there,
 * nanoseconds in *@ns.  0, or -1 when it is none.
 */
int set_options_take_timeout(const char **text, uint64_t *ns);

/* Elements of --switch-timeout. */
unsigned int set_options_num_timeouts(const struct set_options *options);

/*
 * Timeout of set @index in nanoseconds: the last one of the list is that of all
 * sets that follow.
 */
uint64_t set_options_timeout(const struct set_options *options,
			     unsigned int index);

/*
 * Takes the next element EVENT:N off *@text.  1, or 0 at the end, or -1 when it
 * is none; @event is to be freed after 1.
 */
int set_options_trigger(const char **text, char **event, uint64_t *count);

/* Whether --overflow-block could be added to these options. */
bool smpl_options_may_block(const struct options *options);

/* Whether there are periods, that is, whether pfmon samples. */
bool smpl_options_on(const struct smpl_options *options);

/* Whether what is made of the samples needs symbols. */
bool smpl_options_need_symbols(const struct smpl_options *options);

#endif
