// SPDX-License-Identifier: GPL-2.0-only
/*
 * Synthetic events of Arm's PMU for QEMU's TCG: how often they have happened, and when a
 * counter of them overflows.
 *
 * An event with a rate happens at instructions, or cycles, that are fixed by their number at
 * the CPU's exception level: floor(i * rate) have happened by the i-th. So a counter of user
 * code is not changed by how much the kernel executes in between, all counters of one event
 * agree, and counts of parts add up to that of the whole.
 */

#include "pmu.h"
#include "qemu/error-report.h"
#include "qemu/timer.h"
#include "system/cpu-timers.h"

#define ICOUNT_SHIFT_MAX 10 /* of QEMU's option -icount */

static const struct arm_pmu_rule *find_rule(struct arm_pmu *pmu, uint16_t event)
{
	for (unsigned int i = 0; pmu && i < pmu->n_rules; i++)
		if (pmu->rules[i].event == event)
			return &pmu->rules[i];
	return NULL;
}

/* Both products fit: the instructions of a CPU do not reach 2^62. */
static uint64_t events_by(const struct arm_pmu_rule *rule, uint64_t executed)
{
	return (unsigned __int128)executed * rule->n / rule->d;
}

/* The CPU has been at its exception level since the last call. */
static void advance(ARMCPU *cpu)
{
	uint64_t now[ARM_PMU_BASES] = {
		[ARM_PMU_INSTRUCTIONS] = icount_get_raw(),
		/* PMCCNTR and CPU_CYCLES count these nanoseconds as well. */
		[ARM_PMU_CYCLES] = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL),
	};
	struct arm_pmu *pmu = cpu->synthetic;
	int level = arm_current_el(&cpu->env);

	for (int base = 0; base < ARM_PMU_BASES; base++) {
		pmu->executed[base][level] += now[base] - pmu->last_of[base];
		pmu->last_of[base] = now[base];
	}
}

static void pre_el_change(ARMCPU *cpu, void *unused)
{
	advance(cpu);
}

/* The bit of PMCEID, if it has one for the event. */
static void announce(ARMCPU *cpu, uint16_t event)
{
	/* The events from 0x4000 on have the upper halves: PMCEID2 and PMCEID3. */
	uint64_t bit = BIT_ULL((event & 0x1f) + (event & 0x4000 ? 32 : 0));

	if ((event & ~0x4000) > 0x3f)
		return;
	if (event & 0x20)
		cpu->pmceid1 |= bit;
	else
		cpu->pmceid0 |= bit;
}

static void announce_model(ARMCPU *cpu)
{
	unsigned int n;
	const uint16_t *events = arm_model_events(&n);

	if (cpu->synthetic->slots != ARM_MODEL_WIDTH) {
		error_report("pmu-model: the model has %d slots a cycle, and "
			     "pmu-slots is %" PRIu64,
			     ARM_MODEL_WIDTH, cpu->synthetic->slots);
		exit(EXIT_FAILURE);
	}
	while (n)
		announce(cpu, events[--n]);
}

static bool is_lesser(ARMCPU *cpu)
{
	return cpu->synthetic->lesser >> CPU(cpu)->cpu_index & 1;
}

void arm_pmu_init(ARMCPU *cpu)
{
	struct arm_pmu *pmu = cpu->synthetic;

	if (pmu && is_lesser(cpu))
		cpu->isar.reset_pmcr_el0 -= 1 << PMCRN_SHIFT;
	if (pmu && pmu->model)
		announce_model(cpu);
	if (!pmu || !pmu->n_rules)
		return;
	for (unsigned int i = 0; i < pmu->n_rules; i++)
		announce(cpu, pmu->rules[i].event);
	arm_register_pre_el_change_hook(cpu, pre_el_change, NULL);
}

uint64_t arm_pmu_pmmir(ARMCPU *cpu)
{
	return cpu->synthetic ? cpu->synthetic->slots : 0;
}

bool arm_pmu_has(CPUARMState *env, uint16_t event)
{
	struct arm_pmu *pmu = env_archcpu(env)->synthetic;

	return pmu &&
	       (find_rule(pmu, event) || (pmu->model && arm_model_has(event)));
}

bool arm_pmu_has_model(ARMCPU *cpu)
{
	return cpu->synthetic && cpu->synthetic->model;
}

uint64_t arm_pmu_count(CPUARMState *env, uint16_t event)
{
	ARMCPU *cpu = env_archcpu(env);
	const struct arm_pmu_rule *rule = find_rule(cpu->synthetic, event);
	uint64_t count = 0;

	if (!rule)
		return arm_model_count(cpu->synthetic->model, event,
				       icount_get_raw());
	advance(cpu);
	for (int level = 0; level < ARM_PMU_LEVELS; level++)
		count += events_by(rule,
				   cpu->synthetic->executed[rule->base][level]);
	return count;
}

static int64_t model_ns(ARMCPU *cpu, uint16_t event, uint64_t left)
{
	uint64_t after;

	/* A counter of 64 bits does not overflow. */
	if (left > INT64_MAX >> ICOUNT_SHIFT_MAX)
		return -1;
	after = arm_model_look_after(cpu->synthetic->model, event,
				     icount_get_raw(), left);
	return after ? icount_to_ns(after) : -1;
}

int64_t arm_pmu_ns_to_overflow(CPUARMState *env, uint16_t event, uint64_t left)
{
	ARMCPU *cpu = env_archcpu(env);
	const struct arm_pmu_rule *rule = find_rule(cpu->synthetic, event);
	unsigned __int128 at;
	uint64_t executed;

	/* Only a counter whose upper half was seen is seen to overflow. */
	if (left > INT32_MAX)
		left /= 2;
	if (!rule)
		return model_ns(cpu, event, left);
	if (!rule->n)
		return -1;
	advance(cpu);
	executed = cpu->synthetic->executed[rule->base][arm_current_el(env)];
	at = (unsigned __int128)events_by(rule, executed) + left + 1;
	at = (at * rule->d + rule->n - 1) / rule->n - executed;
	if (at > INT64_MAX >> ICOUNT_SHIFT_MAX)
		return -1;
	if (rule->base == ARM_PMU_INSTRUCTIONS)
		return icount_to_ns(at);
	return at;
}
