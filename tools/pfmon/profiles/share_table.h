/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A table of the shares of programs, tasks, files and functions in the samples.
 */
#ifndef PFMON_PROFILES_SHARE_TABLE_H
#define PFMON_PROFILES_SHARE_TABLE_H

#include <stdio.h>

#include "profiles/shares.h"

/**
 * enum share_form - what is printed
 */
enum share_form {
	SHARE_TEXT,
	SHARE_JSON,
	SHARE_CSV,
};

/**
 * struct share_request - what the table has
 * @form: text, JSON or CSV
 * @name: the file of samples
 * @keys: bits of enum share_key, at least one
 * @limit: rows with a smaller share are left out, per cent
 * @reader: reads instructions, if @keys have any of SHARE_INSTRUCTION_KEYS
 */
struct share_request {
	enum share_form form;
	const char *name;
	unsigned int keys;
	double limit;
	struct instruction_reader *reader;
};

/*
 * Prints a table for each event that samples.  A share is one of the events that the samples stand
 * for.  Returns 0, or -1 after a message.
 */
int share_table_print(FILE *out, struct sampling *sampling,
		      const struct share_request *request);

/* share_forms.c: the same as JSON or CSV. */
int share_json_print(FILE *out, struct sampling *sampling,
		     const struct share_request *request);
int share_csv_print(FILE *out, struct sampling *sampling,
		    const struct share_request *request);

#endif
