// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parser of the options that say what is monitored.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/perfmon.h>

#include "base/cpu_list.h"
#include "base/duration.h"
#include "base/message.h"
#include "cli/scope_options.h"
#include "options/options.h"

/* Shorter intervals would be nothing but reading counters. */
#define INTERVAL_MIN 1000000ULL

static int __attribute__((format(printf, 2, 3)))
refuse(char *why, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why, SCOPE_WHY_ROOM, format, args);
	va_end(args);
	return -1;
}

static void set_scope(struct scope_options *options, enum scope scope)
{
	if (options->scope != SCOPE_COMMAND && options->scope != scope)
		options->twice = true;
	options->scope = scope;
}

static int add_task(struct scope_options *options, pid_t task, char *why)
{
	pid_t *tasks;
	size_t i;

	for (i = 0; i < options->num_tasks; i++)
		if (options->tasks[i] == task)
			return 0;
	tasks = realloc(options->tasks,
			(options->num_tasks + 1) * sizeof(*tasks));
	if (!tasks)
		return refuse(why, "out of memory for the processes");
	options->tasks = tasks;
	tasks[options->num_tasks++] = task;
	return 0;
}

/* Numbers, as pidof(1) and pgrep(1) print them, or with commas. */
static int take_tasks(struct scope_options *options, const char *name,
		      const char *value, char *why)
{
	static const char separators[] = ", \t\n";
	const char *at = value + strspn(value, separators);
	long number;
	char *end;

	if (!*at)
		return refuse(
			why,
			"%s: no process or thread id is given; when a command was to find it, the program does not run",
			name);
	set_scope(options, SCOPE_TASK);
	for (; *at; at = end + strspn(end, separators)) {
		errno = 0;
		number = strtol(at, &end, 10);
		if (errno || end == at || (*end && !strchr(separators, *end)) ||
		    number <= 0 || number > 0x3fffffff)
			return refuse(
				why, "%s: '%.*s' is not a process or thread id",
				name, (int)strcspn(at, separators), at);
		if (add_task(options, number, why))
			return -1;
	}
	return 0;
}

static int take_topology(struct scope_options *options, const char *value,
			 char *why)
{
	enum topology topology;

	for (topology = TOPOLOGY_CORE; topology <= TOPOLOGY_NODE; topology++) {
		if (strcmp(value, scope_topology_name(topology)))
			continue;
		options->topology = topology;
		return 0;
	}
	return refuse(why, "--topology: '%s' is not one of core, socket, node",
		      value);
}

/* Milliseconds, or a number with a unit. */
static int take_interval(struct scope_options *options, const char *value,
			 char *why)
{
	char text[64];

	snprintf(text, sizeof(text), "%s%s", value,
		 value[strspn(value, "0123456789.")] ? "" : "ms");
	if (duration_parse(text, &options->interval_ns))
		return refuse(
			why,
			"--print-interval: '%s' is not a time; give milliseconds (100) or a unit (2s)",
			value);
	if (options->interval_ns < INTERVAL_MIN)
		return refuse(
			why, "--print-interval: the shortest interval is 1 ms");
	return 0;
}

static int take_system_only(struct scope_options *options, int opt,
			    const char *value, char *why)
{
	switch (opt) {
	case OPT_CPU_LIST:
		options->system_only = "--cpu-list";
		options->cpu_list = value;
		return cpu_list_parse(value, NULL, why, SCOPE_WHY_ROOM);
	case OPT_PIN_COMMAND:
		options->system_only = "--pin-command";
		options->pin = true;
		return 0;
	case OPT_EXCLUDE_IDLE:
		options->system_only = "--exclude-idle";
		options->no_idle = true;
		return 0;
	case OPT_TOPOLOGY:
		options->system_only = "--topology";
		return take_topology(options, value, why);
	case OPT_PRINT_INTERVAL:
		options->system_only = "--print-interval";
		return take_interval(options, value, why);
	case OPT_START_DELAY:
		options->system_only = "--trigger-start-delay";
		if (!duration_parse(value, &options->delay_ns))
			return 0;
		return refuse(
			why,
			"--trigger-start-delay: '%s' is not a time; give seconds (2.5) or a unit (500ms)",
			value);
	case OPT_LISTEN:
		options->system_only = "--listen";
		options->listen = value;
		return 0;
	default:
		options->system_only = "--textfile";
		options->textfile = value;
		return 0;
	}
}

int scope_options_take(struct scope_options *options, int opt,
		       const char *value, char *why)
{
	switch (opt) {
	case OPT_ATTACH_TASK:
		return take_tasks(options, "--attach-task", value, why);
	case OPT_ATTACH_THREAD:
		options->one_thread = true;
		return take_tasks(options, "--attach-thread", value, why);
	case OPT_CGROUP:
		if (options->cgroup)
			return refuse(why, "--cgroup given twice");
		set_scope(options, SCOPE_CGROUP);
		options->cgroup = value;
		return 0;
	case OPT_SYSTEM_WIDE:
		set_scope(options, SCOPE_SYSTEM);
		return 0;
	default:
		return take_system_only(options, opt, value, why);
	}
}

void scope_options_free(struct scope_options *options)
{
	free(options->tasks);
}

static int check_tasks(const struct options *options, char *why)
{
	const struct scope_options *scope = &options->scope;

	if (options->command && scope->num_tasks &&
	    !options->command[0][strspn(options->command[0], "0123456789")])
		return refuse(
			why,
			"'%s' would be a command; put several processes in quotes: -p \"$(pidof NAME)\"",
			options->command[0]);
	if (options->command)
		return refuse(
			why,
			"a running task or a command can be monitored, not both: '%s' would not run; leave it out, or leave out --attach-task, --attach-thread and --cgroup",
			options->command[0]);
	if (options->dont_start)
		return refuse(
			why,
			"--dont-start is for a command, which then starts counting itself");
	if (scope->one_thread && scope->num_tasks > 1)
		return refuse(
			why,
			"only one thread can be named with --attach-thread, and nothing else beside it; --attach-task takes several processes");
	if (scope->num_tasks > 1 && smpl_options_on(&options->smpl))
		return refuse(
			why,
			"several processes and sampling cannot be combined; sample one of them, or CPUs with --system-wide");
	if (scope->scope == SCOPE_CGROUP && smpl_options_on(&options->smpl))
		return refuse(
			why,
			"--cgroup and sampling cannot be combined; sample one of its processes with --attach-task");
	if (options->smpl.block && !scope->one_thread)
		return refuse(
			why,
			"--overflow-block is for one thread (--attach-thread): one task's full buffer would stop all others");
	if (scope->one_thread && options->follow & PFM_CTX_FOLLOW_CLONE)
		return refuse(
			why,
			"--attach-thread monitors one thread; --attach-task monitors all threads of its process");
	return 0;
}

static int check_system(const struct options *options, char *why)
{
	const struct scope_options *scope = &options->scope;

	if (options->dont_start)
		return refuse(
			why,
			"--dont-start and --system-wide cannot be combined: a command can start one context, and there is one a CPU");
	if (options->smpl.block)
		return refuse(
			why,
			"--overflow-block and --system-wide cannot be combined: it would stop whatever runs on a CPU");
	if (options->smpl.symbol_file)
		return refuse(
			why,
			"--symbol-file and --system-wide cannot be combined: it is for the program of one command");
	if (options->exec_split)
		return refuse(
			why,
			"--exec-split-results and --system-wide cannot be combined: counts are those of CPUs");
	if (options->have_only || options->have_except)
		return refuse(
			why,
			"--follow-exec=REGEX and --system-wide cannot be combined: counts are those of CPUs");
	if (scope->pin && !options->command)
		return refuse(why, "--pin-command needs a command");
	if (scope->interval_ns && smpl_options_on(&options->smpl))
		return refuse(
			why,
			"--print-interval and sampling cannot be combined");
	if ((scope->listen || scope->textfile) &&
	    smpl_options_on(&options->smpl))
		return refuse(
			why,
			"--listen and --textfile cannot be combined with sampling: they export counts");
	if (scope->topology && options->aggregate)
		return refuse(
			why,
			"--topology and --aggregate-results contradict each other");
	return 0;
}

int scope_options_check(const struct options *options, char *why)
{
	const struct scope_options *scope = &options->scope;

	if (scope->twice)
		return refuse(
			why,
			"only one of --attach-task, --attach-thread, --cgroup and --system-wide can be given");
	if (scope->scope != SCOPE_SYSTEM && scope->system_only)
		return refuse(why, "%s needs --system-wide",
			      scope->system_only);
	if (!options->command && options->show_time)
		return refuse(
			why,
			"--show-time is about a command, and there is none");
	if (!options->command && options->no_cmd_output)
		return refuse(
			why,
			"--no-cmd-output is about a command, and there is none");
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
	if (scope->scope == SCOPE_CGROUP)
		options->follow |= PFM_CTX_FOLLOW_ALL;
	if (scope->scope == SCOPE_TASK && !scope->one_thread)
		options->follow |= PFM_CTX_FOLLOW_CLONE;
}
