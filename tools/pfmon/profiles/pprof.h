/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Profiles for pprof.
 */
#ifndef PFMON_PROFILES_PPROF_H
#define PFMON_PROFILES_PPROF_H

#include <stdio.h>

struct sampling;

/* Returns 0, or -1 after a message. */
int print_pprof(FILE *out, struct sampling *sampling);

#endif
