/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PFMON_PROCESSOR_ARMV8_TEXT_H
#define PFMON_PROCESSOR_ARMV8_TEXT_H

#include <stdint.h>
#include <stdio.h>

struct armv8_pmu;

/* Describes an Armv8 CPU and its counters. */
void armv8_text_write(FILE *out, uint64_t midr, const struct armv8_pmu *pmu);

#endif
