// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parses --events and finds registers for the events.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "check/remedies.h"
#include "events/event_list.h"
#include "events/event_names.h"
#include "events/evtsel.h"
#include "events/implemented.h"
#include "events/sets.h"
#include "metrics/metric_plan.h"
#include "options/options.h"
#include "plan/event_plan.h"

/* Levels that the library knows. */
#define PLM_KNOWN (PFM_PLM_USER | PFM_PLM_KERNEL | PFM_PLM_HYP)

static const char *const default_events = "cycles";

/**
 * struct lists - the lists of events, and what is left of the options with an element for each event
 * @options: the command line
 * @metrics: how metrics are counted; NULL if there are none
 * @levels: --priv-levels
 * @masks: --counter-mask and so on
 */
struct lists {
	const struct options *options;
	const struct metric_plan *metrics;
	const char *levels;
	const char *masks[NUM_EVENT_MASKS];
};

/**
 * struct wish - what the options say of one event
 * @plm: levels, unless it names some
 * @named: --priv-levels names them
 * @masks: bits of the counter's control register
 */
struct wish {
	uint32_t plm;
	bool named;
	struct evtsel_masks masks;
};

/* Number of the lists of events: those of -e, and those of the metrics behind them. */
static unsigned int num_lists(const struct lists *lists)
{
	return lists->options->sets.count +
	       metric_plan_num_lists(lists->metrics);
}

/* The list number @line; if there are none, the default. */
static const char *list_of(const struct lists *lists, unsigned int line)
{
	unsigned int given = lists->options->sets.count;

	if (line < given)
		return lists->options->sets.lists[line];
	return num_lists(lists) ? lists->metrics->lists[line - given]
				: default_events;
}

static int no_memory(void)
{
	say_error("out of memory for the events");
	return -1;
}

/* Number of elements in a list with commas. */
static size_t count_elements(const char *text)
{
	size_t count = 1;

	for (; *text; text++)
		count += *text == ',';
	return count;
}

/* The same for a list of events. */
static size_t count_events(const char *text)
{
	size_t count = 1;

	for (; *(text += options_event_length(text)); text++)
		count++;
	return count;
}

/* Takes the first element off a list with commas; an empty one if there is none. */
static size_t next_element(const char **list)
{
	size_t length = strcspn(*list, ",");

	*list += length;
	if (**list == ',')
		(*list)++;
	return length;
}

/* Takes the next elements; the options' setters have checked them. */
static void next_wish(struct lists *lists, struct wish *wish)
{
	const char *text = lists->levels;
	size_t length = next_element(&lists->levels);
	unsigned int i;

	wish->named = length > 0;
	wish->plm = length ? (uint32_t)options_levels(text, length) :
			     lists->options->plm;
	for (i = 0; i < NUM_EVENT_MASKS; i++) {
		text = lists->masks[i];
		length = next_element(&lists->masks[i]);
		wish->masks.value[i] = options_mask(i, text, length);
	}
}

static int read_one(struct events *events, const struct pfm_reg_map *map,
		    const char *text, const struct wish *wish)
{
	struct pfm_event *parsed = &events->parsed[events->count];
	struct event *event = &events->list[events->count];
	char why[1024];
	int err;

	event->name = strdup(text);
	if (!event->name)
		return no_memory();
	events->count++;
	err = event_string_parse(map, text, wish->plm, &wish->masks, parsed,
				 why, sizeof(why));
	event->nameless = err == -EOPNOTSUPP &&
			  parsed->kind == PFM_EVENT_HARDWARE;
	if (event->nameless)
		err = 0;
	if (err == -EDOM && wish->plm & ~PLM_KNOWN) {
		say_error(
			"'%s': this processor has no privilege levels 1 and 2; use -u and -k",
			text);
		return -1;
	}
	if (err) {
		say_error("%s%s", why,
			  err == -ENOENT ? "; 'pfmon -l' lists the events"
					 : "");
		return -1;
	}
	event->label = event_label(text, parsed);
	if (!event->label)
		return no_memory();
	event->canonical = parsed->name;
	event->code = parsed->code;
	event->plm = parsed->plm;
	event->hardware = parsed->kind != PFM_EVENT_VIRTUAL;
	event->unit = parsed->kind == PFM_EVENT_UNIT;
	if (event->nameless)
		event->implemented = PFM_IMPLEMENTED_NO;
	else if (event->hardware && !event->unit)
		event->implemented = pfm_event_implemented(map, parsed->code);
	event->gauge = parsed->flags & PFM_EVENTF_GAUGE;
	if (event->hardware && !event->unit && !event->nameless &&
	    evtsel_inv_alone(evtsel_maker(pfm_reg_map_pmu(map)), parsed->code))
		say_warning("'%s': inv has no effect without a counter mask (--counter-mask=N, c=N, cmask=N)",
			    text);
	if (!wish->named || event->hardware)
		return 0;
	say_error(
		"--priv-levels: '%s' is kept by software and has no levels; leave its place in the list empty",
		text);
	return -1;
}

/*
 * Strips the braces of a group, {a,b}, from an element.  The events between them
 * get the same group number.  Returns -1 if the braces do not match.
 */
static int take_braces(char **text, bool *within, unsigned int *group)
{
	size_t length;

	if (!*within)
		(*group)++;
	if (**text == '{') {
		if (*within)
			return -1;
		*within = true;
		(*text)++;
	}
	length = strlen(*text);
	if (!length || (*text)[length - 1] != '}')
		return 0;
	if (!*within)
		return -1;
	(*text)[length - 1] = '\0';
	*within = false;
	return 0;
}

/* Takes the first event off a list; NULL if there is none left. */
static char *next_event(char **list)
{
	char *text = *list;
	size_t length;

	if (!text)
		return NULL;
	length = options_event_length(text);
	*list = text[length] ? text + length + 1 : NULL;
	text[length] = '\0';
	return text;
}

static int read_list(struct events *events, const struct pfm_reg_map *map,
		     unsigned int line, struct lists *lists)
{
	const char *list = list_of(lists, line);
	char *copy = strdup(list), *rest = copy, *text;
	unsigned int group = 0;
	bool within = false;
	int err = 0;

	if (!copy)
		return no_memory();
	while (!err && (text = next_event(&rest))) {
		struct event *event = &events->list[events->count];
		struct wish wish;

		if (take_braces(&text, &within, &group)) {
			say_error(
				"--events: '%s': braces around a group of events do not match",
				list);
			err = -1;
		} else if (!*text) {
			say_error("--events: '%s' has an empty event name",
				  list);
			err = -1;
		} else {
			next_wish(lists, &wish);
		}
		event->line = line;
		event->group = group;
		if (!err)
			err = read_one(events, map, text, &wish);
	}
	free(copy);
	if (err || !within)
		return err;
	say_error("--events: '%s': a group of events is not closed with '}'",
		  list);
	return -1;
}

/* @list is the value of an option; NULL if it was not given. */
static int check_length(const char *option, const char *list, size_t count)
{
	if (!list || count_elements(list) <= count)
		return 0;
	say_error("--%s has %zu entries for %zu event%s", option,
		  count_elements(list), count, count == 1 ? "" : "s");
	return -1;
}

static int check_lists(const struct lists *lists, const struct pfm_reg_map *map,
		       size_t count)
{
	const struct options *options = lists->options;
	unsigned int i;

	if (check_length("priv-levels", options->priv_levels, count))
		return -1;
	for (i = 0; i < NUM_EVENT_MASKS; i++)
		if (check_length(evtsel_option(i), options->masks[i], count))
			return -1;
	if (!num_lists(lists) && !pfm_reg_map_counters(map, NULL)) {
		struct no_pmu no_pmu;

		no_pmu_explain(&no_pmu);
		say_error(
			"there is no default event without the processor's PMU: %s; %s; virtual events count without, as in 'pfmon -e task-clock,context-switches'",
			no_pmu.why, no_pmu.fix);
		return -1;
	}
	return 0;
}

static void begin_lists(struct lists *lists, const struct options *options,
			const struct metric_plan *metrics)
{
	unsigned int i;

	lists->options = options;
	lists->metrics = metrics;
	lists->levels = options->priv_levels ? options->priv_levels : "";
	for (i = 0; i < NUM_EVENT_MASKS; i++)
		lists->masks[i] = options->masks[i] ? options->masks[i] : "";
}

/* Says once what a level means where the hardware has none. */
static void tell_levels(const struct events *events)
{
	const struct event *event;
	size_t k;

	for (k = 0; k < events->count; k++) {
		event = &events->list[k];
		if (!events_drop_samples(event))
			continue;
		say_note(
			"'%s': IBS counts user and kernel code alike: counts and periods include both, and samples of %s code are left out",
			event->name,
			event->plm & PFM_PLM_USER ? "kernel" : "user");
		return;
	}
}

int events_read(struct events *events, const struct options *options,
		const struct metric_plan *metrics,
		const struct pfm_reg_map *map)
{
	unsigned int line, lines;
	struct lists lists;
	size_t count = 0;

	memset(events, 0, sizeof(*events));
	events->map = map;
	begin_lists(&lists, options, metrics);
	lines = num_lists(&lists) ? num_lists(&lists) : 1;
	for (line = 0; line < lines; line++)
		count += count_events(list_of(&lists, line));
	if (check_lists(&lists, map, count))
		return -1;
	events->list = calloc(count, sizeof(*events->list));
	events->parsed = calloc(count, sizeof(*events->parsed));
	if (!events->list || !events->parsed)
		return no_memory();
	for (line = 0; line < lines; line++)
		if (read_list(events, map, line, &lists))
			return -1;
	if (implemented_check(events, options, map))
		return -1;
	tell_levels(events);
	event_roles_find(events, map);
	return allot_sets(events, options, metrics, map);
}

void events_free(struct events *events)
{
	size_t i;

	for (i = 0; i < events->count; i++) {
		free(events->list[i].name);
		free(events->list[i].label);
	}
	sets_free(events);
	free(events->list);
	free(events->parsed);
	memset(events, 0, sizeof(*events));
}
