// SPDX-License-Identifier: GPL-2.0-only
/*
 * Executes CPUID on a CPU of this machine.
 */
#include <errno.h>
#include <stddef.h>

#include "base/cpu_list.h"
#include "processor/cpuid.h"

#ifdef __x86_64__
#include <cpuid.h>
#include <sched.h>

/* The leaves that x86_cpu.c, intel_pmu.c, amd_pmu.c and ibs_recording.c look at. */
static const struct {
	uint32_t leaf;
	uint32_t subleaf;
} questions[] = {
	{ 0x00000000, 0 }, { 0x00000001, 0 }, { 0x00000007, 0 },
	{ 0x00000007, 1 }, { 0x0000000a, 0 }, { 0x0000001a, 0 },
	{ 0x00000023, 0 }, { 0x00000023, 1 }, { 0x00000023, 3 },
	{ 0x40000000, 0 }, { 0x80000000, 0 }, { 0x80000001, 0 },
	{ 0x80000002, 0 }, { 0x80000003, 0 }, { 0x80000004, 0 },
	{ 0x8000001b, 0 }, { 0x80000022, 0 },
};

static void ask_all(struct cpuid *cpuid)
{
	struct cpuid_leaf leaf;
	size_t i;

	cpuid->count = 0;
	for (i = 0; i < sizeof(questions) / sizeof(questions[0]); i++) {
		leaf.leaf = questions[i].leaf;
		leaf.subleaf = questions[i].subleaf;
		__cpuid_count(leaf.leaf, leaf.subleaf, leaf.eax, leaf.ebx,
			      leaf.ecx, leaf.edx);
		cpuid_add(cpuid, &leaf);
	}
}

int cpuid_read_here(struct cpuid *cpuid)
{
	ask_all(cpuid);
	return 0;
}

int cpuid_read(unsigned int cpu, struct cpuid *cpuid)
{
	struct cpu_list before = { 0 }, here = { 0 };
	const size_t size = sizeof(before.set);
	int err = 0;

	cpu_list_add(&here, cpu);
	if (sched_getaffinity(0, size, (cpu_set_t *)before.set) ||
	    sched_setaffinity(0, size, (const cpu_set_t *)here.set))
		return -errno;
	ask_all(cpuid);
	if (sched_setaffinity(0, size, (const cpu_set_t *)before.set))
		err = -errno;
	return err;
}
#else
int cpuid_read_here(struct cpuid *cpuid)
{
	(void)cpuid;
	return -ENOSYS;
}

int cpuid_read(unsigned int cpu, struct cpuid *cpuid)
{
	(void)cpu;
	(void)cpuid;
	return -ENOSYS;
}
#endif
