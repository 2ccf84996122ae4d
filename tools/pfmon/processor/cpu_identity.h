/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The identity of a CPU: the registers that tell its type.
 */
#ifndef PFMON_PROCESSOR_CPU_IDENTITY_H
#define PFMON_PROCESSOR_CPU_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "processor/x86_cpu.h"

/**
 * struct cpu_identity - what identifies the type of a CPU
 * @arm: it has MIDR_EL1
 * @midr: that register, of Arm
 * @vendor: from CPUID, of x86
 * @family: from CPUID, with its extension
 * @model: from CPUID, with its extension
 * @stepping: from CPUID
 * @core: type of the core in a hybrid processor, of x86
 */
struct cpu_identity {
	bool arm;
	uint64_t midr;
	char vendor[13];
	unsigned int family;
	unsigned int model;
	unsigned int stepping;
	enum x86_core core;
};

/*
 * Reads the identity of a CPU.  Returns 0, or a negative errno value if the machine
 * does not tell it.
 */
int cpu_identity_read(unsigned int cpu, struct cpu_identity *identity);

/*
 * Writes it for people: "MIDR 0x410fd403", "GenuineIntel family 6 model 94" or
 * "GenuineIntel family 6 model 151, efficient core".
 */
const char *cpu_identity_text(const struct cpu_identity *cpu, char *text,
			      size_t size);

#endif
