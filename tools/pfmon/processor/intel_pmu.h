/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Architectural performance monitoring of Intel processors, decoded from CPUID.
 */
#ifndef PFMON_PROCESSOR_INTEL_PMU_H
#define PFMON_PROCESSOR_INTEL_PMU_H

#include <stdbool.h>
#include <stdint.h>

struct cpuid;

/**
 * struct intel_pmu - the counters of a CPU
 * @has_leaf: CPUID has leaf 0xA, which all of this comes from
 * @version: version of architectural performance monitoring; 0 if there are no counters
 *	that follow it
 * @general: bit n: there is the general counter n
 * @general_width: bits of each
 * @fixed: bit n: there is the fixed counter n
 * @fixed_width: bits of each
 * @num_events: architectural events that CPUID gives an answer for
 * @events: bit n: the architectural event n is available
 * @any_thread: a counter can count both threads of a core
 * @slots: slots of a cycle in top-down analysis; 0 CPUID does not tell
 */
struct intel_pmu {
	bool has_leaf;
	unsigned int version;
	uint32_t general;
	unsigned int general_width;
	uint32_t fixed;
	unsigned int fixed_width;
	unsigned int num_events;
	uint32_t events;
	bool any_thread;
	unsigned int slots;
};

void intel_pmu_decode(const struct cpuid *cpuid, struct intel_pmu *pmu);

#endif
