/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What stands behind the count of an event in text output.
 */
#ifndef PFMON_OUTPUT_REMARKS_H
#define PFMON_OUTPUT_REMARKS_H

#include <stdio.h>

struct count;
struct counts_of;

/*
 * Prints whether the processor has the event, how far its count can be trusted, and what can be
 * derived from it, with @pad spaces before; nothing if there is nothing to say.  @counts are those
 * of the same row.
 */
void remarks_print(FILE *out, const struct counts_of *counts, size_t event,
		   const struct count *count, int pad);

#endif
