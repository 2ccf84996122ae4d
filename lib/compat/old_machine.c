// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * The registers of this machine: from the kernel modules, or from what the processor says of
 * itself.
 */
#include "old_machine.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#define GENERAL_MAX   16
#define CYCLE_COUNTER 31

static void add_register(struct pfm_reg_info *pmcs, struct pfm_reg_info *pmds,
			 unsigned int *count, unsigned int num,
			 unsigned int width)
{
	struct pfm_reg_info *pmc = &pmcs[*count], *pmd = &pmds[*count];

	memset(pmc, 0, sizeof(*pmc));
	pmc->num = num;
	snprintf(pmc->name, sizeof(pmc->name), "PMC%u", num);
	memset(pmd, 0, sizeof(*pmd));
	pmd->num = num;
	pmd->ctl = num;
	pmd->width = width;
	pmd->flags = PFM_REGI_COUNTER | PFM_REGI_OVERFLOW;
	snprintf(pmd->name, sizeof(pmd->name), "PMD%u", num);
	(*count)++;
}

#if defined(__x86_64__) || defined(__i386__)
#define LEAF_PMU	       0xa
#define LEAF_EXTENDED	       0x80000001
#define EXTENDED_CORE_COUNTERS (1U << 23)

static int assume(struct pfm_reg_map **map)
{
	struct pfm_reg_info pmcs[GENERAL_MAX + PFMI_FIXED_MAX];
	struct pfm_reg_info pmds[GENERAL_MAX + PFMI_FIXED_MAX];
	unsigned int a, b, c, d, i, count = 0, general, fixed = 0;
	const char *pmu = "intel";
	char vendor[13] = "";

	if (!__get_cpuid(0, &a, &b, &c, &d))
		return -ENODEV;
	memcpy(vendor, &b, 4);
	memcpy(vendor + 4, &d, 4);
	memcpy(vendor + 8, &c, 4);
	if (!strcmp(vendor, "GenuineIntel")) {
		if (!__get_cpuid(LEAF_PMU, &a, &b, &c, &d) || !(a & 0xff))
			return -ENODEV;
		general = a >> 8 & 0xff;
		fixed = (a & 0xff) > 1 ? d & 0x1f : 0;
	} else if (!strcmp(vendor, "AuthenticAMD")) {
		pmu = "amd";
		general = 4;
		if (__get_cpuid(LEAF_EXTENDED, &a, &b, &c, &d) &&
		    c & EXTENDED_CORE_COUNTERS)
			general = 6;
	} else {
		return -ENODEV;
	}
	for (i = 0; i < general && i < GENERAL_MAX; i++)
		add_register(pmcs, pmds, &count, i, 48);
	for (i = 0; i < fixed && i < PFMI_FIXED_MAX; i++)
		add_register(pmcs, pmds, &count, PFMI_NEW_FIXED + i, 48);
	return pfm_reg_map_from_info(pmu, pmcs, count, pmds, count, map);
}
#else
static int assume(struct pfm_reg_map **map)
{
	struct pfm_reg_info pmcs[7], pmds[7];
	unsigned int i, count = 0;

	for (i = 0; i < 6; i++)
		add_register(pmcs, pmds, &count, i, 32);
	add_register(pmcs, pmds, &count, CYCLE_COUNTER, 64);
	pmds[count - 1].flags |= PFM_REGI_CYCLES;
	return pfm_reg_map_from_info("armv8_pmuv3", pmcs, count, pmds, count,
				     map);
}
#endif

int pfmi_old_machine_read(struct pfmi_old_machine *machine)
{
	int fd, ret = -ENODEV;

	fd = pfm_ctx_create(NULL);
	if (fd >= 0) {
		ret = pfm_reg_map_from_ctx(fd, &machine->map);
		close(fd);
	}
	/* The modules may be loaded without one for the PMU. */
	if (!ret && !pfm_reg_map_pmu(machine->map)[0]) {
		pfm_reg_map_free(machine->map);
		ret = -ENODEV;
	}
	if (ret)
		ret = assume(&machine->map);
	if (!ret)
		pfmi_numbers_from_map(&machine->numbers, machine->map);
	return ret;
}

bool pfmi_old_machine_counts(const struct pfm_reg_info *pmd)
{
	return pmd->flags & PFM_REGI_COUNTER &&
	       pmd->num < PFMI_NEW_FIXED + PFMI_FIXED_MAX;
}
