/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Differences between models of Intel processors.
 */
#ifndef PERFMON_PMU_ARCH_INTEL_H
#define PERFMON_PMU_ARCH_INTEL_H

#include "pmu/arch.h"

/* PMCs that are not the control of a counter. */
#define INTEL_PMC_OFFCORE_RSP_0	40
#define INTEL_PMC_OFFCORE_RSP_1	41
#define INTEL_PMC_FRONTEND	42
#define INTEL_PMC_LD_LAT	43

/**
 * struct pfmi_intel_rule - events that only some counters can count
 * @code: the events: their code in the bits of @mask, or the lowest such code
 * @last: the highest one
 * @mask: those bits; 0 ends a list
 * @counters: bit n: general-purpose counter n can count them
 */
struct pfmi_intel_rule {
	uint32_t code;
	uint32_t last;
	uint32_t mask;
	uint32_t counters;
};

/**
 * struct pfmi_intel_model - models whose events need the same registers
 * @rules: the first rule for an event is the one that holds; without one all
 *	general-purpose counters can count it
 * @family_rules: more of them, for events that are not in @rules; may be NULL
 * @shared: PMCs that events need beside the one of their counter
 * @names: the events that names of caches and of stalls stand for
 * @ref_code: code with which general-purpose counters count what fixed counter 2 counts;
 *	0: none
 * @metrics: fields of the register PERF_METRICS; 0: the model does not have it
 */
struct pfmi_intel_model {
	const struct pfmi_intel_rule *rules;
	const struct pfmi_intel_rule *family_rules;
	const struct pfm_arch_shared *shared;
	const struct pfm_arch_name *names;
	uint32_t ref_code;
	unsigned int metrics;
};

/* The events that generic names stand for on all models. */
extern const struct pfm_arch_name *const pfmi_intel_names;

/* The model with that table of libpfm4; NULL: unknown. */
const struct pfmi_intel_model *pfmi_intel_model_table(const char *table);

/* The model with that table of its vendor; NULL: unknown. */
const struct pfmi_intel_model *pfmi_intel_model_vendor(const char *table);

/* The model with that number in CPUID, family 6; NULL: unknown. */
const struct pfmi_intel_model *pfmi_intel_model_cpu(unsigned int model);

/* Counters that can count an event; bit n: general-purpose counter n. */
uint32_t pfmi_intel_counters(const struct pfmi_intel_model *model, uint64_t code);

/* Correct the code of an event that libpfm4 has wrong; @full as for take_encoding. */
void pfmi_intel_correct(struct pfm_event *event, const char *full);

#endif
