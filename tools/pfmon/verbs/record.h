/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The verb record.
 */
#ifndef PFMON_VERBS_RECORD_H
#define PFMON_VERBS_RECORD_H

struct machine;
struct option_table;
struct options;

/* record_options.c: options of the verb, and those of the original about sampling. */
struct option_table *record_table(void);

/* verb_record.c: the event that samples if none was named.  Returns 0, or -1 after a message. */
int record_choose_event(struct options *options, const struct machine *machine);

/* Completes the options, see struct option_table. */
int record_ready(struct options *options, char *why);

/* The file that is written unless -o names another one. */
#define RECORD_FILE "pfmon.data"

#endif
