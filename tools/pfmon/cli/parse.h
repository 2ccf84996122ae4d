/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Command line parser.
 */
#ifndef PFMON_CLI_PARSE_H
#define PFMON_CLI_PARSE_H

struct option_table;
struct options;

/*
 * Fills @options.  Returns 0, or the exit status after saying what is wrong; then,
 * too, @options must be freed.
 */
int options_parse(struct options *options, int argc, char **argv);

/* The same with the options of a table, for a verb. */
int options_parse_table(struct options *options,
			const struct option_table *table, int argc,
			char **argv);
void options_free(struct options *options);

#endif
