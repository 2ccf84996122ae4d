// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events that the processor does not implement.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "events/event_list.h"
#include "events/implemented.h"
#include "options/options.h"

/* Names to print in one message; further ones are only counted. */
#define NAMES_MAX 8
#define TEXT_ROOM 1536

/**
 * struct names - events in a message
 * @map: the register map
 * @codes: codes of the named events
 * @count: number of events, including those that are not named
 * @text: their names
 */
struct names {
	const struct pfm_reg_map *map;
	uint64_t codes[NAMES_MAX];
	unsigned int count;
	char text[TEXT_ROOM];
};

static void add_name(struct names *names, const char *name)
{
	size_t length = strlen(names->text);

	snprintf(names->text + length, sizeof(names->text) - length, "%s%s",
		 length ? ", " : "", name);
}

/* Two event tables may have the same event under different names. */
static int add_implemented(const struct pfm_event_desc *desc, void *arg)
{
	struct names *names = arg;
	unsigned int i;

	if (desc->kind != PFM_EVENT_HARDWARE ||
	    desc->flags & PFM_EVENTF_GENERIC ||
	    pfm_event_implemented(names->map, desc->code) !=
		    PFM_IMPLEMENTED_YES)
		return 0;
	for (i = 0; i < names->count && i < NAMES_MAX; i++)
		if (names->codes[i] == desc->code)
			return 0;
	if (names->count < NAMES_MAX) {
		names->codes[names->count] = desc->code;
		add_name(names, desc->name);
	}
	names->count++;
	return 0;
}

/* Lists the events if they are few; otherwise -l is the place to look. */
static const char *alternatives(const struct pfm_reg_map *map,
				struct names *names)
{
	*names = (struct names){ .map = map };
	if (pfm_event_for_each(map, add_implemented, names) || !names->count ||
	    names->count > NAMES_MAX)
		return "";
	return names->text;
}

/* Collects the events that the processor does not implement, and that are @absent or not. */
static void collect(const struct events *events, bool absent,
		    struct names *names)
{
	char name[PFM_EVENT_NAME_LEN + 32];
	size_t k;

	for (k = 0; k < events->count; k++) {
		const struct event *event = &events->list[k];

		if (event->implemented != PFM_IMPLEMENTED_NO ||
		    event->absent != absent || names->count++ >= NAMES_MAX)
			continue;
		snprintf(name, sizeof(name), "'%s'", event->name);
		if (!event->nameless)
			snprintf(name, sizeof(name), "'%s' (0x%" PRIx64 ")",
				 event->name, event->code);
		add_name(names, name);
	}
	if (names->count <= NAMES_MAX)
		return;
	snprintf(name, sizeof(name), " and %u more", names->count - NAMES_MAX);
	strncat(names->text, name, sizeof(names->text) - strlen(names->text) - 1);
}

static void warn_forced(const struct events *events)
{
	struct names forced = { 0 };

	collect(events, false, &forced);
	if (forced.count)
		say_warning(
			"%s: this processor does not implement %s; the count is 0 whatever happens",
			forced.text,
			forced.count == 1 ? "the event" : "the events");
}

int implemented_check(struct events *events, const struct options *options,
		      const struct pfm_reg_map *map)
{
	bool refuse = options->strict || options->action == ACTION_CHECK;
	struct names absent = { 0 }, present;
	const char *names, *what;
	char text[2 * TEXT_ROOM + 256];
	size_t k;

	for (k = 0; k < events->count; k++)
		events->list[k].absent =
			events->list[k].implemented == PFM_IMPLEMENTED_NO &&
			(events->list[k].nameless || !options->force);
	warn_forced(events);
	collect(events, true, &absent);
	if (!absent.count)
		return 0;
	names = alternatives(map, &present);
	what = absent.count == 1 ? "the event" : "the events";
	snprintf(text, sizeof(text),
		 "%s: this processor does not implement %s; %s%s%s",
		 absent.text, what, *names ? "those that count are " : "",
		 names,
		 *names ? " ('pfmon -l' marks the others)"
			: "'pfmon -l' marks such events");
	if (!refuse)
		say_warning("%s", text);
	else if (options->force)
		say_error("%s", text);
	else
		say_error("%s; --force counts all the same", text);
	return refuse ? -1 : 0;
}

void implemented_print(FILE *out, const struct event *event)
{
	if (event->absent)
		fputs(" (not on this processor)", out);
	else if (event->implemented == PFM_IMPLEMENTED_NO)
		fputs(" (not implemented)", out);
}

const char *implemented_field(const struct event *event)
{
	switch (event ? event->implemented : PFM_IMPLEMENTED_UNKNOWN) {
	case PFM_IMPLEMENTED_YES:
		return "1";
	case PFM_IMPLEMENTED_NO:
		return "0";
	default:
		return "";
	}
}
