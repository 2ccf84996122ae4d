// SPDX-License-Identifier: GPL-2.0-only
/*
 * x86 PMU for QEMU's TCG: how often events happen.
 *
 * Instructions are what has been executed. Everything else is synthetic: an event has a rate
 * a thousand instructions or cycles, spread evenly. The user's rules, in the option
 * pmu-events, come before the processor's own:
 *
 *     EVENT[/MASK][@RESPONSE]:RATE[c][;...]
 *
 * EVENT is the event selector's value in the bits of MASK (event and umask), both hexadecimal.
 * With RESPONSE the rule is for an offcore response register that has any of these bits. RATE
 * is decimal, 'c' makes it that of cycles. A rule whose MASK has bits of CMASK, INV or EDGE
 * gives the rate with these already applied.
 */

#include "pmu.h"
#include "qemu/cutils.h"

#define CODE	   (EVTSEL_CODE | EVTSEL_CODE_HIGH)
#define EVENT_ONLY (CODE & ~0xff00ULL)

/* Rates that stand for the options pmu-cycles, pmu-ref-cycles and pmu-slots */
#define CYCLES	   (UINT64_MAX - 1)
#define REF_CYCLES (UINT64_MAX - 2)
#define SLOTS	   (UINT64_MAX - 3)

/* The architectural events: Intel's manual, volume 3, "Pre-defined Architectural Events". */
const struct x86_pmu_event x86_pmu_intel_events[] = {
	{ .value = 0x003c, .mask = CODE, .rate = CYCLES },
	{ .value = 0x00c0, .mask = CODE, .rate = X86_PMU_THOUSAND },
	{ .value = 0x013c, .mask = CODE, .rate = REF_CYCLES },
	{ .value = 0x4f2e, .mask = CODE, .rate = 20 },
	{ .value = 0x412e, .mask = CODE, .rate = 4 },
	{ .value = 0x00c4, .mask = CODE, .rate = 200 },
	{ .value = 0x00c5, .mask = CODE, .rate = 5 },
	{ .value = 0x01a4, .mask = CODE, .rate = SLOTS },
	{}
};

/* What the generic events of the kernel are on the processors of AMD. */
const struct x86_pmu_event x86_pmu_amd_events[] = {
	{ .value = 0x0076, .mask = EVENT_ONLY, .rate = CYCLES },
	{ .value = 0x00c0, .mask = EVENT_ONLY, .rate = X86_PMU_THOUSAND },
	{ .value = 0xff60,
	  .mask = CODE,
	  .rate = 20 }, /* cache references, family 17h on */
	{ .value = 0x0964, .mask = CODE, .rate = 4 }, /* misses */
	{ .value = 0x077d, .mask = CODE, .rate = 20 }, /* before family 17h */
	{ .value = 0x077e, .mask = CODE, .rate = 4 },
	{ .value = 0x00c2, .mask = EVENT_ONLY, .rate = 200 },
	{ .value = 0x00c3, .mask = EVENT_ONLY, .rate = 5 },
	{}
};

static bool parse_hex(const char **at, uint64_t *value)
{
	return !qemu_strtou64(*at, at, 16, value);
}

static bool parse_rule(const char *text, struct x86_pmu_event *rule)
{
	const char *at = text;

	*rule = (struct x86_pmu_event){ .mask = CODE };
	if (!parse_hex(&at, &rule->value))
		return false;
	if (*at == '/') {
		at++;
		if (!parse_hex(&at, &rule->mask))
			return false;
	}
	if (*at == '@') {
		at++;
		if (!parse_hex(&at, &rule->response))
			return false;
	}
	if (*at++ != ':' || qemu_strtou64(at, &at, 10, &rule->rate))
		return false;
	rule->of_cycles = *at == 'c';
	at += rule->of_cycles;
	return !*at && !(rule->value & ~rule->mask) && rule->rate <= UINT32_MAX;
}

bool x86_pmu_events_init(struct x86_pmu *pmu,
			 const struct x86_pmu_event *defaults, Error **errp)
{
	g_auto(GStrv) texts = g_strsplit(pmu->config.events ?: "", ";", -1);
	struct x86_pmu_event rule;

	pmu->events = g_array_new(false, false, sizeof(rule));
	for (char **text = texts; *text; text++) {
		if (!**text)
			continue;
		if (!parse_rule(*text, &rule)) {
			error_setg(errp,
				   "pmu-events: no rule '%s'; one is "
				   "EVENT[/MASK][@RESPONSE]:RATE[c]",
				   *text);
			return false;
		}
		g_array_append_val(pmu->events, rule);
	}
	for (; defaults->mask; defaults++)
		g_array_append_val(pmu->events, *defaults);
	return true;
}

static bool matches(const struct x86_pmu_event *rule, uint64_t evtsel,
		    uint64_t response)
{
	return (evtsel & rule->mask) == rule->value &&
	       (!rule->response || (rule->response & response));
}

static uint64_t rate_of(struct x86_pmu *pmu, const struct x86_pmu_event *rule)
{
	switch (rule->rate) {
	case CYCLES:
		return pmu->config.cycles;
	case REF_CYCLES:
		return pmu->config.ref_cycles;
	case SLOTS:
		return pmu->config.cycles * pmu->config.slots;
	}
	return rule->of_cycles
		       ? rule->rate * pmu->config.cycles / X86_PMU_THOUSAND
		       : rule->rate;
}

static const struct x86_pmu_event *
find_rule(struct x86_pmu *pmu, uint64_t evtsel, uint64_t response)
{
	for (guint i = 0; i < pmu->events->len; i++) {
		struct x86_pmu_event *rule =
			&g_array_index(pmu->events, struct x86_pmu_event, i);

		if (matches(rule, evtsel, response))
			return rule;
	}
	return NULL;
}

/*
 * Cycles, of a thousand instructions, in which the event happens at least so many times. As
 * events are spread evenly each cycle has the average, rounded down or up.
 */
static uint64_t cycles_of(struct x86_pmu *pmu, uint64_t rate,
			  uint64_t threshold)
{
	uint64_t cycles = pmu->config.cycles;
	uint64_t average = rate / cycles;

	if (threshold <= average)
		return cycles;
	return threshold == average + 1 ? rate % cycles : 0;
}

uint64_t x86_pmu_rate(struct x86_pmu *pmu, uint64_t evtsel, uint64_t response)
{
	uint64_t threshold = extract64(evtsel, 24, 8);
	const struct x86_pmu_event *rule = find_rule(pmu, evtsel, response);
	uint64_t rate = rule ? rate_of(pmu, rule) : 0;
	uint64_t cycles = pmu->config.cycles;

	if (!threshold && !(evtsel & EVTSEL_EDGE))
		return rate;
	if (rule && rule->mask & (EVTSEL_CMASK | EVTSEL_INV | EVTSEL_EDGE))
		return rate;
	rate = cycles_of(pmu, rate, threshold ?: 1);
	if (threshold && (evtsel & EVTSEL_INV))
		rate = cycles - rate;
	/* Where the condition holds in few cycles each is on its own; otherwise each gap is. */
	return evtsel & EVTSEL_EDGE ? MIN(rate, cycles - rate) : rate;
}
