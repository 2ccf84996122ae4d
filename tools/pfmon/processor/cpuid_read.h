/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PFMON_PROCESSOR_CPUID_READ_H
#define PFMON_PROCESSOR_CPUID_READ_H

struct cpuid;

/*
 * Reads what a CPU of this machine says, for which pfmon moves there for a moment:
 * the CPUs of one machine may differ.  Returns 0, -ENOSYS if the processor has no
 * CPUID, or another negative errno value if pfmon may not run on that CPU.
 */
int cpuid_read(unsigned int cpu, struct cpuid *cpuid);

/* The same for the CPU on which pfmon happens to run. */
int cpuid_read_here(struct cpuid *cpuid);

#endif
