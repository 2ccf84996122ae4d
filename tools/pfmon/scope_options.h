/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options that say what is monitored, other than a command: running tasks,
 * a control group, or the CPUs.
 */
#ifndef PFMON_SCOPE_OPTIONS_H
#define PFMON_SCOPE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct options;

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

/* Numbers of the options for getopt_long(3). */
enum {
	OPT_SCOPE_FIRST = 640,
	OPT_ATTACH_TASK = OPT_SCOPE_FIRST,
	OPT_ATTACH_THREAD,
	OPT_CGROUP,
	OPT_SYSTEM_WIDE,
	OPT_CPU_LIST,
	OPT_PIN_COMMAND,
	OPT_EXCLUDE_IDLE,
	OPT_TOPOLOGY,
	OPT_PRINT_INTERVAL,
	OPT_START_DELAY,
	OPT_LISTEN,
	OPT_TEXTFILE,
	OPT_SCOPE_END,
};

#define SCOPE_LONG_OPTIONS                                             \
	{ "attach-task", required_argument, NULL, OPT_ATTACH_TASK },   \
		{ "attach-thread", required_argument, NULL,            \
		  OPT_ATTACH_THREAD },                                 \
		{ "cgroup", required_argument, NULL, OPT_CGROUP },     \
		{ "system-wide", no_argument, NULL, OPT_SYSTEM_WIDE }, \
		{ "cpu-list", required_argument, NULL, OPT_CPU_LIST }, \
		{ "pin-command", no_argument, NULL, OPT_PIN_COMMAND }, \
		{ "exclude-idle", no_argument, NULL, OPT_EXCLUDE_IDLE }, \
		{ "topology", required_argument, NULL, OPT_TOPOLOGY }, \
		{ "print-interval", required_argument, NULL,           \
		  OPT_PRINT_INTERVAL },                                \
		{ "trigger-start-delay", required_argument, NULL,      \
		  OPT_START_DELAY },                                   \
		{ "listen", required_argument, NULL, OPT_LISTEN },     \
	{                                                              \
		"textfile", required_argument, NULL, OPT_TEXTFILE      \
	}

#define SCOPE_WHY_ROOM 512

/*
 * Each returns 0, or -1 with what is wrong in @why, which has SCOPE_WHY_ROOM
 * bytes.
 */
int scope_options_take(struct scope_options *options, int opt,
		       const char *value, char *why);
int scope_options_check(const struct options *options, char *why);

/* Fills in what follows from the rest: a process has threads to follow. */
void scope_options_finish(struct options *options);

/* Whether each process has a context of its own. */
bool scope_options_many(const struct scope_options *options);

void scope_options_free(struct scope_options *options);

/* Whether pfmon counts without having started a command. */
bool scope_options_no_command(const struct options *options);

/* Name of a grouping, as it is given to --topology. */
const char *scope_topology_name(enum topology topology);

#endif
