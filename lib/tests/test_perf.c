// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Events of perf's counters: which type, config and levels the registers get.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <linux/perfmon_perf.h>

#include <perfmon/perfmon.h>

#include "tap.h"

static struct pfm_event events[PFM_ASSIGN_MAX];
static struct pfm_assignment out;

static struct pfm_reg_map *make_map(void)
{
	struct pfm_reg_info pmcs[4 * PFM_PERF_EVENTS] = { 0 };
	struct pfm_reg_info pmds[PFM_PERF_EVENTS] = { 0 };
	struct pfm_reg_map *map;
	unsigned int i;

	for (i = 0; i < 4 * PFM_PERF_EVENTS; i++) {
		pmcs[i].num = 128 + i;
		snprintf(pmcs[i].name, sizeof(pmcs[i].name), "PMC%u", i);
	}
	for (i = 0; i < PFM_PERF_EVENTS; i++) {
		pmds[i].num = PFM_PERF_PMD(i);
		pmds[i].ctl = PFM_PERF_PMC_TYPE(i);
		pmds[i].flags = PFM_REGI_COUNTER;
		snprintf(pmds[i].name, sizeof(pmds[i].name), "PERF_COUNT%u", i);
	}
	if (pfm_reg_map_from_info("perf", pmcs, 4 * PFM_PERF_EVENTS, pmds,
				 PFM_PERF_EVENTS, &map))
		return NULL;
	return map;
}

static int assign(const struct pfm_reg_map *map, const char *list)
{
	char text[512], *word, *rest;
	unsigned int count = 0;

	snprintf(text, sizeof(text), "%s", list);
	for (word = strtok_r(text, " ", &rest); word;
	     word = strtok_r(NULL, " ", &rest))
		if (pfm_event_parse(map, word, PFM_PLM_USER, &events[count++]))
			return -1000;
	return pfm_assign_registers(map, events, count, &out);
}

static uint64_t pmc_value(unsigned int num)
{
	unsigned int i;

	for (i = 0; i < out.num_pmcs; i++)
		if (out.pmcs[i].num == num)
			return out.pmcs[i].value;
	return ~0ULL;
}

/* Event number i of the assignment has this type, config and exclude bits. */
static void is_event(unsigned int i, uint64_t type, uint64_t config,
		     uint64_t exclude, const char *what)
{
	is_num(out.pmd[i], PFM_PERF_PMD(i), what);
	is_num(pmc_value(PFM_PERF_PMC_TYPE(i)),
	       type << PFM_PERF_TYPE_SHIFT | PFM_PERF_ENABLE | exclude, what);
	is_num(pmc_value(PFM_PERF_PMC_CONFIG(i)), config, what);
}

int main(void)
{
	const uint64_t user = PFM_PERF_EXCLUDE_KERNEL | PFM_PERF_EXCLUDE_HV;
	struct pfm_reg_map *map = make_map();

	if (!ok(map, "map"))
		return tap_end();
	is_num(pfm_reg_map_counters(map, NULL), PFM_PERF_EVENTS, "counters");
	is_num(assign(map, "cycles instructions branches branch-misses cache-references cache-misses"),
	       0, "generic names");
	is_event(0, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, user, "cycles");
	is_event(1, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, user,
		 "instructions");
	is_event(2, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, user,
		 "branches");
	is_event(3, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, user,
		 "branch-misses");
	is_event(4, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES, user,
		 "cache-references");
	is_event(5, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, user,
		 "cache-misses");
	is_num(assign(map, "page-faults:uk cpu-migrations:k r1b:u 0x11:uk"), 0,
	       "software events and codes");
	is_event(0, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS,
		 PFM_PERF_EXCLUDE_HV, "page-faults");
	is_event(1, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS,
		 PFM_PERF_EXCLUDE_USER | PFM_PERF_EXCLUDE_HV, "cpu-migrations");
	is_event(2, PERF_TYPE_RAW, 0x1b, user, "r1b");
	is_event(3, PERF_TYPE_RAW, 0x11, PFM_PERF_EXCLUDE_HV, "0x11");
	is_num(assign(map, "no-such-event"), -1000, "unknown name");
	pfm_reg_map_free(map);
	return tap_end();
}
