/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tells if the address of a sample is that of the instruction that the event was counted of.
 */
#ifndef PFMON_PROFILES_PRECISION_H
#define PFMON_PROFILES_PRECISION_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct sampling;

/*
 * Samples of an event, which is its number in the profile, whose address the processor has
 * recorded with the event.
 */
uint64_t precision_samples(const struct sampling *sampling, size_t event);

/* Says it in a line of comment. */
void precision_print(FILE *out, const struct sampling *sampling, size_t event);

#endif
