/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The verb record.
 */
#ifndef PFMON_VERBS_RECORD_H
#define PFMON_VERBS_RECORD_H

struct option_table;
struct options;

/* record_options.c: options of the verb, and those of the original about sampling. */
struct option_table *record_table(void);

/* Completes the options, see struct option_table. */
int record_ready(struct options *options, char *why);

/* The file that is written unless -o names another one. */
#define RECORD_FILE "pfmon.data"

#endif
