/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Virtual registers, which the kernel counts itself: their other names, and what they count.
 */
#ifndef PERFMON_REGISTERS_VIRTUAL_H
#define PERFMON_REGISTERS_VIRTUAL_H

#include <stdbool.h>
#include <stdint.h>

#include <perfmon/perfmon.h>

/**
 * struct pfmi_alias - another name of a virtual register
 * @name: the alias
 * @reg: the kernel's name of the register
 * @perf: perf's counters have an event of that name, which counts for whole CPUs, too.  With
 *	them the alias does not stand for the register
 */
struct pfmi_alias {
	const char *name;
	const char *reg;
	bool perf;
};

extern const struct pfmi_alias pfmi_aliases[];
extern const unsigned int pfmi_num_aliases;

/* The alias of that name; NULL when it is none on this machine. */
const struct pfmi_alias *pfmi_alias_find(const struct pfm_reg_map *map,
					 const char *name);

/* Virtual register by the kernel's name or by alias; NULL when there is none. */
const struct pfm_reg_info *pfmi_virtual_find(const struct pfm_reg_map *map,
					     const char *name);

/* Text: what a virtual register counts; "" when the library does not know it. */
const char *pfmi_virtual_desc(const char *reg);

uint32_t pfmi_virtual_flags(const struct pfm_reg_info *info);

#endif
