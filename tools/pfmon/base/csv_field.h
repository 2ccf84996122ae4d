/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fields of CSV (RFC 4180).
 */
#ifndef PFMON_BASE_CSV_FIELD_H
#define PFMON_BASE_CSV_FIELD_H

#include <stdio.h>

/* Prints a field, in quotes if it needs them. */
void csv_field_print(FILE *out, const char *text);

#endif
