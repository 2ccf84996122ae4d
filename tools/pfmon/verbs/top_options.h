/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options of the verb top.
 */
#ifndef PFMON_VERBS_TOP_OPTIONS_H
#define PFMON_VERBS_TOP_OPTIONS_H

struct option_table;

/* top_options.c: options of the verb, and those of 'pfmon record' about what is sampled. */
struct option_table *top_table(void);

#endif
