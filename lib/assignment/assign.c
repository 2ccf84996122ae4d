// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Assignment of events to registers.
 */
#include "assignment/detail.h"
#include "events/ibs.h"
#include "registers/reg_map.h"

#include <errno.h>
#include <string.h>

#define NOBODY UINT16_MAX

/**
 * struct matching - events and the registers that are assigned to them
 * @ops: operations of the PMU
 * @map: its registers
 * @events: all events, virtual ones too
 * @counters: the PMU's counters, ascending by number
 * @num_counters: number of elements of @counters
 * @owner: for each counter the index of its event, or NOBODY
 * @paired: for each counter, whether two counters together count its event
 * @excluded: for each counter, whether none of the events can use it
 * @tried: for each counter, whether the current search has tried it
 * @shared: for each event the PMC that it needs beside the one of its counter, or NULL
 */
struct matching {
	const struct pfm_arch_ops *ops;
	const struct pfm_reg_map *map;
	const struct pfm_event *events;
	const struct pfm_reg_info *counters[PFM_REGS_MAX];
	unsigned int num_counters;
	uint16_t owner[PFM_REGS_MAX];
	bool paired[PFM_REGS_MAX];
	bool excluded[PFM_REGS_MAX];
	bool tried[PFM_REGS_MAX];
	const struct pfm_arch_shared *shared[PFM_ASSIGN_MAX];
};

static void matching_init(struct matching *matching,
			  const struct pfm_reg_map *map,
			  const struct pfm_event *events, unsigned int count)
{
	const struct pfm_reg_info *info = NULL;

	memset(matching, 0, sizeof(*matching));
	matching->ops = pfmi_reg_map_arch(map);
	matching->map = map;
	matching->events = events;
	while ((info = pfm_reg_map_next_pmd(map, info))) {
		if (!(info->flags & PFM_REGI_COUNTER) ||
		    (info->flags & PFM_REGI_VIRTUAL) ||
		    pfmi_is_unit(info->num) || info->ctl == PFM_REG_NONE)
			continue;
		if (matching->ops && matching->ops->excluded)
			matching->excluded[matching->num_counters] =
				matching->ops->excluded(events, count, info);
		matching->owner[matching->num_counters] = NOBODY;
		matching->counters[matching->num_counters++] = info;
	}
}

/* Number of counters that count one event each, cycles or another. */
static unsigned int count_fixed(const struct matching *matching)
{
	const struct pfm_arch_ops *ops = matching->ops;
	unsigned int i, count = 0;

	for (i = 0; ops && i < matching->num_counters; i++) {
		const struct pfm_reg_info *pmd = matching->counters[i];

		if (pfmi_is_counter(pmd) && (pmd->flags & PFM_REGI_CYCLES ||
					     (ops->fixed && ops->fixed(pmd))))
			count++;
	}
	return count;
}

/* Code for the counter after that of the event; 0: the event needs one counter. */
static uint64_t pair_code(const struct matching *matching, unsigned int event)
{
	if (!matching->ops->pair_code)
		return 0;
	return matching->ops->pair_code(&matching->events[event]);
}

static bool has_next(const struct matching *matching, unsigned int counter)
{
	return counter + 1 < matching->num_counters &&
	       matching->counters[counter + 1]->num ==
		       matching->counters[counter]->num + 1;
}

static enum pfm_arch_fit fit(const struct matching *matching,
			     unsigned int event, unsigned int counter)
{
	if (matching->excluded[counter] ||
	    (pair_code(matching, event) && !has_next(matching, counter)))
		return PFM_FIT_NONE;
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
		if (matching->tried[i] || matching->paired[i] ||
		    fit(matching, event, i) == PFM_FIT_NONE)
			continue;
		matching->tried[i] = true;
		if (!place(matching, matching->owner[i]))
			continue;
		matching->owner[i] = event;
		return true;
	}
	return false;
}

static bool place_again(struct matching *matching, unsigned int event)
{
	if (event == NOBODY)
		return true;
	memset(matching->tried, 0, sizeof(matching->tried));
	return place(matching, event);
}

/* Give the event this counter and the next one, and their events other counters. */
static bool take_pair(struct matching *matching, unsigned int event,
		      unsigned int counter)
{
	const unsigned int first = matching->owner[counter];
	const unsigned int second = matching->owner[counter + 1];
	uint16_t owner[PFM_REGS_MAX];

	memcpy(owner, matching->owner, sizeof(owner));
	matching->owner[counter] = event;
	matching->owner[counter + 1] = event;
	matching->paired[counter] = true;
	matching->paired[counter + 1] = true;
	if (place_again(matching, first) && place_again(matching, second))
		return true;
	memcpy(matching->owner, owner, sizeof(owner));
	matching->paired[counter] = false;
	matching->paired[counter + 1] = false;
	return false;
}

/*
 * Find two counters for the event, free ones first.  The pairs that other events have do
 * not move.  That misses no assignment on the PMUs that have such events, where all other
 * events can use every counter.
 */
static bool place_pair(struct matching *matching, unsigned int event)
{
	unsigned int pass, i;
	bool taken;

	for (pass = 0; pass < 2; pass++) {
		for (i = 0; i < matching->num_counters; i++) {
			if (fit(matching, event, i) == PFM_FIT_NONE ||
			    matching->paired[i] || matching->paired[i + 1])
				continue;
			taken = matching->owner[i] != NOBODY ||
				matching->owner[i + 1] != NOBODY;
			if (taken == !!pass && take_pair(matching, event, i))
				return true;
		}
	}
	return false;
}

/* Number of counters that can count the event. */
static unsigned int usable(const struct matching *matching, unsigned int event)
{
	unsigned int i, count = 0;

	for (i = 0; i < matching->num_counters; i++)
		if (fit(matching, event, i) != PFM_FIT_NONE)
			count++;
	return count;
}

/* The value that an earlier event gives to a shared PMC; false: none does. */
static bool shared_value(const struct matching *matching, unsigned int event,
			 uint16_t pmc, uint64_t *value)
{
	unsigned int i;

	for (i = 0; i < event; i++) {
		if (!matching->shared[i] || matching->shared[i]->pmc != pmc)
			continue;
		*value = matching->events[i].extra;
		return true;
	}
	return false;
}

/*
 * Choose the PMC that the event needs beside the one of its counter.  A PMC that has the
 * right value already comes first, so that as many different values as there are PMCs fit.
 */
static enum pfm_assign_error find_shared(const struct matching *matching,
					 unsigned int event,
					 const struct pfm_arch_shared **found)
{
	const struct pfm_event *ev = &matching->events[event];
	const struct pfm_arch_shared *choice[2], *free = NULL;
	bool exists = false;
	unsigned int i;

	*found = NULL;
	choice[0] = pfmi_arch_shared(matching->ops, ev->code);
	if (!choice[0])
		return PFM_ASSIGN_OK;
	if (!(ev->flags & PFM_EVENTF_EXTRA))
		return PFM_ASSIGN_CODE;
	choice[1] = choice[0]->other ?
			    pfmi_arch_shared(matching->ops, choice[0]->other) :
			    NULL;
	for (i = 0; i < 2 && choice[i]; i++) {
		uint64_t value;

		if (!pfm_reg_map_pmc(matching->map, choice[i]->pmc))
			continue;
		exists = true;
		if (!shared_value(matching, event, choice[i]->pmc, &value)) {
			if (!free)
				free = choice[i];
		} else if (value == ev->extra) {
			*found = choice[i];
			return PFM_ASSIGN_OK;
		}
	}
	*found = free;
	if (free)
		return PFM_ASSIGN_OK;
	return exists ? PFM_ASSIGN_SHARED : PFM_ASSIGN_NO_REGISTER;
}

static enum pfm_assign_error check_hardware(const struct matching *matching,
					    unsigned int event)
{
	const struct pfm_event *ev = &matching->events[event];

	if (!matching->ops)
		return PFM_ASSIGN_NO_PMU;
	if (!ev->plm || (ev->plm & ~matching->ops->levels))
		return PFM_ASSIGN_LEVEL;
	if (ev->code & ~matching->ops->code_bits)
		return PFM_ASSIGN_CODE;
	if (!usable(matching, event))
		return PFM_ASSIGN_NO_COUNTER;
	return PFM_ASSIGN_OK;
}

static enum pfm_assign_error place_hardware(struct matching *matching,
					    unsigned int event)
{
	const struct pfm_arch_shared *shared;
	enum pfm_assign_error error;
	bool placed;

	error = check_hardware(matching, event);
	if (!error)
		error = find_shared(matching, event, &shared);
	if (error)
		return error;
	if (pair_code(matching, event))
		placed = place_pair(matching, event);
	else
		placed = place_again(matching, event);
	if (!placed)
		return PFM_ASSIGN_TOO_MANY;
	matching->shared[event] = shared;
	return PFM_ASSIGN_OK;
}

static enum pfm_assign_error check_virtual(const struct pfm_reg_map *map,
					   const struct pfm_event *event)
{
	const struct pfm_reg_info *info = pfm_reg_map_pmd(map, event->pmd);

	if (event->kind != PFM_EVENT_VIRTUAL || !info ||
	    !(info->flags & PFM_REGI_VIRTUAL))
		return PFM_ASSIGN_NO_REGISTER;
	return PFM_ASSIGN_OK;
}

/* Events that are the same share the unit's register; others need event sets of their own. */
static enum pfm_assign_error check_unit(const struct matching *matching,
					unsigned int event,
					struct pfm_assignment *out)
{
	const struct pfm_event *ev = &matching->events[event];
	const struct pfm_reg_info *pmd =
		pfm_reg_map_pmd(matching->map, ev->pmd);
	unsigned int i;

	if (!pmd || !pfmi_is_unit(ev->pmd) || pmd->ctl == PFM_REG_NONE)
		return PFM_ASSIGN_NO_REGISTER;
	if (!ev->plm || ev->plm & ~(PFM_PLM_USER | PFM_PLM_KERNEL))
		return PFM_ASSIGN_LEVEL;
	for (i = 0; i < event; i++) {
		const struct pfm_event *other = &matching->events[i];

		if (other->kind != PFM_EVENT_UNIT || other->pmd != ev->pmd ||
		    pfmi_ibs_encode(other) == pfmi_ibs_encode(ev))
			continue;
		if (out->error == PFM_ASSIGN_OK)
			out->detail = PFMI_DETAIL_UNIT;
		return PFM_ASSIGN_SHARED;
	}
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

/* The words of pfm_assign_strerror() about the counters that the event can use. */
static void explain(const struct matching *matching, unsigned int event,
		    struct pfm_assignment *out)
{
	const struct pfm_event *ev = &matching->events[event];
	const struct pfm_arch_ops *ops = matching->ops;

	out->usable = usable(matching, event);
	if (pair_code(matching, event))
		out->detail = PFMI_DETAIL_PAIR;
	else if (ops->fixed_only && ops->fixed_only(ev))
		out->detail = PFMI_DETAIL_FIXED;
}

/* Explain why the kernel has no register for the event. */
static void tell_register(const struct matching *matching, unsigned int event,
			  struct pfm_assignment *out)
{
	const struct pfm_arch_shared *shared =
		pfmi_arch_shared(matching->ops, matching->events[event].code);

	if (shared && shared->pebs)
		out->detail = PFMI_DETAIL_PEBS;
}

/* Go on after an error, so that @out->fit is right. */
static void place_all(struct matching *matching, const struct pfm_reg_map *map,
		      unsigned int count, struct pfm_assignment *out)
{
	enum pfm_assign_error error;
	unsigned int i;

	for (i = 0; i < count; i++) {
		if (matching->events[i].kind == PFM_EVENT_UNIT) {
			error = check_unit(matching, i, out);
		} else if (matching->events[i].kind != PFM_EVENT_HARDWARE) {
			error = check_virtual(map, &matching->events[i]);
		} else {
			out->hardware++;
			error = place_hardware(matching, i);
			if (!error)
				out->fit++;
			if (error == PFM_ASSIGN_NO_REGISTER && !out->error)
				tell_register(matching, i, out);
		}
		if (error)
			fail(out, error, i);
	}
}

static enum pfm_assign_error write_pmc(const struct pfm_reg_map *map,
				       unsigned int num, uint64_t value,
				       struct pfm_assignment *out)
{
	const struct pfm_reg_info *pmc = pfm_reg_map_pmc(map, num);
	unsigned int i;

	/* Reserved bits that must be set are not part of the event. */
	value |= pmc->dfl & pmc->rsvd;
	if ((value ^ pmc->dfl) & pmc->rsvd) {
		if (out->error == PFM_ASSIGN_OK)
			out->detail = (value ^ pmc->dfl) & pmc->rsvd;
		return PFM_ASSIGN_CODE;
	}
	/* Several counters may have the same PMC. */
	for (i = 0; i < out->num_pmcs; i++) {
		if (out->pmcs[i].num != num)
			continue;
		if (out->pmcs[i].value == value)
			return PFM_ASSIGN_OK;
		if (out->error == PFM_ASSIGN_OK)
			out->detail = PFMI_DETAIL_UNIT;
		return PFM_ASSIGN_SHARED;
	}
	out->pmcs[out->num_pmcs].num = num;
	out->pmcs[out->num_pmcs++].value = value;
	return PFM_ASSIGN_OK;
}

/* Several events may share the PMC; the first of them writes it. */
static enum pfm_assign_error write_shared(const struct matching *matching,
					  unsigned int event,
					  struct pfm_assignment *out)
{
	const struct pfm_arch_shared *shared = matching->shared[event];
	uint64_t value;

	if (!shared || shared_value(matching, event, shared->pmc, &value))
		return PFM_ASSIGN_OK;
	return write_pmc(matching->map, shared->pmc,
			 matching->events[event].extra, out);
}

static enum pfm_assign_error program(const struct matching *matching,
				     unsigned int event, unsigned int counter,
				     struct pfm_assignment *out)
{
	const struct pfm_arch_shared *shared = matching->shared[event];
	const struct pfm_reg_info *pmd = matching->counters[counter];
	struct pfm_event ev = matching->events[event];
	enum pfm_assign_error error;
	uint64_t value;
	unsigned int i;
	uint16_t pmc;

	if (shared)
		ev.code = (ev.code & ~shared->mask) | shared->code;
	error = write_pmc(matching->map, pmd->ctl,
			  matching->ops->encode(&ev, pmd), out);
	if (!error && pair_code(matching, event))
		error = write_pmc(matching->map,
				  matching->counters[counter + 1]->ctl,
				  pair_code(matching, event), out);
	for (i = 0; !error && matching->ops->more &&
		    matching->ops->more(&ev, pmd, i, &pmc, &value);
	     i++)
		error = write_pmc(matching->map, pmc, value, out);
	if (!error)
		error = write_shared(matching, event, out);
	out->pmd[event] = pmd->num;
	return error;
}

/* Several events may share the unit's register; the first of them writes its PMC. */
static enum pfm_assign_error program_unit(const struct matching *matching,
					  unsigned int event,
					  struct pfm_assignment *out)
{
	const struct pfm_event *ev = &matching->events[event];
	unsigned int i;

	for (i = 0; i < event; i++)
		if (matching->events[i].kind == PFM_EVENT_UNIT &&
		    matching->events[i].pmd == ev->pmd)
			return PFM_ASSIGN_OK;
	return write_pmc(matching->map,
			 pfm_reg_map_pmd(matching->map, ev->pmd)->ctl,
			 pfmi_ibs_encode(ev), out);
}

static void program_all(const struct matching *matching, unsigned int count,
			struct pfm_assignment *out)
{
	enum pfm_assign_error error;
	unsigned int i, counter;

	for (i = 0; i < count; i++) {
		out->pmd[i] = matching->events[i].pmd;
		if (matching->events[i].kind == PFM_EVENT_UNIT) {
			error = program_unit(matching, i, out);
			if (error)
				fail(out, error, i);
		}
		if (matching->events[i].kind != PFM_EVENT_HARDWARE)
			continue;
		for (counter = 0; matching->owner[counter] != i; counter++)
			;
		error = program(matching, i, counter, out);
		if (error)
			fail(out, error, i);
	}
}

/* Add the registers that are writable, or those that are not: each once. */
static void add_pmds(const struct pfm_reg_map *map, unsigned int count,
		     bool writable, struct pfm_assignment *out)
{
	unsigned int i, j;

	for (i = 0; i < count; i++) {
		const struct pfm_reg_info *info =
			pfm_reg_map_pmd(map, out->pmd[i]);

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
	case PFM_ASSIGN_SHARED:
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

int pfm_assign_registers(const struct pfm_reg_map *map,
			 const struct pfm_event *events, unsigned int count,
			 struct pfm_assignment *out)
{
	struct matching matching;

	memset(out, 0, sizeof(*out));
	out->counters = pfm_reg_map_counters(map, &out->cycle_counters);
	if (count > PFM_ASSIGN_MAX) {
		fail(out, PFM_ASSIGN_LIMIT, PFM_ASSIGN_MAX);
		return error_of(out->error);
	}
	matching_init(&matching, map, events, count);
	out->fixed_counters = count_fixed(&matching);
	place_all(&matching, map, count, out);
	if (out->error == PFM_ASSIGN_OK)
		program_all(&matching, count, out);
	if (out->error != PFM_ASSIGN_OK) {
		if (out->error == PFM_ASSIGN_TOO_MANY ||
		    out->error == PFM_ASSIGN_NO_COUNTER)
			explain(&matching, out->failed, out);
		out->num_pmcs = 0;
		return error_of(out->error);
	}
	add_pmds(map, count, true, out);
	out->num_writable = out->num_pmds;
	add_pmds(map, count, false, out);
	return 0;
}
