// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * libpfm 3: pfm_dispatch_events(), which chooses registers for events.
 */
#include "old_events.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "include/perfmon2-compat/perfmon/pfmlib.h"
#include "old_ibs.h"

/* Bits of PERFEVTSEL that the kernel sets; libpfm 3 had them in its values. */
#define EVTSEL_INT (1ULL << 20)
#define EVTSEL_EN  (1ULL << 22)

#define RDPMC_FIXED (1U << 30)

#define TEXT_LEN 2048

static bool is_pmu(const char *name)
{
	return !strcmp(pfm_reg_map_pmu(pfmi_old_machine.map), name);
}

/* Settings of the counter, as modifiers of an event string. */
static int add_settings(char *text, const pfm3_counter_t *counter)
{
	const bool intel = is_pmu("intel"), amd = is_pmu("amd");
	size_t length = strlen(text);

	if (!counter || !(counter->cnt_mask | counter->flags))
		return PFMLIB_SUCCESS;
	if ((!intel && !amd) || counter->flags & ~0xfU ||
	    (intel && counter->flags & PFM3_SEL_OCCRST))
		return PFMLIB_ERR_NOTSUPP;
	if (counter->cnt_mask > 0xff)
		return PFMLIB_ERR_INVAL;
	if (counter->cnt_mask)
		length += sprintf(text + length, ":c=%u", counter->cnt_mask);
	length += sprintf(text + length, "%s%s",
			  counter->flags & PFM3_SEL_INV ? ":i" : "",
			  counter->flags & PFM3_SEL_EDGE ? ":e" : "");
	if (intel && counter->flags & PFM3_SEL_ANYTHR)
		strcpy(text + length, ":t");
	if (amd)
		sprintf(text + length, "%s%s",
			counter->flags & PFM3_SEL_GUEST ? ":g" : "",
			counter->flags & PFM3_SEL_HOST ? ":h" : "");
	return PFMLIB_SUCCESS;
}

static int parse(const pfmlib_event_t *event, unsigned int dfl_plm,
		 const pfm3_counter_t *counter, struct pfm_event *parsed)
{
	const unsigned int plm = event->plm ? event->plm : dfl_plm;
	const struct pfmi_old_event *known;
	uint32_t levels = 0;
	char text[TEXT_LEN];
	unsigned int i;
	size_t length;
	int ret;

	known = pfmi_old_event(event->event, &ret);
	if (!known)
		return ret;
	if (event->num_masks > PFMLIB_MAX_MASKS_PER_EVENT)
		return PFMLIB_ERR_INVAL;
	length = snprintf(text, TEXT_LEN / 2, "%s", known->text);
	for (i = 0; i < event->num_masks; i++) {
		if (event->unit_masks[i] >= known->num_masks)
			return PFMLIB_ERR_UMASK;
		length += snprintf(text + length, TEXT_LEN - 64 - length, ":%s",
				   known->masks[event->unit_masks[i]].name);
		if (length >= TEXT_LEN - 64)
			return PFMLIB_ERR_INVAL;
	}
	ret = add_settings(text, counter);
	if (ret)
		return ret;
	if (plm & PFM_PLM0)
		levels |= PFM_PLM_KERNEL;
	if (plm & (PFM_PLM1 | PFM_PLM2 | PFM_PLM3))
		levels |= PFM_PLM_USER;
	if (!levels)
		return PFMLIB_ERR_INVAL;
	switch (pfm_event_parse(pfmi_old_machine.map, text, levels, parsed)) {
	case 0:
		return PFMLIB_SUCCESS;
	case -ENOMEM:
		return PFMLIB_ERR_NOMEM;
	case -EINVAL:
		return counter && (counter->cnt_mask | counter->flags)
			       ? PFMLIB_ERR_FEATCOMB
			       : PFMLIB_ERR_UMASK;
	default:
		return PFMLIB_ERR_NOASSIGN;
	}
}

/* The registers without those that the caller cannot use; or with counter @only alone. */
static struct pfm_reg_map *restricted(const pfmlib_regmask_t *unavail, int only)
{
	const struct pfmi_old_machine *machine = &pfmi_old_machine;
	const struct pfm_reg_info *info = NULL;
	struct pfm_reg_info *pmcs, *pmds;
	unsigned int num_pmcs = 0, num_pmds = 0;
	struct pfm_reg_map *map = NULL;
	pfmlib_regmask_t mask = { 0 };

	if (unavail)
		mask = *unavail;
	pmcs = calloc(2 * PFM_REGS_MAX, sizeof(*pmcs));
	if (!pmcs)
		return NULL;
	pmds = pmcs + PFM_REGS_MAX;
	while ((info = pfm_reg_map_next_pmc(machine->map, info)))
		pmcs[num_pmcs++] = *info;
	while ((info = pfm_reg_map_next_pmd(machine->map, info))) {
		const uint16_t ctl =
			pfmi_numbers_old_pmc(&machine->numbers, info->ctl);

		if (only >= 0 ? info->num != only
			      : info->ctl != PFM_REG_NONE &&
					pfm_regmask_isset(&mask, ctl))
			continue;
		pmds[num_pmds++] = *info;
	}
	if (pfm_reg_map_from_info(pfm_reg_map_pmu(machine->map), pmcs, num_pmcs,
				  pmds, num_pmds, &map))
		map = NULL;
	free(pmcs);
	return map;
}

static void put_pmc(pfmlib_output_param_t *out, const struct pfm_reg *reg)
{
	const struct pfmi_numbers *numbers = &pfmi_old_machine.numbers;
	const uint16_t num = pfmi_numbers_old_pmc(numbers, reg->num);
	const struct pfm_reg_info *info;
	uint64_t value = reg->value;
	pfmlib_reg_t *pmc;
	unsigned int i;

	if (num == PFMI_OLD_FIXED_CTRL && num != reg->num)
		value = (value | PFMI_FIXED_PMI)
			<< 4 * (reg->num - PFMI_NEW_FIXED);
	else if (reg->num < PFMI_NEW_FIXED &&
		 (is_pmu("intel") || is_pmu("amd")))
		value |= EVTSEL_INT | EVTSEL_EN;
	for (i = 0; i < out->pfp_pmc_count; i++) {
		if (out->pfp_pmcs[i].reg_num == num) {
			out->pfp_pmcs[i].reg_value |= value;
			return;
		}
	}
	pmc = &out->pfp_pmcs[out->pfp_pmc_count++];
	info = pfm_reg_map_pmc(pfmi_old_machine.map, reg->num);
	pmc->reg_num = num;
	pmc->reg_value = value;
	pmc->reg_addr = info ? info->addr : 0;
}

static void put_pmd(pfmlib_output_param_t *out, uint16_t num)
{
	const struct pfmi_numbers *numbers = &pfmi_old_machine.numbers;
	pfmlib_reg_t *pmd = &out->pfp_pmds[out->pfp_pmd_count++];
	const struct pfm_reg_info *info;

	info = pfm_reg_map_pmd(pfmi_old_machine.map, num);
	pmd->reg_num = pfmi_numbers_old_pmd(numbers, num);
	pmd->reg_addr = info ? info->addr : 0;
	pmd->reg_alt_addr = pmd->reg_num == num
				    ? num
				    : (num - PFMI_NEW_FIXED) | RDPMC_FIXED;
}

static int assign_error(const struct pfm_assignment *assignment,
			unsigned int count)
{
	switch (assignment->error) {
	case PFM_ASSIGN_TOO_MANY:
	case PFM_ASSIGN_LIMIT:
		return count > assignment->counters ? PFMLIB_ERR_TOOMANY
						    : PFMLIB_ERR_NOASSIGN;
	case PFM_ASSIGN_SHARED:
		return PFMLIB_ERR_EVTINCOMP;
	default:
		return PFMLIB_ERR_NOASSIGN;
	}
}

static int assign(const struct pfm_reg_map *map, const struct pfm_event *events,
		  unsigned int count, pfmlib_output_param_t *out)
{
	struct pfm_assignment *assignment;
	unsigned int i;
	int ret;

	assignment = malloc(sizeof(*assignment));
	if (!assignment)
		return PFMLIB_ERR_NOMEM;
	ret = pfm_assign_registers(map, events, count, assignment);
	if (ret) {
		ret = assign_error(assignment, count);
	} else {
		for (i = 0; i < assignment->num_pmcs; i++)
			put_pmc(out, &assignment->pmcs[i]);
		for (i = 0; i < count; i++)
			put_pmd(out, assignment->pmd[i]);
	}
	free(assignment);
	return ret;
}

/* Only the structures of Intel have PEBS, behind the counters. */
static bool wants_pebs(const void *mod_in)
{
	const struct pfm3_model *model = mod_in;

	return is_pmu("intel") && model &&
	       (model->pebs_used || model->lbr_used);
}

static const pfm3_counter_t *settings(const void *mod_in, unsigned int event)
{
	const struct pfm3_model *model = mod_in;

	return model && event < PFM3_MODEL_COUNTERS ? &model->counters[event]
						    : NULL;
}

static int dispatch(const pfmlib_input_param_t *in, const void *mod_in,
		    pfmlib_output_param_t *out)
{
	struct pfm_reg_map *map;
	struct pfm_event *events;
	unsigned int i;
	int ret = 0;

	if (in->pfp_event_count > PFM_ASSIGN_MAX)
		return PFMLIB_ERR_TOOMANY;
	events = calloc(in->pfp_event_count, sizeof(*events));
	if (!events)
		return PFMLIB_ERR_NOMEM;
	for (i = 0; i < in->pfp_event_count && !ret; i++)
		ret = parse(&in->pfp_events[i], in->pfp_dfl_plm,
			    settings(mod_in, i), &events[i]);
	if (!ret) {
		map = restricted(&in->pfp_unavail_pmcs, -1);
		ret = map ? assign(map, events, in->pfp_event_count, out)
			  : PFMLIB_ERR_NOMEM;
		pfm_reg_map_free(map);
	}
	free(events);
	return ret;
}

int pfm3_dispatch_events(pfmlib_input_param_t *in, void *mod_in,
			 pfmlib_output_param_t *out, void *mod_out)
{
	const pfmlib_amd64_input_param_t *amd;
	const bool events = in && in->pfp_event_count;
	int ret = PFMLIB_SUCCESS;

	if (!pfmi_old_machine.map)
		return PFMLIB_ERR_NOINIT;
	/* IBS needs no events. */
	amd = is_pmu("amd") ? mod_in : NULL;
	if (!out || (!events && !(amd && amd->flags)))
		return PFMLIB_ERR_INVAL;
	if (wants_pebs(mod_in))
		return PFMLIB_ERR_NOTSUPP;
	memset(out, 0, sizeof(*out));
	if (events)
		ret = dispatch(in, mod_in, out);
	if (!ret && amd && amd->flags)
		ret = pfmi_old_ibs_put(&pfmi_old_machine, amd, out, mod_out);
	return ret;
}

/* Each counter alone is tried. */
int pfm_get_event_counters(unsigned int event, pfmlib_regmask_t *counters)
{
	const struct pfm_reg_info *pmd = NULL;
	pfmlib_event_t wanted = { .event = event };
	const struct pfmi_old_event *known;
	pfmlib_output_param_t *out;
	struct pfm_event parsed;
	struct pfm_reg_map *map;
	int ret;

	known = pfmi_old_event(event, &ret);
	if (!known)
		return ret;
	if (!counters)
		return PFMLIB_ERR_INVAL;
	memset(counters, 0, sizeof(*counters));
	ret = parse(&wanted, PFM_PLM3, NULL, &parsed);
	/* An event whose unit masks have no default: the first one. */
	if (ret == PFMLIB_ERR_UMASK && known->num_masks) {
		wanted.num_masks = 1;
		ret = parse(&wanted, PFM_PLM3, NULL, &parsed);
	}
	if (ret)
		return ret;
	out = malloc(sizeof(*out));
	while (out && (pmd = pfm_reg_map_next_pmd(pfmi_old_machine.map, pmd))) {
		if (!pfmi_old_machine_counts(pmd))
			continue;
		memset(out, 0, sizeof(*out));
		map = restricted(NULL, pmd->num);
		if (map && !assign(map, &parsed, 1, out))
			pfm_regmask_set(counters, out->pfp_pmds[0].reg_num);
		pfm_reg_map_free(map);
	}
	if (!out)
		return PFMLIB_ERR_NOMEM;
	free(out);
	return PFMLIB_SUCCESS;
}
