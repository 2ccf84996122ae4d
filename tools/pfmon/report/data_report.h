/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reports of pfmon.data, which 'pfmon record' writes.
 */
#ifndef PFMON_REPORT_DATA_REPORT_H
#define PFMON_REPORT_DATA_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "options/options.h"
#include "profiles/call_graph.h"

/**
 * struct data_request - what the command line asks for; NULL for what is not given
 * @output: form for other programs; SMPL_OUTPUT_TEXT for the table
 * @json: the table as JSON
 * @csv: the table as CSV
 * @calls: trees of functions in place of the table
 * @by: what the rows of the table are about
 * @limit: smallest share of a row, per cent
 * @force: read a damaged file up to the damage
 * @mangled: leave names of C++, Rust and D as they are
 * @latency: by wall-clock time
 * @unfold: inlined functions are frames of their own
 * @sysmap: file with the functions of the kernel
 * @outfile: NULL for standard output
 * @name: file that -i names
 */
struct data_request {
	enum smpl_output output;
	bool json;
	bool csv;
	enum call_order calls;
	const char *by;
	const char *limit;
	bool force;
	bool mangled;
	bool latency;
	bool unfold;
	const char *sysmap;
	const char *outfile;
	char *name;
};

/* True if an option was given that only such reports have. */
bool data_request_any(const struct data_request *request);

/* Reports file @name; NULL: REPORT_INPUT_FILE.  Returns 0, or -1 after a message. */
int data_report(const struct data_request *request, const char *name);

/*
 * If *@in is pfmon.data, a file of its folded stacks takes its place.  Returns 0, or -1 after a
 * message, with *@in NULL.
 */
int data_report_fold(const struct data_request *request, const char *name,
		     FILE **in);

#endif
