/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options of event sets.
 */
#ifndef PFMON_SET_OPTIONS_H
#define PFMON_SET_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct options;

/**
 * struct set_options - the command line, as far as it is about event sets
 * @lists: values of -e, in order
 * @triggers: for each of them the value of the --switch-overflow that follows it;
 *	NULL none
 * @count: elements of the two
 * @common: value of a --switch-overflow before all -e; NULL none
 * @timeouts: value of --switch-timeout; NULL not given
 * @no_multiplex: run the command once for each set
 * @exclusive: refuse more than one set
 */
struct set_options {
	const char **lists;
	const char **triggers;
	unsigned int count;
	const char *common;
	const char *timeouts;
	bool no_multiplex;
	bool exclusive;
};

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

/*
 * Time that a set is active unless --switch-timeout says otherwise.  A switch
 * takes 2.5 us of a guest's time (--icount), timer interrupt and all: less than
 * one per cent of this.
 */
#define SWITCH_TIMEOUT_DFL	300000

/* Whether --no-multiplex could be added to these options. */
bool set_options_may_repeat(const struct options *options);

/* Elements of --switch-timeout. */
unsigned int set_options_num_timeouts(const struct set_options *options);

/*
 * Timeout of set @index in nanoseconds: the last one of the list is that of all
 * sets that follow.
 */
uint64_t set_options_timeout(const struct set_options *options,
			     unsigned int index);

/*
 * Takes the next element EVENT:N off *@text.  1, or 0 at the end, or -1 when it
 * is none; @event is to be freed after 1.
 */
int set_options_trigger(const char **text, char **event, uint64_t *count);

void set_options_free(struct set_options *options);

#endif
