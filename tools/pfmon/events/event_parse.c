// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parses --events and finds registers for the events.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "events/allot.h"
#include "events/event_list.h"
#include "events/event_parse.h"
#include "events/implemented.h"
#include "events/sets.h"
#include "options/options.h"

/* Levels that the library knows. */
#define PLM_KNOWN (PFM_PLM_USER | PFM_PLM_KERNEL | PFM_PLM_HYP)

static const char *const default_events = "cycles";

/* The list of the -e number @line. */
static const char *list_of(const struct options *options, unsigned int line)
{
	return options->sets.count ? options->sets.lists[line] : default_events;
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

/*
 * Takes the next element of --priv-levels, which the option's setter has checked; an
 * empty or missing one leaves the default.
 */
static void next_levels(const char **text, uint32_t *plm, bool *named)
{
	size_t length = strcspn(*text, ",");

	*named = length > 0;
	if (length)
		*plm = options_levels(*text, length);
	*text += length;
	if (**text == ',')
		(*text)++;
}

static int read_one(struct events *events, const struct pfm_regmap *map,
		    const char *text, uint32_t plm, bool named)
{
	struct pfm_event *parsed = &events->parsed[events->count];
	struct event *event = &events->list[events->count];
	char why[512];
	int err;

	event->name = strdup(text);
	if (!event->name)
		return no_memory();
	events->count++;
	err = pfm_event_parse(map, text, plm, parsed);
	if (err == -EDOM && plm & ~PLM_KNOWN) {
		say_error(
			"'%s': this processor has no privilege levels 1 and 2; use -u and -k",
			text);
		return -1;
	}
	if (err) {
		pfm_event_strerror(map, text, err, why, sizeof(why));
		say_error("%s%s", why,
			  err == -ENOENT ? "; 'pfmon -l' lists the events"
					 : "");
		return -1;
	}
	event->canonical = parsed->name;
	event->code = parsed->code;
	event->plm = parsed->plm;
	event->hardware = parsed->kind == PFM_EVENT_HARDWARE;
	if (event->hardware)
		event->implemented = pfm_event_implemented(map, parsed->code);
	event->gauge = parsed->flags & PFM_EVENTF_GAUGE;
	if (!named || event->hardware)
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

static int read_list(struct events *events, const struct options *options,
		     const struct pfm_regmap *map, unsigned int line,
		     const char **levels)
{
	const char *list = list_of(options, line);
	char *copy = strdup(list), *rest = copy, *text;
	unsigned int group = 0;
	bool within = false;
	int err = 0;

	if (!copy)
		return no_memory();
	while (!err && (text = strsep(&rest, ","))) {
		struct event *event = &events->list[events->count];
		uint32_t plm = options->plm;
		bool named;

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
			next_levels(levels, &plm, &named);
		}
		event->line = line;
		event->group = group;
		if (!err)
			err = read_one(events, map, text, plm, named);
	}
	free(copy);
	if (err || !within)
		return err;
	say_error("--events: '%s': a group of events is not closed with '}'",
		  list);
	return -1;
}

static int check_lists(const struct options *options,
		       const struct pfm_regmap *map, size_t count)
{
	if (options->priv_levels &&
	    count_elements(options->priv_levels) > count) {
		say_error("--priv-levels has %zu entries for %zu event%s",
			  count_elements(options->priv_levels), count,
			  count == 1 ? "" : "s");
		return -1;
	}
	if (!options->sets.count && !pfm_regmap_counters(map, NULL)) {
		say_error(
			"the processor's counters are not available here, so there is no default event; name virtual events, for instance '-e task-clock,context-switches'");
		return -1;
	}
	return 0;
}

int events_read(struct events *events, const struct options *options,
		const struct pfm_regmap *map)
{
	unsigned int line,
		lines = options->sets.count ? options->sets.count : 1;
	const char *levels = options->priv_levels ? options->priv_levels : "";
	size_t count = 0;

	memset(events, 0, sizeof(*events));
	for (line = 0; line < lines; line++)
		count += count_elements(list_of(options, line));
	if (check_lists(options, map, count))
		return -1;
	events->list = calloc(count, sizeof(*events->list));
	events->parsed = calloc(count, sizeof(*events->parsed));
	if (!events->list || !events->parsed)
		return no_memory();
	for (line = 0; line < lines; line++)
		if (read_list(events, options, map, line, &levels))
			return -1;
	if (implemented_check(events, options, map))
		return -1;
	return allot_sets(events, options, map);
}

void events_free(struct events *events)
{
	size_t i;

	for (i = 0; i < events->count; i++)
		free(events->list[i].name);
	sets_free(events);
	free(events->list);
	free(events->parsed);
	memset(events, 0, sizeof(*events));
}
