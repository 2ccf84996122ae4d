// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * The event sets of perfmon v2.3 to v2.82.
 */
#include "compat.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SET_FLAGS (PFM_SETFL_OVFL_SWITCH | PFM_SETFL_TIME_SWITCH)

int pfm_create_evtsets(int fd, pfarg_setdesc_t *sets, int count)
{
	struct pfm_set_desc *descs;
	int i, ret;

	descs = pfmi_v2_vector(count, sizeof(*descs), &ret);
	for (i = 0; !ret && i < count; i++) {
		if (sets[i].set_flags & ~SET_FLAGS)
			ret = -EINVAL;
		descs[i].set = sets[i].set_id;
		descs[i].flags = sets[i].set_flags;
		/* The old interface ignored the timeout without the flag. */
		if (sets[i].set_flags & PFM_SETFL_TIME_SWITCH)
			descs[i].timeout = sets[i].set_timeout;
	}
	if (!ret)
		ret = pfm_ctx_create_sets(fd, descs, count, NULL);
	free(descs);
	return pfmi_v2_result(ret);
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

static void fill_info(pfarg_setinfo_t *to, const struct pfm_set_info *from,
		      const struct pfm_config *config)
{
	uint16_t id = to->set_id;

	memset(to, 0, sizeof(*to));
	to->set_id = id;
	to->set_flags = from->flags & SET_FLAGS;
	to->set_runs = from->runs;
	to->set_timeout = from->active ? from->remaining : from->timeout;
	to->set_act_duration = from->active_ns;
	memcpy(to->set_ovfl_pmds, from->ovfl_pmds, sizeof(to->set_ovfl_pmds));
	memcpy(to->set_avail_pmcs, config->impl_pmcs,
	       sizeof(to->set_avail_pmcs));
	memcpy(to->set_avail_pmds, config->impl_pmds,
	       sizeof(to->set_avail_pmds));
}

int pfm_getinfo_evtsets(int fd, pfarg_setinfo_t *sets, int count)
{
	struct pfm_set_info *infos;
	struct pfm_config config;
	int i, ret;

	infos = pfmi_v2_vector(count, sizeof(*infos), &ret);
	for (i = 0; !ret && i < count; i++)
		infos[i].set = sets[i].set_id;
	if (!ret)
		ret = pfm_ctx_get_config(fd, &config);
	if (!ret)
		ret = pfm_ctx_getinfo_sets(fd, infos, count, NULL);
	for (i = 0; !ret && i < count; i++)
		fill_info(&sets[i], &infos[i], &config);
	free(infos);
	return pfmi_v2_result(ret);
}

int pfmi_v2_write_triggers(int fd, const pfarg_pmd_t *pmds, int count)
{
	struct pfm_pmd_attr *attrs;
	unsigned int triggers = 0;
	int i, ret;

	attrs = pfmi_v2_vector(count, sizeof(*attrs), &ret);
	for (i = 0; !ret && i < count; i++) {
		if (!pmds[i].reg_ovfl_switch_cnt)
			continue;
		attrs[triggers].num = pmds[i].reg_num;
		attrs[triggers].set = pmds[i].reg_set;
		attrs[triggers].long_reset = pmds[i].reg_long_reset;
		attrs[triggers].short_reset = pmds[i].reg_short_reset;
		attrs[triggers++].ovfl_switch_cnt = pmds[i].reg_ovfl_switch_cnt;
	}
	if (!ret && triggers)
		ret = pfm_ctx_write_pmdattrs(fd, attrs, triggers, NULL);
	free(attrs);
	return ret;
}

int pfmi_v2_read_triggers(int fd, pfarg_pmd_t *pmds, int count)
{
	int i, ret = 0;

	for (i = 0; !ret && i < count; i++) {
		struct pfm_pmd_attr attr = {
			.num = pmds[i].reg_num,
			.set = pmds[i].reg_set,
		};

		if (!pmds[i].reg_ovfl_switch_cnt)
			continue;
		ret = pfm_ctx_read_pmdattrs(fd, &attr, 1, NULL);
		if (ret == -ENODATA) {
			pmds[i].reg_ovfl_switch_cnt = 0;
			ret = 0;
		} else if (!ret) {
			pmds[i].reg_ovfl_switch_cnt = attr.ovfl_switch_cnt;
			pmds[i].reg_last_reset_val = attr.last_reset;
		}
	}
	return ret;
}
