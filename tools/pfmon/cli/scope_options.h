/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options that say what is monitored, other than a command: running tasks,
 * a control group, or the CPUs.
 */
#ifndef PFMON_CLI_SCOPE_OPTIONS_H
#define PFMON_CLI_SCOPE_OPTIONS_H

struct options;
struct scope_options;

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

void scope_options_free(struct scope_options *options);

#endif
