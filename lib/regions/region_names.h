/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Regions: the names of a process's regions, and their numbers.
 */
#ifndef PERFMON_REGIONS_REGION_NAMES_H
#define PERFMON_REGIONS_REGION_NAMES_H

#include <stdint.h>

/* Number of a name, from 1 on; 0: out of memory, or there are too many. */
uint32_t pfmi_region_number(const char *name);

/* Name of a number; NULL: no region has it.  The caller has the lock. */
const char *pfmi_region_name(uint32_t number);

#endif
