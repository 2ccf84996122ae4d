/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A table of the counts and metrics of two measurements, and of what has changed between them.
 */
#ifndef PFMON_REPORT_COUNTS_DIFF_H
#define PFMON_REPORT_COUNTS_DIFF_H

#include <stdbool.h>

#include "report/report_input.h"

/**
 * enum counts_diff_form - what the table is written as
 */
enum counts_diff_form {
	COUNTS_DIFF_TEXT,
	COUNTS_DIFF_CSV,
	COUNTS_DIFF_JSON,
};

/**
 * struct counts_diff_request - how counts are compared
 * @form: what is written
 * @intervals: compare intervals, too
 * @outfile: NULL for standard output
 */
struct counts_diff_request {
	enum counts_diff_form form;
	bool intervals;
	const char *outfile;
};

/*
 * Reads both files, which are JSON if @json says so, and writes the table.  Returns 0, or -1 after a
 * message.  The inputs stay open.
 */
int counts_diff(const struct report_input inputs[2], const bool json[2],
		const struct counts_diff_request *request);

#endif
