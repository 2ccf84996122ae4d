// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Intel's processor models: which general-purpose counters can count which event, and which
 * events need a second register.
 *
 * The rules of each model are in arch_intel_rules.h, which tools/metrics/intel-rules makes from
 * the event files that Intel publishes.
 */
#include "base/array.h"
#include "pmu/arch_intel.h"
#include "pmu/arch_x86.h"

#include <string.h>

/* A whole event, one unit mask of it, or the events from the first to the last. */
#define EVENT(event, counters)	{ event, event, EVTSEL_EVENT, counters }
#define UMASK(code, counters)	{ code, code, EVTSEL_EVENT | EVTSEL_UMASK, counters }
#define RANGE(first, last, counters)	{ first, last, EVTSEL_EVENT, counters }

#define ALL	UINT32_MAX	/* counters */
#define END	{ 0, 0, 0, 0 }

/*
 * Second registers: field MSRIndex of the event files.  An event of OFFCORE_RSP_0
 * has a twin of OFFCORE_RSP_1 on the big cores from Westmere on; on the small cores the
 * two registers take different values.
 */
#define SHARED(code, pmc, field, other, pebs)                            \
	{ code, EVTSEL_EVENT | EVTSEL_UMASK, INTEL_PMC_##pmc, field, other, \
	  pebs }
#define RSP_0(code, other)	SHARED(code, OFFCORE_RSP_0, "offcore_rsp", other, false)
#define RSP_1(code, other)	SHARED(code, OFFCORE_RSP_1, "offcore_rsp", other, false)
#define LD_LAT(code)		SHARED(code, LD_LAT, "ldlat", 0, true)
#define FRONTEND(code)		SHARED(code, FRONTEND, "frontend", 0, false)

#include "pmu/arch_intel_rules.h"

/*
 * CPU_CLK_UNHALTED.REF_TSC_P.  On other models this code counts at another frequency.  Source:
 * Linux.
 */
#define REF_TSC_P	0x013c

static const struct pfmi_intel_model core = { core_rules, NULL, nothing_shared, 0, 0 };
static const struct pfmi_intel_model atom = { no_rules, NULL, nothing_shared, 0, 0 };
static const struct pfmi_intel_model nhm = { nhm_rules, NULL, nhm_shared, 0, 0 };
static const struct pfmi_intel_model wsm = { wsm_rules, NULL, wsm_shared, 0, 0 };
static const struct pfmi_intel_model snb = { snb_rules, snb_to_bdw_rules, snb_shared, 0, 0 };
static const struct pfmi_intel_model ivb = { ivb_rules, snb_to_bdw_rules, snb_shared, 0, 0 };
static const struct pfmi_intel_model hsw = { hsw_rules, snb_to_bdw_rules, snb_shared, 0, 0 };
static const struct pfmi_intel_model bdw = { bdw_rules, snb_to_bdw_rules, snb_shared, 0, 0 };
static const struct pfmi_intel_model skl = { skl_rules, NULL, skl_shared, 0, 0 };
static const struct pfmi_intel_model icl = { icl_rules, NULL, skl_shared, 0, 4 };
static const struct pfmi_intel_model glc = { glc_rules, NULL, glc_shared, REF_TSC_P, 8 };
static const struct pfmi_intel_model lnc = { lnc_rules, NULL, lnc_shared, REF_TSC_P, 8 };
static const struct pfmi_intel_model grt = { grt_rules, NULL, grt_shared, REF_TSC_P, 0 };
static const struct pfmi_intel_model small = { no_rules, NULL, small_shared, 0, 0 };

/*
 * Names of libpfm4's tables, also of versions after 4.13.  Those of Alder Lake are not here:
 * the library does not program each kind of core by itself yet.
 */
static const struct {
	const char *table;
	const struct pfmi_intel_model *model;
} tables[] = {
	{ "core", &core },
	{ "atom", &atom },
	{ "nhm", &nhm },
	{ "nhm_ex", &nhm },
	{ "wsm", &wsm },
	{ "wsm_dp", &wsm },
	{ "snb", &snb },
	{ "snb_ep", &snb },
	{ "ivb", &ivb },
	{ "ivb_ep", &ivb },
	{ "hsw", &hsw },
	{ "hsw_ep", &hsw },
	{ "bdw", &bdw },
	{ "bdw_ep", &bdw },
	{ "skl", &skl },
	{ "skx", &skl },
	{ "clx", &skl },
	{ "icl", &icl },
	{ "icx", &icl },
	{ "spr", &glc },
	{ "emr", &glc },
	{ "gnr", &glc },
	{ "slm", &small },
	{ "glm", &small },
	{ "tmt", &small },
	{ "knl", &small },
	{ "knm", &small },
};

/*
 * Models that libpfm4 4.13 may not know.  Alder Lake and what follows it for clients have two
 * kinds of cores; their rules are those of the P-cores until each kind is programmed by
 * itself.
 */
static const struct {
	unsigned int model;
	const struct pfmi_intel_model *cores;
} cpus[] = {
	{ 0x7a, &small },	/* Goldmont Plus */
	{ 0x86, &small },	/* Tremont */
	{ 0x8c, &icl },		/* Tiger Lake */
	{ 0x8d, &icl },
	{ 0x8f, &glc },		/* Sapphire Rapids */
	{ 0x96, &small },	/* Tremont */
	{ 0x97, &glc },		/* Alder Lake */
	{ 0x9a, &glc },
	{ 0x9c, &small },	/* Tremont */
	{ 0xa5, &skl },		/* Comet Lake */
	{ 0xa6, &skl },
	{ 0xa7, &icl },		/* Rocket Lake */
	{ 0xaa, &glc },		/* Meteor Lake */
	{ 0xac, &glc },
	{ 0xad, &glc },		/* Granite Rapids */
	{ 0xae, &glc },
	{ 0xaf, &grt },		/* Sierra Forest */
	{ 0xb6, &grt },		/* Grand Ridge */
	{ 0xb7, &glc },		/* Raptor Lake */
	{ 0xba, &glc },
	{ 0xbd, &lnc },		/* Lunar Lake */
	{ 0xbe, &grt },		/* Alder Lake-N */
	{ 0xbf, &glc },		/* Raptor Lake */
	{ 0xc5, &lnc },		/* Arrow Lake */
	{ 0xc6, &lnc },
	{ 0xcf, &glc },		/* Emerald Rapids */
};

const struct pfmi_intel_model *pfmi_intel_model_table(const char *table)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(tables); i++)
		if (!strcmp(tables[i].table, table))
			return tables[i].model;
	return NULL;
}

const struct pfmi_intel_model *pfmi_intel_model_cpu(unsigned int model)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cpus); i++)
		if (cpus[i].model == model)
			return cpus[i].cores;
	return NULL;
}

static const struct pfmi_intel_rule *find(const struct pfmi_intel_rule *rules,
					  uint64_t code)
{
	for (; rules->mask; rules++)
		if ((code & rules->mask) >= rules->code &&
		    (code & rules->mask) <= rules->last)
			return rules;
	return NULL;
}

uint32_t pfmi_intel_counters(const struct pfmi_intel_model *model, uint64_t code)
{
	const struct pfmi_intel_rule *rule = NULL;

	if (model)
		rule = find(model->rules, code);
	if (model && !rule && model->family_rules)
		rule = find(model->family_rules, code);
	return rule ? rule->counters : UINT32_MAX;
}
