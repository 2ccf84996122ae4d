/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command line as the rest of pfmon sees it; cli/ parses it.
 */
#ifndef PFMON_OPTIONS_OPTIONS_H
#define PFMON_OPTIONS_OPTIONS_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <perfmon/perfmon.h>

/* Exit statuses of pfmon itself, the same as those of env(1) and timeout(1). */
#define EXIT_OWN_FAILURE	125
#define EXIT_CANNOT_EXECUTE	126
#define EXIT_NOT_FOUND		127

/*
 * Privilege levels between kernel and user, which few PMUs have; libpfm4 has bits
 * for them.
 */
#define PLM_1	0x02
#define PLM_2	0x04

/**
 * enum action - what pfmon is asked to do
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
	ACTION_OPTIONS,
	ACTION_METRICS,
	ACTION_MODULE,
};

/**
 * enum event_mask - bits of a counter's control register that options set
 */
enum event_mask {
	EVENT_MASK_COUNTER,
	EVENT_MASK_INV,
	EVENT_MASK_EDGE,
	EVENT_MASK_ANYTHR,
	EVENT_MASK_GUEST,
	EVENT_MASK_HOST,
	NUM_EVENT_MASKS,
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
	TOPOLOGY_CGROUP, /* what runs of a cgroup on all CPUs */
};

/* Words for --topology; TOPOLOGY_NONE and TOPOLOGY_CGROUP have none. */
extern const char *const scope_topology_names[TOPOLOGY_NODE + 1];

/**
 * struct scope_options - options about what is monitored
 * @scope: what is monitored
 * @twice: the options name different scopes, which is an error
 * @tasks: processes of --attach-task, or the thread of --attach-thread
 * @num_tasks: elements of @tasks
 * @room: elements that fit in @tasks
 * @one_thread: monitor only that thread, not its process
 * @cgroup: folder of --cgroup
 * @each_cgroup: patterns of --for-each-cgroup; NULL if none
 * @needed_by: name of the first option that needs --system-wide; NULL if none was
 *	given
 * @cpu_list: value of --cpu-list; NULL for all that are online
 * @relative: the numbers in @cpu_list count the CPUs that pfmon may run on
 * @own_list: what @cpu_list points to if it is not a word of the command line, to be freed
 * @pin: run the command on these CPUs only
 * @no_idle: do not count what the idle task does
 * @excl_intr: do not count what handlers of interrupts do
 * @intr_only: count nothing else
 * @topology: --topology: also print sums of cores, sockets or nodes
 * @interval_ns: --print-interval; 0 if none
 * @delay_ns: --trigger-start-delay
 * @listen: address of --listen; NULL if none
 * @textfile: file of --textfile; NULL if none
 */
struct scope_options {
	enum scope scope;
	bool twice;
	pid_t *tasks;
	size_t num_tasks;
	size_t room;
	bool one_thread;
	const char *cgroup;
	const char *each_cgroup;
	const char *needed_by;
	const char *cpu_list;
	bool relative;
	char *own_list;
	bool pin;
	bool no_idle;
	bool excl_intr;
	bool intr_only;
	enum topology topology;
	uint64_t interval_ns;
	uint64_t delay_ns;
	const char *listen;
	const char *textfile;
};

/**
 * struct set_options - options about event sets
 * @lists: values of -e, in order
 * @triggers: for each of @lists the --switch-overflow that follows it; NULL
 *	if none
 * @count: elements of @lists and of @triggers
 * @room: elements that fit in @lists
 * @room_triggers: elements that fit in @triggers
 * @common: the --switch-overflow that precedes all -e; NULL if none
 * @timeouts: value of --switch-timeout; NULL if not given
 * @apart: each of @lists is a set, whether or not all events fit the counters together
 * @no_multiplex: run the command once for each set
 * @exclusive: refuse more than one set
 */
struct set_options {
	const char **lists;
	const char **triggers;
	unsigned int count;
	size_t room;
	size_t room_triggers;
	const char *common;
	const char *timeouts;
	bool apart;
	bool no_multiplex;
	bool exclusive;
};

/**
 * struct metric_options - options about metrics
 * @names: value of --metrics; NULL if not given
 * @topdown: level of --topdown; 0 if not given
 * @pmu: model of the processor; NULL for that of this machine
 * @file: metric file of the user; NULL if none
 */
struct metric_options {
	const char *names;
	unsigned int topdown;
	const char *pmu;
	const char *file;
};

/**
 * enum smpl_module - what is made of the samples
 */
enum smpl_module {
	MODULE_INST_HIST,
	MODULE_DETAILED,
	MODULE_DETAILED_OLD,
	MODULE_COMPACT,
	MODULE_RAW,
	MODULE_CALLSTACK,
	MODULE_IBS,
	MODULE_FORMAT, /* what a format says of itself; it has no word */
};

/* Words for --smpl-module. */
extern const char *const smpl_module_names[MODULE_IBS + 1];

/**
 * enum smpl_output - output format for other programs; replaces that of the module
 */
enum smpl_output {
	SMPL_OUTPUT_TEXT,
	SMPL_OUTPUT_FOLDED,
	SMPL_OUTPUT_SPEEDSCOPE,
	SMPL_OUTPUT_PPROF,
	SMPL_OUTPUT_PERF_SCRIPT,
	SMPL_OUTPUT_FIREFOX,
	SMPL_OUTPUT_CSV,
	SMPL_OUTPUT_JSON,
	/* The modules of these names. */
	SMPL_OUTPUT_COMPACT,
	SMPL_OUTPUT_DETAILED,
	SMPL_OUTPUT_DETAILED_OLD,
	SMPL_OUTPUT_RAW,
};

/* Words for --pmu-driver: the values of enum pfm_driver. */
extern const char *const driver_names[PFM_DRIVER_PERF + 1];

/* Words for --smpl-output. */
extern const char *const smpl_output_names[SMPL_OUTPUT_RAW + 1];

/**
 * struct smpl_options - options about sampling
 * @needed_by: name of the first option that needs sampling; NULL if none was given
 * @long_periods: list with one element for each event; NULL if not given
 * @short_periods: the same for short periods
 * @random: the same, elements are mask:seed
 * @extra: PMDs that are recorded in each sample; NULL if none
 * @reset_list: PMDs that each sample resets; NULL if none are named
 * @reset_others: each sample resets the counters that do not sample
 * @format: the sampling format of MODULE_FORMAT, and its argument: NAME[:KEY=VALUE,...]
 * @entries: samples that fit in a buffer
 * @show_top: lines of a profile to print; 0 for all
 * @cum_threshold: cumulated per cent after which a profile ends; 0 for never
 * @parts: parts of the buffer; 1 if it is not divided; 0 if not given
 * @depth: frames of a stack that are recorded
 * @record: write a file of 'pfmon record', @outfile
 * @branches: which branches each sample carries: PFM_BRANCH_*, and BRANCH_FILTER_ON; 0 none
 * @frequency: samples in a second; 0 for periods
 * @period: period of all events that have none; 0 if none
 * @off_cpu: samples of where threads wait, as well
 * @latency: each sample tells how many threads of the session ran
 * @aggregate_stacks: the kernel adds up samples with identical stacks
 */
struct smpl_options {
	const char *needed_by;
	const char *long_periods;
	const char *short_periods;
	const char *random;
	const char *extra;
	const char *reset_list;
	bool reset_others;
	const char *format;
	uint64_t entries;
	enum smpl_module module;
	enum smpl_output output;
	const char *outfile;
	bool resolve;
	bool per_function;
	bool demangle;
	const char *symbol_file;
	const char *sysmap_file;
	uint64_t show_top;
	uint64_t cum_threshold;
	bool print_counts;
	bool saturate;
	bool block;
	uint64_t parts;
	uint64_t depth;
	bool aggregate_stacks;
	bool record;
	uint64_t branches;
	uint64_t frequency;
	uint64_t period;
	bool latency;
	bool off_cpu;
};

/**
 * enum grouping - what a row of the results of a verb is about
 */
enum grouping {
	GROUPING_NONE, /* everything together */
	GROUPING_PROGRAM,
	GROUPING_PROCESS,
	GROUPING_THREAD,
	GROUPING_CPU,
};

/* Words for --by. */
extern const char *const grouping_names[GROUPING_CPU + 1];

/**
 * struct stat_options - options of the verb stat
 * @on: the command line has the verb
 * @help_all: all options are to be described
 * @by: what a row is about
 * @detail: number of -d
 * @repeat: number of runs of the command; 0 for one
 * @separator: what stands between the fields of CSV; NULL for a comma
 * @clock: command that is not counted, but whose end ends the session; NULL if none
 * @alone: nothing that is created is followed
 * @try_kernel: count kernel code too, if this user may
 * @no_config: without the defaults of the user's configuration
 * @user_only: pfmon has said why it leaves out kernel code
 */
struct stat_options {
	bool on;
	bool help_all;
	enum grouping by;
	unsigned int detail;
	uint64_t repeat;
	const char *separator;
	char **clock;
	bool alone;
	bool try_kernel;
	bool no_config;
	bool user_only;
};

/**
 * struct top_options - options of the verb top
 * @on: the command line has the verb: a screen is drawn anew, and takes the keys
 * @delay_ns: time between two screens
 * @tables: number of screens after which the session ends; 0 for no end
 * @by: what the rows are about; NULL if not given
 */
struct top_options {
	bool on;
	uint64_t delay_ns;
	uint64_t tables;
	const char *by;
};

/**
 * struct trigger_options - code that starts and stops counting
 * @start: address or function; NULL if not given
 * @stop: likewise
 * @repeat: not only the first time
 * @follow: in tasks that are followed, too
 */
struct trigger_options {
	const char *start;
	const char *stop;
	bool repeat;
	bool follow;
};

/**
 * struct options - the checked command line
 * @action: what to do
 * @pattern: argument of the information options, a regular expression or
 *	event; NULL for all events
 * @sets: the events, and how their sets share the counters
 * @plm: PFM_PLM_* at which events count that name no levels
 * @priv_levels: value of --priv-levels; NULL when it was not given
 * @masks: values of --counter-mask and so on, NULL when they were not given
 * @force: count events that the processor does not implement
 * @take: take counters from sessions of others
 * @strict: refuse events that the processor does not implement
 * @timeout_ns: --session-timeout; 0 if none
 * @follow: PFM_CTX_FOLLOW_*
 * @only: programs that --follow-exec=regex selects; valid when @have_only
 * @except: programs that --follow-exec-exclude leaves out; valid when
 *	@have_except
 * @scope: what is monitored, if not just the command
 * @smpl: sampling
 * @metrics: metrics
 * @stat: the verb stat
 * @top: the verb top
 * @no_metrics: print no values that are derived from counts
 * @driver: whose counters are used
 * @command: the command and its arguments, terminated by NULL; NULL if there is
 *	none
 * @argv: pfmon's own command line as given
 * @irange: value of --irange; NULL if not given
 * @trigger: the options --trigger-code-...
 */
struct options {
	enum action action;
	const char *pattern;
	struct set_options sets;
	unsigned int plm;
	const char *priv_levels;
	const char *masks[NUM_EVENT_MASKS];
	bool force;
	bool take;
	bool strict;
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
	struct metric_options metrics;
	struct stat_options stat;
	struct top_options top;
	bool no_metrics;
	enum pfm_driver driver;
	char **command;
	char **argv;
	const char *irange;
	struct trigger_options trigger;
};

/* PFM_PLM_* bits of a list of levels like "uk" or "03"; -1 if it is invalid. */
int options_levels(const char *text, unsigned int length);

/* Elements of --counter-mask and so on that are empty, or wrong. */
#define OPTIONS_MASK_EMPTY (-1)
#define OPTIONS_MASK_WRONG (-2)

/* Element of a list of masks: 0 to 255 for EVENT_MASK_COUNTER, otherwise 0 or 1. */
int options_mask(enum event_mask mask, const char *text, size_t length);

/*
 * Length of the first event in a list with commas.  An event in the form cpu/.../ or
 * ibs_op/.../ may have commas itself.
 */
size_t options_event_length(const char *text);

/* True if --follow-exec and --follow-exec-exclude select the program. */
bool options_select(const struct options *options, const char *path,
		    size_t length);

/* True if each process is monitored by a context of its own. */
bool scope_options_many(const struct scope_options *options);

/* True if each CPU has a row of its own. */
bool scope_options_each_cpu(const struct options *options);

/* Name of a topology, as --topology takes it. */
const char *scope_topology_name(enum topology topology);

/*
 * Default of --switch-timeout.  A set switch takes 2.5 us of guest time
 * (--icount) including its timer interrupt: less than one per cent of this.
 */
#define SWITCH_TIMEOUT_DFL	300000

/* Adds the value of another -e.  Returns 0, or -1 if there is no memory. */
int set_options_add(struct set_options *options, const char *list);

/* Levels of the top-down tree, 1 to 16, that a text asks for; 0 if it is no level. */
unsigned int metric_options_level(const char *text);

/* True if --no-multiplex could be added to these options. */
bool set_options_may_repeat(const struct options *options);

/* True if any set has a --switch-overflow. */
bool set_options_has_triggers(const struct set_options *options);

/*
 * Takes the first time off the list *@text: milliseconds there, nanoseconds in
 * *@ns.  Returns 0, or -1 if it is invalid.
 */
int set_options_take_timeout(const char **text, uint64_t *ns);

/* Number of elements of --switch-timeout. */
unsigned int set_options_num_timeouts(const struct set_options *options);

/*
 * Timeout of set @index in nanoseconds.  The last element of the list also holds
 * for all further sets.
 */
uint64_t set_options_timeout(const struct set_options *options,
			     unsigned int index);

/*
 * Takes the first element EVENT:N off the list *@text.  Returns 1, and the caller
 * frees @event; 0 at the end; -1 if the element is invalid.
 */
int set_options_trigger(const char **text, char **event, uint64_t *count);

/* True if --overflow-block could be added to these options. */
bool smpl_options_may_block(const struct options *options);

/* True if there are periods, that is, if pfmon samples. */
bool smpl_options_on(const struct smpl_options *options);

/* True if the output needs symbols. */
bool smpl_options_need_symbols(const struct smpl_options *options);

/* True if a form has single samples, so that these are kept. */
bool smpl_output_lists(enum smpl_output output);

#endif
