/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options of sampling.
 */
#ifndef PFMON_CLI_SMPL_OPTIONS_H
#define PFMON_CLI_SMPL_OPTIONS_H

struct options;
struct smpl_options;

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
