/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Register maps as the kernel modules would describe them.
 */
#ifndef TESTS_MACHINE_H
#define TESTS_MACHINE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perfmon/perfmon.h>

#define CYCLE_COUNTER 31
#define VIRTUALS 8

static inline unsigned int add_virtuals(struct pfm_reg_info *pmds)
{
	static const struct {
		const char *name;
		unsigned int num;
	} list[VIRTUALS] = {
		{ "CPU_TIME_NS", 256 },
		{ "WALL_TIME_NS", 320 },
		{ "CONTEXT_SWITCHES", 321 },
		{ "MIGRATIONS", 322 },
		{ "MINOR_FAULTS", 323 },
		{ "MAJOR_FAULTS", 324 },
		{ "PAGE_FAULTS", 325 },
		{ "FREE_MEMORY_BYTES", 356 },
	};
	unsigned int i;

	for (i = 0; i < VIRTUALS; i++) {
		pmds[i] = (struct pfm_reg_info) {
			.num = list[i].num,
			.width = 64,
			.flags = PFM_REGI_VIRTUAL | PFM_REGI_COUNTER,
			.ctl = PFM_REG_NONE,
		};
		strcpy(pmds[i].name, list[i].name);
	}
	pmds[VIRTUALS - 1].flags = PFM_REGI_VIRTUAL | PFM_REGI_READONLY |
				   PFM_REGI_GAUGE;
	return VIRTUALS;
}

/* A machine with virtual registers only. */
static inline struct pfm_reg_map *soft_machine(void)
{
	struct pfm_reg_info pmds[VIRTUALS];
	struct pfm_reg_map *map;

	add_virtuals(pmds);
	if (pfm_reg_map_from_info("", NULL, 0, pmds, VIRTUALS, &map))
		abort();
	return map;
}

/* Armv8 with @counters event counters and a cycle counter. */
static inline struct pfm_reg_map *armv8_machine(unsigned int counters)
{
	struct pfm_reg_info pmcs[CYCLE_COUNTER + 1] = { 0 };
	struct pfm_reg_info pmds[CYCLE_COUNTER + 1 + VIRTUALS] = { 0 };
	struct pfm_reg_map *map;
	unsigned int i;

	for (i = 0; i <= counters; i++) {
		pmcs[i].num = i;
		pmcs[i].rsvd = ~0xc800ffffULL;
		snprintf(pmcs[i].name, PFM_NAME_LEN, "PMEVTYPER%u_EL0", i);
		pmds[i].num = i;
		pmds[i].width = 32;
		pmds[i].ctl = i;
		pmds[i].flags = PFM_REGI_COUNTER | PFM_REGI_OVERFLOW;
		snprintf(pmds[i].name, PFM_NAME_LEN, "PMEVCNTR%u_EL0", i);
	}
	pmcs[counters].num = CYCLE_COUNTER;
	pmcs[counters].rsvd = ~0xc8000000ULL;
	strcpy(pmcs[counters].name, "PMCCFILTR_EL0");
	pmds[counters].num = CYCLE_COUNTER;
	pmds[counters].width = 64;
	pmds[counters].ctl = CYCLE_COUNTER;
	pmds[counters].flags |= PFM_REGI_CYCLES;
	strcpy(pmds[counters].name, "PMCCNTR_EL0");
	i = add_virtuals(pmds + counters + 1);
	if (pfm_reg_map_from_info("armv8_pmuv3", pmcs, counters + 1, pmds,
				  counters + 1 + i, &map))
		abort();
	return map;
}

#define INTEL_FIXED	32
#define INTEL_EXTRA	40
#define INTEL_EXTRAS	4
#define INTEL_METRIC	40
#define INTEL_METRICS	9

/*
 * Intel with @counters general-purpose counters, @fixed fixed counters, and @extras of the
 * registers from OFFCORE_RSP_0 on; and @metrics fields of PERF_METRICS, with their slots.
 */
static inline struct pfm_reg_map *intel_metrics_machine(unsigned int counters,
							unsigned int fixed,
							unsigned int extras,
							unsigned int metrics)
{
	static const char *const names[INTEL_EXTRAS] = {
		"MSR_OFFCORE_RSP_0", "MSR_OFFCORE_RSP_1", "MSR_PEBS_FRONTEND",
		"MSR_PEBS_LD_LAT_THRESHOLD",
	};
	struct pfm_reg_info pmcs[INTEL_EXTRA + INTEL_EXTRAS] = { 0 };
	struct pfm_reg_info pmds[INTEL_EXTRA + INTEL_METRICS + VIRTUALS] = { 0 };
	unsigned int i, num_pmcs = 0, num_pmds;
	struct pfm_reg_map *map;

	for (i = 0; i < counters + fixed; i++) {
		bool is_fixed = i >= counters;
		unsigned int k = i - counters;

		pmcs[i].num = is_fixed ? INTEL_FIXED + k : i;
		pmcs[i].rsvd = is_fixed ? ~0x7ULL : ~0x3ffa7ffffULL;
		snprintf(pmcs[i].name, PFM_NAME_LEN,
			 is_fixed ? "FIXED_CTR_CTRL%u" : "IA32_PERFEVTSEL%u",
			 is_fixed ? k : i);
		pmds[i].num = pmcs[i].num;
		pmds[i].width = 48;
		pmds[i].ctl = pmcs[i].num;
		pmds[i].flags = PFM_REGI_COUNTER | PFM_REGI_OVERFLOW;
		if (is_fixed && k == 1)
			pmds[i].flags |= PFM_REGI_CYCLES;
		snprintf(pmds[i].name, PFM_NAME_LEN,
			 is_fixed ? "IA32_FIXED_CTR%u" : "IA32_PMC%u",
			 is_fixed ? k : i);
		num_pmcs++;
	}
	num_pmds = num_pmcs;
	for (i = 0; i < extras; i++) {
		pmcs[num_pmcs].num = INTEL_EXTRA + i;
		strcpy(pmcs[num_pmcs++].name, names[i]);
	}
	for (i = 0; i < (metrics ? metrics + 1 : 0); i++, num_pmds++) {
		pmds[num_pmds].num = INTEL_METRIC + (i < metrics ? i : 8);
		pmds[num_pmds].width = 64;
		pmds[num_pmds].ctl = INTEL_FIXED + 3;
		pmds[num_pmds].flags = PFM_REGI_COUNTER;
		snprintf(pmds[num_pmds].name, PFM_NAME_LEN, "PERF_METRICS.%u", i);
	}
	num_pmds += add_virtuals(pmds + num_pmds);
	if (pfm_reg_map_from_info("intel", pmcs, num_pmcs, pmds, num_pmds,
				  &map))
		abort();
	return map;
}

static inline struct pfm_reg_map *
intel_machine(unsigned int counters, unsigned int fixed, unsigned int extras)
{
	return intel_metrics_machine(counters, fixed, extras, 0);
}

/* AMD with @counters counters. */
static inline struct pfm_reg_map *amd_machine(unsigned int counters)
{
	struct pfm_reg_info pmcs[8] = { 0 }, pmds[8 + VIRTUALS] = { 0 };
	struct pfm_reg_map *map;
	unsigned int i;

	for (i = 0; i < counters; i++) {
		pmcs[i].num = i;
		pmcs[i].rsvd = ~0x30fff87ffffULL;
		snprintf(pmcs[i].name, PFM_NAME_LEN, "PERF_CTL%u", i);
		pmds[i].num = i;
		pmds[i].width = 48;
		pmds[i].ctl = i;
		pmds[i].flags = PFM_REGI_COUNTER | PFM_REGI_OVERFLOW;
		snprintf(pmds[i].name, PFM_NAME_LEN, "PERF_CTR%u", i);
	}
	i = counters + add_virtuals(pmds + counters);
	if (pfm_reg_map_from_info("amd", pmcs, counters, pmds, i, &map))
		abort();
	return map;
}

#define IBS_FETCH_BITS (1ULL << 57 | 1ULL << 59 | 0xfULL << 35)
#define IBS_OP_BITS    (0x1fULL << 59 | 1ULL << 35 | 1ULL << 19 | 1ULL << 16)

/*
 * AMD with @counters counters and with IBS, whose control registers have the bits @fetch and
 * @op; 0: the processor does not have the flavour.
 */
static inline struct pfm_reg_map *ibs_machine(unsigned int counters,
					      uint64_t fetch, uint64_t op)
{
	static const char *const names[] = { "IBS_FETCH", "IBS_OP" };
	const uint64_t bits[] = { fetch, op };
	struct pfm_reg_info pmcs[8 + 2] = { 0 };
	struct pfm_reg_info pmds[8 + 2 + VIRTUALS] = { 0 };
	struct pfm_reg_map *map;
	unsigned int i, num = 0;

	for (i = 0; i < counters; i++, num++) {
		pmcs[num].num = i;
		pmcs[num].rsvd = ~0x30fff87ffffULL;
		pmds[num].num = i;
		pmds[num].width = 48;
		pmds[num].ctl = i;
		pmds[num].flags = PFM_REGI_COUNTER | PFM_REGI_OVERFLOW;
		snprintf(pmds[num].name, PFM_NAME_LEN, "PERF_CTR%u", i);
	}
	for (i = 0; i < 2; i++) {
		if (!bits[i])
			continue;
		pmcs[num].num = PFM_IBS_PMC_FETCH_CTL + i;
		pmcs[num].dfl = PFM_IBS_EXCLUDE_KERNEL | PFM_IBS_EXCLUDE_USER;
		pmcs[num].rsvd = ~(bits[i] | pmcs[num].dfl);
		pmds[num].num = PFM_IBS_PMD_FETCH + i;
		pmds[num].width = 27;
		pmds[num].ctl = pmcs[num].num;
		pmds[num].flags = PFM_REGI_COUNTER | PFM_REGI_OVERFLOW;
		strcpy(pmds[num++].name, names[i]);
	}
	i = num + add_virtuals(pmds + num);
	if (pfm_reg_map_from_info(counters ? "amd" : "", pmcs, num, pmds, i,
				  &map))
		abort();
	return map;
}

#endif
