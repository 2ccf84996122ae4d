/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The profile for people: --smpl-module=inst-hist and callstack.
 */
#ifndef PFMON_OUTPUT_PROFILE_TEXT_H
#define PFMON_OUTPUT_PROFILE_TEXT_H

#include <stdio.h>

struct sampling;

/* 0, or -1 after saying what failed. */
int print_profile(FILE *out, struct sampling *sampling);

#endif
