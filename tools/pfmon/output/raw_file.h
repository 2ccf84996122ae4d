/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Raw samples, in the form of <pfmon/raw.h>.
 */
#ifndef PFMON_OUTPUT_RAW_FILE_H
#define PFMON_OUTPUT_RAW_FILE_H

#include <stdio.h>

struct sampling;

/* 0, or -1 after saying what failed. */
int print_raw(FILE *out, struct sampling *sampling);

#endif
