/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Profiles for speedscope.
 */
#ifndef PFMON_PROFILES_SPEEDSCOPE_H
#define PFMON_PROFILES_SPEEDSCOPE_H

#include <stdio.h>

struct sampling;

/* Returns 0, or -1 after a message. */
int print_speedscope(FILE *out, struct sampling *sampling);

#endif
