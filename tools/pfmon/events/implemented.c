// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events that the processor does not implement.
 */
#include <inttypes.h>
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
	const struct pfm_regmap *map;
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
static const char *alternatives(const struct pfm_regmap *map,
				struct names *names)
{
	*names = (struct names){ .map = map };
	if (pfm_event_for_each(map, add_implemented, names) || !names->count ||
	    names->count > NAMES_MAX)
		return "";
	return names->text;
}

int implemented_check(const struct events *events,
		      const struct options *options,
		      const struct pfm_regmap *map)
{
	struct names absent = { .map = map }, present;
	char name[PFM_EVENT_NAME_LEN + 32], more[40] = "";
	const char *names;
	size_t k;

	for (k = 0; k < events->count; k++) {
		const struct event *event = &events->list[k];

		if (event->implemented != PFM_IMPLEMENTED_NO ||
		    absent.count++ >= NAMES_MAX)
			continue;
		snprintf(name, sizeof(name), "'%s' (0x%" PRIx64 ")",
			 event->name, event->code);
		add_name(&absent, name);
	}
	if (!absent.count)
		return 0;
	if (absent.count > NAMES_MAX)
		snprintf(more, sizeof(more), " and %u more",
			 absent.count - NAMES_MAX);
	if (options->force) {
		say_warning(
			"%s%s: this processor does not implement %s; the count is 0 whatever happens",
			absent.text, more,
			absent.count == 1 ? "the event" : "the events");
		return 0;
	}
	names = alternatives(map, &present);
	say_error(
		"%s%s: this processor does not implement %s, so the count would be 0 whatever happens; %s%s%s; --force counts all the same",
		absent.text, more,
		absent.count == 1 ? "the event" : "the events",
		*names ? "those that count are " : "", names,
		*names ? " ('pfmon -l' marks the others)"
		       : "'pfmon -l' marks such events");
	return -1;
}

void implemented_print(FILE *out, const struct event *event)
{
	if (event->implemented == PFM_IMPLEMENTED_NO)
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
