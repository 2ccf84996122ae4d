// SPDX-License-Identifier: GPL-2.0-only
/*
 * The option table.  The names are those of the original pfmon where it had the option.
 */
#include <stddef.h>
#include <stdint.h>
#include <linux/perfmon.h>
#include <linux/perfmon_callstack.h>
#include <linux/perfmon_nway.h>
#include <perfmon/perfmon.h>

#include "cli/option_table.h"
#include "cli/setters.h"
#include "options/options.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define FIELD(member) .offset = offsetof(struct options, member)

#define CHOICES(array) .choices = (array), .num_choices = COUNT(array)

static const char *const group_titles[] = {
	[GROUP_EVENTS] = "What to count",
	[GROUP_METRICS] = "Metrics: what counts mean",
	[GROUP_SETS] =
		"More events than counters (counts are estimates then, marked with ~)",
	[GROUP_FOLLOW] =
		"Which tasks (without these: the first thread of COMMAND only)",
	[GROUP_ATTACH] = "Tasks that already run",
	[GROUP_SYSTEM] = "System-wide",
	[GROUP_TIME] =
		"How long (without COMMAND also until ENTER, or a signal)",
	[GROUP_OUTPUT] = "Output",
	[GROUP_SAMPLING] =
		"Sampling (a sample every PERIOD events; none for an event with an empty entry)",
	[GROUP_INFORMATION] = "Information",
	[GROUP_ORIGINAL] =
		"Of the original pfmon (options above say the same)",
};

/* clang-format off */
const struct option_row option_rows[] = {
	{
		.name = "events", .letters = "e", .argument = "EVENT,...",
		.group = GROUP_EVENTS,
		.set = set_events,
		.help = "events (cycles); {A,B} are counted together; further -e add to them: all are counted at the same time if the counters suffice, otherwise each -e is a set",
	},
	{
		.name = "force",
		.group = GROUP_EVENTS,
		.set = set_flag, FIELD(force),
		.help = "also count events that the processor does not implement (they count 0)",
	},
	{
		.name = "strict",
		.group = GROUP_EVENTS,
		.set = set_flag, FIELD(strict),
		.help = "fail if the processor lacks an event; otherwise the others are counted without it",
	},
	{
		.name = "user-level", .letters = "u3",
		.group = GROUP_EVENTS,
		.set = set_bits, FIELD(plm), .value = PFM_PLM_USER,
		.help = "count in user code (the default)",
	},
	{
		.name = "kernel-level", .letters = "k0",
		.group = GROUP_EVENTS,
		.set = set_bits, FIELD(plm), .value = PFM_PLM_KERNEL,
		.help = "count in the kernel; -u -k count in both",
	},
	{
		.letters = "1",
		.group = GROUP_EVENTS,
		.set = set_bits, FIELD(plm), .value = PLM_1,
		.help = "count at level 1, where the processor has it",
	},
	{
		.letters = "2",
		.group = GROUP_EVENTS,
		.set = set_bits, FIELD(plm), .value = PLM_2,
		.help = "count at level 2, where the processor has it",
	},
	{
		.name = "priv-levels", .argument = "LEVELS,...",
		.group = GROUP_EVENTS,
		.set = set_priv_levels, FIELD(priv_levels),
		.help = "levels of each event, of the letters u and k",
	},
	{
		.name = "counter-mask", .argument = "N,...",
		.group = GROUP_EVENTS,
		.set = set_event_mask, FIELD(masks[EVENT_MASK_COUNTER]), .value = EVENT_MASK_COUNTER,
		.help = "for each event: count cycles in which it occurs N times or more (x86)",
	},
	{
		.name = "inv-mask", .argument = "YN,...",
		.group = GROUP_EVENTS,
		.set = set_event_mask, FIELD(masks[EVENT_MASK_INV]), .value = EVENT_MASK_INV,
		.help = "y: cycles in which it occurs less often instead",
	},
	{
		.name = "edge-mask", .argument = "YN,...",
		.group = GROUP_EVENTS,
		.set = set_event_mask, FIELD(masks[EVENT_MASK_EDGE]), .value = EVENT_MASK_EDGE,
		.help = "y: how often it begins, not how long it lasts (x86)",
	},
	{
		.name = "anythr-mask", .argument = "YN,...",
		.group = GROUP_EVENTS,
		.set = set_event_mask, FIELD(masks[EVENT_MASK_ANYTHR]), .value = EVENT_MASK_ANYTHR,
		.help = "y: in both threads of the core (Intel)",
	},
	{
		.name = "guest-mask", .argument = "YN,...",
		.group = GROUP_EVENTS,
		.set = set_event_mask, FIELD(masks[EVENT_MASK_GUEST]), .value = EVENT_MASK_GUEST,
		.help = "y: only in virtual machines (AMD)",
	},
	{
		.name = "host-mask", .argument = "YN,...",
		.group = GROUP_EVENTS,
		.set = set_event_mask, FIELD(masks[EVENT_MASK_HOST]), .value = EVENT_MASK_HOST,
		.help = "y: only outside of virtual machines (AMD)",
	},
	{
		.name = "irange", .argument = "FUNCTION,...",
		.group = GROUP_EVENTS,
		.set = set_text_once, FIELD(irange),
		.help = "count in these functions of COMMAND and its libraries only, call by call; START-END: between two addresses",
	},
	{
		.name = "trigger-code-start-addresses", .argument = "ADDRESS",
		.group = GROUP_EVENTS,
		.set = set_text_once, FIELD(trigger.start),
		.help = "count from the execution of this function or address on",
	},
	{
		.name = "trigger-code-stop-addresses", .argument = "ADDRESS",
		.group = GROUP_EVENTS,
		.set = set_text_once, FIELD(trigger.stop),
		.help = "and until the execution of this one",
	},
	{
		.name = "trigger-code-repeat",
		.group = GROUP_EVENTS,
		.set = set_flag, FIELD(trigger.repeat),
		.help = "not the first time only",
	},
	{
		.name = "trigger-code-follow",
		.group = GROUP_EVENTS,
		.set = set_flag, FIELD(trigger.follow),
		.help = "in all tasks that are followed",
	},
	{
		.name = "pmu-driver", .argument = "DRIVER",
		.group = GROUP_EVENTS,
		.set = set_choice, FIELD(driver), CHOICES(driver_names),
		.help = "native: the processor's counters; perf: those of perf",
	},
	{
		.name = "metrics", .letters = "Mm", .argument = "METRIC,...",
		.group = GROUP_METRICS,
		.set = set_text_once, FIELD(metrics.names),
		.help = "metrics and groups of metrics",
	},
	{
		.name = "topdown", .argument = "LEVEL", .optional = true,
		.group = GROUP_METRICS,
		.set = set_topdown,
		.help = "where the time went, as a tree (1 level)",
	},
	{
		.name = "pmu", .argument = "MODEL",
		.group = GROUP_METRICS,
		.set = set_text_once, FIELD(metrics.pmu),
		.help = "metrics of another processor model",
	},
	{
		.name = "metric-file", .argument = "FILE",
		.group = GROUP_METRICS,
		.set = set_text_once, FIELD(metrics.file),
		.help = "metrics of your own",
	},
	{
		.name = "no-metrics",
		.group = GROUP_METRICS,
		.set = set_flag, FIELD(no_metrics),
		.help = "without -M: only counts, no instructions per cycle and the like",
	},
	{
		.name = "sets",
		.group = GROUP_SETS,
		.set = set_flag, FIELD(sets.apart),
		.help = "each -e is a set, also where the counters suffice for all",
	},
	{
		.name = "switch-timeout", .argument = "MS,...",
		.group = GROUP_SETS,
		.set = set_switch_timeout, FIELD(sets.timeouts),
		.help = "time slice of a set in milliseconds (0.3)",
	},
	{
		.name = "switch-overflow", .argument = "EVENT:N,...",
		.group = GROUP_SETS,
		.set = set_switch_overflow,
		.help = "time slices of the set before it end when EVENT has occurred N times",
	},
	{
		.name = "no-multiplex",
		.group = GROUP_SETS,
		.set = set_flag, FIELD(sets.no_multiplex),
		.help = "run COMMAND once for each set instead",
	},
	{
		.name = "exclusive",
		.group = GROUP_SETS,
		.set = set_flag, FIELD(sets.exclusive),
		.help = "fail instead",
	},
	{
		.name = "take",
		.group = GROUP_SETS,
		.set = set_flag, FIELD(take),
		.help = "take counters from sessions of users without CAP_PERFMON, which end",
	},
	{
		.name = "follow-fork",
		.group = GROUP_FOLLOW,
		.set = set_bits, FIELD(follow), .value = PFM_CTX_FOLLOW_FORK,
		.help = "processes that it forks",
	},
	{
		.name = "follow-vfork",
		.group = GROUP_FOLLOW,
		.set = set_bits, FIELD(follow), .value = PFM_CTX_FOLLOW_VFORK,
		.help = "processes that it starts by vfork or posix_spawn",
	},
	{
		.name = "follow-pthread",
		.group = GROUP_FOLLOW,
		.set = set_bits, FIELD(follow), .value = PFM_CTX_FOLLOW_CLONE,
		.help = "threads",
	},
	{
		.name = "follow-exec", .argument = "REGEX", .optional = true,
		.group = GROUP_FOLLOW,
		.set = set_follow_exec,
		.help = "go on after exec; show only programs whose path matches",
	},
	{
		.name = "follow-exec-exclude", .argument = "REGEX",
		.group = GROUP_FOLLOW,
		.set = set_follow_exec_exclude,
		.help = "go on after exec; leave out programs whose path matches",
	},
	{
		.name = "follow-all",
		.group = GROUP_FOLLOW,
		.set = set_bits, FIELD(follow), .value = PFM_CTX_FOLLOW_ALL,
		.help = "all of these",
	},
	{
		.name = "exec-split-results",
		.group = GROUP_FOLLOW,
		.set = set_flag, FIELD(exec_split),
		.help = "a result for each program that a task executed",
	},
	{
		.name = "aggregate-results",
		.group = GROUP_FOLLOW,
		.set = set_flag, FIELD(aggregate),
		.help = "sums only",
	},
	{
		.name = "attach-task", .letters = "p", .argument = "PID,...",
		.group = GROUP_ATTACH,
		.set = set_tasks,
		.help = "processes with all their threads",
	},
	{
		.name = "attach-thread", .argument = "TID",
		.group = GROUP_ATTACH,
		.set = set_one_thread,
		.help = "one thread",
	},
	{
		.name = "cgroup", .argument = "PATH",
		.group = GROUP_ATTACH,
		.set = set_cgroup, FIELD(scope.cgroup),
		.help = "the processes of a control group",
	},
	{
		.name = "system-wide",
		.group = GROUP_SYSTEM,
		.set = set_system_wide,
		.help = "monitor CPUs, whatever runs on them",
	},
	{
		.name = "for-each-cgroup", .argument = "PATTERN,...",
		.group = GROUP_SYSTEM, .needs = NEEDS_SYSTEM_WIDE,
		.set = set_text_once, FIELD(scope.each_cgroup),
		.help = "a row for each control group that matches, such as 'system.slice/*'",
	},
	{
		.name = "cpu-list", .argument = "LIST",
		.group = GROUP_SYSTEM, .needs = NEEDS_SYSTEM_WIDE,
		.set = set_cpu_list, FIELD(scope.cpu_list),
		.help = "these CPUs (0,2-3); otherwise all",
	},
	{
		.name = "pin-command",
		.group = GROUP_SYSTEM, .needs = NEEDS_SYSTEM_WIDE,
		.set = set_flag, FIELD(scope.pin),
		.help = "COMMAND runs on these CPUs only",
	},
	{
		.name = "exclude-idle",
		.group = GROUP_SYSTEM, .needs = NEEDS_SYSTEM_WIDE,
		.set = set_flag, FIELD(scope.no_idle),
		.help = "leave out what the idle task does",
	},
	{
		.name = "excl-intr",
		.group = GROUP_SYSTEM, .needs = NEEDS_SYSTEM_WIDE,
		.set = set_flag, FIELD(scope.excl_intr),
		.help = "leave out what handlers of interrupts do",
	},
	{
		.name = "intr-only",
		.group = GROUP_SYSTEM, .needs = NEEDS_SYSTEM_WIDE,
		.set = set_flag, FIELD(scope.intr_only),
		.help = "count what handlers of interrupts do, and nothing else",
	},
	{
		.name = "topology", .argument = "GROUP",
		.group = GROUP_SYSTEM, .needs = NEEDS_SYSTEM_WIDE,
		.set = set_choice, FIELD(scope.topology), CHOICES(scope_topology_names),
		.help = "sums of each core, socket or node",
	},
	{
		.name = "trigger-start-delay", .argument = "TIME",
		.group = GROUP_SYSTEM, .needs = NEEDS_SYSTEM_WIDE,
		.set = set_duration, FIELD(scope.delay_ns),
		.help = "begin to count after TIME",
	},
	{
		.name = "listen", .argument = "ADDRESS:PORT",
		.group = GROUP_SYSTEM, .needs = NEEDS_SYSTEM_WIDE,
		.set = set_text, FIELD(scope.listen),
		.help = "serve counts to Prometheus (/metrics)",
	},
	{
		.name = "textfile", .argument = "FILE",
		.group = GROUP_SYSTEM, .needs = NEEDS_SYSTEM_WIDE,
		.set = set_text, FIELD(scope.textfile),
		.help = "write counts to FILE, for node_exporter",
	},
	{
		.name = "session-timeout", .letters = "t", .argument = "TIME",
		.group = GROUP_TIME,
		.set = set_duration, FIELD(timeout_ns),
		.help = "end counting after TIME (10, 2.5s, 500ms, 2m)",
	},
	{
		.name = "dont-start",
		.group = GROUP_TIME,
		.set = set_flag, FIELD(dont_start),
		.help = "COMMAND starts counting itself, by the context descriptor in $PFMON_CONTEXT_FD",
	},
	{
		.name = "print-interval", .argument = "TIME", .optional = true,
		.group = GROUP_OUTPUT,
		.set = set_interval, FIELD(scope.interval_ns),
		.help = "print the counts and metrics of each TIME (milliseconds; 1000)",
	},
	{
		.name = "outfile", .letters = "o", .argument = "FILE",
		.group = GROUP_OUTPUT,
		.set = set_text_once, FIELD(outfile),
		.help = "results to FILE",
	},
	{
		.name = "append",
		.group = GROUP_OUTPUT,
		.set = set_flag, FIELD(append),
		.help = "add results to the end of FILE",
	},
	{
		.name = "json",
		.group = GROUP_OUTPUT,
		.set = set_one_of, FIELD(format), .value = OUTPUT_JSON,
		.help = "results as a JSON document, see pfmon(1)",
	},
	{
		.name = "csv",
		.group = GROUP_OUTPUT,
		.set = set_one_of, FIELD(format), .value = OUTPUT_CSV,
		.help = "results as comma-separated values, see pfmon(1)",
	},
	{
		.name = "with-header",
		.group = GROUP_OUTPUT,
		.set = set_flag, FIELD(with_header),
		.help = "describe machine and events first",
	},
	{
		.name = "us-counter-format",
		.group = GROUP_OUTPUT,
		.set = set_one_of, FIELD(counter), .value = COUNTER_US,
		.help = "counts as 1,234,567",
	},
	{
		.name = "eu-counter-format",
		.group = GROUP_OUTPUT,
		.set = set_one_of, FIELD(counter), .value = COUNTER_EU,
		.help = "counts as 1.234.567",
	},
	{
		.name = "hex-counter-format",
		.group = GROUP_OUTPUT,
		.set = set_one_of, FIELD(counter), .value = COUNTER_HEX,
		.help = "counts as 0x000000000012d687",
	},
	{
		.name = "show-time",
		.group = GROUP_OUTPUT,
		.set = set_flag, FIELD(show_time),
		.help = "real, user and system time of COMMAND",
	},
	{
		.name = "no-cmd-output",
		.group = GROUP_OUTPUT,
		.set = set_flag, FIELD(no_cmd_output),
		.help = "COMMAND's output to /dev/null",
	},
	{
		.name = "quiet",
		.group = GROUP_OUTPUT,
		.set = set_quiet,
		.help = "no notes; errors and warnings remain",
	},
	{
		.name = "verbose", .letters = "v",
		.group = GROUP_OUTPUT,
		.set = set_verbose,
		.help = "say what is done",
	},
	{
		.name = "debug",
		.group = GROUP_OUTPUT,
		.set = set_verbose, .value = 1,
		.help = "say it in detail",
	},
	{
		.name = "long-smpl-periods", .argument = "PERIOD,...",
		.group = GROUP_SAMPLING,
		.set = set_text_once, FIELD(smpl.long_periods),
		.help = "period of the first sample and after each notification",
	},
	{
		.name = "short-smpl-periods", .argument = "PERIOD,...",
		.group = GROUP_SAMPLING,
		.set = set_text_once, FIELD(smpl.short_periods),
		.help = "period of all other samples; one list alone stands for both",
	},
	{
		.name = "smpl-periods-random", .argument = "MASK[:SEED],...",
		.group = GROUP_SAMPLING, .needs = NEEDS_SAMPLING,
		.set = set_text_once, FIELD(smpl.random),
		.help = "add random numbers up to MASK to periods",
	},
	{
		.name = "smpl-module", .argument = "NAME[:KEY=VALUE,...]",
		.group = GROUP_SAMPLING, .needs = NEEDS_SAMPLING,
		.set = set_smpl_module, FIELD(smpl.module), CHOICES(smpl_module_names),
		.help = "inst-hist (the default), detailed, compact, raw, callstack, ibs (-S MODULE describes it), or a sampling format of 'pfmon formats'",
	},
	{
		.name = "smpl-output", .argument = "FORM",
		.group = GROUP_SAMPLING, .needs = NEEDS_SAMPLING,
		.set = set_choice, FIELD(smpl.output), CHOICES(smpl_output_names),
		.help = "text, folded, speedscope, pprof, perf-script or firefox, or a list of samples: compact, detailed, detailed-old, raw; of a sampling format text, csv or json",
	},
	{
		.name = "smpl-outfile", .argument = "FILE",
		.group = GROUP_SAMPLING, .needs = NEEDS_SAMPLING,
		.set = set_text, FIELD(smpl.outfile),
		.help = "samples to FILE",
	},
	{
		.name = "smpl-print-counts",
		.group = GROUP_SAMPLING, .needs = NEEDS_SAMPLING,
		.set = set_flag, FIELD(smpl.print_counts),
		.help = "print counts, too",
	},
	{
		.name = "resolve-addresses",
		.group = GROUP_SAMPLING, .needs = NEEDS_SAMPLING,
		.set = set_flag, FIELD(smpl.resolve),
		.help = "name functions and files",
	},
	{
		.name = "smpl-per-function",
		.group = GROUP_SAMPLING, .needs = NEEDS_SAMPLING,
		.set = set_flag, FIELD(smpl.per_function),
		.help = "a line for each function",
	},
	{
		.name = "demangle-cpp",
		.group = GROUP_SAMPLING, .needs = NEEDS_SAMPLING,
		.set = set_flag, FIELD(smpl.demangle),
		.help = "readable names of C++, Rust and D",
	},
	{
		.name = "symbol-file", .argument = "FILE",
		.group = GROUP_SAMPLING, .needs = NEEDS_SAMPLING,
		.set = set_text, FIELD(smpl.symbol_file),
		.help = "symbols of COMMAND's program",
	},
	{
		.name = "sysmap-file", .argument = "FILE",
		.group = GROUP_SAMPLING, .needs = NEEDS_SAMPLING,
		.set = set_text, FIELD(smpl.sysmap_file),
		.help = "symbols of the kernel",
	},
	{
		.name = "smpl-show-top", .argument = "N",
		.group = GROUP_SAMPLING, .needs = NEEDS_SAMPLING,
		.set = set_number, FIELD(smpl.show_top), .max = UINT64_MAX,
		.help = "N lines of the profile",
	},
	{
		.name = "smpl-cum-threshold", .argument = "PERCENT",
		.group = GROUP_SAMPLING, .needs = NEEDS_SAMPLING,
		.set = set_number, FIELD(smpl.cum_threshold), .max = 100,
		.help = "the lines that make up PERCENT",
	},
	{
		.name = "smpl-entries", .argument = "N",
		.group = GROUP_SAMPLING, .needs = NEEDS_SAMPLING,
		.set = set_number, FIELD(smpl.entries), .max = UINT32_MAX,
		.help = "samples in the buffer (2048)",
	},
	{
		.name = "smpl-parts", .argument = "N",
		.group = GROUP_SAMPLING, .needs = NEEDS_SAMPLING,
		.set = set_number, FIELD(smpl.parts), .max = PFM_NWAY_PARTS_MAX,
		.help = "divide the buffer into N parts: sampling goes on while one is read",
	},
	{
		.name = "smpl-depth", .argument = "N",
		.group = GROUP_SAMPLING, .needs = NEEDS_SAMPLING,
		.set = set_number, FIELD(smpl.depth), .max = PFM_CALLSTACK_DEPTH_MAX,
		.help = "frames of a stack (64)",
	},
	{
		.name = "smpl-aggregate-stacks",
		.group = GROUP_SAMPLING, .needs = NEEDS_SAMPLING,
		.set = set_flag, FIELD(smpl.aggregate_stacks),
		.help = "have the kernel add up equal stacks",
	},
	{
		.name = "saturate-smpl-buffer",
		.group = GROUP_SAMPLING, .needs = NEEDS_SAMPLING,
		.set = set_flag, FIELD(smpl.saturate),
		.help = "stop when the buffer is full",
	},
	{
		.name = "overflow-block",
		.group = GROUP_SAMPLING, .needs = NEEDS_SAMPLING,
		.set = set_flag, FIELD(smpl.block),
		.help = "COMMAND waits while a full buffer is read",
	},
	{
		.name = "reset-non-smpl-periods", .argument = "PMD,...", .optional = true,
		.group = GROUP_SAMPLING, .needs = NEEDS_SAMPLING,
		.set = set_reset_others,
		.help = "reset other counters with each sample",
	},
	{
		.name = "extra-smpl-pmds", .argument = "PMD,...",
		.group = GROUP_SAMPLING, .needs = NEEDS_SAMPLING,
		.set = set_text, FIELD(smpl.extra),
		.help = "more values in each sample",
	},
	{
		.name = "show-events", .letters = "l", .argument = "REGEX", .optional = true,
		.group = GROUP_INFORMATION,
		.set = set_action, .value = ACTION_LIST,
		.help = "names of events",
	},
	{
		.name = "long-show-events", .letters = "L", .argument = "REGEX", .optional = true,
		.group = GROUP_INFORMATION,
		.set = set_action, .value = ACTION_LIST_LONG,
		.help = "names of events with their unit masks",
	},
	{
		.name = "event-info", .letters = "i", .argument = "EVENT",
		.group = GROUP_INFORMATION,
		.set = set_action, .value = ACTION_EVENT_INFO,
		.help = "all about an event: name, code or REGEX",
	},
	{
		.name = "list-metrics", .argument = "REGEX", .optional = true,
		.group = GROUP_INFORMATION,
		.set = set_action, .value = ACTION_METRICS,
		.help = "metrics with their formulas and events",
	},
	{
		.name = "smpl-module-info", .letters = "S", .argument = "MODULE",
		.group = GROUP_INFORMATION,
		.set = set_action, .value = ACTION_MODULE,
		.help = "what a sampling module prints, and its options",
	},
	{
		.name = "check-events-only",
		.group = GROUP_INFORMATION,
		.set = set_action, .value = ACTION_CHECK,
		.help = "say whether the events can be counted together",
	},
	{
		.name = "doctor",
		.group = GROUP_INFORMATION,
		.set = set_action, .value = ACTION_DOCTOR,
		.help = "say whether pfmon can count here, and what to do",
	},
	{
		.name = "show-options",
		.group = GROUP_INFORMATION,
		.set = set_action, .value = ACTION_OPTIONS,
		.help = "these options in a form for programs",
	},
	{
		.name = "info", .letters = "I",
		.group = GROUP_INFORMATION,
		.set = set_action, .value = ACTION_INFO,
		.help = "about processor, kernel and libraries",
	},
	{
		.name = "help", .letters = "h",
		.group = GROUP_INFORMATION,
		.set = set_help, .value = ACTION_HELP,
		.help = "this summary",
	},
	{
		.name = "version", .letters = "V",
		.group = GROUP_INFORMATION,
		.set = set_help, .value = ACTION_VERSION,
		.help = "versions of pfmon, its libraries and the kernel interface",
	},
	{
		.name = "anythread-mask", .argument = "YN,...",
		.group = GROUP_ORIGINAL,
		.set = set_event_mask, FIELD(masks[EVENT_MASK_ANYTHR]), .value = EVENT_MASK_ANYTHR,
		.help = "--anythr-mask",
	},
	{
		.name = "cpu-mask", .argument = "MASK",
		.group = GROUP_ORIGINAL, .needs = NEEDS_SYSTEM_WIDE,
		.set = set_cpu_mask, FIELD(scope.cpu_list),
		.help = "--cpu-list, bit N of MASK is CPU N",
	},
	{
		.name = "cpu-set-relative",
		.group = GROUP_ORIGINAL, .needs = NEEDS_SYSTEM_WIDE,
		.set = set_flag, FIELD(scope.relative),
		.help = "0 in --cpu-list is the first CPU that pfmon may run on",
	},
	{
		.name = "no-una-detect",
		.group = GROUP_ORIGINAL,
		.set = set_nothing,
		.help = "nothing: registers in use are never found by trying",
	},
	{
		.name = "smpl-compact",
		.group = GROUP_ORIGINAL, .needs = NEEDS_SAMPLING,
		.set = set_smpl_listing, FIELD(smpl.output), .value = SMPL_OUTPUT_COMPACT,
		.help = "--smpl-module=compact",
	},
	{
		.name = "smpl-raw",
		.group = GROUP_ORIGINAL, .needs = NEEDS_SAMPLING,
		.set = set_smpl_listing, FIELD(smpl.output), .value = SMPL_OUTPUT_RAW,
		.help = "--smpl-module=raw",
	},
	{
		.name = "smpl-ignore-pids",
		.group = GROUP_ORIGINAL, .needs = NEEDS_SAMPLING,
		.set = set_flag, FIELD(aggregate),
		.help = "--aggregate-results",
	},
};
/* clang-format on */

const unsigned int option_num_rows = COUNT(option_rows);

_Static_assert(COUNT(option_rows) <= OPTION_ROWS_MAX,
	       "rows of the option table");
_Static_assert(COUNT(group_titles) == NUM_GROUPS, "titles of option groups");

const char *option_group_title(enum option_group group)
{
	return group_titles[group];
}
