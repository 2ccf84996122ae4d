/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Register maps as the kernel modules would describe them.
 */
#ifndef TESTS_MACHINE_H
#define TESTS_MACHINE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perfmon/perfmon.h>

#define CYCLE_COUNTER 31
#define VIRTUALS 7

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
static inline struct pfm_regmap *soft_machine(void)
{
	struct pfm_reg_info pmds[VIRTUALS];
	struct pfm_regmap *map;

	add_virtuals(pmds);
	if (pfm_regmap_from_info("", NULL, 0, pmds, VIRTUALS, &map))
		abort();
	return map;
}

/* Armv8 with @counters event counters and a cycle counter. */
static inline struct pfm_regmap *armv8_machine(unsigned int counters)
{
	struct pfm_reg_info pmcs[CYCLE_COUNTER + 1] = { 0 };
	struct pfm_reg_info pmds[CYCLE_COUNTER + 1 + VIRTUALS] = { 0 };
	struct pfm_regmap *map;
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
	if (pfm_regmap_from_info("armv8_pmuv3", pmcs, counters + 1, pmds,
				 counters + 1 + i, &map))
		abort();
	return map;
}

#endif
