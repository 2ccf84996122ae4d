/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which metric files are for a CPU of this machine, and what it tells their formulas.
 */
#ifndef PFMON_METRICS_MACHINE_H
#define PFMON_METRICS_MACHINE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct metric_model;

/**
 * struct metric_cpu - what identifies the type of a CPU
 * @arm: it has MIDR_EL1
 * @midr: that register, of Arm
 * @vendor: from CPUID, of x86
 * @family: from CPUID, with its extension
 * @model: from CPUID, with its extension
 * @stepping: from CPUID
 */
struct metric_cpu {
	bool arm;
	uint64_t midr;
	char vendor[13];
	unsigned int family;
	unsigned int model;
	unsigned int stepping;
};

/*
 * Reads the identity of a CPU.  Returns 0, or a negative errno value if the machine
 * does not tell it.
 */
int metric_cpu_read(unsigned int cpu, struct metric_cpu *identity);

/* Writes it for people: "MIDR 0x410fd403" or "GenuineIntel family 6 model 94". */
const char *metric_cpu_text(const struct metric_cpu *cpu, char *text,
			    size_t size);

/* True if an element of @match, the member of a metric file, describes the CPU. */
bool metric_cpu_matches(const struct metric_cpu *cpu, const json_t *match);

/* Gives the model the constants that this machine tells, of CPU @cpu. */
void machine_constants(struct metric_model *model, unsigned int cpu);

#endif
