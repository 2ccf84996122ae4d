/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The profile as text: --smpl-module=inst-hist and callstack.
 */
#ifndef PFMON_PROFILES_PROFILE_TEXT_H
#define PFMON_PROFILES_PROFILE_TEXT_H

#include <stdio.h>

struct sampling;

/* Returns 0, or -1 after a message. */
int print_profile(FILE *out, struct sampling *sampling);

#endif
