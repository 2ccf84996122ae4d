// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * libpfm 3: initialisation, the PMU model and its registers, errors.
 */
#include "old_events.h"

#include <string.h>

#include "include/perfmon2-compat/perfmon/pfmlib.h"

/* Models by the name of libpfm4's table; the first that the name begins with. */
static const struct {
	const char *table;
	int type;
	const char *name;
} models[] = {
	{ "nhm", PFMLIB_INTEL_NHM_PMU, "Intel Nehalem" },
	{ "wsm", PFMLIB_INTEL_WSM_PMU, "Intel Westmere" },
	{ "core", PFMLIB_CORE_PMU, "Intel Core" },
	{ "atom", PFMLIB_INTEL_ATOM_PMU, "Intel Atom" },
	{ "coreduo", PFMLIB_COREDUO_PMU, "Intel Core Duo" },
	{ "pm", PFMLIB_I386_PM_PMU, "Intel Pentium M" },
	{ "pii", PFMLIB_I386_P6_PMU, "Intel P6" },
	{ "ppro", PFMLIB_I386_PPRO_PMU, "Intel Pentium Pro" },
	{ "amd64", PFMLIB_AMD64_PMU, "AMD64" },
	{ "arm", PFMLIB_ARMV8_PMU, "Armv8 PMUv3" },
	{ "ix86arch", PFMLIB_GEN_IA32_PMU, "Intel architectural PMU" },
};

#define NUM_MODELS (sizeof(models) / sizeof(*models))

/* Models of Intel that libpfm 3 did not know were those of the architectural PMU. */
static unsigned int model_of(const struct pfm_reg_map *map)
{
	const char *table = pfm_event_table(map);
	unsigned int i;

	for (i = 0; i < NUM_MODELS - 1; i++)
		if (!strncmp(table, models[i].table, strlen(models[i].table)) &&
		    (strcmp(models[i].table, "core") || !table[4]))
			return i;
	return i;
}

int pfm_initialize(void)
{
	return pfmi_old_events_read();
}

int pfm_set_options(pfmlib_options_t *options)
{
	return options ? PFMLIB_SUCCESS : PFMLIB_ERR_INVAL;
}

int pfm_get_version(unsigned int *version)
{
	if (!version)
		return PFMLIB_ERR_INVAL;
	*version = PFMLIB_VERSION;
	return PFMLIB_SUCCESS;
}

char *pfm_strerror(int err)
{
	static const char *const texts[] = {
		"success",
		"not supported",
		"invalid parameter",
		"the library is not initialized",
		"no such event",
		"the events cannot be counted together",
		"the buffer is too small",
		"the event is used more than once",
		"wrong magic number",
		"these features cannot be combined",
		"the events are of sets that exclude each other",
		"the events exclude each other",
		"more events than counters",
		"code range is too large",
		"code range is empty",
		"code range is invalid",
		"too many code ranges",
		"data range is invalid",
		"too many data ranges",
		"this processor is not supported",
		"code range is not aligned",
		"code range has invalid flags",
		"unit mask is missing or unknown",
		"out of memory",
	};
	unsigned int number = err > 0 ? sizeof(texts) : -(unsigned int)err;

	if (number >= sizeof(texts) / sizeof(*texts))
		return (char *)"unknown error";
	return (char *)texts[number];
}

int pfm_get_pmu_type(int *type)
{
	if (!pfmi_old_machine.map)
		return PFMLIB_ERR_NOINIT;
	if (!type)
		return PFMLIB_ERR_INVAL;
	*type = models[model_of(pfmi_old_machine.map)].type;
	return PFMLIB_SUCCESS;
}

int pfm_get_pmu_name_bytype(int type, char *name, size_t maxlen)
{
	unsigned int i;

	for (i = 0; i < NUM_MODELS && models[i].type != type; i++)
		;
	if (i == NUM_MODELS || !name)
		return PFMLIB_ERR_INVAL;
	if (strlen(models[i].name) >= maxlen)
		return PFMLIB_ERR_FULL;
	strcpy(name, models[i].name);
	return PFMLIB_SUCCESS;
}

int pfm_get_pmu_name(char *name, int maxlen)
{
	int type, ret;

	ret = pfm_get_pmu_type(&type);
	if (ret)
		return ret;
	return maxlen < 1 ? PFMLIB_ERR_INVAL
			  : pfm_get_pmu_name_bytype(type, name, maxlen);
}

int pfm_force_pmu(int type)
{
	int host, ret;

	ret = pfmi_old_events_read();
	if (!ret)
		ret = pfm_get_pmu_type(&host);
	if (ret)
		return ret;
	return type == host ? PFMLIB_SUCCESS : PFMLIB_ERR_NOTSUPP;
}

int pfm_is_pmu_supported(int type)
{
	int host, ret;

	ret = pfm_get_pmu_type(&host);
	if (ret)
		return ret;
	return type == host ? PFMLIB_SUCCESS : PFMLIB_ERR_NOTSUPP;
}

int pfm_list_supported_pmus(int (*pf)(const char *fmt, ...))
{
	unsigned int i;

	if (!pf)
		return PFMLIB_ERR_INVAL;
	pf("supported PMU models: ");
	for (i = 0; i < NUM_MODELS; i++)
		pf("[%s] ", models[i].name);
	pf("\n");
	return PFMLIB_SUCCESS;
}

static int impl_pmds(pfmlib_regmask_t *mask, bool counters)
{
	const struct pfmi_numbers *numbers = &pfmi_old_machine.numbers;
	const struct pfm_reg_info *pmd = NULL;
	unsigned int i;

	if (!pfmi_old_machine.map)
		return PFMLIB_ERR_NOINIT;
	if (!mask)
		return PFMLIB_ERR_INVAL;
	memset(mask, 0, sizeof(*mask));
	while ((pmd = pfm_reg_map_next_pmd(pfmi_old_machine.map, pmd)))
		if (pfmi_old_machine_counts(pmd))
			pfm_regmask_set(mask, pfmi_numbers_old_pmd(numbers,
								   pmd->num));
	for (i = PFMI_OLD_IBS_FETCH;
	     !counters && numbers->ibs && i < PFMI_OLD_IBS_END; i++)
		pfm_regmask_set(mask, i);
	return PFMLIB_SUCCESS;
}

int pfm_get_impl_pmds(pfmlib_regmask_t *mask)
{
	return impl_pmds(mask, false);
}

int pfm_get_impl_counters(pfmlib_regmask_t *mask)
{
	return impl_pmds(mask, true);
}

int pfm_get_impl_pmcs(pfmlib_regmask_t *mask)
{
	const struct pfmi_numbers *numbers = &pfmi_old_machine.numbers;
	const struct pfm_reg_info *pmc = NULL;

	if (!pfmi_old_machine.map)
		return PFMLIB_ERR_NOINIT;
	if (!mask)
		return PFMLIB_ERR_INVAL;
	memset(mask, 0, sizeof(*mask));
	while ((pmc = pfm_reg_map_next_pmc(pfmi_old_machine.map, pmc)))
		pfm_regmask_set(mask, pfmi_numbers_old_pmc(numbers, pmc->num));
	return PFMLIB_SUCCESS;
}

static int number(int (*get)(pfmlib_regmask_t *mask), unsigned int *num)
{
	pfmlib_regmask_t mask;
	int ret;

	ret = get(&mask);
	return ret ? ret : pfm_regmask_weight(&mask, num);
}

int pfm_get_num_pmcs(unsigned int *num)
{
	return number(pfm_get_impl_pmcs, num);
}

int pfm_get_num_pmds(unsigned int *num)
{
	return number(pfm_get_impl_pmds, num);
}

int pfm_get_num_counters(unsigned int *num)
{
	return number(pfm_get_impl_counters, num);
}

int pfm_get_hw_counter_width(unsigned int *width)
{
	const struct pfm_reg_info *pmd = NULL;

	if (!pfmi_old_machine.map)
		return PFMLIB_ERR_NOINIT;
	if (!width)
		return PFMLIB_ERR_INVAL;
	do {
		pmd = pfm_reg_map_next_pmd(pfmi_old_machine.map, pmd);
	} while (pmd && !pfmi_old_machine_counts(pmd));
	if (!pmd)
		return PFMLIB_ERR_NOTSUPP;
	*width = pmd->width;
	return PFMLIB_SUCCESS;
}
