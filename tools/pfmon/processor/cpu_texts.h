/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Descriptions of CPUs as text.
 */
#ifndef PFMON_PROCESSOR_CPU_TEXTS_H
#define PFMON_PROCESSOR_CPU_TEXTS_H

#include <stdint.h>
#include <stdio.h>

struct armv8_pmu;
struct cpuid;

/* x86_text.c */

/* Describes an x86 CPU and its counters. */
void x86_text_write(FILE *out, const struct cpuid *cpuid);

/* armv8_text.c */

/* Describes an Armv8 CPU and its counters. */
void armv8_text_write(FILE *out, uint64_t midr, const struct armv8_pmu *pmu);

#endif
