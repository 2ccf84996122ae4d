// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sampling periods, and the values in each sample: those of the events that do
 * not sample, and of the registers of --extra-smpl-pmds.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "events/event_list.h"
#include "options/branch_filter.h"
#include "options/options.h"
#include "sampling/periods.h"
#include "sampling/rate.h"

/*
 * A counter overflows when it passes from negative to 0, so it can count at most
 * this.
 */
#define PERIOD_MAX	INT64_MAX

static int no_memory(void)
{
	say_error("out of memory for the sampling periods");
	return -1;
}

/* Reads a number at the start of @text; *@end is what follows it. */
static int read_number(const char *text, const char **end, uint64_t *value)
{
	char *rest;

	if (*text < '0' || *text > '9')
		return -1;
	errno = 0;
	*value = strtoull(text, &rest, 0);
	*end = rest;
	return errno ? -1 : 0;
}

/*
 * Calls @read for each non-empty element of a list with commas that has one
 * element for each event.
 */
static int read_list(const char *option, const char *list,
		     const struct events *events, void *values,
		     int (*read)(const char *option, const char *text,
				 void *values, size_t event))
{
	char *copy, *rest, *text;
	size_t event = 0;
	int err = 0;

	if (!list)
		return 0;
	copy = strdup(list);
	if (!copy)
		return no_memory();
	rest = copy;
	while (!err && (text = strsep(&rest, ","))) {
		if (event >= events->count) {
			say_error("%s: '%s' has more entries than there are events (%zu)",
				  option, list, events->count);
			err = -1;
		} else if (*text) {
			err = read(option, text, values, event);
		}
		event++;
	}
	free(copy);
	return err;
}

static int read_period(const char *option, const char *text, void *values,
		       size_t event)
{
	uint64_t *period = (uint64_t *)values + event;
	const char *end;

	if (read_number(text, &end, period) || *end) {
		say_error("%s: '%s' is not a period; give a number of events",
			  option, text);
		return -1;
	}
	if (!*period) {
		say_error("%s: a period of 0 never ends; leave the place of an event that does not sample empty",
			  option);
		return -1;
	}
	if (*period <= PERIOD_MAX)
		return 0;
	say_error("%s: period %s is longer than 2^63-1", option, text);
	return -1;
}

/**
 * struct randomness - an element of --smpl-periods-random
 */
struct randomness {
	uint64_t mask;
	uint64_t seed;
};

static int read_random(const char *option, const char *text, void *values,
		       size_t event)
{
	struct randomness *randomness = (struct randomness *)values + event;
	const char *end;
	int err;

	err = read_number(text, &end, &randomness->mask);
	if (!err && *end == ':')
		err = read_number(end + 1, &end, &randomness->seed);
	if (err || *end || !randomness->mask ||
	    randomness->mask > PERIOD_MAX) {
		say_error("%s: '%s' is not MASK or MASK:SEED; the mask has the bits of the random number that is added to each period (0xff: up to 255)",
			  option, text);
		return -1;
	}
	return 0;
}

static bool can_sample(const struct pfm_reg_map *map, const struct event *event)
{
	const struct pfm_reg_info *info = pfm_reg_map_pmd(map, event->pmd);

	return info && (info->flags & PFM_REGI_OVERFLOW);
}

/*
 * The kernel takes shorter periods than the hardware has, but several of their samples come with one
 * interrupt: all of them at one place.  Periods of IBS are another check's.
 */
static int check_shortest(const struct pfm_reg_map *map,
			  const struct event *event, uint64_t period)
{
	const struct pfm_reg_info *info = pfm_reg_map_pmd(map, event->pmd);

	if (!info || period >= info->min_period)
		return 0;
	say_error("'%s': a period of %" PRIu64
		  " is too short for this processor; its shortest is %u",
		  event->name, period, info->min_period);
	return -1;
}

static int add_period(struct periods *periods, const struct events *events,
		      size_t event, uint64_t first, uint64_t between,
		      uint64_t frequency, const struct randomness *randomness)
{
	struct period *period = &periods->list[periods->count];
	size_t i;

	for (i = 0; i < periods->count; i++) {
		if (periods->list[i].pmd != events->list[event].pmd)
			continue;
		say_error("'%s' samples twice with one register; give it one period",
			  events->list[event].name);
		return -1;
	}
	if (first + randomness->mask > PERIOD_MAX ||
	    between + randomness->mask > PERIOD_MAX) {
		say_error("'%s': period and random mask exceed 2^63-1",
			  events->list[event].name);
		return -1;
	}
	period->event = event;
	period->pmd = events->list[event].pmd;
	period->first = first;
	period->between = between;
	period->frequency = frequency;
	period->mask = randomness->mask;
	period->seed = randomness->seed;
	periods->count++;
	return 0;
}

/*
 * The kernel adapts the periods of counters to a frequency.  IBS has periods of its own, and a clock
 * needs no other than the first.
 */
static bool is_adapted(const struct event *event)
{
	return !event->unit && event->role != ROLE_TASK_CLOCK;
}

/* Events that have no period of their own get the one of all, or that of a frequency. */
static int fill(const struct smpl_options *options, const struct events *events,
		uint64_t *between, const uint64_t *first)
{
	size_t k;

	for (k = 0; k < events->count; k++) {
		if (between[k] || first[k] || events->list[k].absent)
			continue;
		between[k] = options->period;
		if (options->frequency &&
		    rate_period(events, k, options->frequency,
				is_adapted(&events->list[k]), &between[k]))
			return -1;
	}
	return 0;
}

static int combine(struct periods *periods, const struct smpl_options *options,
		   const struct events *events, const struct pfm_reg_map *map,
		   const uint64_t *first, const uint64_t *between,
		   const struct randomness *randomness)
{
	size_t k;

	for (k = 0; k < events->count; k++) {
		uint64_t a = first[k] ? first[k] : between[k];
		uint64_t b = between[k] ? between[k] : first[k];

		if (!a && randomness[k].mask) {
			say_error("--smpl-periods-random: '%s' has no period to be randomised",
				  events->list[k].name);
			return -1;
		}
		if (!a)
			continue;
		if (events->list[k].absent) {
			say_error("'%s' cannot sample: this processor does not implement it",
				  events->list[k].name);
			return -1;
		}
		if (!can_sample(map, &events->list[k])) {
			say_error("'%s' cannot sample: its register (PMD%u) does not interrupt; processor events and task-clock can",
				  events->list[k].name, events->list[k].pmd);
			return -1;
		}
		if (check_shortest(map, &events->list[k], a < b ? a : b) ||
		    add_period(periods, events, k, a, b,
			       is_adapted(&events->list[k]) ? options->frequency :
							      0,
			       &randomness[k]))
			return -1;
	}
	if (periods->count)
		return 0;
	say_error("no event has a sampling period");
	return -1;
}

static void set_bit(uint64_t *bits, unsigned int num)
{
	bits[num / 64] |= 1ULL << num % 64;
}

static bool has_bit(const uint64_t *bits, unsigned int num)
{
	return bits[num / 64] >> num % 64 & 1;
}

/* Reads a list of existing registers: n,n1-n2,... */
static int read_registers(const char *option, const char *list,
			  const struct pfm_reg_map *map, uint64_t *bits)
{
	const char *at = list;
	uint64_t from, to;

	do {
		if (read_number(at, &at, &from))
			goto bad;
		to = from;
		if (*at == '-' && read_number(at + 1, &at, &to))
			goto bad;
		if ((*at && *at != ',') || to < from || to >= PFM_REGS_MAX)
			goto bad;
		for (; from <= to; from++) {
			if (!pfm_reg_map_pmd(map, from)) {
				say_error("%s: there is no PMD%llu", option,
					  (unsigned long long)from);
				return -1;
			}
			set_bit(bits, from);
		}
	} while (*at++ == ',');
	return 0;
bad:
	say_error("%s: '%s' is not a list of PMD numbers like 1,4-6", option,
		  list);
	return -1;
}

/* Chooses the registers whose values go into each sample. */
static int choose_carried(struct periods *periods,
			  const struct smpl_options *options,
			  const struct events *events,
			  const struct pfm_reg_map *map, uint64_t *bits)
{
	unsigned int num;
	size_t k;

	for (k = 0; k < events->count; k++)
		if (!events->list[k].absent &&
		    periods_event(periods, events->list[k].pmd) < 0)
			set_bit(bits, events->list[k].pmd);
	if (options->extra &&
	    read_registers("--extra-smpl-pmds", options->extra, map, bits))
		return -1;
	for (num = 0; num < PFM_REGS_MAX; num++) {
		if (!has_bit(bits, num))
			continue;
		periods->carried_event[periods->num_carried] = -1;
		for (k = 0; k < events->count; k++)
			if (events->list[k].pmd == num)
				periods->carried_event[periods->num_carried] = k;
		periods->carried[periods->num_carried++] = num;
	}
	return 0;
}

static int choose_reset(const struct periods *periods,
			const struct smpl_options *options,
			const struct events *events,
			const struct pfm_reg_map *map, uint64_t *bits)
{
	const struct pfm_reg_info *info;
	size_t k;

	if (options->reset_list &&
	    read_registers("--reset-non-smpl-periods", options->reset_list,
			   map, bits))
		return -1;
	for (k = 0; options->reset_others && k < events->count; k++) {
		info = pfm_reg_map_pmd(map, events->list[k].pmd);
		/* Registers of the whole task cannot be reset. */
		if (info && !(info->flags & PFM_REGI_READONLY) &&
		    info->num < PFM_REG_TASK_BASE &&
		    periods_event(periods, events->list[k].pmd) < 0)
			set_bit(bits, events->list[k].pmd);
	}
	return 0;
}

/* The registers that the format "ibs" asks for, in word PFM_IBS_SMPL_WORD. */
static uint64_t ibs_registers(uint16_t pmd)
{
	return pmd == PFM_IBS_PMD_OP ? PFM_IBS_OP_SMPL : PFM_IBS_FETCH_SMPL;
}

/* With the format "ibs" only events of IBS sample, and nothing else is recorded. */
static int check_ibs(const struct periods *periods,
		     const struct smpl_options *options,
		     const struct events *events)
{
	size_t k;

	if (options->module != MODULE_IBS)
		return 0;
	for (k = 0; k < events->count; k++) {
		const struct event *event = &events->list[k];

		if (!event->unit) {
			say_error(
				"--smpl-module=ibs: '%s' is no event of IBS, and entries of IBS have no values of other events; leave it out, or count it in a run of its own",
				event->name);
			return -1;
		}
		if (periods_index(periods, k) < 0) {
			say_error(
				"--smpl-module=ibs: '%s' has no sampling period; give it one in --long-smpl-periods, or leave it out",
				event->name);
			return -1;
		}
	}
	return 0;
}

static int make_attrs(struct periods *periods,
		      const struct smpl_options *options,
		      const struct events *events,
		      const struct pfm_reg_map *map)
{
	uint64_t carried[PFM_BV_WORDS] = { 0 }, reset[PFM_BV_WORDS] = { 0 };
	size_t i;

	if (options->module != MODULE_IBS &&
	    choose_carried(periods, options, events, map, carried))
		return -1;
	if (choose_reset(periods, options, events, map, reset))
		return -1;
	periods->attrs = calloc(periods->count, sizeof(*periods->attrs));
	if (!periods->attrs)
		return no_memory();
	for (i = 0; i < periods->count; i++) {
		const struct period *period = &periods->list[i];
		struct pfm_pmd_attr *attr = &periods->attrs[i];

		attr->num = period->pmd;
		attr->flags = options->saturate ? 0 : PFM_PMDF_NOTIFY;
		if (period->mask)
			attr->flags |= PFM_PMDF_RANDOM;
		if (period->frequency)
			attr->flags |= PFM_PMDF_FREQUENCY;
		attr->long_reset = -period->first;
		attr->short_reset = period->frequency ? period->frequency :
							-period->between;
		attr->random_mask = period->mask;
		attr->random_seed = period->seed;
		attr->eventid = period->event;
		memcpy(attr->smpl_pmds, carried, sizeof(carried));
		if (options->module == MODULE_IBS)
			attr->smpl_pmds[PFM_IBS_SMPL_WORD] =
				ibs_registers(period->pmd);
		memcpy(attr->reset_pmds, reset, sizeof(reset));
		say_verbose("PMD%u samples: '%s', periods %llu and %llu",
			    period->pmd, events->list[period->event].name,
			    (unsigned long long)period->first,
			    (unsigned long long)period->between);
	}
	return 0;
}

int periods_read(struct periods *periods, const struct smpl_options *options,
		 const struct events *events, const struct pfm_reg_map *map)
{
	struct randomness *randomness;
	uint64_t *first, *between;
	int err;

	memset(periods, 0, sizeof(*periods));
	periods->list = calloc(events->count, sizeof(*periods->list));
	first = calloc(events->count, sizeof(*first));
	between = calloc(events->count, sizeof(*between));
	randomness = calloc(events->count, sizeof(*randomness));
	if (!periods->list || !first || !between || !randomness)
		err = no_memory();
	else
		err = read_list("--long-smpl-periods", options->long_periods,
				events, first, read_period) ||
		      read_list("--short-smpl-periods", options->short_periods,
				events, between, read_period) ||
		      read_list("--smpl-periods-random", options->random,
				events, randomness, read_random) ||
		      fill(options, events, between, first) ||
		      combine(periods, options, events, map, first, between,
			      randomness) ||
		      check_ibs(periods, options, events) ||
		      make_attrs(periods, options, events, map) ? -1 : 0;
	free(first);
	free(between);
	free(randomness);
	return err;
}

/* The register that has the filter of branches; NULL if there is none. */
static const struct pfm_reg_info *find_branches(const struct pfm_reg_map *map)
{
	const struct pfm_reg_info *pmc;

	for (pmc = pfm_reg_map_next_pmc(map, NULL); pmc;
	     pmc = pfm_reg_map_next_pmc(map, pmc))
		if (pmc->flags & PFM_REGI_BRANCHES)
			return pmc;
	return NULL;
}

int periods_add_branches(struct periods *periods, uint64_t filter, int plm,
			 const struct pfm_reg_map *map)
{
	const struct pfm_reg_info *pmc = find_branches(map);
	uint64_t lacks;

	if (!pmc) {
		say_error(
			"samples cannot carry branches: this processor, or its hypervisor, has no records of them that perfmon knows; Intel's have since Nehalem, AMD's since Zen 4");
		return -1;
	}
	filter &= ~BRANCH_FILTER_ON;
	if (!(filter & (PFM_BRANCH_USER | PFM_BRANCH_KERNEL))) {
		if (plm & PFM_PLM_USER)
			filter |= PFM_BRANCH_USER;
		if (plm & PFM_PLM_KERNEL && !(filter & PFM_BRANCH_STACK))
			filter |= PFM_BRANCH_KERNEL;
	}
	lacks = filter & pmc->rsvd;
	if (lacks) {
		say_error(
			"samples cannot carry branches of '%s': this processor cannot select them",
			branch_filter_word(lacks & -lacks));
		return -1;
	}
	periods->branch_pmc = pmc->num;
	periods->branch_depth = pmc->width;
	periods->branch_filter = filter;
	return 0;
}

static int program_branches(const struct periods *periods, int fd)
{
	struct pfm_reg reg = {
		.num = periods->branch_pmc,
		.value = periods->branch_filter,
	};
	int err;

	if (!periods->branch_filter)
		return 0;
	err = pfm_ctx_write_pmcs(fd, &reg, 1, NULL);
	if (err)
		say_error("cannot set up records of branches: %s",
			  pfm_ctx_strerror(PFM_IOC_WRITE_PMCS, err));
	return err ? -1 : 0;
}

int periods_program(const struct periods *periods, const struct events *events,
		    int fd)
{
	unsigned int failed = 0;
	struct pfm_reg reg;
	size_t i;
	int err;

	err = pfm_ctx_write_pmdattrs(fd, periods->attrs, periods->count,
				     &failed);
	if (err) {
		say_error("'%s' cannot sample: %s", failed < periods->count ?
			  events->list[periods->list[failed].event].name : "",
			  pfm_ctx_strerror(PFM_IOC_WRITE_PMDATTRS, err));
		return -1;
	}
	for (i = 0; i < periods->count; i++) {
		memset(&reg, 0, sizeof(reg));
		reg.num = periods->list[i].pmd;
		reg.value = -periods->list[i].first;
		err = pfm_ctx_write_pmds(fd, &reg, 1, NULL);
		if (!err)
			continue;
		say_error("cannot set up PMD%u: %s", reg.num,
			  pfm_ctx_strerror(PFM_IOC_WRITE_PMDS, err));
		return -1;
	}
	return program_branches(periods, fd);
}

int periods_event(const struct periods *periods, uint16_t pmd)
{
	size_t i;

	for (i = 0; i < periods->count; i++)
		if (periods->list[i].pmd == pmd)
			return periods->list[i].event;
	return -1;
}

int periods_index(const struct periods *periods, size_t event)
{
	size_t i;

	for (i = 0; i < periods->count; i++)
		if (periods->list[i].event == event)
			return i;
	return -1;
}

size_t periods_entry_size(const struct periods *periods)
{
	return sizeof(struct pfm_default_entry) +
	       periods->num_carried * sizeof(uint64_t) +
	       periods->branch_depth * sizeof(struct pfm_branch);
}

void periods_free(struct periods *periods)
{
	free(periods->list);
	free(periods->attrs);
	memset(periods, 0, sizeof(*periods));
}
