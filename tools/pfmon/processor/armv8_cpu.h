/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kind of an Armv8 processor: its MIDR_EL1, decoded.
 */
#ifndef PFMON_PROCESSOR_ARMV8_CPU_H
#define PFMON_PROCESSOR_ARMV8_CPU_H

#include <stdint.h>

/**
 * struct armv8_cpu - fields of MIDR_EL1
 * @midr: the register
 * @implementer: who designed the core
 * @part: the core, by a number of the implementer
 * @variant: major revision
 * @revision: minor revision
 */
struct armv8_cpu {
	uint64_t midr;
	unsigned int implementer;
	unsigned int part;
	unsigned int variant;
	unsigned int revision;
};

/* Returns 0, or a negative errno value if the kernel does not show the register. */
int armv8_midr_read(unsigned int cpu, uint64_t *midr);

void armv8_cpu_decode(uint64_t midr, struct armv8_cpu *cpu);
/* Name of the core; NULL if it is not in the table. */
const char *armv8_cpu_name(const struct armv8_cpu *cpu);
/* Name of the implementer; NULL if it is not in the table. */
const char *armv8_implementer_name(const struct armv8_cpu *cpu);

#endif
