/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PFMON_PROCESSOR_X86_TEXT_H
#define PFMON_PROCESSOR_X86_TEXT_H

#include <stdio.h>

struct cpuid;

/* Describes an x86 CPU and its counters. */
void x86_text_write(FILE *out, const struct cpuid *cpuid);

#endif
