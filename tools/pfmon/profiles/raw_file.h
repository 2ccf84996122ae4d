/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Raw samples in the format of <pfmon/raw.h>.
 */
#ifndef PFMON_PROFILES_RAW_FILE_H
#define PFMON_PROFILES_RAW_FILE_H

#include <stdio.h>

struct sampling;

/* Returns 0, or -1 after a message. */
int print_raw(FILE *out, struct sampling *sampling);

#endif
