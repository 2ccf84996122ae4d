/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Descriptions of CPUs: which counters the processor says that it has.
 */
#ifndef PFMON_PROCESSOR_PROCESSOR_H
#define PFMON_PROCESSOR_PROCESSOR_H

#include <stdint.h>
#include <stdio.h>

struct armv8_pmu;
struct cpuid;
struct pfm_reg_map;

/* processor.c */

/*
 * Describes the CPUs that are online, each type of them once: which counters the
 * processor says it has.  @map may be NULL.  Returns 0, or -1 after a message.
 */
int processor_describe(FILE *out, const struct pfm_reg_map *map);

/* x86_text.c */

/* Describes an x86 CPU and its counters. */
void x86_text_write(FILE *out, const struct cpuid *cpuid);

/* armv8_text.c */

/* Describes an Armv8 CPU and its counters. */
void armv8_text_write(FILE *out, uint64_t midr, const struct armv8_pmu *pmu);

#endif
