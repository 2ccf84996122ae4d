/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PFMON_PROCESSOR_PROCESSOR_H
#define PFMON_PROCESSOR_PROCESSOR_H

#include <stdio.h>

struct pfm_reg_map;

/*
 * Describes the CPUs that are online, each type of them once: which counters the
 * processor says it has.  @map may be NULL.  Returns 0, or -1 after a message.
 */
int processor_describe(FILE *out, const struct pfm_reg_map *map);

#endif
