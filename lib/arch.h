/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * One struct pfm_arch_ops holds all that the library knows of a kind of hardware PMU.  No
 * other file of the library knows the bits of registers.
 */
#ifndef PERFMON_ARCH_H
#define PERFMON_ARCH_H

#include "internal.h"

/**
 * struct pfm_arch_event - an event that the architecture defines
 * @name: name in the architecture's manual
 * @code: its number
 * @desc: what it counts
 */
struct pfm_arch_event {
	const char *name;
	uint16_t code;
	const char *desc;
};

/* How well a counter suits an event. */
enum pfm_arch_fit {
	PFM_FIT_NONE,		/* cannot count it */
	PFM_FIT_OK,
	PFM_FIT_PREFERRED,	/* used first, to keep the other counters free */
};

/**
 * struct pfm_arch_ops - how the events of one kind of PMU are programmed
 * @name: the kernel's name of the PMU's description; table name of @events
 * @levels: PFM_PLM_* that the PMU can select
 * @code_max: largest event code
 * @cycles: code of the cycle event
 * @instructions: code of the event that counts instructions executed
 * @events: events that the architecture defines, ascending by code; a NULL name ends
 *	them
 * @owns_table: whether a table of libpfm4 describes PMUs of this kind
 * @table_code: event code in the raw encoding that libpfm4 returns
 * @fit: how well a counter suits an event
 * @encode: value of the PMC with which the PMD counts the event
 */
struct pfm_arch_ops {
	const char *name;
	uint32_t levels;
	uint64_t code_max;
	uint64_t cycles;
	uint64_t instructions;
	const struct pfm_arch_event *events;
	bool (*owns_table)(const char *table);
	uint64_t (*table_code)(uint64_t encoding);
	enum pfm_arch_fit (*fit)(const struct pfm_event *event,
				 const struct pfm_reg_info *pmd);
	uint64_t (*encode)(const struct pfm_event *event,
			   const struct pfm_reg_info *pmd);
};

extern const struct pfm_arch_ops pfmi_arch_armv8;
extern const struct pfm_arch_event pfmi_armv8_events[];

/* Operations for the PMU of a map; NULL when it has none or an unknown one. */
const struct pfm_arch_ops *pfmi_arch_find(const struct pfm_regmap *map);

#endif
