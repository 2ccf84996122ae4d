/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Folded stacks.
 */
#ifndef PFMON_PROFILES_FOLDED_H
#define PFMON_PROFILES_FOLDED_H

#include <stdio.h>

struct sampling;

/* Returns 0, or -1 after a message. */
int print_folded(FILE *out, struct sampling *sampling);

#endif
