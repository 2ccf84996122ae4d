/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records of CSV (RFC 4180), whose fields may have line ends between quotes.
 */
#ifndef PFMON_REPORT_CSV_RECORD_H
#define PFMON_REPORT_CSV_RECORD_H

#include <stddef.h>
#include <stdio.h>

#define CSV_FIELDS_MAX 64

/**
 * struct csv_record - a record; all zeros before the first one
 * @text: its text; the fields are parts of it once it is split
 * @size: bytes of @text
 * @line: number of its first line
 * @next: number of the line after it, less 1
 * @fields: its fields, without quotes
 * @count: elements of @fields
 */
struct csv_record {
	char *text;
	size_t size;
	unsigned long line;
	unsigned long next;
	char *fields[CSV_FIELDS_MAX];
	int count;
};

/* Reads the next record, without its line end.  Returns 1, 0 at the end of the file, -1 with errno. */
int csv_record_read(struct csv_record *record, FILE *in);

/* Splits it at the separators.  Returns NULL, or why that is not possible. */
const char *csv_record_split(struct csv_record *record, const char *separator);

void csv_record_free(struct csv_record *record);

#endif
