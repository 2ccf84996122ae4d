/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Registers of a map: of which kind each is, of which PMU they are, which events it implements.
 */
#ifndef PERFMON_REGISTERS_REG_MAP_H
#define PERFMON_REGISTERS_REG_MAP_H

#include "pmu/arch.h"

#include <stdbool.h>
#include <stdint.h>

#include <perfmon/perfmon.h>

/* The kernel's PFM_REG_UNIT_BASE: registers of units begin here and end before the virtual ones. */
#define PFMI_REG_UNIT_BASE	192

/* The kernel's PFM_REG_SHARED_BASE: counters of perf begin here and end before those of units. */
#define PFMI_REG_SHARED_BASE	128

/* True if the register is a counter of perf, or controls one. */
static inline bool pfmi_is_shared(uint16_t num)
{
	return num >= PFMI_REG_SHARED_BASE && num < PFMI_REG_UNIT_BASE;
}

/* True if the register is one of a unit, which is not of the PMU. */
static inline bool pfmi_is_unit(uint16_t num)
{
	return num >= PFMI_REG_UNIT_BASE && num < PFM_REG_VIRT_BASE;
}

/*
 * True if the PMD is a counter that events compete for.  Such a counter interrupts when it
 * overflows, unless it is one of perf.  A count that the kernel makes of another register, as of
 * the fields of Intel's PERF_METRICS, does not interrupt: each is there for one event.
 */
static inline bool pfmi_is_counter(const struct pfm_reg_info *pmd)
{
	if (!(pmd->flags & PFM_REGI_COUNTER) || pmd->flags & PFM_REGI_VIRTUAL ||
	    pfmi_is_unit(pmd->num))
		return false;
	return pmd->flags & PFM_REGI_OVERFLOW || pfmi_is_shared(pmd->num);
}

/* Operations for the PMU of a map; NULL if it has none or an unknown one. */
const struct pfm_arch_ops *pfmi_reg_map_arch(const struct pfm_reg_map *map);

/* The events that pfm_reg_map_set_events() has set. */
const struct pfm_event_info *pfmi_reg_map_events(const struct pfm_reg_map *map,
						 unsigned int *count);

#endif
