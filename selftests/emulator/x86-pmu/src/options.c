// SPDX-License-Identifier: GPL-2.0-only
/*
 * x86 PMU for QEMU's TCG: the options of -cpu, properties of the CPU in QEMU's words.
 */

#include "pmu.h"
#include "qapi/visitor.h"

static const struct cpu_option {
	const char *name;
	size_t offset;
	uint64_t min, max;
} options[] = {
#define OPTION(name, field, min, max)                                  \
	{                                                              \
		name, offsetof(struct x86_pmu_config, field), min, max \
	}
	OPTION("pmu-version", version, 0, 6),
	OPTION("pmu-counters", general, 1, X86_PMU_GENERAL_MAX),
	OPTION("pmu-lesser", lesser, 0, UINT64_MAX),
	OPTION("pmu-fixed", fixed, 0, MAKE_64BIT_MASK(0, X86_PMU_FIXED_MAX)),
	OPTION("pmu-width", width, 32, 52),
	OPTION("pmu-min-period", min_period, 0, 1024),
	OPTION("pmu-unavailable", unavailable, 0, 0xff),
	OPTION("pmu-full-width", full_width, 0, 1),
	OPTION("pmu-anythread-deprecated", anythread_deprecated, 0, 1),
	OPTION("pmu-metrics", metrics, 0, UINT64_MAX),
	OPTION("pmu-metrics-os", metrics_os, 0, UINT64_MAX),
	OPTION("pmu-lacking", lacking, 0, X86_PMU_LACKING_FAULT),
	OPTION("pmu-threads", threads, 0, 1),
	OPTION("pmu-cycles", cycles, 1, 100000),
	OPTION("pmu-ref-cycles", ref_cycles, 1, 100000),
	OPTION("pmu-slots", slots, 1, 16),
	OPTION("pmu-unmask-late", unmask_late, 0, 1),
	OPTION("pmu-pmi-delay", pmi_delay, 0, UINT32_MAX),
	OPTION("pmu-pmi-delay-random", pmi_delay_random, 0, 1),
	OPTION("pmu-pmi-every", pmi_every, 0, UINT32_MAX),
	OPTION("pmu-nmi-every", nmi_every, 0, UINT32_MAX),
	OPTION("pmu-hammer-from", hammer_from, 0, UINT32_MAX),
	OPTION("pmu-hammer-to", hammer_to, 0, UINT32_MAX),
	OPTION("pmu-hammer-kind", hammer_kind, X86_PMU_HAMMER_PMI,
	       X86_PMU_HAMMER_BOTH),
	OPTION("pmu-seed", seed, 0, UINT64_MAX),
	OPTION("pmu-slice", slice, 0, UINT32_MAX),
	OPTION("pmu-ibs-caps", ibs_caps, 0, UINT32_MAX),
	OPTION("pmu-ibs-hidden", ibs_hidden, 0, 1),
	OPTION("pmu-ibs-lvt", ibs_lvt, 0, X86_PMU_EXTENDED_LVTS - 1),
	OPTION("pmu-ibs-lvt-valid", ibs_lvt_valid, 0, UINT64_MAX),
	OPTION("pmu-ibs-random", ibs_random, 0, 1),
	OPTION("pmu-ibs-retired", ibs_retired, 0, UINT16_MAX),
	OPTION("pmu-ibs-completed", ibs_completed, 0, UINT16_MAX),
	OPTION("pmu-ibs-fetch-latency", ibs_fetch_latency, 0, UINT16_MAX),
	OPTION("pmu-ibs-ic-miss", ibs_ic_miss, 0, UINT64_MAX),
	OPTION("pmu-ibs-itlb-miss", ibs_itlb_miss, 0, UINT64_MAX),
	OPTION("pmu-ibs-dc-miss", ibs_dc_miss, 0, UINT64_MAX),
	OPTION("pmu-ibs-dtlb-miss", ibs_dtlb_miss, 0, UINT64_MAX),
	OPTION("pmu-ibs-itlb-latency", ibs_itlb_latency, 0, UINT16_MAX),
	OPTION("pmu-ibs-dc-latency", ibs_dc_latency, 0, UINT16_MAX),
	OPTION("pmu-ibs-dtlb-latency", ibs_dtlb_latency, 0, UINT16_MAX),
	OPTION("pmu-ibs-data-source", ibs_data_source, 0, 31),
	OPTION("pmu-lbr", lbr, 0, 63),
	OPTION("pmu-lbr-depth", lbr_depth, 1, X86_PMU_LBR_MAX),
	OPTION("pmu-lbr-mispredict", lbr_mispredict, 0, UINT32_MAX),
#undef OPTION
};

static uint64_t *option_at(Object *obj, const struct cpu_option *option)
{
	return (void *)&x86_pmu_of(X86_CPU(obj))->config + option->offset;
}

static void option_get(Object *obj, Visitor *v, const char *name, void *opaque,
		       Error **errp)
{
	visit_type_uint64(v, name, option_at(obj, opaque), errp);
}

static void option_set(Object *obj, Visitor *v, const char *name, void *opaque,
		       Error **errp)
{
	const struct cpu_option *option = opaque;
	uint64_t value;

	if (!visit_type_uint64(v, name, &value, errp))
		return;
	if (value < option->min || value > option->max) {
		error_setg(errp,
			   "%s: 0x%" PRIx64 " is not from 0x%" PRIx64
			   " to 0x%" PRIx64,
			   name, value, option->min, option->max);
		return;
	}
	*option_at(obj, option) = value;
	x86_pmu_of(X86_CPU(obj))->set |=
		BIT_ULL(option->offset / sizeof(uint64_t));
}

static char *events_get(Object *obj, Error **errp)
{
	return g_strdup(x86_pmu_of(X86_CPU(obj))->config.events);
}

static void events_set(Object *obj, const char *value, Error **errp)
{
	struct x86_pmu *pmu = x86_pmu_of(X86_CPU(obj));

	g_free(pmu->config.events);
	pmu->config.events = g_strdup(value);
}

void x86_pmu_class_init(ObjectClass *oc)
{
	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		object_class_property_add(oc, options[i].name, "uint64",
					  option_get, option_set, NULL,
					  (void *)&options[i]);
	object_class_property_add_str(oc, "pmu-events", events_get, events_set);
}
