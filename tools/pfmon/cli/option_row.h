/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A row of the option table.
 */
#ifndef PFMON_CLI_OPTION_ROW_H
#define PFMON_CLI_OPTION_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct options;

/**
 * enum option_group - sections of --help, in their order
 */
enum option_group {
	GROUP_EVENTS,
	GROUP_METRICS,
	GROUP_SETS,
	GROUP_FOLLOW,
	GROUP_ATTACH,
	GROUP_SYSTEM,
	GROUP_TIME,
	GROUP_OUTPUT,
	GROUP_SAMPLING,
	GROUP_INFORMATION,
	GROUP_ORIGINAL,
	NUM_GROUPS,
};

/**
 * enum option_needs - what must be asked for as well
 */
enum option_needs {
	NEEDS_NOTHING,
	NEEDS_SYSTEM_WIDE, /* --system-wide */
	NEEDS_SAMPLING, /* a sampling period */
};

/* A setter returns this if another option with the same setter and member was given. */
#define OPTION_CONFLICT 1

/* Size of the buffer for the reason why an option is refused. */
#define OPTION_WHY_ROOM 512

/**
 * struct option_row - an option
 * @name: long name without dashes; NULL if it has only letters
 * @letters: its short forms, a letter or digit each; NULL if none
 * @argument: placeholder of its argument in texts; NULL if it takes none.  The completion
 *	offers files for FILE, events for EVENT and so on.
 * @optional: the argument may be missing
 * @group: its section
 * @needs: without that the option is refused
 * @help: description for --help, broken into lines there
 * @set: stores the option, with @value its argument or NULL.  Returns 0, or -1 with the
 *	reason in @why, which has OPTION_WHY_ROOM bytes, or OPTION_CONFLICT.
 * @offset: member of struct options that the setter writes
 * @value: what the setter writes there, if that is fixed
 * @max: largest number that the setter accepts; the smallest is 1
 * @choices: words that the argument can be, at the index that stands for the word;
 *	NULL for any
 * @num_choices: elements of @choices; an element may be NULL
 */
struct option_row {
	const char *name;
	const char *letters;
	const char *argument;
	bool optional;
	enum option_group group;
	enum option_needs needs;
	const char *help;
	int (*set)(struct options *options, const struct option_row *row,
		   const char *value, char *why);
	size_t offset;
	unsigned int value;
	uint64_t max;
	const char *const *choices;
	unsigned int num_choices;
};

/* Most defaults of a table. */
#define OPTION_DEFAULTS_MAX 64

/**
 * struct option_default - an option that holds unless the command line has it
 * @name: long name
 * @value: its argument; yes or no for an option without one
 * @place: where it was read, for messages
 */
struct option_default {
	const char *name;
	const char *value;
	const char *place;
};

/**
 * struct option_table - the options of a command line
 * @rows: the options; of two with the same name or letter the first one is meant
 * @count: elements of @rows, at most OPTION_ROWS_MAX
 * @help: the command that lists them
 * @letter: what to say of a letter that is not among them; NULL if it is not known, either.  The
 *	function is NULL if there is nothing to say of any
 * @name: the same for a long name, which has no dashes and may be cut short
 * @defaults: options that hold unless the command line has them, or others that set the same
 * @num_defaults: elements of @defaults
 * @everything: without a command and without tasks all CPUs are monitored
 * @ready: completes the options, after the command was found and before options are checked against
 *	each other; NULL if there is nothing to complete.  Returns 0, or -1 with the reason in @why.
 */
struct option_table {
	const struct option_row *rows;
	unsigned int count;
	const char *help;
	const char *(*letter)(char letter);
	const char *(*name)(const char *name, size_t length);
	const struct option_default *defaults;
	unsigned int num_defaults;
	bool everything;
	int (*ready)(struct options *options, char *why);
};

#endif
