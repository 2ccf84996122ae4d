/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options of event sets.
 */
#ifndef PFMON_CLI_SET_OPTIONS_H
#define PFMON_CLI_SET_OPTIONS_H

struct options;
struct set_options;

/* Numbers of the options for getopt_long(3). */
enum {
	OPT_SET_FIRST = 768,
	OPT_SWITCH_TIMEOUT = OPT_SET_FIRST,
	OPT_SWITCH_OVERFLOW,
	OPT_NO_MULTIPLEX,
	OPT_EXCLUSIVE,
	OPT_SET_END,
};

#define SET_LONG_OPTIONS						\
	{ "switch-timeout", required_argument, NULL, OPT_SWITCH_TIMEOUT }, \
	{ "switch-overflow", required_argument, NULL, OPT_SWITCH_OVERFLOW }, \
	{ "no-multiplex", no_argument, NULL, OPT_NO_MULTIPLEX },	\
	{ "exclusive", no_argument, NULL, OPT_EXCLUSIVE }

/* Another -e.  0, or -1: no memory. */
int set_options_add(struct set_options *options, const char *list);

#define SET_WHY_ROOM	512

/* As smpl_options_take() and smpl_options_check(). */
int set_options_take(struct set_options *options, int opt, const char *value,
		     char *why);
int set_options_check(const struct options *options, char *why);

void set_options_free(struct set_options *options);

#endif
