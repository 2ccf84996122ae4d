/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Verbs: the first word of a command line, if it is one of them.
 */
#ifndef PFMON_VERBS_VERB_H
#define PFMON_VERBS_VERB_H

#include <stdbool.h>

/* Lines of a verb's help: as many as a terminal has. */
#define VERB_HELP_LINES 24

/**
 * struct verb - a verb
 * @name: the word
 * @title: what it does, in half a line
 * @help: its help, at most VERB_HELP_LINES lines; NULL if @run has a --help of its own
 * @run: does it.  @argv begins with the verb.  Returns the exit status.
 */
struct verb {
	const char *name;
	const char *title;
	const char *help;
	int (*run)(int argc, char **argv);
};

/* All verbs, in the order of the help, and NULL. */
extern const struct verb *const verbs[];

/* The verb of that name; NULL if the word is none. */
const struct verb *verb_find(const char *name);

/* True if the first argument of a verb asks for its help. */
bool verb_wants_help(int argc, char **argv);

/* Each is in a file of its name. */
extern const struct verb verb_annotate;
extern const struct verb verb_diff;
extern const struct verb verb_doctor;
extern const struct verb verb_formats;
extern const struct verb verb_help;
extern const struct verb verb_ibs;
extern const struct verb verb_list;
extern const struct verb verb_mem;
extern const struct verb verb_record;
extern const struct verb verb_report;
extern const struct verb verb_stat;
extern const struct verb verb_top;
extern const struct verb verb_topdown;
extern const struct verb verb_version;

/* verb_help.c: prints a verb's help, through a pager on a terminal.  Returns the exit status. */
int verb_print_help(const struct verb *verb);

/* original.c: a command line without a verb.  Returns the exit status. */
int original_run(int argc, char **argv);

/*
 * The same for the options @first, NULL at their end, and behind them those of @argv, which begins
 * with a verb; with @paged, through a pager.
 */
int original_run_as(const char *const *first, int argc, char **argv,
		    bool paged);

#endif
