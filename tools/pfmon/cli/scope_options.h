/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options that say what is monitored, other than a command: running tasks,
 * a control group, or the CPUs.
 */
#ifndef PFMON_CLI_SCOPE_OPTIONS_H
#define PFMON_CLI_SCOPE_OPTIONS_H

struct options;
struct scope_options;

/*
 * Checks these options against all others.  Returns 0, or -1 with the reason in
 * @why, which has OPTION_WHY_ROOM bytes.
 */
int scope_options_check(const struct options *options, char *why);

/* Sets what the scope implies: a process is followed into its threads. */
void scope_options_finish(struct options *options);

void scope_options_free(struct scope_options *options);

#endif
