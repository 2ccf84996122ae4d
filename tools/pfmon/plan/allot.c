// SPDX-License-Identifier: GPL-2.0-only
/*
 * Assigns events to sets.
 *
 * If the counters suffice, all events are one set.  Otherwise, and with --sets, each -e is a set;
 * if its events do not fit the counters, they are distributed over several sets.  Events kept by software need no counter: per-CPU ones go
 * into every set and their counts add up, the others count all the time by
 * themselves.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/message.h"
#include "events/event_list.h"
#include "events/event_names.h"
#include "events/evtsel.h"
#include "events/sets.h"
#include "metrics/metric_plan.h"
#include "options/options.h"
#include "plan/event_plan.h"

/*
 * Time slices vary by up to a third of the timeout in both directions: by half of
 * this value.
 */
#define JITTER(timeout) ((timeout) / 3 * 2)

#define COUNTERS_ROOM	64

/**
 * struct allotment - state of the assignment
 * @events: the events
 * @options: the command line
 * @metrics: how metrics are counted; NULL if there are none
 * @map: the registers
 * @list: events of one set, in the library's form
 * @index: their places in events->list
 * @count: elements of @list and @index
 * @groups: group of each event in @list
 * @numbers: set that the library chose for each event in @list
 */
struct allotment {
	struct events *events;
	const struct options *options;
	const struct metric_plan *metrics;
	const struct pfm_reg_map *map;
	struct pfm_event *list;
	size_t *index;
	unsigned int count;
	unsigned int *groups;
	uint16_t *numbers;
};

static int no_memory(void)
{
	say_error("out of memory for the event sets");
	return -1;
}

static int add_set(struct events *events, unsigned int line)
{
	if (array_reserve(&events->sets, sizeof(*events->sets), &events->room,
			  events->num_sets + 1))
		return no_memory();
	memset(&events->sets[events->num_sets], 0, sizeof(*events->sets));
	events->sets[events->num_sets++].list = line;
	return 0;
}

/* Collects the hardware events of a line, or of all lines. */
static void collect(struct allotment *allotment, unsigned int line, bool all)
{
	const struct events *events = allotment->events;
	size_t k;

	allotment->count = 0;
	for (k = 0; k < events->count; k++) {
		if (!events->list[k].hardware || events->list[k].absent ||
		    (!all && events->list[k].line != line))
			continue;
		allotment->list[allotment->count] = events->parsed[k];
		allotment->groups[allotment->count] = events->list[k].group;
		allotment->index[allotment->count++] = k;
	}
}

static void tell_unfit(const struct allotment *allotment,
		       const struct pfm_assignment *assignment,
		       const char *what)
{
	char why[512];

	pfm_assign_strerror(assignment, allotment->list, why, sizeof(why));
	say_error("%s%s", why, what);
}

/*
 * Writes text like "6 counters and 1 for cycles only", or "8 counters and 4 for one event
 * each" where there are other fixed counters than that of cycles.
 */
static const char *counters_text(const struct pfm_reg_map *map, char *text)
{
	struct pfm_assignment all;
	unsigned int count;
	int length;

	/* No events: it says how many counters there are. */
	pfm_assign_registers(map, NULL, 0, &all);
	count = all.counters - all.fixed_counters;
	length = snprintf(text, COUNTERS_ROOM, "%u counter%s", count,
			  count == 1 ? "" : "s");
	if (all.fixed_counters > all.cycle_counters)
		snprintf(text + length, COUNTERS_ROOM - length,
			 " and %u for one event each", all.fixed_counters);
	else if (all.cycle_counters)
		snprintf(text + length, COUNTERS_ROOM - length,
			 " and %u for cycles only", all.cycle_counters);
	return text;
}

/*
 * Distributes the events of a line that does not fit over several sets.  If the
 * line does not fit for another reason than the number of counters, the
 * assignment reports that later.
 */
static int distribute(struct allotment *allotment, unsigned int line)
{
	struct events *events = allotment->events;
	unsigned int failed = 0, first = events->num_sets, i;
	char counters[COUNTERS_ROOM];
	int sets;

	sets = pfm_assign_sets(allotment->map, allotment->list,
			       allotment->groups, allotment->count,
			       allotment->numbers, &failed);
	if (sets == -ENOSPC) {
		say_error("'%s' does not fit: the events in braces, {...}, cannot be counted together; the processor has %s",
			  events->list[allotment->index[failed]].name,
			  counters_text(allotment->map, counters));
		return -1;
	}
	if (sets < 0) {
		say_error("the events cannot be distributed over sets: %s",
			  strerror(-sets));
		return -1;
	}
	for (i = 0; i < (unsigned int)sets; i++)
		if (add_set(events, line))
			return -1;
	for (i = 0; i < allotment->count; i++)
		events->list[allotment->index[i]].set =
			first + allotment->numbers[i];
	return 0;
}

static int allot_line(struct allotment *allotment, unsigned int line, bool all)
{
	struct pfm_assignment *assignment;
	struct events *events = allotment->events;
	unsigned int i;
	int err;

	collect(allotment, line, all);
	/* There is nothing to put into a set of its own. */
	if (!allotment->count && !all)
		return 0;
	assignment = malloc(sizeof(*assignment));
	if (!assignment)
		return no_memory();
	err = pfm_assign_registers(allotment->map, allotment->list,
				   allotment->count, assignment);
	if (!err) {
		for (i = 0; i < allotment->count; i++)
			events->list[allotment->index[i]].set =
				events->num_sets;
		err = add_set(events, line);
	} else if (all) {
		tell_unfit(allotment, assignment,
			   "; --exclusive refuses to share counters");
	} else if (err == -ENOSPC || err == -E2BIG) {
		err = distribute(allotment, line);
	} else {
		tell_unfit(allotment, assignment, "");
	}
	free(assignment);
	return err ? -1 : 0;
}

/*
 * True if each line of the command line stays a set of its own: options about time slices are
 * about sets.
 */
static bool are_apart(const struct set_options *options)
{
	return options->apart || options->timeouts ||
	       set_options_has_triggers(options);
}

/* True if the counters suffice for the events of all lines. */
static bool fit_together(struct allotment *allotment)
{
	struct pfm_assignment *assignment = malloc(sizeof(*assignment));
	bool fit;

	collect(allotment, 0, true);
	fit = assignment &&
	      !pfm_assign_registers(allotment->map, allotment->list,
				    allotment->count, assignment);
	free(assignment);
	return fit;
}

/* Number of the lists of events: those of -e and those of the metrics. */
static unsigned int num_lists(const struct allotment *allotment)
{
	return allotment->options->sets.count +
	       metric_plan_num_lists(allotment->metrics);
}

/* Determines the sets.  Registers follow once the number of sets is known. */
static int allot_lines(struct allotment *allotment)
{
	const struct set_options *options = &allotment->options->sets;
	unsigned int lines = num_lists(allotment), line;

	if (options->exclusive ||
	    (lines > 1 && !are_apart(options) &&
	     fit_together(allotment)))
		return allot_line(allotment, 0, true);
	for (line = 0; line < lines || !line; line++)
		if (allot_line(allotment, line, false))
			return -1;
	if (allotment->events->num_sets)
		return 0;
	/* All events are kept by software. */
	return add_set(allotment->events, 0);
}

static bool belongs(const struct events *events, size_t event, unsigned int set)
{
	return !events->list[event].absent &&
	       (events->list[event].set == set ||
		sets_everywhere(events, event));
}

static int read_trigger(struct allotment *allotment, struct event_set *es,
			const char *name, uint64_t count)
{
	struct pfm_event *parsed = &allotment->list[allotment->count];
	struct trigger *trigger = &es->triggers[es->num_triggers];
	char why[512];
	int err;

	if (es->num_triggers == TRIGGERS_MAX) {
		say_error("--switch-overflow: more than %d triggers for one set",
			  TRIGGERS_MAX);
		return -1;
	}
	err = event_string_parse(allotment->map, name, allotment->options->plm,
				 &evtsel_no_masks, parsed, why, sizeof(why));
	if (err) {
		say_error("--switch-overflow: %s", why);
		return -1;
	}
	if (parsed->kind == PFM_EVENT_VIRTUAL &&
	    parsed->pmd >= PFM_REG_TASK_BASE) {
		say_error(
			"--switch-overflow: '%s' cannot interrupt, so it cannot end a time slice; take an event of the processor or task-clock",
			name);
		return -1;
	}
	if (parsed->kind == PFM_EVENT_HARDWARE &&
	    pfm_event_implemented(allotment->map, parsed->code) ==
		    PFM_IMPLEMENTED_NO) {
		say_error(
			"--switch-overflow: this processor does not implement '%s' (0x%llx), so it cannot end a time slice; 'pfmon -l' marks such events",
			name, (unsigned long long)parsed->code);
		return -1;
	}
	trigger->count = count;
	trigger->index = allotment->count++;
	es->num_triggers++;
	return 0;
}

/* Triggers count in registers of their own, which follow those of the events. */
static int read_triggers(struct allotment *allotment, struct event_set *es)
{
	const struct set_options *options = &allotment->options->sets;
	const char *text = NULL;
	uint64_t count;
	char *name;
	int err = 0;

	if (es->list < options->count)
		text = options->triggers[es->list];
	if (!text)
		text = options->common;
	while (text && !err && set_options_trigger(&text, &name, &count) > 0) {
		err = read_trigger(allotment, es, name, count);
		free(name);
	}
	return err;
}

/*
 * A trigger resets its register, so the register cannot count an event as well.
 */
static int check_triggers(const struct event_set *es)
{
	const struct pfm_assignment *assignment = &es->assignment;
	unsigned int i, k;

	for (i = 0; i < es->num_triggers; i++) {
		for (k = 0; k < es->triggers[i].index; k++) {
			if (assignment->pmd[k] !=
			    assignment->pmd[es->triggers[i].index])
				continue;
			say_error(
				"--switch-overflow: PMD%u counts an event, so it cannot end the time slices of its set as well",
				assignment->pmd[k]);
			return -1;
		}
	}
	return 0;
}

static int assign_set(struct allotment *allotment, unsigned int set)
{
	struct events *events = allotment->events;
	struct event_set *es = &events->sets[set];
	size_t i, k;

	allotment->count = 0;
	for (k = 0; k < events->count; k++) {
		if (!belongs(events, k, set))
			continue;
		allotment->list[allotment->count] = events->parsed[k];
		allotment->index[allotment->count++] = k;
	}
	es->count = allotment->count;
	es->events = calloc(es->count + 1, sizeof(*es->events));
	if (!es->events)
		return no_memory();
	memcpy(es->events, allotment->index, es->count * sizeof(*es->events));
	if (events->multiplexed && read_triggers(allotment, es))
		return -1;
	if (pfm_assign_registers(allotment->map, allotment->list,
				 allotment->count, &es->assignment)) {
		tell_unfit(allotment, &es->assignment, es->num_triggers ?
			   "; each trigger of --switch-overflow takes a counter" :
			   "");
		return -1;
	}
	if (check_triggers(es))
		return -1;
	if (!es->num_triggers)
		es->timeout = set_options_timeout(&allotment->options->sets,
						  set);
	es->jitter = JITTER(es->timeout);
	for (i = 0; i < es->count; i++)
		events->list[es->events[i]].pmd = es->assignment.pmd[i];
	return 0;
}

static void tell_set(const struct events *events, unsigned int set)
{
	const struct event_set *es = &events->sets[set];
	char levels[EVENT_LEVELS_ROOM];
	size_t i;

	if (events->num_sets > 1)
		say_verbose("event set %u:", set);
	for (i = 0; i < es->count; i++) {
		const struct event *event = &events->list[es->events[i]];

		if (event->hardware)
			say_verbose("PMD%u: %s, code 0x%llx, levels %s",
				    event->pmd, event->canonical,
				    (unsigned long long)event->code,
				    event_levels(event->plm, levels));
		else
			say_verbose("PMD%u: %s", event->pmd, event->canonical);
	}
	for (i = 0; i < es->assignment.num_pmcs; i++)
		say_debug("PMC%u = 0x%llx", es->assignment.pmcs[i].num,
			  (unsigned long long)es->assignment.pmcs[i].value);
}

static int check_sets(const struct allotment *allotment)
{
	const struct events *events = allotment->events;
	const struct options *options = allotment->options;
	const struct pfm_reg_map *map = allotment->map;
	const struct set_options *sets = &options->sets;
	unsigned int lines = num_lists(allotment) ? num_lists(allotment) : 1;
	unsigned int timeouts = set_options_num_timeouts(sets);
	char counters[COUNTERS_ROOM];

	if (events->num_sets == 1) {
		if (sets->timeouts || sets->common ||
		    (sets->count && sets->triggers[0]))
			say_note("the counters suffice for all events together, so there is one event set and no switching");
		return 0;
	}
	if (smpl_options_on(&options->smpl) && are_apart(sets)) {
		say_error(
			"several event sets (--sets, --switch-timeout, --switch-overflow) and sampling cannot be combined");
		return -1;
	}
	if (smpl_options_on(&options->smpl)) {
		say_error("the processor has %s, too few for all events together, and several event sets and sampling cannot be combined",
			  counters_text(map, counters));
		return -1;
	}
	if (!sets->no_multiplex &&
	    (events->num_sets > lines ||
	     (!are_apart(sets) && !metric_plan_tells(allotment->metrics))))
		say_note("the processor has %s, too few for all events together: %u event sets share them in time slices, and the counts are estimates%s",
			 counters_text(map, counters), events->num_sets,
			 set_options_may_repeat(options) ?
			 " (--no-multiplex runs the command once for each set)" :
			 "; fewer events are counted exactly");
	if (timeouts > events->num_sets)
		say_note("--switch-timeout has %u times for %u event sets: the last ones are not used",
			 timeouts, events->num_sets);
	return 0;
}

static int allot(struct allotment *allotment)
{
	struct events *events = allotment->events;
	unsigned int set;
	size_t k;

	for (k = 0; k < events->count; k++) {
		events->list[k].always = !events->list[k].hardware ||
					 events->list[k].absent;
		events->list[k].pmd = events->list[k].absent
					      ? PFM_REG_NONE
					      : events->parsed[k].pmd;
	}
	if (allot_lines(allotment) ||
	    check_sets(allotment))
		return -1;
	events->multiplexed = events->num_sets > 1 &&
			      !allotment->options->sets.no_multiplex;
	for (set = 0; set < events->num_sets; set++) {
		if (assign_set(allotment, set))
			return -1;
		tell_set(events, set);
	}
	return 0;
}

int allot_sets(struct events *events, const struct options *options,
	       const struct metric_plan *metrics, const struct pfm_reg_map *map)
{
	size_t room = events->count + TRIGGERS_MAX;
	struct allotment allotment = {
		.events = events,
		.options = options,
		.metrics = metrics,
		.map = map,
		.list = calloc(room, sizeof(struct pfm_event)),
		.index = calloc(room, sizeof(size_t)),
		.groups = calloc(room, sizeof(unsigned int)),
		.numbers = calloc(room, sizeof(uint16_t)),
	};
	int err;

	events->no_idle = options->scope.no_idle;
	events->side = options->scope.excl_intr ? PFM_SETFL_EXCL_INTR :
		       options->scope.intr_only ? PFM_SETFL_INTR_ONLY :
						  0;
	if (allotment.list && allotment.index && allotment.groups &&
	    allotment.numbers)
		err = allot(&allotment);
	else
		err = no_memory();
	free(allotment.list);
	free(allotment.index);
	free(allotment.groups);
	free(allotment.numbers);
	return err;
}
