/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The file that a report is made of, or standard input.  It is opened once, as it may be a
 * pipe.
 */
#ifndef PFMON_REPORT_REPORT_INPUT_H
#define PFMON_REPORT_REPORT_INPUT_H

#include <stdbool.h>
#include <stdio.h>

/**
 * struct report_input - a file that is read
 * @name: its name in messages
 * @in: the file
 * @lines: number of empty lines that were read already
 */
struct report_input {
	const char *name;
	FILE *in;
	unsigned long lines;
};

/* The file that is read if none is named. */
#define REPORT_INPUT_FILE "pfmon.data"

/* @name: NULL and "-" are standard input.  Returns 0, or -1 after a message. */
int report_input_open(struct report_input *input, const char *name);

/* True if the rest of the file begins as a JSON document does. */
bool report_input_is_json(struct report_input *input);

void report_input_close(struct report_input *input);

#endif
