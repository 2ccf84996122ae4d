/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A table of the counts and metrics of two measurements, and of what has changed between them.
 */
#ifndef PFMON_REPORT_COUNTS_DIFF_H
#define PFMON_REPORT_COUNTS_DIFF_H

#include "report/report_input.h"

/**
 * enum counts_diff_form - what the table is written as
 */
enum counts_diff_form {
	COUNTS_DIFF_TEXT,
	COUNTS_DIFF_CSV,
	COUNTS_DIFF_JSON,
};

/*
 * Reads both files, which are JSON if @json says so, and writes the table.  @outfile: NULL for standard
 * output.  Returns 0, or -1 after a message.  The inputs stay open.
 */
int counts_diff(const struct report_input inputs[2], const bool json[2],
		enum counts_diff_form form, const char *outfile);

#endif
