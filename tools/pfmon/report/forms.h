/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Forms of 'pfmon report' that print metrics.
 */
#ifndef PFMON_REPORT_FORMS_H
#define PFMON_REPORT_FORMS_H

#include <stdbool.h>

#include "report/report_input.h"

struct metric_count;
struct metric_model;

/* compare.c */

/*
 * Compares the metrics of two JSON documents of pfmon; one of them may be "-", standard input.
 * @outfile: NULL for standard output.
 * Returns 0, or -1 after a message.
 */
int compare_report(const char *a, const char *b, bool json,
		   const char *outfile);

/* counts_command.c */

/**
 * struct counts_request - what the command line asks for; NULL for what is not given
 * @from: file of the counts; "-" standard input
 * @pmu: name of the model
 * @metric_file: metric file of the user
 * @names: metrics and groups
 * @topdown: --topdown was given
 * @level: its level, as text
 * @json: write JSON
 * @csv: write CSV
 * @outfile: NULL for standard output
 */
struct counts_request {
	const char *from;
	const char *pmu;
	const char *metric_file;
	const char *names;
	bool topdown;
	const char *level;
	bool json;
	bool csv;
	const char *outfile;
};

/* True if an option was given that only metrics have, other than --from. */
bool counts_request_any(const struct counts_request *request);

/* The options of the request that contradict each other, as a message; NULL if there are none. */
const char *counts_request_check(const struct counts_request *request);

/* Prints the metrics.  Returns 0, or -1 after a message. */
int counts_report(const struct counts_request *request);

/* counts_file.c */

/*
 * Reads counts of a model's events: CSV with the columns "event" and "count", in this order
 * unless a title row says otherwise, or what 'pfmon --csv' writes, of which the totals are
 * taken.  A column "set" tells which event set counted the event; without it all are of one.  A
 * row may also give a constant of the model that machines tell.  @counts: zeroed,
 * one for each event of the model.  Returns 0, or -1 after a message.
 */
int counts_file_read(const char *name, struct metric_model *model,
		     struct metric_count *counts);

#endif
