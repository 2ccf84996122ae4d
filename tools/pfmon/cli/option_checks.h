/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Options that set more than one value, and checks of options against each other.
 */
#ifndef PFMON_CLI_OPTION_CHECKS_H
#define PFMON_CLI_OPTION_CHECKS_H

struct options;
struct scope_options;
struct set_options;
struct smpl_options;

/* count_options.c */

/*
 * Checks these options against each other.  Returns 0, or -1 with the reason in @why,
 * which has OPTION_WHY_ROOM bytes.
 */
int count_options_check(const struct options *options, char *why);

void count_options_free(struct options *options);

/* scope_options.c */

/*
 * Checks these options against all others.  Returns 0, or -1 with the reason in
 * @why, which has OPTION_WHY_ROOM bytes.
 */
int scope_options_check(const struct options *options, char *why);

/*
 * Makes numbers of CPUs of those that --cpu-set-relative is about, before the check.  Returns 0, or -1
 * with the reason in @why, which has OPTION_WHY_ROOM bytes.
 */
int scope_options_settle(struct scope_options *options, char *why);

/* Sets what the scope implies: a process is followed into its threads. */
void scope_options_finish(struct options *options);

void scope_options_free(struct scope_options *options);

/* set_options.c */

/*
 * Checks the options of event sets against all others.  Returns 0, or -1 with the
 * reason in @why, which has OPTION_WHY_ROOM bytes.
 */
int set_options_check(const struct options *options, char *why);

void set_options_free(struct set_options *options);

/* metric_options.c */

/*
 * Checks the options of metrics against all others.  Returns 0, or -1 with the reason in
 * @why, which has OPTION_WHY_ROOM bytes.
 */
int metric_options_check(const struct options *options, char *why);

/* range_options.c */

/*
 * Checks --irange against all others.  Returns 0, or -1 with the reason in @why, which has
 * OPTION_WHY_ROOM bytes.
 */
int range_options_check(const struct options *options, char *why);

/* smpl_options.c */

/*
 * Sets the module that --smpl-output names, before the check.  Returns 0, or -1 with the reason in
 * @why, which has OPTION_WHY_ROOM bytes.
 */
int smpl_options_settle(struct smpl_options *options, char *why);

/* Sets the defaults that options replace. */
void smpl_options_init(struct smpl_options *options);

/*
 * Checks the options of sampling against all others.  Returns 0, or -1 with the
 * reason in @why, which has OPTION_WHY_ROOM bytes.
 */
int smpl_options_check(const struct options *options, char *why);

/* Sets the defaults that depend on other options. */
void smpl_options_finish(struct smpl_options *options);

#endif
