// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Armv8 PMUv3: every event counter can count every event, and there is one more
 * counter, for cycles only.
 */
#include "base/array.h"
#include "pmu/arch_armv8_names.h"
#include "pmu/tables.h"

#include <string.h>

/* PMEVTYPER<n>_EL0 and PMCCFILTR_EL0. */
#define EVTYPE_EVENT		0xffffULL	/* not in PMCCFILTR */
#define EVTYPE_INCLUDE_EL2	(1ULL << 27)
#define EVTYPE_EXCLUDE_EL0	(1ULL << 30)
#define EVTYPE_EXCLUDE_EL1	(1ULL << 31)

#define EVENT_PC_WRITE_RETIRED	0x0c
#define EVENT_CPU_CYCLES	0x11
#define EVENT_BR_RETIRED	0x21

static bool armv8_owns_table(const char *table)
{
	return !strncmp(table, "arm_", 4);
}

/*
 * libpfm4's raw encoding has filter bits as well, but as perf_event defines them: the
 * meanings of bits 30 and 31 are swapped.  So only the event code is used, and
 * armv8_encode() makes the filter bits from the levels.
 */
static void armv8_take_encoding(struct pfm_event *event, const uint64_t *codes,
				int count, const char *full)
{
	(void)count;
	(void)full;
	event->code = codes[0] & EVTYPE_EVENT;
}

static uint64_t armv8_table_code(uint64_t code)
{
	return code;
}

/* Lists of processors that have more than PMUv3, by the name of libpfm4's table. */
static const struct {
	const char *table;
	const struct pfm_arch_name *names;
} models[] = {
	{ "arm_ac35", a53_names },
	{ "arm_ac53", a53_names },
	{ "arm_ac57", a57_names },
	{ "arm_ac72", a57_names },
	{ "arm_ac73", a73_names },
	{ "arm_thunderx", thunder_names },
	{ "arm_thunderx2", vulcan_names },
};

static const struct pfm_arch_name *model_names(void)
{
	const char *table = pfmi_tables_name(&pfmi_arch_armv8);
	size_t i;

	for (i = 0; table && i < ARRAY_SIZE(models); i++)
		if (!strcmp(models[i].table, table))
			return models[i].names;
	return NULL;
}

/*
 * Linux has no list for branches: it takes BR_RETIRED, or where there is none PC_WRITE_RETIRED
 * (drivers/perf/arm_pmuv3.c).
 */
static const struct pfm_arch_name *armv8_names(unsigned int i)
{
	static const struct pfm_arch_name branches[] = {
		{ PFMI_GENERIC_BRANCHES, EVENT_BR_RETIRED, 0 },
		{ PFMI_GENERIC_BRANCHES, EVENT_PC_WRITE_RETIRED, 0 },
		NAMES_END
	};

	switch (i) {
	case 0:
		return pmuv3_names;
	case 1:
		return branches;
	case 2:
		return model_names();
	default:
		return NULL;
	}
}

static enum pfm_arch_fit armv8_fit(const struct pfm_event *event,
				   const struct pfm_reg_info *pmd)
{
	if (!(pmd->flags & PFM_REGI_CYCLES))
		return PFM_FIT_OK;
	return event->code == EVENT_CPU_CYCLES ? PFM_FIT_PREFERRED : PFM_FIT_NONE;
}

/*
 * The kernel module knows at which exception level the kernel runs, and changes the
 * filter bits accordingly.  Here the level k is EL1.
 */
static uint64_t armv8_encode(const struct pfm_event *event,
			     const struct pfm_reg_info *pmd)
{
	uint64_t value = 0;

	if (!(pmd->flags & PFM_REGI_CYCLES))
		value |= event->code & EVTYPE_EVENT;
	if (!(event->plm & PFM_PLM_USER))
		value |= EVTYPE_EXCLUDE_EL0;
	if (!(event->plm & PFM_PLM_KERNEL))
		value |= EVTYPE_EXCLUDE_EL1;
	if (event->plm & PFM_PLM_HYP)
		value |= EVTYPE_INCLUDE_EL2;
	return value;
}

const struct pfm_arch_ops pfmi_arch_armv8 = {
	.name = "armv8_pmuv3",
	.levels = PFM_PLM_USER | PFM_PLM_KERNEL | PFM_PLM_HYP,
	.code_bits = EVTYPE_EVENT,
	.events = pfmi_armv8_events,
	.names = armv8_names,
	.owns_table = armv8_owns_table,
	.take_encoding = armv8_take_encoding,
	.table_code = armv8_table_code,
	.fit = armv8_fit,
	.encode = armv8_encode,
};
