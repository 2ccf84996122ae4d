/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Answers of the CPUID instruction.
 */
#ifndef PFMON_PROCESSOR_CPUID_H
#define PFMON_PROCESSOR_CPUID_H

#include <stdint.h>

/* cpuid.c */

#define CPUID_LEAVES_MAX 64

/**
 * struct cpuid_leaf - the answer to one question
 * @leaf: EAX of the question
 * @subleaf: ECX of the question; 0 where the processor does not look at it
 * @eax: answer
 * @ebx: answer
 * @ecx: answer
 * @edx: answer
 */
struct cpuid_leaf {
	uint32_t leaf;
	uint32_t subleaf;
	uint32_t eax;
	uint32_t ebx;
	uint32_t ecx;
	uint32_t edx;
};

/**
 * struct cpuid - the answers of one CPU
 * @leaves: answers, in any order
 * @count: elements of @leaves
 */
struct cpuid {
	struct cpuid_leaf leaves[CPUID_LEAVES_MAX];
	unsigned int count;
};

/* Leaves beyond CPUID_LEAVES_MAX are left out. */
void cpuid_add(struct cpuid *cpuid, const struct cpuid_leaf *leaf);

/*
 * NULL if the CPU does not have the leaf.  A processor answers also beyond its last
 * leaf, those of Intel with what another leaf has, so such answers are not used.
 */
const struct cpuid_leaf *cpuid_find(const struct cpuid *cpuid, uint32_t leaf,
				    uint32_t subleaf);

/* cpuid_read.c */

/*
 * Reads what a CPU of this machine says, for which pfmon moves there for a moment:
 * the CPUs of one machine may differ.  Returns 0, -ENOSYS if the processor has no
 * CPUID, or another negative errno value if pfmon may not run on that CPU.
 */
int cpuid_read(unsigned int cpu, struct cpuid *cpuid);

/* The same for the CPU on which pfmon happens to run. */
int cpuid_read_here(struct cpuid *cpuid);

#endif
