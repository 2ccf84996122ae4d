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
#include "pmu/arch_intel_names.h"
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

/*
 * Linux 6.12, whose names arch_intel_names.h has, does not know these cores: they have the names
 * of all models.
 */
static const struct pfm_arch_name cgc_names[] = { NAMES_END };
#define dkt_names	cgc_names

#define MODEL(name, rules, family_rules, shared, ref_code, metrics)    \
	static const struct pfmi_intel_model name = {                  \
		rules, family_rules, shared, name##_names, ref_code, metrics \
	}

MODEL(core, core_rules, NULL, nothing_shared, 0, 0);
MODEL(atom, no_rules, NULL, nothing_shared, 0, 0);
MODEL(nhm, nhm_rules, NULL, nhm_shared, 0, 0);
MODEL(wsm, wsm_rules, NULL, wsm_shared, 0, 0);
MODEL(snb, snb_rules, snb_to_bdw_rules, snb_shared, 0, 0);
MODEL(ivb, ivb_rules, snb_to_bdw_rules, snb_shared, 0, 0);
MODEL(hsw, hsw_rules, snb_to_bdw_rules, snb_shared, 0, 0);
MODEL(bdw, bdw_rules, snb_to_bdw_rules, snb_shared, 0, 0);
MODEL(skl, skl_rules, NULL, skl_shared, 0, 0);
MODEL(icl, icl_rules, NULL, skl_shared, 0, 4);
MODEL(glc, glc_rules, NULL, glc_shared, REF_TSC_P, 8);
MODEL(lnc, lnc_rules, NULL, lnc_shared, REF_TSC_P, 8);
MODEL(cgc, cgc_rules, NULL, cgc_shared, REF_TSC_P, 8);
MODEL(grt, grt_rules, NULL, grt_shared, REF_TSC_P, 0);
MODEL(dkt, no_rules, NULL, grt_shared, REF_TSC_P, 0);
MODEL(slm, no_rules, NULL, small_shared, 0, 0);
MODEL(glm, no_rules, NULL, small_shared, 0, 0);
MODEL(glp, no_rules, NULL, small_shared, 0, 0);
MODEL(tnt, no_rules, NULL, small_shared, 0, 0);
MODEL(knl, no_rules, NULL, small_shared, 0, 0);

const struct pfm_arch_name *const pfmi_intel_names = common_names;

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
	{ "slm", &slm },
	{ "glm", &glm },
	{ "tmt", &tnt },
	{ "knl", &knl },
	{ "knm", &knl },
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
	{ 0x7a, &glp },	/* Goldmont Plus */
	{ 0x86, &tnt },	/* Tremont */
	{ 0x8c, &icl },		/* Tiger Lake */
	{ 0x8d, &icl },
	{ 0x8f, &glc },		/* Sapphire Rapids */
	{ 0x96, &tnt },	/* Tremont */
	{ 0x97, &glc },		/* Alder Lake */
	{ 0x9a, &glc },
	{ 0x9c, &tnt },	/* Tremont */
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
	{ 0xcc, &cgc },		/* Panther Lake */
	{ 0xcf, &glc },		/* Emerald Rapids */
	{ 0xd5, &cgc },		/* Panther Lake */
	{ 0xdd, &dkt },		/* Clearwater Forest */
	{ 0xe5, &cgc },		/* Panther Lake */
};

const struct pfmi_intel_model *pfmi_intel_model_table(const char *table)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(tables); i++)
		if (!strcmp(tables[i].table, table))
			return tables[i].model;
	return NULL;
}

/* Names of the tables in events/. */
static const struct {
	const char *table;
	const struct pfmi_intel_model *model;
} vendor_tables[] = {
	{ "alderlake_goldencove", &glc },
	{ "alderlake_gracemont", &grt },
	{ "arrowlake_crestmont", &grt },
	{ "arrowlake_lioncove", &lnc },
	{ "arrowlake_skymont", &grt },
	{ "clearwaterforest", &dkt },
	{ "emeraldrapids", &glc },
	{ "grandridge", &grt },
	{ "graniterapids", &glc },
	{ "lunarlake_lioncove", &lnc },
	{ "lunarlake_skymont", &grt },
	{ "meteorlake_crestmont", &grt },
	{ "meteorlake_redwoodcove", &glc },
	{ "pantherlake_cougarcove", &cgc },
	{ "pantherlake_darkmont", &dkt },
	{ "sapphirerapids", &glc },
	{ "sierraforest", &grt },
};

const struct pfmi_intel_model *pfmi_intel_model_vendor(const char *table)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(vendor_tables); i++)
		if (!strcmp(vendor_tables[i].table, table))
			return vendor_tables[i].model;
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
