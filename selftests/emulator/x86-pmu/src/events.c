// SPDX-License-Identifier: GPL-2.0-only
/*
 * x86 PMU for QEMU's TCG: how often events happen.
 *
 * Instructions are what has been executed. Everything else is synthetic: an event has a rate
 * of instructions or cycles, spread evenly. The user's rules, in the option pmu-events, come
 * before the processor's own:
 *
 *     EVENT[/MASK][@RESPONSE]:N[/D][c][;...]
 *
 * EVENT is the event selector's value in the bits of MASK (event and umask), both hexadecimal.
 * With RESPONSE the rule is for an event whose second register (offcore response, load latency
 * or front end) has any of these bits. N / D (decimal, D is 1 without it) is the number in a
 * thousand instructions or, with 'c', cycles. A rule whose MASK has bits of CMASK, INV or EDGE
 * gives the rate with these already applied.
 */

#include "pmu.h"
#include "qemu/cutils.h"

#define CODE	   (EVTSEL_CODE | EVTSEL_CODE_HIGH)
#define EVENT_ONLY (CODE & ~0xff00ULL)

#define N_MAX UINT32_MAX
#define D_MAX 1000000

#define PER_THOUSAND(number)               \
	{                                  \
		(number), X86_PMU_THOUSAND \
	}
/* Rates that stand for the options pmu-cycles, pmu-ref-cycles and pmu-slots */
#define CYCLES	   (UINT64_MAX - 1)
#define REF_CYCLES (UINT64_MAX - 2)
#define SLOTS	   (UINT64_MAX - 3)

/* The architectural events: Intel's manual, volume 3, "Pre-defined Architectural Events". */
const struct x86_pmu_event x86_pmu_intel_events[] = {
	{ .value = 0x003c, .mask = CODE, .rate = PER_THOUSAND(CYCLES) },
	{ .value = 0x00c0,
	  .mask = CODE,
	  .rate = PER_THOUSAND(X86_PMU_THOUSAND) },
	{ .value = 0x013c, .mask = CODE, .rate = PER_THOUSAND(REF_CYCLES) },
	{ .value = 0x4f2e, .mask = CODE, .rate = PER_THOUSAND(20) },
	{ .value = 0x412e, .mask = CODE, .rate = PER_THOUSAND(4) },
	{ .value = 0x00c4, .mask = CODE, .rate = PER_THOUSAND(200) },
	{ .value = 0x00c5, .mask = CODE, .rate = PER_THOUSAND(5) },
	{ .value = 0x01a4, .mask = CODE, .rate = PER_THOUSAND(SLOTS) },
	{}
};

/* The kernel's generic events on the processors of AMD. */
const struct x86_pmu_event x86_pmu_amd_events[] = {
	{ .value = 0x0076, .mask = EVENT_ONLY, .rate = PER_THOUSAND(CYCLES) },
	{ .value = 0x00c0,
	  .mask = EVENT_ONLY,
	  .rate = PER_THOUSAND(X86_PMU_THOUSAND) },
	{ .value = 0xff60,
	  .mask = CODE,
	  .rate = PER_THOUSAND(20) }, /* cache references, family 17h on */
	{ .value = 0x0964, .mask = CODE, .rate = PER_THOUSAND(4) }, /* misses */
	{ .value = 0x077d,
	  .mask = CODE,
	  .rate = PER_THOUSAND(20) }, /* before family 17h */
	{ .value = 0x077e, .mask = CODE, .rate = PER_THOUSAND(4) },
	{ .value = 0x00c2, .mask = EVENT_ONLY, .rate = PER_THOUSAND(200) },
	{ .value = 0x00c3, .mask = EVENT_ONLY, .rate = PER_THOUSAND(5) },
	{}
};

static bool parse_hex(const char **at, uint64_t *value)
{
	return !qemu_strtou64(*at, at, 16, value);
}

static bool parse_rate(const char **at, struct x86_pmu_rate *rate)
{
	uint64_t divisor = 1;

	if (qemu_strtou64(*at, at, 10, &rate->n))
		return false;
	if (**at == '/') {
		(*at)++;
		if (qemu_strtou64(*at, at, 10, &divisor))
			return false;
	}
	rate->d = X86_PMU_THOUSAND * divisor;
	return rate->n <= N_MAX && divisor > 0 && divisor <= D_MAX;
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
	if (*at++ != ':' || !parse_rate(&at, &rule->rate))
		return false;
	rule->of_cycles = *at == 'c';
	at += rule->of_cycles;
	return !*at && !(rule->value & ~rule->mask);
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
				   "EVENT[/MASK][@RESPONSE]:N[/D][c]",
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

static struct x86_pmu_rate rate_of(struct x86_pmu *pmu,
				   const struct x86_pmu_event *rule)
{
	struct x86_pmu_rate rate = rule->rate;

	switch (rate.n) {
	case CYCLES:
		rate.n = pmu->config.cycles;
		break;
	case REF_CYCLES:
		rate.n = pmu->config.ref_cycles;
		break;
	case SLOTS:
		rate.n = pmu->config.cycles * pmu->config.slots;
		break;
	}
	if (rule->of_cycles) {
		rate.n *= pmu->config.cycles;
		rate.d *= X86_PMU_THOUSAND;
	}
	return rate;
}

static const struct x86_pmu_event *find_rule(struct x86_pmu *pmu,
					     uint64_t evtsel, uint64_t response)
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
 * The cycles in which the event happens at least so many times. As events are spread evenly
 * each cycle has the average, rounded down or up. Events, all cycles and the result are in
 * units of the same fraction of an instruction.
 */
static uint64_t cycles_of(uint64_t events, uint64_t cycles, uint64_t threshold)
{
	uint64_t average = events / cycles;

	if (threshold <= average)
		return cycles;
	return threshold == average + 1 ? events % cycles : 0;
}

/* The products fit: see the limits of rules and of the option pmu-cycles. */
static struct x86_pmu_rate threshold_rate(struct x86_pmu *pmu, uint64_t evtsel,
					  struct x86_pmu_rate rate)
{
	uint64_t threshold = extract64(evtsel, 24, 8);
	uint64_t cycles = pmu->config.cycles * rate.d;
	uint64_t n =
		cycles_of(rate.n * X86_PMU_THOUSAND, cycles, threshold ?: 1);

	if (threshold && (evtsel & EVTSEL_INV))
		n = cycles - n;
	/* Where the condition holds in few cycles each is on its own; otherwise each gap is. */
	if (evtsel & EVTSEL_EDGE)
		n = MIN(n, cycles - n);
	return (struct x86_pmu_rate){ n, rate.d * X86_PMU_THOUSAND };
}

struct x86_pmu_rate x86_pmu_event_rate(struct x86_pmu *pmu, uint64_t evtsel,
				       uint64_t response)
{
	const struct x86_pmu_event *rule = find_rule(pmu, evtsel, response);
	struct x86_pmu_rate rate = PER_THOUSAND(0);

	if (rule)
		rate = rate_of(pmu, rule);
	if (!(evtsel & (EVTSEL_CMASK | EVTSEL_EDGE)))
		return rate;
	if (rule && rule->mask & (EVTSEL_CMASK | EVTSEL_INV | EVTSEL_EDGE))
		return rate;
	return threshold_rate(pmu, evtsel, rate);
}
