// SPDX-License-Identifier: GPL-2.0-only
/*
 * Setters and checks of the options that say what is monitored.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/perfmon.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/cpu_list.h"
#include "base/message.h"
#include "cli/option_checks.h"
#include "cli/setters.h"
#include "options/options.h"

/* Milliseconds of --print-interval without an argument */
#define INTERVAL_DFL "1000"

/* In shorter intervals pfmon would do nothing but read counters. */
#define INTERVAL_MIN 1000000ULL

/* A cgroup may be monitored by its processes, or on CPUs. */
static bool belong_together(enum scope a, enum scope b)
{
	return (a == SCOPE_CGROUP && b == SCOPE_SYSTEM) ||
	       (a == SCOPE_SYSTEM && b == SCOPE_CGROUP);
}

static void set_scope(struct scope_options *options, enum scope scope)
{
	if (belong_together(options->scope, scope)) {
		options->scope = SCOPE_SYSTEM;
		return;
	}
	if (options->scope != SCOPE_COMMAND && options->scope != scope)
		options->twice = true;
	options->scope = scope;
}

static int add_task(struct scope_options *options, pid_t task, char *why)
{
	size_t i;

	for (i = 0; i < options->num_tasks; i++)
		if (options->tasks[i] == task)
			return 0;
	if (array_reserve(&options->tasks, sizeof(*options->tasks),
			  &options->room, options->num_tasks + 1))
		return option_refuse(why, "out of memory for the processes");
	options->tasks[options->num_tasks++] = task;
	return 0;
}

/* Accepts blanks between the numbers, as pidof(1) and pgrep(1) print them, and commas. */
static int take_tasks(struct scope_options *options, const char *name,
		      const char *value, char *why)
{
	static const char separators[] = ", \t\n";
	const char *at = value + strspn(value, separators);
	long number;
	char *end;

	if (!*at)
		return option_refuse(
			why,
			"--%s: no process or thread id is given; if a command such as pidof was to print it, no such program runs",
			name);
	set_scope(options, SCOPE_TASK);
	for (; *at; at = end + strspn(end, separators)) {
		errno = 0;
		number = strtol(at, &end, 10);
		if (errno || end == at || (*end && !strchr(separators, *end)) ||
		    number <= 0 || number > 0x3fffffff)
			return option_refuse(
				why,
				"--%s: '%.*s' is not a process or thread id",
				name, (int)strcspn(at, separators), at);
		if (add_task(options, number, why))
			return -1;
	}
	return 0;
}

SETTER(set_tasks)
{
	return take_tasks(&options->scope, row->name, value, why);
}

SETTER(set_one_thread)
{
	options->scope.one_thread = true;
	return take_tasks(&options->scope, row->name, value, why);
}

SETTER(set_cgroup)
{
	set_scope(&options->scope, SCOPE_CGROUP);
	return set_text_once(options, row, value, why);
}

SETTER(set_system_wide)
{
	(void)row;
	(void)value;
	(void)why;
	set_scope(&options->scope, SCOPE_SYSTEM);
	return 0;
}

SETTER(set_cpu_list)
{
	if (cpu_list_parse(value, NULL, why, OPTION_WHY_ROOM))
		return -1;
	return set_text(options, row, value, why);
}

/* CPUs of a list take up to four digits and a comma each. */
#define LIST_ROOM (5 * CPUS_MAX + 1)

static int own_list(struct scope_options *options, const struct cpu_list *cpus,
		    char *why)
{
	char *text = malloc(LIST_ROOM);

	if (!text)
		return option_refuse(why, "out of memory for the CPUs");
	cpu_list_format(cpus, text, LIST_ROOM);
	free(options->own_list);
	options->own_list = text;
	options->cpu_list = text;
	return 0;
}

SETTER(set_cpu_mask)
{
	struct cpu_list cpus = { 0 };
	unsigned long long mask;
	unsigned int cpu;
	char *end;

	errno = 0;
	mask = strtoull(value, &end, 0);
	if (*value < '0' || *value > '9' || *end || errno || !mask)
		return option_refuse(
			why,
			"--%s: '%s' is not a mask of CPUs; give a number of up to 64 bits, as 0x5 for the CPUs 0 and 2, or use --cpu-list=0,2",
			row->name, value);
	for (cpu = 0; mask; cpu++, mask >>= 1)
		if (mask & 1)
			cpu_list_add(&cpus, cpu);
	return own_list(&options->scope, &cpus, why);
}

/* The CPUs of @all that @numbers counts, from 0.  Returns the first number that is too large; -1 if none. */
static long choose_cpus(const struct cpu_list *numbers,
			const struct cpu_list *all, struct cpu_list *cpus)
{
	unsigned int cpu, number = 0;

	for (cpu = 0; cpu < CPUS_MAX; cpu++) {
		if (!cpu_list_has(all, cpu))
			continue;
		if (cpu_list_has(numbers, number++))
			cpu_list_add(cpus, cpu);
	}
	for (; number < CPUS_MAX; number++)
		if (cpu_list_has(numbers, number))
			return number;
	return -1;
}

int scope_options_settle(struct scope_options *options, char *why)
{
	struct cpu_list all = { 0 }, numbers = { 0 }, cpus = { 0 };
	char text[128];
	long wrong;

	if (!options->relative)
		return 0;
	if (sched_getaffinity(0, sizeof(all.set), (cpu_set_t *)all.set))
		return option_refuse(
			why,
			"--cpu-set-relative: the kernel does not tell on which CPUs pfmon may run: %s",
			strerror(errno));
	if (!options->cpu_list)
		return own_list(options, &all, why);
	if (cpu_list_parse(options->cpu_list, &numbers, why, OPTION_WHY_ROOM))
		return -1;
	wrong = choose_cpus(&numbers, &all, &cpus);
	if (wrong >= 0)
		return option_refuse(
			why,
			"--cpu-list=%ld with --cpu-set-relative: there is no such CPU among those on which pfmon may run (%s)",
			wrong, cpu_list_format(&all, text, sizeof(text)));
	return own_list(options, &cpus, why);
}

/* Unlike other times, one without a unit is in milliseconds. */
SETTER(set_interval)
{
	uint64_t *ns = &options->scope.interval_ns;
	char text[64];

	if (!value)
		value = INTERVAL_DFL;
	snprintf(text, sizeof(text), "%s%s", value,
		 value[strspn(value, "0123456789.eE+")] ? "" : "ms");
	if (duration_parse(text, ns))
		return option_refuse(
			why,
			"--%s: '%s' is not a time; give milliseconds (100) or a unit (2s)",
			row->name, value);
	if (*ns < INTERVAL_MIN)
		return option_refuse(why, "--%s: the shortest interval is 1 ms",
				     row->name);
	return 0;
}

void scope_options_free(struct scope_options *options)
{
	free(options->tasks);
	free(options->own_list);
}

/* Tasks that already run exclude a command. */
static int check_no_command(const struct options *options, char *why)
{
	const struct scope_options *scope = &options->scope;

	if (options->command && scope->num_tasks &&
	    !options->command[0][strspn(options->command[0], "0123456789")])
		return option_refuse(
			why,
			"'%s' would be a command; put several processes in quotes: -p \"$(pidof NAME)\"",
			options->command[0]);
	if (options->command)
		return option_refuse(
			why,
			"a running task or a command can be monitored, not both: '%s' would not run; leave it out, or leave out --attach-task, --attach-thread and --cgroup",
			options->command[0]);
	if (options->dont_start)
		return option_refuse(
			why,
			"--dont-start is for a command, which then starts counting itself");
	return 0;
}

static int check_tasks(const struct options *options, char *why)
{
	const struct scope_options *scope = &options->scope;

	if (check_no_command(options, why))
		return -1;
	if (scope->one_thread && scope->num_tasks > 1)
		return option_refuse(
			why,
			"only one thread can be named with --attach-thread, and nothing else beside it; --attach-task takes several processes");
	if (scope->num_tasks > 1 && smpl_options_on(&options->smpl))
		return option_refuse(
			why,
			"several processes and sampling cannot be combined; sample one of them, or CPUs with %s",
			options->stat.on ? "-a" : "--system-wide");
	if (scope->scope == SCOPE_CGROUP && smpl_options_on(&options->smpl))
		return option_refuse(
			why,
			"--cgroup alone counts its processes, and cannot sample them; with %s it samples what of them runs on each CPU",
			options->stat.on ? "-a" : "--system-wide");
	if (options->smpl.block && !scope->one_thread)
		return option_refuse(
			why,
			"--overflow-block is for one thread (--attach-thread): one task's full buffer would stop all others");
	if (scope->one_thread && options->follow & PFM_CTX_FOLLOW_CLONE)
		return option_refuse(
			why,
			"--attach-thread monitors one thread; --attach-task monitors all threads of its process");
	return 0;
}

/* Options that are about one task or one program. */
static int check_no_task(const struct options *options, char *why)
{
	if (options->dont_start)
		return option_refuse(
			why,
			"--dont-start and --system-wide cannot be combined: a command can start only one context, and there is one a CPU");
	if (options->smpl.block)
		return option_refuse(
			why,
			"--overflow-block and --system-wide cannot be combined: it would stop whatever runs on a CPU");
	if (options->smpl.symbol_file)
		return option_refuse(
			why,
			"--symbol-file and --system-wide cannot be combined: it is for the program of one command");
	if (options->exec_split)
		return option_refuse(
			why,
			"--exec-split-results and --system-wide cannot be combined: counts are those of CPUs");
	if (options->have_only || options->have_except)
		return option_refuse(
			why,
			"--follow-exec=REGEX and --system-wide cannot be combined: counts are those of CPUs");
	return 0;
}

static int check_each_cgroup(const struct options *options, char *why)
{
	const struct scope_options *scope = &options->scope;

	if (scope->cgroup)
		return option_refuse(
			why,
			"--for-each-cgroup and --cgroup cannot be combined: name all groups with --for-each-cgroup");
	if (!scope->each_cgroup[strspn(scope->each_cgroup, "/,")])
		return option_refuse(
			why,
			"--for-each-cgroup needs patterns, such as 'system.slice/*'; all tasks together are counted without it");
	if (smpl_options_on(&options->smpl))
		return option_refuse(
			why,
			"--for-each-cgroup counts, and cannot be combined with sampling; sample one of the groups with --cgroup");
	if (scope->topology || options->aggregate)
		return option_refuse(
			why,
			"--for-each-cgroup has a row for each group, and cannot be combined with %s",
			scope->topology ? "sums of cores, sockets or nodes"
					: "--aggregate-results");
	return 0;
}

static int check_system(const struct options *options, char *why)
{
	const struct scope_options *scope = &options->scope;

	if (check_no_task(options, why))
		return -1;
	if (scope->pin && !options->command)
		return option_refuse(why, "--pin-command needs a command");
	if ((scope->listen || scope->textfile) &&
	    smpl_options_on(&options->smpl))
		return option_refuse(
			why,
			"--listen and --textfile cannot be combined with sampling: they export counts");
	if (scope->each_cgroup && check_each_cgroup(options, why))
		return -1;
	if (scope->topology && options->aggregate)
		return option_refuse(
			why,
			"--topology and --aggregate-results contradict each other");
	return 0;
}

/* --excl-intr and --intr-only */
static int check_sides(const struct options *options, char *why)
{
	const struct scope_options *scope = &options->scope;
	const char *name = scope->excl_intr ? "excl-intr" : "intr-only";

	if (!scope->excl_intr && !scope->intr_only)
		return 0;
	if (scope->excl_intr && scope->intr_only)
		return option_refuse(
			why,
			"--excl-intr and --intr-only cannot be combined: nothing would be counted");
	if (smpl_options_on(&options->smpl))
		return option_refuse(
			why,
			"--%s and sampling cannot be combined: the counters run on both sides; leave it out, samples tell the functions of handlers as well",
			name);
	if (set_options_has_triggers(&options->sets))
		return option_refuse(
			why,
			"--%s and --switch-overflow cannot be combined: the counters run on both sides; use --switch-timeout",
			name);
	return 0;
}

int scope_options_check(const struct options *options, char *why)
{
	const struct scope_options *scope = &options->scope;

	if (scope->twice)
		return option_refuse(
			why,
			"only one of --attach-task, --attach-thread, --cgroup and --system-wide can be given, or --cgroup with --system-wide");
	if (scope->scope != SCOPE_SYSTEM && scope->needed_by)
		return option_refuse(why, "--%s needs --system-wide",
				     scope->needed_by);
	if (!options->command && options->show_time)
		return option_refuse(
			why,
			"--show-time is about a command, and there is none");
	if (!options->command && options->no_cmd_output)
		return option_refuse(
			why,
			"--no-cmd-output is about a command, and there is none");
	if (scope->interval_ns && smpl_options_on(&options->smpl))
		return option_refuse(
			why,
			"--print-interval and sampling cannot be combined: intervals are of counts");
	if (check_sides(options, why))
		return -1;
	switch (scope->scope) {
	case SCOPE_SYSTEM:
		return check_system(options, why);
	case SCOPE_TASK:
	case SCOPE_CGROUP:
		return check_tasks(options, why);
	default:
		return 0;
	}
}

void scope_options_finish(struct options *options)
{
	struct scope_options *scope = &options->scope;

	if (scope->scope == SCOPE_SYSTEM && options->follow) {
		say_warning(
			"--follow-... has no meaning with --system-wide: whatever runs on a CPU is counted");
		options->follow = 0;
	}
	if (scope->each_cgroup)
		scope->topology = TOPOLOGY_CGROUP;
	if (scope->scope == SCOPE_CGROUP)
		options->follow |= PFM_CTX_FOLLOW_ALL;
	if (scope->scope == SCOPE_TASK && !scope->one_thread)
		options->follow |= PFM_CTX_FOLLOW_CLONE;
}
