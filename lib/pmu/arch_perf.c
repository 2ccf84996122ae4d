// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Events of the kernel's perf: any of its counters counts any event.
 *
 * A code is what perf calls config, with the event's type in the highest byte.  There the type is
 * relative to PERF_TYPE_RAW, so that the codes of a processor's manual mean the same as with the
 * processor's own PMU.
 */
#include "pmu/arch.h"

#include <linux/perf_event.h>
#include <linux/perfmon_perf.h>
#include <string.h>

#define TYPE_SHIFT	56
#define CONFIG_BITS	((1ULL << TYPE_SHIFT) - 1)
#define CODE(type, config) \
	(((uint64_t)(type) ^ PERF_TYPE_RAW) << TYPE_SHIFT | (config))
#define SOFTWARE(config) CODE(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##config)
#define HARDWARE(name, config) \
	{ PFMI_GENERIC_##name, CODE(PERF_TYPE_HARDWARE, PERF_COUNT_HW_##config), 0 }

/* Two names: the accesses to a cache, and those of them that missed. */
#define CACHE_CODE(cache, access, result)                                   \
	CODE(PERF_TYPE_HW_CACHE,                                            \
	     PERF_COUNT_HW_CACHE_##cache |                                  \
		     PERF_COUNT_HW_CACHE_OP_##access << 8 |                 \
		     PERF_COUNT_HW_CACHE_RESULT_##result << 16)
#define CACHE(name, access, cache, plural)                                  \
	{ PFMI_GENERIC_##name##plural, CACHE_CODE(cache, access, ACCESS), 0 }, \
	{ PFMI_GENERIC_##name##_MISSES, CACHE_CODE(cache, access, MISS), 0 }

/* Bits of x86 control registers that are not part of the event: USR, OS, INT, EN. */
#define X86_CONTROL	((1ULL << 16) | (1ULL << 17) | (1ULL << 20) | (1ULL << 22))

/* Names of virtual registers come first: context-switches is one. */
static const struct pfm_arch_event perf_events[] = {
	{ "cpu-clock", SOFTWARE(CPU_CLOCK), "Time of the CPU, in nanoseconds" },
	{ "page-faults", SOFTWARE(PAGE_FAULTS), "Page faults" },
	{ "faults", SOFTWARE(PAGE_FAULTS), "Page faults" },
	{ "cpu-migrations", SOFTWARE(CPU_MIGRATIONS),
	  "Times a thread came to another processor" },
	{ "cgroup-switches", SOFTWARE(CGROUP_SWITCHES),
	  "Times a processor went on with a thread of another control group" },
	{ "alignment-faults", SOFTWARE(ALIGNMENT_FAULTS),
	  "Unaligned accesses that the kernel completed" },
	{ "emulation-faults", SOFTWARE(EMULATION_FAULTS),
	  "Instructions that the kernel emulated" },
	{ NULL, 0, NULL },
};

static bool perf_owns_table(const char *table)
{
	(void)table;
	return true;
}

static void perf_take_encoding(struct pfm_event *event, const uint64_t *codes,
			       int count, const char *full)
{
	if (!strncmp(full, "arm_", 4)) {
		event->code = codes[0] & 0xffff;
		return;
	}
	event->code = codes[0] & ~X86_CONTROL & CONFIG_BITS;
	if (count > 1) {
		event->extra = codes[1];
		event->flags |= PFM_EVENTF_EXTRA;
	}
}

static uint64_t perf_table_code(uint64_t code)
{
	return code;
}

static const struct pfm_arch_name *perf_names(unsigned int i)
{
	static const struct pfm_arch_name names[] = {
		HARDWARE(CYCLES, CPU_CYCLES),
		HARDWARE(INSTRUCTIONS, INSTRUCTIONS),
		HARDWARE(REF_CYCLES, REF_CPU_CYCLES),
		HARDWARE(BUS_CYCLES, BUS_CYCLES),
		HARDWARE(STALLED_FRONTEND, STALLED_CYCLES_FRONTEND),
		HARDWARE(STALLED_BACKEND, STALLED_CYCLES_BACKEND),
		HARDWARE(BRANCHES, BRANCH_INSTRUCTIONS),
		HARDWARE(BRANCH_MISSES, BRANCH_MISSES),
		HARDWARE(CACHE_REFERENCES, CACHE_REFERENCES),
		HARDWARE(CACHE_MISSES, CACHE_MISSES),
		CACHE(L1D_LOAD, READ, L1D, S),
		CACHE(L1D_STORE, WRITE, L1D, S),
		CACHE(L1D_PREFETCH, PREFETCH, L1D, ES),
		CACHE(L1I_LOAD, READ, L1I, S),
		CACHE(L1I_PREFETCH, PREFETCH, L1I, ES),
		CACHE(LL_LOAD, READ, LL, S),
		CACHE(LL_STORE, WRITE, LL, S),
		CACHE(LL_PREFETCH, PREFETCH, LL, ES),
		CACHE(DTLB_LOAD, READ, DTLB, S),
		CACHE(DTLB_STORE, WRITE, DTLB, S),
		CACHE(DTLB_PREFETCH, PREFETCH, DTLB, ES),
		CACHE(ITLB_LOAD, READ, ITLB, S),
		CACHE(BPU_LOAD, READ, BPU, S),
		CACHE(NODE_LOAD, READ, NODE, S),
		CACHE(NODE_STORE, WRITE, NODE, S),
		CACHE(NODE_PREFETCH, PREFETCH, NODE, ES),
		{ PFMI_GENERICS, 0, 0 },
	};

	return i ? NULL : names;
}

static enum pfm_arch_fit perf_fit(const struct pfm_event *event,
				  const struct pfm_reg_info *pmd)
{
	(void)event;
	(void)pmd;
	return PFM_FIT_OK;
}

/* The hypervisor is left out unless it is asked for, as on a processor's own PMU. */
static uint64_t perf_encode(const struct pfm_event *event,
			    const struct pfm_reg_info *pmd)
{
	const uint64_t type = event->code >> TYPE_SHIFT ^ PERF_TYPE_RAW;
	uint64_t value = type << PFM_PERF_TYPE_SHIFT | PFM_PERF_ENABLE;

	(void)pmd;
	if (!(event->plm & PFM_PLM_USER))
		value |= PFM_PERF_EXCLUDE_USER;
	if (!(event->plm & PFM_PLM_KERNEL))
		value |= PFM_PERF_EXCLUDE_KERNEL;
	if (!(event->plm & PFM_PLM_HYP))
		value |= PFM_PERF_EXCLUDE_HV;
	return value;
}

static bool perf_more(const struct pfm_event *event,
		      const struct pfm_reg_info *pmd, unsigned int i,
		      uint16_t *pmc, uint64_t *value)
{
	const unsigned int n = pmd->num - PFM_PERF_PMD(0);

	*pmc = i ? PFM_PERF_PMC_CONFIG1(n) : PFM_PERF_PMC_CONFIG(n);
	*value = i ? event->extra : event->code & CONFIG_BITS;
	return i < (event->flags & PFM_EVENTF_EXTRA ? 2 : 1);
}

const struct pfm_arch_ops pfmi_arch_perf = {
	.name = "perf",
	.levels = PFM_PLM_USER | PFM_PLM_KERNEL | PFM_PLM_HYP,
	.code_bits = UINT64_MAX,
	.events = perf_events,
	.names = perf_names,
	.owns_table = perf_owns_table,
	.take_encoding = perf_take_encoding,
	.table_code = perf_table_code,
	.fit = perf_fit,
	.encode = perf_encode,
	.more = perf_more,
};
