// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * The event sets of perfmon v2.2 to v3.
 */
#include "compat.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define SET_FLAGS (PFM_SETFL_OVFL_SWITCH | PFM_SETFL_TIME_SWITCH)
/* Flags that only v2.2 had; today's kernel has them with the same values. */
#define SET_FLAGS_V22 (SET_FLAGS | PFM_SETFL_EXPL_NEXT | PFM_SETFL_EXCL_IDLE)

/* Flags of Itanium in all generations with sets; today's kernel has them with the same values. */
#define SET_SIDES (PFM_ITA_SETFL_EXCL_INTR | PFM_ITA_SETFL_INTR_ONLY)

#define NS_PER_US 1000ULL

int pfmi_v2_create_sets(int fd, const pfarg_setdesc_t *sets, int count)
{
	struct pfm_set_desc *descs;
	struct pfmi_known *known;
	bool v22, sides = false;
	uint32_t flags;
	int i, ret;

	descs = pfmi_v2_vector(count, sizeof(*descs), &ret);
	known = pfmi_known_find(fd);
	v22 = known && known->generation == PFMI_V22;
	for (i = 0; !ret && i < count; i++) {
		flags = v22 ? SET_FLAGS_V22 : SET_FLAGS;
		if (sets[i].set_flags & ~(flags | SET_SIDES))
			ret = -EINVAL;
		if (sets[i].set_flags & SET_SIDES)
			sides = true;
		descs[i].set = sets[i].set_id;
		descs[i].flags = sets[i].set_flags;
		if (sets[i].set_flags & PFM_SETFL_EXPL_NEXT)
			descs[i].next = sets[i].set_id_next;
		/* The old interface ignored the timeout without the flag. */
		if (sets[i].set_flags & PFM_SETFL_TIME_SWITCH)
			descs[i].timeout =
				sets[i].set_timeout * (v22 ? NS_PER_US : 1);
	}
	if (!ret)
		ret = pfm_ctx_create_sets(fd, descs, count, NULL);
	free(descs);
	/* The error that the old interface had for sets of threads. */
	return ret == -EOPNOTSUPP && sides ? -EINVAL : ret;
}

int pfm_create_evtsets(int fd, pfarg_setdesc_t *sets, int count)
{
	return pfmi_v2_result(pfmi_v2_create_sets(fd, sets, count));
}

int pfm_delete_evtsets(int fd, pfarg_setdesc_t *sets, int count)
{
	struct pfm_set_desc *descs;
	int i, ret;

	descs = pfmi_v2_vector(count, sizeof(*descs), &ret);
	for (i = 0; !ret && i < count; i++)
		descs[i].set = sets[i].set_id;
	if (!ret)
		ret = pfm_ctx_delete_sets(fd, descs, count, NULL);
	free(descs);
	return pfmi_v2_result(ret);
}

/* Registers that exist, under their old numbers and under today's: both can be written. */
static void fill_avail(pfarg_setinfo_t *to, const struct pfmi_numbers *numbers,
		       const struct pfm_config *config)
{
	unsigned int num, old;

	memcpy(to->set_avail_pmcs, config->impl_pmcs,
	       sizeof(to->set_avail_pmcs));
	memcpy(to->set_avail_pmds, config->impl_pmds,
	       sizeof(to->set_avail_pmds));
	for (num = 0; num < PFM_PMD_BV * 64; num++) {
		if (config->impl_pmds[num / 64] >> num % 64 & 1) {
			old = pfmi_numbers_old_pmd(numbers, num);
			to->set_avail_pmds[old / 64] |= 1ULL << old % 64;
		}
		if (config->impl_pmcs[num / 64] >> num % 64 & 1) {
			old = pfmi_numbers_old_pmc(numbers, num);
			to->set_avail_pmcs[old / 64] |= 1ULL << old % 64;
		}
	}
	for (num = PFMI_OLD_IBS_FETCH; numbers->ibs && num < PFMI_OLD_IBS_END;
	     num++)
		to->set_avail_pmds[0] |= 1ULL << num;
}

static void fill_info(pfarg_setinfo_t *to, const struct pfm_set_info *from,
		      const struct pfmi_known *known,
		      const struct pfm_config *config)
{
	const uint64_t unit = known->generation == PFMI_V22 ? NS_PER_US : 1;
	__u64 ovfl[PFM_PMD_BV];
	uint16_t id = to->set_id;

	memset(to, 0, sizeof(*to));
	to->set_id = id;
	to->set_flags = from->flags & (SET_FLAGS_V22 | SET_SIDES);
	to->set_runs = from->runs;
	to->set_timeout =
		(from->active ? from->remaining : from->timeout) / unit;
	to->set_act_duration = from->active_ns;
	memcpy(ovfl, from->ovfl_pmds, sizeof(ovfl));
	if (known->old_pmds)
		pfmi_numbers_old_bitmap(&known->numbers, ovfl, PFM_PMD_BV,
					to->set_ovfl_pmds);
	else
		memcpy(to->set_ovfl_pmds, ovfl, sizeof(ovfl));
	fill_avail(to, &known->numbers, config);
}

int pfm_getinfo_evtsets(int fd, pfarg_setinfo_t *sets, int count)
{
	struct pfm_set_info *infos;
	struct pfmi_known *known = NULL;
	struct pfm_config config;
	int i, ret;

	infos = pfmi_v2_vector(count, sizeof(*infos), &ret);
	for (i = 0; !ret && i < count; i++)
		infos[i].set = sets[i].set_id;
	if (!ret)
		known = pfmi_known_get(fd, &ret);
	if (!ret)
		pfmi_known_numbers(fd, known, &ret);
	if (!ret)
		ret = pfm_ctx_get_config(fd, &config);
	if (!ret)
		ret = pfm_ctx_getinfo_sets(fd, infos, count, NULL);
	for (i = 0; !ret && i < count; i++)
		fill_info(&sets[i], &infos[i], known, &config);
	free(infos);
	return pfmi_v2_result(ret);
}
