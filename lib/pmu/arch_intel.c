// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Intel core counters: general-purpose counters, which count any event but for the
 * exceptions of the model, and fixed counters for one event each.
 *
 * The library programs one kind of core.  On a processor with several kinds (hybrid), the
 * kernel's register map and the table of libpfm4 have to be chosen for each kind: the
 * place is current_model(), which knows one model today.
 */
#include "pmu/arch_intel.h"

#include "base/text.h"
#include "pmu/arch_x86.h"
#include "pmu/tables.h"
#include "pmu/vendor.h"

#include <pthread.h>
#include <string.h>

#define CODE_BITS	(EVTSEL_COMMON | EVTSEL_ANY | EVTSEL_IN_TX | EVTSEL_IN_TXCP)

/* PMC and PMD numbers of the fixed counters. */
#define FIXED_FIRST	32
#define FIXED_LAST	39

/*
 * PMDs of the register PERF_METRICS: the slots of each field, and all slots.  Fixed counter 3
 * counts for them, and its PMC controls them.
 */
#define METRIC_FIRST	40
#define METRIC_FIELDS	8
#define METRIC_SLOTS	(METRIC_FIRST + METRIC_FIELDS)
#define SLOTS_COUNTER	(FIXED_FIRST + 3)

/* Control of a fixed counter: its field of IA32_FIXED_CTR_CTRL, without PMI. */
#define FIXED_OS	(1ULL << 0)
#define FIXED_USR	(1ULL << 1)
#define FIXED_ANY	(1ULL << 2)

#define EVENT_CYCLES		0x003c
#define EVENT_INSTRUCTIONS	0x00c0
#define EVENT_REF_CYCLES	0x0300
#define EVENT_SLOTS		0x0400
/* That of the first field, and what the next one's has more; perf has the same codes. */
#define EVENT_METRIC		0x8000
#define EVENT_METRIC_STEP	0x0100

/*
 * The table's name is known once libpfm4 has found the processor, or was told which one to
 * assume; neither changes while a program runs.
 */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static const struct pfmi_intel_model *current;

/*
 * libpfm4 has the table ix86arch, of architectural events only, for processors that it
 * does not know.  Raw codes can select the other events of these processors, too.
 */
static void find_model(void)
{
	const char *table = pfmi_tables_name(&pfmi_arch_intel);
	const char *forced = pfmi_vendor_forced();
	struct pfmi_x86_cpu cpu;

	if (forced)
		current = pfmi_intel_model_vendor(forced);
	if (current)
		return;
	if (table)
		current = pfmi_intel_model_table(table);
	if (current)
		return;
	pfmi_x86_cpu(&cpu);
	if (!strcmp(cpu.vendor, "GenuineIntel") && cpu.family == 6)
		current = pfmi_intel_model_cpu(cpu.model);
}

/* NULL: unknown, so no exceptions are known. */
static const struct pfmi_intel_model *current_model(void)
{
	pthread_once(&once, find_model);
	return current;
}

/* Fields of PERF_METRICS; 0: the processor lacks it. */
static unsigned int metrics(void)
{
	const struct pfmi_intel_model *model = current_model();

	return model ? model->metrics : 0;
}

static bool intel_owns_table(const char *table)
{
	return !strcmp(table, "ix86arch") || pfmi_intel_model_table(table);
}

static void intel_take_encoding(struct pfm_event *event, const uint64_t *codes,
				int count, const char *full)
{
	event->code = codes[0] & CODE_BITS;
	if (full)
		pfmi_intel_correct(event, full);
	/* Some codes are those of a second register on other models only. */
	if (count < 2 || !pfmi_arch_shared(&pfmi_arch_intel, event->code))
		return;
	event->flags |= PFM_EVENTF_EXTRA;
	event->extra = codes[1];
}

static uint64_t intel_table_code(uint64_t code)
{
	return code & EVTSEL_EVENT;
}

/* Names of slots, by the number of fields of PERF_METRICS. */
static const struct pfm_arch_name *metric_names(void)
{
#define METRIC(name, field) \
	{ PFMI_GENERIC_TOPDOWN_##name, EVENT_METRIC + (field) * EVENT_METRIC_STEP, 0 }
#define FOUR_METRICS                                      \
	{ PFMI_GENERIC_SLOTS, EVENT_SLOTS, 0 },           \
	METRIC(RETIRING, 0), METRIC(BAD_SPEC, 1),         \
	METRIC(FE_BOUND, 2), METRIC(BE_BOUND, 3)
	static const struct pfm_arch_name four[] = {
		FOUR_METRICS,
		{ PFMI_GENERICS, 0, 0 },
	};
	static const struct pfm_arch_name eight[] = {
		FOUR_METRICS,
		METRIC(HEAVY_OPS, 4),
		METRIC(BR_MISPREDICT, 5),
		METRIC(FETCH_LAT, 6),
		METRIC(MEM_BOUND, 7),
		{ PFMI_GENERICS, 0, 0 },
	};

	switch (metrics()) {
	case 8:
		return eight;
	case 4:
		return four;
	default:
		return NULL;
	}
}

static const struct pfm_arch_name *intel_names(unsigned int i)
{
	const struct pfmi_intel_model *model = current_model();

	/* Of a model that is not known only the architectural events are. */
	if (!i)
		return pfmi_intel_names;
	if (!model)
		return NULL;
	return i == 1 ? model->names : i == 2 ? metric_names() : NULL;
}

/* offcore_rsp=, frontend= or ldlat=, as perf calls the second register. */
static bool take_extra(struct pfm_event *event, const char *field)
{
	const struct pfm_arch_shared *shared =
		pfmi_arch_shared(&pfmi_arch_intel, event->code);
	size_t length = strcspn(field, "=");

	if (!shared || !field[length] || length != strlen(shared->field) ||
	    strncmp(field, shared->field, length))
		return false;
	event->flags |= PFM_EVENTF_EXTRA;
	return pfmi_text_number(field + length + 1, &event->extra);
}

static bool intel_modifier(struct pfm_event *event, const char *field)
{
	static const struct pfmi_x86_modifier list[] = {
		{ "t", EVTSEL_ANY },
		{ "intx", EVTSEL_IN_TX },
		{ "intxcp", EVTSEL_IN_TXCP },
		{ 0 }
	};

	return pfmi_x86_modifier(event, field, list) || take_extra(event, field);
}

static const struct pfm_arch_term terms[] = {
	{ "event", EVTSEL_EVENT, 0 },
	{ "umask", EVTSEL_UMASK, 0 },
	{ "cmask", EVTSEL_CMASK, 0 },
	{ "inv", EVTSEL_INV, 0 },
	{ "edge", EVTSEL_EDGE, 0 },
	{ "any", EVTSEL_ANY, 0 },
	{ "in_tx", EVTSEL_IN_TX, 0 },
	{ "in_tx_cp", EVTSEL_IN_TXCP, 0 },
	{ 0 }
};

static bool intel_take_register(struct pfm_event *event, uint64_t value)
{
	return pfmi_x86_take_register(event, value, CODE_BITS);
}

static bool intel_fixed(const struct pfm_reg_info *pmd)
{
	return pmd->num >= FIXED_FIRST && pmd->num <= FIXED_LAST;
}

static bool intel_metric(const struct pfm_reg_info *pmd)
{
	return pmd->num >= METRIC_FIRST && pmd->num <= METRIC_SLOTS;
}

static uint64_t metric_code(unsigned int num)
{
	if (num == METRIC_SLOTS)
		return EVENT_SLOTS;
	return EVENT_METRIC + (num - METRIC_FIRST) * EVENT_METRIC_STEP;
}

static bool is_metric(const struct pfm_event *event)
{
	return event->kind == PFM_EVENT_HARDWARE &&
	       !(event->code & ~(uint64_t)EVTSEL_UMASK) &&
	       event->code >= EVENT_METRIC &&
	       event->code < EVENT_METRIC + METRIC_FIELDS * EVENT_METRIC_STEP;
}

/*
 * Beside the fields fixed counter 3 counts for these: slots are then those of PERF_METRICS.
 * Without them they are the counter's, which can sample.
 */
static bool intel_excluded(const struct pfm_event *events, unsigned int count,
			   const struct pfm_reg_info *pmd)
{
	unsigned int i;

	for (i = 0; i < count && !is_metric(&events[i]); i++)
		;
	return pmd->num == (i < count ? SLOTS_COUNTER : METRIC_SLOTS);
}

static uint32_t ref_code(void)
{
	const struct pfmi_intel_model *model = current_model();

	return model ? model->ref_code : 0;
}

/* The code with which a general-purpose counter counts the event. */
static uint64_t general_code(uint64_t code)
{
	return code == EVENT_REF_CYCLES && ref_code() ? ref_code() : code;
}

/*
 * libpfm4 and perf write the event of fixed counter n as event 0, unit mask n + 1; no
 * other counter has that code.
 */
static bool intel_fixed_only(const struct pfm_event *event)
{
	const uint64_t code = general_code(event->code);

	return !(code & EVTSEL_EVENT) && (code & EVTSEL_UMASK);
}

/* A fixed counter has no edge, inv, cmask and transaction bits. */
static bool fixed_counts(unsigned int fixed, uint64_t code)
{
	code &= ~EVTSEL_ANY;
	if (code == (uint64_t)(fixed + 1) << 8)
		return true;
	return (fixed == 0 && code == EVENT_INSTRUCTIONS) ||
	       (fixed == 1 && code == EVENT_CYCLES) ||
	       (fixed == 2 && ref_code() && code == ref_code());
}

static enum pfm_arch_fit intel_fit(const struct pfm_event *event,
				   const struct pfm_reg_info *pmd)
{
	if (intel_fixed(pmd))
		return fixed_counts(pmd->num - FIXED_FIRST, event->code) ?
			       PFM_FIT_PREFERRED :
			       PFM_FIT_NONE;
	if (intel_metric(pmd))
		return event->code == metric_code(pmd->num) ? PFM_FIT_PREFERRED :
							      PFM_FIT_NONE;
	if (pmd->num >= FIXED_FIRST || intel_fixed_only(event))
		return PFM_FIT_NONE;
	return pfmi_intel_counters(current_model(), general_code(event->code)) >>
				       pmd->num & 1 ?
		       PFM_FIT_OK :
		       PFM_FIT_NONE;
}

static const struct pfm_arch_shared *intel_shared(void)
{
	static const struct pfm_arch_shared none[] = { { 0 } };
	const struct pfmi_intel_model *model = current_model();

	return model ? model->shared : none;
}

static uint64_t intel_encode(const struct pfm_event *event,
			     const struct pfm_reg_info *pmd)
{
	uint64_t value = 0;

	if (pmd->num < FIXED_FIRST)
		return general_code(event->code) | pfmi_x86_levels(event);
	if (event->plm & PFM_PLM_USER)
		value |= FIXED_USR;
	if (event->plm & PFM_PLM_KERNEL)
		value |= FIXED_OS;
	if (event->code & EVTSEL_ANY)
		value |= FIXED_ANY;
	return value;
}

const struct pfm_arch_ops pfmi_arch_intel = {
	.name = "intel",
	.levels = PFM_PLM_USER | PFM_PLM_KERNEL,
	.code_bits = CODE_BITS,
	.events = pfmi_intel_events,
	.names = intel_names,
	.owns_table = intel_owns_table,
	.take_encoding = intel_take_encoding,
	.table_code = intel_table_code,
	.modifier = intel_modifier,
	.terms = terms,
	.take_register = intel_take_register,
	.fixed = intel_fixed,
	.fixed_only = intel_fixed_only,
	.excluded = intel_excluded,
	.fit = intel_fit,
	.shared = intel_shared,
	.encode = intel_encode,
};
