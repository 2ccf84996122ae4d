// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * All events that a machine has.
 */
#include "arch.h"

static int visit_generics(const struct pfm_arch_ops *ops,
			  int (*visit)(const struct pfm_event_desc *desc,
				       void *arg),
			  void *arg)
{
	const struct pfm_arch_event *known;
	unsigned int i;
	int ret = 0;

	for (i = 0; ops && i < pfmi_num_generics && !ret; i++) {
		struct pfm_event_desc desc = {
			.pmu = "",
			.name = pfmi_generics[i].name,
			.desc = pfmi_generics[i].desc,
			.kind = PFM_EVENT_HARDWARE,
			.flags = PFM_EVENTF_GENERIC,
			.plm = ops->levels,
		};

		desc.code = pfmi_generics[i].cycles ? ops->cycles :
						      ops->instructions;
		if (pfmi_generics[i].cycles)
			desc.flags |= PFM_EVENTF_CYCLES;
		for (known = ops->events; known->name; known++)
			if (known->code == desc.code)
				desc.equiv = known->name;
		ret = visit(&desc, arg);
	}
	return ret;
}

static int visit_virtual(const struct pfm_regmap *map,
			 int (*visit)(const struct pfm_event_desc *desc,
				      void *arg),
			 void *arg)
{
	const struct pfm_reg_info *info = NULL;
	unsigned int i;
	int ret;

	while (map && (info = pfm_regmap_next_pmd(map, info))) {
		struct pfm_event_desc desc = {
			.pmu = "",
			.name = info->name,
			.desc = pfmi_virtual_desc(info->name),
			.kind = PFM_EVENT_VIRTUAL,
			.code = info->num,
			.flags = pfmi_virtual_flags(info),
		};

		if (!(info->flags & PFM_REGI_VIRTUAL))
			continue;
		ret = visit(&desc, arg);
		if (ret)
			return ret;
	}
	for (i = 0; i < pfmi_num_aliases; i++) {
		struct pfm_event_desc desc = {
			.pmu = "",
			.name = pfmi_aliases[i].name,
			.equiv = pfmi_aliases[i].reg,
			.desc = pfmi_virtual_desc(pfmi_aliases[i].reg),
			.kind = PFM_EVENT_VIRTUAL,
		};

		info = pfmi_virtual_find(map, desc.equiv);
		if (!info)
			continue;
		desc.code = info->num;
		desc.flags = pfmi_virtual_flags(info) | PFM_EVENTF_GENERIC;
		ret = visit(&desc, arg);
		if (ret)
			return ret;
	}
	return 0;
}

static int visit_arch(const struct pfm_arch_ops *ops,
		      int (*visit)(const struct pfm_event_desc *desc, void *arg),
		      void *arg)
{
	const struct pfm_arch_event *known;
	int ret = 0;

	for (known = ops->events; known->name && !ret; known++) {
		struct pfm_event_desc desc = {
			.pmu = ops->name,
			.name = known->name,
			.desc = known->desc,
			.code = known->code,
			.kind = PFM_EVENT_HARDWARE,
			.plm = ops->levels,
		};

		if (known->code == ops->cycles)
			desc.flags = PFM_EVENTF_CYCLES;
		ret = visit(&desc, arg);
	}
	return ret;
}

int pfm_event_for_each(const struct pfm_regmap *map,
		       int (*visit)(const struct pfm_event_desc *desc, void *arg),
		       void *arg)
{
	const struct pfm_arch_ops *ops = pfmi_arch_find(map);
	int ret;

	ret = visit_generics(ops, visit, arg);
	if (!ret)
		ret = visit_virtual(map, visit, arg);
	/* Without a PMU the tables' events cannot be counted; do not offer them. */
	if (ret || (map && !ops))
		return ret;
	if (!ops || pfmi_tables_name(ops))
		return pfmi_tables_for_each(ops, visit, arg);
	return visit_arch(ops, visit, arg);
}
