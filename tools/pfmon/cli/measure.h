/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes a measurement of the command line.
 */
#ifndef PFMON_CLI_MEASURE_H
#define PFMON_CLI_MEASURE_H

struct live;
struct machine;
struct options;
struct outfile;
struct session;

/**
 * struct measure_printer - what becomes of the results
 * @print: prints them and closes, or abandons, the file.  Returns 0, or -1 after a message.
 * @arg: its first argument
 * @live: output during the session, in place of intervals; NULL if none
 */
struct measure_printer {
	int (*print)(void *arg, struct outfile *output,
		     struct session *session);
	void *arg;
	struct live *live;
};

/*
 * Counts as the command line says and prints the results.  Returns the exit
 * status.
 */
int measure_run(const struct options *options, struct machine *machine);

/* The same with another printer. */
int measure_run_for(const struct options *options, struct machine *machine,
		    const struct measure_printer *printer);

/*
 * Checks that the events of the command line can be counted.  Returns 0, or -1 after a
 * message.
 */
int measure_check(const struct options *options, struct machine *machine);

#endif
