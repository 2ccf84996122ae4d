// SPDX-License-Identifier: GPL-2.0-only
/*
 * Synthetic events of Arm's PMU for QEMU's TCG: the options of -cpu, properties of the CPU in
 * QEMU's words.
 *
 *     pmu-events=EVENT:N[/D][c][;...]
 *     pmu-slots=N
 *     pmu-lesser=BITMAP
 *     pmu-model=on|off
 *
 * EVENT is PMEVTYPER's evtCount, hexadecimal. N / D (decimal, D is 1 without it) is the number
 * of events in a thousand instructions or, with 'c', cycles.
 */

#include "pmu.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "qemu/cutils.h"
#include "system/cpu-timers.h"

#define THOUSAND 1000
#define N_MAX	 UINT32_MAX
#define D_MAX	 1000000

#define SLOTS_MAX 255 /* PMMIR_EL1.SLOTS has 8 bits */

struct arm_pmu *arm_pmu_of(ARMCPU *cpu)
{
	if (!cpu->synthetic)
		cpu->synthetic = g_new0(struct arm_pmu, 1);
	return cpu->synthetic;
}

/* QEMU counts these itself, exactly; and PMEVTYPER has no rate for a chain of counters. */
static bool is_real(uint64_t event)
{
	return event == 0x00 /* SW_INCR */ ||
	       event == 0x08 /* INST_RETIRED */ ||
	       event == 0x11 /* CPU_CYCLES */ || event == 0x1e /* CHAIN */;
}

static bool parse_rule(const char *at, struct arm_pmu_rule *rule)
{
	uint64_t event, divisor = 1;

	if (qemu_strtou64(at, &at, 16, &event) || event > UINT16_MAX ||
	    is_real(event) || *at++ != ':')
		return false;
	rule->event = event;
	if (qemu_strtou64(at, &at, 10, &rule->n) || rule->n > N_MAX)
		return false;
	if (*at == '/') {
		at++;
		if (qemu_strtou64(at, &at, 10, &divisor) || !divisor ||
		    divisor > D_MAX)
			return false;
	}
	rule->d = divisor * THOUSAND;
	rule->base = ARM_PMU_INSTRUCTIONS;
	if (*at == 'c') {
		at++;
		rule->base = ARM_PMU_CYCLES;
	}
	return !*at;
}

static char *events_get(Object *obj, Error **errp)
{
	return g_strdup(arm_pmu_of(ARM_CPU(obj))->events);
}

static void events_set(Object *obj, const char *value, Error **errp)
{
	struct arm_pmu *pmu = arm_pmu_of(ARM_CPU(obj));
	g_auto(GStrv) texts = g_strsplit(value, ";", -1);

	if (icount_enabled() != ICOUNT_PRECISE) {
		error_setg(errp, "pmu-events: rates are of instructions, which "
				 "are counted with -icount shift=N only");
		return;
	}
	g_free(pmu->events);
	pmu->events = g_strdup(value);
	pmu->n_rules = 0;
	for (char **text = texts; *text; text++) {
		if (!**text)
			continue;
		if (pmu->n_rules == ARM_PMU_RULES) {
			error_setg(errp,
				   "pmu-events: there are more than %d rules",
				   ARM_PMU_RULES);
			return;
		}
		if (!parse_rule(*text, &pmu->rules[pmu->n_rules])) {
			error_setg(
				errp,
				"pmu-events: no rule '%s'; one is EVENT:N[/D][c], "
				"for other events than 0, 8, 11 and 1e",
				*text);
			return;
		}
		pmu->n_rules++;
	}
}

static void slots_get(Object *obj, Visitor *v, const char *name, void *opaque,
		      Error **errp)
{
	visit_type_uint64(v, name, &arm_pmu_of(ARM_CPU(obj))->slots, errp);
}

static void slots_set(Object *obj, Visitor *v, const char *name, void *opaque,
		      Error **errp)
{
	uint64_t value;

	if (!visit_type_uint64(v, name, &value, errp))
		return;
	if (value > SLOTS_MAX) {
		error_setg(errp, "%s: %" PRIu64 " is not from 0 to %d", name,
			   value, SLOTS_MAX);
		return;
	}
	arm_pmu_of(ARM_CPU(obj))->slots = value;
}

static void lesser_get(Object *obj, Visitor *v, const char *name, void *opaque,
		       Error **errp)
{
	visit_type_uint64(v, name, &arm_pmu_of(ARM_CPU(obj))->lesser, errp);
}

static void lesser_set(Object *obj, Visitor *v, const char *name, void *opaque,
		       Error **errp)
{
	visit_type_uint64(v, name, &arm_pmu_of(ARM_CPU(obj))->lesser, errp);
}

static bool model_get(Object *obj, Error **errp)
{
	return arm_pmu_of(ARM_CPU(obj))->model;
}

static void model_set(Object *obj, bool value, Error **errp)
{
	struct arm_pmu *pmu = arm_pmu_of(ARM_CPU(obj));

	if (value && icount_enabled() != ICOUNT_PRECISE) {
		error_setg(errp, "pmu-model: cycles follow from instructions, "
				 "which are counted with -icount shift=N only");
		return;
	}
	if (value && !pmu->model)
		pmu->model = arm_model_new();
}

void arm_pmu_class_init(ObjectClass *oc)
{
	object_class_property_add_str(oc, "pmu-events", events_get, events_set);
	object_class_property_add(oc, "pmu-slots", "uint64", slots_get,
				  slots_set, NULL, NULL);
	object_class_property_add(oc, "pmu-lesser", "uint64", lesser_get,
				  lesser_set, NULL, NULL);
	object_class_property_add_bool(oc, "pmu-model", model_get, model_set);
}
