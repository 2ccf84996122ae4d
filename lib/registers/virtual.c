// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Virtual registers.
 */
#include "registers/virtual.h"

#include "base/array.h"
#include "base/text.h"

#include <stddef.h>
#include <string.h>

const struct pfmi_alias pfmi_aliases[] = {
	{ "task-clock", "CPU_TIME_NS", false },
	{ "cpu-clock", "CPU_TIME_NS", true },
	{ "wall-clock", "WALL_TIME_NS", false },
	{ "context-switches", "CONTEXT_SWITCHES", false },
	{ "cs", "CONTEXT_SWITCHES", false },
	{ "migrations", "MIGRATIONS", false },
	{ "cpu-migrations", "MIGRATIONS", true },
	{ "page-faults", "PAGE_FAULTS", true },
	{ "faults", "PAGE_FAULTS", true },
	{ "minor-faults", "MINOR_FAULTS", false },
	{ "major-faults", "MAJOR_FAULTS", false },
	{ "free-memory", "FREE_MEMORY_BYTES", false },
};

const unsigned int pfmi_num_aliases = ARRAY_SIZE(pfmi_aliases);

/* The kernel has names of virtual registers, but no descriptions. */
static const struct {
	const char *reg;
	const char *desc;
} descs[] = {
	{ "CPU_TIME_NS", "Time on a processor, in nanoseconds" },
	{ "WALL_TIME_NS", "Time that the thread was monitored, running or not, in nanoseconds" },
	{ "CONTEXT_SWITCHES", "Times the thread left a processor" },
	{ "MIGRATIONS", "Times the thread moved to another processor" },
	{ "PAGE_FAULTS", "Page faults" },
	{ "MINOR_FAULTS", "Page faults served without reading from a disk" },
	{ "MAJOR_FAULTS", "Page faults that had to wait for a disk" },
	{ "FREE_MEMORY_BYTES", "Free memory of the machine at this moment, in bytes" },
};

const char *pfmi_virtual_desc(const char *reg)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(descs); i++)
		if (pfmi_text_equal(descs[i].reg, reg))
			return descs[i].desc;
	return "";
}

const struct pfmi_alias *pfmi_alias_find(const struct pfm_reg_map *map,
					 const char *name)
{
	const bool perf = !strcmp(pfm_reg_map_pmu(map), "perf");
	unsigned int i;

	for (i = 0; i < pfmi_num_aliases; i++)
		if (pfmi_text_equal(pfmi_aliases[i].name, name))
			return pfmi_aliases[i].perf && perf ? NULL :
							      &pfmi_aliases[i];
	return NULL;
}

const struct pfm_reg_info *pfmi_virtual_find(const struct pfm_reg_map *map,
					     const char *name)
{
	const struct pfmi_alias *alias;
	const struct pfm_reg_info *info;

	if (!map)
		return NULL;
	alias = pfmi_alias_find(map, name);
	info = pfm_reg_map_find_pmd(map, alias ? alias->reg : name);
	return info && (info->flags & PFM_REGI_VIRTUAL) ? info : NULL;
}

uint32_t pfmi_virtual_flags(const struct pfm_reg_info *info)
{
	uint32_t flags = 0;

	if (info->flags & PFM_REGI_GAUGE)
		flags |= PFM_EVENTF_GAUGE;
	if (info->flags & PFM_REGI_READONLY)
		flags |= PFM_EVENTF_READONLY;
	return flags;
}
