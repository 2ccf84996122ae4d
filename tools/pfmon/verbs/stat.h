/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The verb stat, and others that count.
 */
#ifndef PFMON_VERBS_STAT_H
#define PFMON_VERBS_STAT_H

#include <stdbool.h>

#include "cli/option_row.h"
#include "cli/setters.h"

struct machine;
struct options;
struct pfm_reg_map;
struct verb;

/* verb_stat.c */

/* Runs a verb that counts.  @ready: see struct option_table.  Returns the exit status. */
int stat_run(const struct verb *verb,
	     int (*ready)(struct options *options, char *why), int argc,
	     char **argv);

/* True if the options say what is counted. */
bool stat_names_events(const struct options *options);

/* stat_options.c */

/* Options of the verb, and those of the original by their long names. */
struct option_table *stat_table(const char *help);

/* stat_setters.c: setters of the verb's own options. */
SETTER(set_stat_cgroup);
SETTER(set_stat_cpus);
SETTER(set_stat_detail);
SETTER(set_stat_grouping);
SETTER(set_stat_help_all);
SETTER(set_stat_ms);
SETTER(set_stat_no_inherit);
SETTER(set_stat_repeat);
SETTER(set_stat_separator);
SETTER(set_stat_tasks);

/* Completes the options, see struct option_table. */
int stat_ready(struct options *options, char *why);

/* stat_letters.c: see struct option_table. */
const char *stat_missing_letter(char letter);
const char *stat_missing_name(const char *name, size_t length);

/* stat_tasks.c */

/*
 * Replaces the names of programs in a list by the process ids of those that run.  Returns a list
 * that the caller frees, or NULL with the reason in @why.
 */
char *stat_find_tasks(const char *list, char *why);

/* stat_perf_names.c */

/*
 * Refuses names of tracepoints, and those with perf's name of a PMU, unless they are names of
 * events.  Returns 0, or -1 after a message.
 */
int stat_check_names(const struct options *options,
		     const struct pfm_reg_map *map);

/* stat_events.c */

/*
 * Leaves out kernel code if this user may not count it, and adds the events that are counted if the
 * options name none.  Says what is missing and why.  Returns 0, or -1 after a message.
 */
int stat_choose_events(struct options *options, struct machine *machine,
		       bool defaults);

#endif
