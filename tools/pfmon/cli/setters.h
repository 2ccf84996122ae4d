/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Setters, which store options: those that the option table names.  Those of setters.c
 * know only what the row of the table says.
 */
#ifndef PFMON_CLI_SETTERS_H
#define PFMON_CLI_SETTERS_H

#include "cli/option_row.h"

#define SETTER(name)                                                    \
	int name(struct options *options, const struct option_row *row, \
		 const char *value, char *why)

/* setters.c */
SETTER(set_nothing); /* has no effect */
SETTER(set_flag); /* a bool becomes true */
SETTER(set_bits); /* adds @value to an unsigned int */
SETTER(set_one_of); /* an enum becomes @value; another value before is a conflict */
SETTER(set_text); /* the argument; the last one counts */
SETTER(set_text_once); /* the argument; a second one is an error */
SETTER(set_number); /* uint64_t from 1 to @max */
SETTER(set_choice); /* an enum becomes the index of one of @choices */
SETTER(set_duration); /* uint64_t nanoseconds */

/* count_options.c */
SETTER(set_action);
SETTER(set_help);
SETTER(set_events);
SETTER(set_priv_levels);
SETTER(set_event_mask);
SETTER(set_follow_exec);
SETTER(set_follow_exec_exclude);
SETTER(set_quiet);
SETTER(set_verbose);

/* set_options.c */
SETTER(set_switch_timeout);
SETTER(set_switch_overflow);

/* metric_options.c */
SETTER(set_topdown);

/* scope_options.c */
SETTER(set_tasks);
SETTER(set_one_thread);
SETTER(set_cgroup);
SETTER(set_system_wide);
SETTER(set_cpu_list);
SETTER(set_cpu_mask);
SETTER(set_interval);

/* smpl_options.c */
SETTER(set_smpl_module);
SETTER(set_smpl_listing);
SETTER(set_reset_others);

/* Writes why an option is refused.  Returns -1. */
int option_refuse(char *why, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
