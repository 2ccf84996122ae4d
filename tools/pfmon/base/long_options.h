/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options of a table of getopt_long(3), as completion of shells reads them.
 */
#ifndef PFMON_BASE_LONG_OPTIONS_H
#define PFMON_BASE_LONG_OPTIONS_H

#include <getopt.h>

/* The option itself that prints them. */
#define LONG_OPTIONS_SHOW "show-options"

/**
 * struct option_value - the argument of an option
 * @option: its long name; NULL behind the last one
 * @what: placeholder of the argument; with ",..." behind it, a list
 * @choices: words for it, joined by commas; NULL if it may be anything
 */
struct option_value {
	const char *option;
	const char *what;
	const char *choices;
};

/*
 * Prints a line for each option but LONG_OPTIONS_SHOW, as the options of
 * other verbs are printed (cli/usage.h).  @letters: as for getopt_long(3).  An option that is not
 * among @values has a file as its argument.  Returns 0, or -1 after a message if standard output
 * cannot be written.
 */
int long_options_show(const struct option *options, const char *letters,
		      const struct option_value *values);

#endif
