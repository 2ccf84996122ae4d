// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs sets, and maps registers back to events.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "check/environment.h"
#include "check/remedies.h"
#include "events/counts.h"
#include "events/event_list.h"
#include "events/sets.h"

/*
 * These registers exist once per CPU; every set has them, so that their counts
 * need no scaling.
 */
#define IN_EVERY_SET(pmd) ((pmd) >= PFM_REG_VIRT_BASE && (pmd) < PFM_REG_TASK_BASE)

/* The time of sets that the kernel keeps in a register; NULL for any other register. */
static uint64_t *time_of(struct counts *counts, const struct pfm_reg *reg)
{
	if (reg->set >= counts->num_sets)
		return NULL;
	switch (reg->num) {
	case PFM_REG_SET_ACTIVE:
		return &counts->sets[reg->set].active;
	case PFM_REG_SET_RUNS:
		return &counts->sets[reg->set].runs;
	case PFM_REG_SET_ENABLED:
		return &counts->whole;
	default:
		return NULL;
	}
}

bool sets_count(const struct events *events, size_t event)
{
	const struct event *ev = &events->list[event];

	return events->multiplexed || ev->set == events->run;
}

bool sets_everywhere(const struct events *events, size_t event)
{
	return events->multiplexed && IN_EVERY_SET(events->list[event].pmd);
}

/* Number that set @set has in the kernel. */
static unsigned int kernel_set(const struct events *events, unsigned int set)
{
	return events->multiplexed ? set : 0;
}

/* First set of the context, and the one after its last. */
static unsigned int first_set(const struct events *events)
{
	return events->multiplexed ? 0 : events->run;
}

static unsigned int end_set(const struct events *events)
{
	return events->multiplexed ? events->num_sets : events->run + 1;
}

static bool same_place(const struct events *events, size_t event,
		       const struct pfm_reg *reg)
{
	const struct event *ev = &events->list[event];

	return reg->num == ev->pmd &&
	       (reg->set == kernel_set(events, ev->set) ||
		sets_everywhere(events, event));
}

bool sets_add(const struct events *events, const struct pfm_record *record,
	      struct counts *counts)
{
	bool complete = true, found;
	uint64_t *time;
	unsigned int r;
	size_t k;

	for (k = 0; k < events->count; k++) {
		if (events->list[k].gauge || events->list[k].absent ||
		    !sets_count(events, k))
			continue;
		found = false;
		for (r = 0; r < record->nregs; r++) {
			if (!same_place(events, k, &record->regs[r]))
				continue;
			counts->events[k] += record->regs[r].value;
			found = true;
			if (!sets_everywhere(events, k))
				break;
		}
		complete &= found;
	}
	for (r = 0; counts->num_sets && r < record->nregs; r++) {
		time = time_of(counts, &record->regs[r]);
		if (time)
			*time += record->regs[r].value;
	}
	return complete;
}

/* Reads @count registers and adds the values of events to their counts. */
static int read_some(const struct events *events, int fd, struct pfm_reg *regs,
		     unsigned int count, struct counts *counts)
{
	unsigned int failed = 0, i;
	uint64_t *time;
	size_t k;
	int err;

	err = pfm_ctx_read_pmds(fd, regs, count, &failed);
	if (err) {
		say_error("cannot read PMD%u: %s",
			  failed < count ? regs[failed].num : PFM_REG_NONE,
			  pfm_ctx_strerror(PFM_IOC_READ_PMDS, err));
		return -1;
	}
	for (i = 0; i < count; i++) {
		time = time_of(counts, &regs[i]);
		if (time) {
			*time = regs[i].value;
			continue;
		}
		for (k = 0; k < events->count; k++)
			if (sets_count(events, k) &&
			    same_place(events, k, &regs[i]))
				counts->events[k] += regs[i].value;
	}
	return 0;
}

static void add_reg(struct pfm_reg *regs, unsigned int *count, uint16_t num,
		    uint16_t set)
{
	regs[*count].num = num;
	regs[*count].set = set;
	regs[(*count)++].value = 0;
}

int sets_read(const struct events *events, int fd, struct counts *counts)
{
	struct pfm_reg regs[PFM_ASSIGN_MAX + 3];
	unsigned int count, set, i;
	size_t k;

	for (k = 0; k < events->count; k++)
		if (sets_count(events, k))
			counts->events[k] = 0;
	for (set = first_set(events); set < end_set(events); set++) {
		const struct pfm_assignment *assignment =
			&events->sets[set].assignment;

		memset(regs, 0, sizeof(regs));
		count = 0;
		for (i = 0; i < assignment->num_pmds; i++)
			add_reg(regs, &count, assignment->pmds[i].num,
				kernel_set(events, set));
		if (events->multiplexed) {
			add_reg(regs, &count, PFM_REG_SET_ACTIVE, set);
			add_reg(regs, &count, PFM_REG_SET_RUNS, set);
			if (!set)
				add_reg(regs, &count, PFM_REG_SET_ENABLED, 0);
		}
		if (read_some(events, fd, regs, count, counts))
			return -1;
	}
	return 0;
}

/* The event that a PMC of a set is for; NULL if there is none. */
static const struct event *event_of(const struct events *events,
				    unsigned int set, uint16_t pmc)
{
	const struct pfm_reg_info *info;
	size_t i;

	for (i = 0; i < events->count; i++) {
		info = pfm_reg_map_pmd(events->map, events->list[i].pmd);
		if (events->list[i].set == set && info && info->ctl == pmc)
			return &events->list[i];
	}
	return NULL;
}

static void tell_no_right(const struct event *event)
{
	const char *name = event ? event->name : "events";

	if (policy_capable() && environment_locked_down("confidentiality"))
		say_error(
			"'%s': the kernel is locked down for confidentiality, so nobody may sample its code: count without samples, or sample user code only (--user-level, -u)",
			name);
	else if (event && event->unit)
		say_error(
			"'%s': IBS counts kernel code as well, whatever levels are asked for, and that takes CAP_PERFMON: %s; or let everybody do so with 'echo 1 | sudo tee /sys/kernel/perfmon/policy/kernel_level'; or let everybody sample their own code (:u) by loading the module with 'modprobe perfmon_ibs unprivileged=1'",
			name, policy_remedy());
	else
		say_error(
			"'%s': counting kernel code takes CAP_PERFMON: %s; or let everybody do so with 'echo 1 | sudo tee /sys/kernel/perfmon/policy/kernel_level'; or count user code only (--user-level, -u)",
			name, policy_remedy());
}

static void tell_refused_pmc(const struct events *events, unsigned int set,
			     int err, unsigned int failed)
{
	const struct pfm_assignment *assignment =
		&events->sets[set].assignment;
	const struct event *event = NULL;

	if (failed < assignment->num_pmcs)
		event = event_of(events, set, assignment->pmcs[failed].num);
	if (err == -EPERM)
		tell_no_right(event);
	else
		say_error("cannot set up '%s': %s",
			  event ? event->name : "the events",
			  pfm_ctx_strerror(PFM_IOC_WRITE_PMCS, err));
}

/* Copies registers and gives them the set number that the kernel uses. */
static void number_regs(struct pfm_reg *to, const struct pfm_reg *from,
			unsigned int count, uint16_t set)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		to[i] = from[i];
		to[i].set = set;
	}
}

/* Triggers overflow repeatedly, each time after their count. */
static int write_triggers(const struct events *events, int fd, unsigned int set)
{
	const struct event_set *es = &events->sets[set];
	struct pfm_pmd_attr attrs[TRIGGERS_MAX];
	unsigned int i;
	int err;

	if (!es->num_triggers)
		return 0;
	memset(attrs, 0, sizeof(attrs));
	for (i = 0; i < es->num_triggers; i++) {
		attrs[i].num = es->assignment.pmd[es->triggers[i].index];
		attrs[i].set = kernel_set(events, set);
		attrs[i].long_reset = -es->triggers[i].count;
		attrs[i].short_reset = -es->triggers[i].count;
		attrs[i].ovfl_switch_cnt = 1;
	}
	err = pfm_ctx_write_pmdattrs(fd, attrs, es->num_triggers, NULL);
	if (!err)
		return 0;
	say_error("--switch-overflow: cannot set up the triggers: %s",
		  pfm_ctx_strerror(PFM_IOC_WRITE_PMDATTRS, err));
	return -1;
}

static int program_set(const struct events *events, int fd, unsigned int set)
{
	const struct event_set *es = &events->sets[set];
	const struct pfm_assignment *assignment = &es->assignment;
	struct pfm_reg regs[PFM_ASSIGN_MAX];
	unsigned int failed = 0, i;
	int err;

	number_regs(regs, assignment->pmcs, assignment->num_pmcs,
		    kernel_set(events, set));
	err = pfm_ctx_write_pmcs(fd, regs, assignment->num_pmcs, &failed);
	if (err) {
		tell_refused_pmc(events, set, err, failed);
		return -1;
	}
	number_regs(regs, assignment->pmds, assignment->num_writable,
		    kernel_set(events, set));
	for (i = 0; i < es->num_triggers; i++)
		regs[assignment->index[es->triggers[i].index]].value =
			-es->triggers[i].count;
	if (write_triggers(events, fd, set))
		return -1;
	err = pfm_ctx_write_pmds(fd, regs, assignment->num_writable, &failed);
	if (!err)
		return 0;
	say_error("cannot set up PMD%u: %s",
		  failed < assignment->num_writable ?
		  assignment->pmds[failed].num : PFM_REG_NONE,
		  pfm_ctx_strerror(PFM_IOC_WRITE_PMDS, err));
	return -1;
}

/*
 * Length of the first time slices, in nanoseconds.  A switch takes 2.5 us, so the first millisecond
 * gets longer by an eighth, and a session of 0.3 ms has 15 time slices.
 */
#define FIRST_SLICE 20000

/* Sets what ends the time slices of the set. */
static void set_switching(struct pfm_set_desc *desc, const struct event_set *es,
			  bool log)
{
	desc->flags = es->timeout ? PFM_SETFL_TIME_SWITCH :
				    PFM_SETFL_OVFL_SWITCH;
	desc->flags |= log ? PFM_SETFL_LOG : 0;
	desc->timeout = es->timeout;
	desc->jitter = es->jitter;
	if (log && es->timeout > FIRST_SLICE)
		desc->first = FIRST_SLICE;
}

static int create_sets(const struct events *events, int fd, bool log)
{
	struct pfm_set_desc desc;
	unsigned int set;
	int err;

	for (set = first_set(events); set < end_set(events); set++) {
		memset(&desc, 0, sizeof(desc));
		desc.set = kernel_set(events, set);
		if (events->multiplexed)
			set_switching(&desc, &events->sets[set], log);
		desc.flags |= events->no_idle ? PFM_SETFL_EXCL_IDLE : 0;
		desc.flags |= events->side;
		err = pfm_ctx_create_sets(fd, &desc, 1, NULL);
		if (!err)
			continue;
		if (err == -EINVAL && events->side) {
			say_error(
				"the kernel modules are older than --excl-intr and --intr-only");
			return -1;
		}
		say_error("cannot create event set %u: %s", set,
			  pfm_ctx_strerror(PFM_IOC_CREATE_EVTSET, err));
		return -1;
	}
	return 0;
}

int sets_program(const struct events *events, int fd, bool log)
{
	unsigned int set;

	if ((events->multiplexed || events->no_idle || events->side) &&
	    create_sets(events, fd, log))
		return -1;
	for (set = first_set(events); set < end_set(events); set++)
		if (program_set(events, fd, set))
			return -1;
	return 0;
}

void sets_free(struct events *events)
{
	unsigned int set;

	for (set = 0; set < events->num_sets; set++)
		free(events->sets[set].events);
	free(events->sets);
	events->sets = NULL;
	events->num_sets = 0;
}
