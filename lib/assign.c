// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Assignment of events to registers.
 */
#include "arch.h"

#include <errno.h>
#include <string.h>

#define NOBODY UINT16_MAX

/**
 * struct matching - events and the counters that are assigned to them
 * @ops: operations of the PMU
 * @events: all events, virtual ones too
 * @counters: the PMU's counters, ascending by number
 * @num_counters: number of elements of @counters
 * @owner: for each counter the index of its event, or NOBODY
 * @tried: for each counter, whether the current search has tried it
 */
struct matching {
	const struct pfm_arch_ops *ops;
	const struct pfm_event *events;
	const struct pfm_reg_info *counters[PFM_REGS_MAX];
	unsigned int num_counters;
	uint16_t owner[PFM_REGS_MAX];
	bool tried[PFM_REGS_MAX];
};

static void matching_init(struct matching *matching,
			  const struct pfm_regmap *map,
			  const struct pfm_event *events)
{
	const struct pfm_reg_info *info = NULL;

	memset(matching, 0, sizeof(*matching));
	matching->ops = pfmi_arch_find(map);
	matching->events = events;
	while ((info = pfm_regmap_next_pmd(map, info))) {
		if (!(info->flags & PFM_REGI_COUNTER) ||
		    (info->flags & PFM_REGI_VIRTUAL) ||
		    info->ctl == PFM_REG_NONE)
			continue;
		matching->owner[matching->num_counters] = NOBODY;
		matching->counters[matching->num_counters++] = info;
	}
}

static enum pfm_arch_fit fit(const struct matching *matching,
			     unsigned int event, unsigned int counter)
{
	return matching->ops->fit(&matching->events[event],
				  matching->counters[counter]);
}

static bool place_free(struct matching *matching, unsigned int event,
		       enum pfm_arch_fit wanted)
{
	unsigned int i;

	for (i = 0; i < matching->num_counters; i++) {
		if (matching->owner[i] != NOBODY ||
		    fit(matching, event, i) != wanted)
			continue;
		matching->owner[i] = event;
		return true;
	}
	return false;
}

/*
 * Find a counter for the event, and move other events to other counters if needed.  A
 * chain of such moves exists if and only if all the events fit together.  The
 * recursion is at most as deep as there are counters, because each is tried once.
 */
static bool place(struct matching *matching, unsigned int event)
{
	unsigned int i;

	if (place_free(matching, event, PFM_FIT_PREFERRED) ||
	    place_free(matching, event, PFM_FIT_OK))
		return true;
	for (i = 0; i < matching->num_counters; i++) {
		if (matching->tried[i] || fit(matching, event, i) == PFM_FIT_NONE)
			continue;
		matching->tried[i] = true;
		if (!place(matching, matching->owner[i]))
			continue;
		matching->owner[i] = event;
		return true;
	}
	return false;
}

static bool has_counter(const struct matching *matching, unsigned int event)
{
	unsigned int i;

	for (i = 0; i < matching->num_counters; i++)
		if (fit(matching, event, i) != PFM_FIT_NONE)
			return true;
	return false;
}

static enum pfm_assign_error check_hardware(const struct matching *matching,
					    unsigned int event)
{
	const struct pfm_event *ev = &matching->events[event];

	if (!matching->ops)
		return PFM_ASSIGN_NO_PMU;
	if (!ev->plm || (ev->plm & ~matching->ops->levels))
		return PFM_ASSIGN_LEVEL;
	if (ev->code > matching->ops->code_max)
		return PFM_ASSIGN_CODE;
	if (!has_counter(matching, event))
		return PFM_ASSIGN_NO_COUNTER;
	return PFM_ASSIGN_OK;
}

static enum pfm_assign_error check_virtual(const struct pfm_regmap *map,
					   const struct pfm_event *event)
{
	const struct pfm_reg_info *info = pfm_regmap_pmd(map, event->pmd);

	if (event->kind != PFM_EVENT_VIRTUAL || !info ||
	    !(info->flags & PFM_REGI_VIRTUAL))
		return PFM_ASSIGN_NO_REGISTER;
	return PFM_ASSIGN_OK;
}

/* Keep the first error only. */
static void fail(struct pfm_assignment *out, enum pfm_assign_error error,
		 unsigned int event)
{
	if (out->error == PFM_ASSIGN_OK) {
		out->error = error;
		out->failed = event;
	}
}

/* Go on after an error, so that @out->fit is right. */
static void place_all(struct matching *matching, const struct pfm_regmap *map,
		      unsigned int count, struct pfm_assignment *out)
{
	enum pfm_assign_error error;
	unsigned int i;

	for (i = 0; i < count; i++) {
		if (matching->events[i].kind != PFM_EVENT_HARDWARE) {
			error = check_virtual(map, &matching->events[i]);
		} else {
			out->hardware++;
			error = check_hardware(matching, i);
			memset(matching->tried, 0, sizeof(matching->tried));
			if (!error && !place(matching, i))
				error = PFM_ASSIGN_TOO_MANY;
			if (!error)
				out->fit++;
		}
		if (error)
			fail(out, error, i);
	}
}

static enum pfm_assign_error program(const struct matching *matching,
				     const struct pfm_regmap *map,
				     unsigned int event, unsigned int counter,
				     struct pfm_assignment *out)
{
	const struct pfm_reg_info *pmd = matching->counters[counter];
	const struct pfm_reg_info *pmc = pfm_regmap_pmc(map, pmd->ctl);
	uint64_t value = matching->ops->encode(&matching->events[event], pmd);

	/* Reserved bits that must be set are not part of the event. */
	value |= pmc->dfl & pmc->rsvd;
	if ((value ^ pmc->dfl) & pmc->rsvd)
		return PFM_ASSIGN_CODE;
	out->pmcs[out->num_pmcs].num = pmd->ctl;
	out->pmcs[out->num_pmcs++].value = value;
	out->pmd[event] = pmd->num;
	return PFM_ASSIGN_OK;
}

static void program_all(const struct matching *matching,
			const struct pfm_regmap *map, unsigned int count,
			struct pfm_assignment *out)
{
	enum pfm_assign_error error;
	unsigned int i, counter;

	for (i = 0; i < count; i++) {
		out->pmd[i] = matching->events[i].pmd;
		if (matching->events[i].kind != PFM_EVENT_HARDWARE)
			continue;
		for (counter = 0; matching->owner[counter] != i; counter++)
			;
		error = program(matching, map, i, counter, out);
		if (error)
			fail(out, error, i);
	}
}

/* Add the registers that are writable, or those that are not: each once. */
static void add_pmds(const struct pfm_regmap *map, unsigned int count,
		     bool writable, struct pfm_assignment *out)
{
	unsigned int i, j;

	for (i = 0; i < count; i++) {
		const struct pfm_reg_info *info =
			pfm_regmap_pmd(map, out->pmd[i]);

		if (writable == !!(info->flags & PFM_REGI_READONLY))
			continue;
		for (j = 0; j < out->num_pmds; j++)
			if (out->pmds[j].num == info->num)
				break;
		out->index[i] = j;
		if (j == out->num_pmds)
			out->pmds[out->num_pmds++].num = info->num;
	}
}

static int error_of(enum pfm_assign_error error)
{
	switch (error) {
	case PFM_ASSIGN_OK:
		return 0;
	case PFM_ASSIGN_TOO_MANY:
		return -ENOSPC;
	case PFM_ASSIGN_NO_PMU:
	case PFM_ASSIGN_NO_REGISTER:
		return -ENODEV;
	case PFM_ASSIGN_LIMIT:
		return -E2BIG;
	default:
		return -EINVAL;
	}
}

int pfm_assign(const struct pfm_regmap *map, const struct pfm_event *events,
	       unsigned int count, struct pfm_assignment *out)
{
	struct matching matching;

	memset(out, 0, sizeof(*out));
	out->counters = pfm_regmap_counters(map, &out->cycle_counters);
	if (count > PFM_ASSIGN_MAX) {
		fail(out, PFM_ASSIGN_LIMIT, PFM_ASSIGN_MAX);
		return error_of(out->error);
	}
	matching_init(&matching, map, events);
	place_all(&matching, map, count, out);
	if (out->error == PFM_ASSIGN_OK)
		program_all(&matching, map, count, out);
	if (out->error != PFM_ASSIGN_OK) {
		out->num_pmcs = 0;
		return error_of(out->error);
	}
	add_pmds(map, count, true, out);
	out->num_writable = out->num_pmds;
	add_pmds(map, count, false, out);
	return 0;
}
