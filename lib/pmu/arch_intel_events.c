// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Intel's architectural events, for processors for which libpfm4 has no table.  A processor
 * implements some of them; CPUID says which.
 */
#include "pmu/arch.h"

const struct pfm_arch_event pfmi_intel_events[] = {
	{ "UNHALTED_CORE_CYCLES", 0x003c, "Processor cycles while not halted" },
	{ "INSTRUCTION_RETIRED", 0x00c0, "Instructions executed" },
	{ "BRANCH_INSTRUCTIONS_RETIRED", 0x00c4, "Branch instructions executed" },
	{ "MISPREDICTED_BRANCH_RETIRED", 0x00c5,
	  "Branch instructions executed that were mispredicted" },
	{ "UNHALTED_REFERENCE_CYCLES", 0x013c,
	  "Cycles of a clock with a constant frequency, while not halted" },
	{ "TOPDOWN_SLOTS", 0x01a4,
	  "Slots for micro-operations in the pipeline, while not halted" },
	{ "LLC_MISSES", 0x412e, "Misses of the last level cache" },
	{ "LLC_REFERENCES", 0x4f2e, "Accesses to the last level cache" },
	{ 0 }
};
