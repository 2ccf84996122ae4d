// SPDX-License-Identifier: GPL-2.0-only
/*
 * From the value of --events to registers.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"
#include "message.h"
#include "options.h"

/* Levels that a PMU known to the library may have. */
#define PLM_KNOWN	(PFM_PLM_USER | PFM_PLM_KERNEL | PFM_PLM_HYP)

static const char *const default_events = "cycles";

static int no_memory(void)
{
	say_error("out of memory for the events");
	return -1;
}

const char *event_levels(uint32_t plm, char *text)
{
	static const struct {
		uint32_t bit;
		char letter;
	} levels[] = {
		{ PFM_PLM_USER, 'u' },
		{ PFM_PLM_KERNEL, 'k' },
		{ PFM_PLM_HYP, 'h' },
	};
	char *at = text;
	size_t i;

	for (i = 0; i < sizeof(levels) / sizeof(levels[0]); i++)
		if (plm & levels[i].bit)
			*at++ = levels[i].letter;
	*at = '\0';
	return text;
}

/* Number of elements of a list that commas part. */
static size_t count_elements(const char *text)
{
	size_t count = 1;

	for (; *text; text++)
		count += *text == ',';
	return count;
}

/*
 * The next element of --priv-levels; an empty or missing one leaves the
 * default.  -1 after saying what is wrong.
 */
static int next_levels(const char **text, uint32_t *plm, bool *named)
{
	size_t length = strcspn(*text, ",");
	int levels;

	*named = length > 0;
	if (length) {
		levels = options_levels(*text, length);
		if (levels < 0) {
			say_error("--priv-levels: '%.*s' is not a list of levels; use the letters u (or 3) and k (or 0), a comma between events",
				  (int)length, *text);
			return -1;
		}
		*plm = levels;
	}
	*text += length;
	if (**text == ',')
		(*text)++;
	return 0;
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
		say_error("'%s': this processor has no privilege levels 1 and 2; use -u and -k",
			  text);
		return -1;
	}
	if (err) {
		pfm_event_strerror(map, text, err, why, sizeof(why));
		say_error("%s%s", why, err == -ENOENT ?
			  "; 'pfmon -l' lists the events" : "");
		return -1;
	}
	event->canonical = parsed->name;
	event->code = parsed->code;
	event->plm = parsed->plm;
	event->hardware = parsed->kind == PFM_EVENT_HARDWARE;
	event->gauge = parsed->flags & PFM_EVENTF_GAUGE;
	if (!named || event->hardware)
		return 0;
	say_error("--priv-levels: '%s' is kept by software and has no levels; leave its place in the list empty",
		  text);
	return -1;
}

static int read_list(struct events *events, const struct options *options,
		     const struct pfm_regmap *map)
{
	const char *levels = options->priv_levels ? options->priv_levels : "";
	const char *list = options->events ? options->events : default_events;
	char *copy = strdup(list), *rest = copy, *text;
	int err = 0;

	if (!copy)
		return no_memory();
	while (!err && (text = strsep(&rest, ","))) {
		uint32_t plm = options->plm;
		bool named;

		if (!*text) {
			say_error("--events: '%s' has an empty event name", list);
			err = -1;
		} else {
			err = next_levels(&levels, &plm, &named);
		}
		if (!err)
			err = read_one(events, map, text, plm, named);
	}
	free(copy);
	return err;
}

static int check_lists(const struct options *options,
		       const struct pfm_regmap *map, size_t count)
{
	if (options->event_sets > 1) {
		say_error("-e was given %u times: each -e is an event set of its own, and several sets that share the counters in turn (multiplexing) are not available; put the events into one -e: %u hardware events fit at a time, and any number of virtual ones",
			  options->event_sets, pfm_regmap_counters(map, NULL));
		return -1;
	}
	if (options->priv_levels &&
	    count_elements(options->priv_levels) > count) {
		say_error("--priv-levels has %zu entries for %zu event%s",
			  count_elements(options->priv_levels), count,
			  count == 1 ? "" : "s");
		return -1;
	}
	if (!options->events && !pfm_regmap_counters(map, NULL)) {
		say_error("the processor's counters are not available here, so there is no default event; name virtual events, for instance '-e task-clock,context-switches'");
		return -1;
	}
	return 0;
}

static int assign(struct events *events, const struct pfm_regmap *map)
{
	struct pfm_assignment *assignment = &events->assignment;
	char why[512], levels[EVENT_LEVELS_ROOM];
	size_t i;

	if (pfm_assign(map, events->parsed, events->count, assignment)) {
		pfm_assign_strerror(assignment, events->parsed, why,
				    sizeof(why));
		say_error("%s", why);
		return -1;
	}
	for (i = 0; i < events->count; i++) {
		struct event *event = &events->list[i];

		event->pmd = assignment->pmd[i];
		if (event->hardware)
			say_verbose("PMD%u: %s, code 0x%llx, levels %s",
				    event->pmd, event->canonical,
				    (unsigned long long)event->code,
				    event_levels(event->plm, levels));
		else
			say_verbose("PMD%u: %s", event->pmd, event->canonical);
	}
	for (i = 0; i < assignment->num_pmcs; i++)
		say_debug("PMC%u = 0x%llx", assignment->pmcs[i].num,
			  (unsigned long long)assignment->pmcs[i].value);
	return 0;
}

int events_read(struct events *events, const struct options *options,
		const struct pfm_regmap *map)
{
	size_t count = count_elements(options->events ? options->events :
							default_events);

	memset(events, 0, sizeof(*events));
	if (check_lists(options, map, count))
		return -1;
	events->list = calloc(count, sizeof(*events->list));
	events->parsed = calloc(count, sizeof(*events->parsed));
	if (!events->list || !events->parsed)
		return no_memory();
	if (read_list(events, options, map))
		return -1;
	return assign(events, map);
}

/* Name of the event that a PMC or PMD is for. */
static const char *event_of(const struct events *events,
			    const struct pfm_regmap *map, uint16_t pmc)
{
	const struct pfm_reg_info *info;
	size_t i;

	for (i = 0; i < events->count; i++) {
		info = map ? pfm_regmap_pmd(map, events->list[i].pmd) : NULL;
		if (info && info->ctl == pmc)
			return events->list[i].name;
	}
	return NULL;
}

static void tell_refused_pmc(const struct events *events, int fd, int err,
			     unsigned int failed)
{
	const struct pfm_assignment *assignment = &events->assignment;
	struct pfm_regmap *map = NULL;
	const char *name = NULL;

	if (failed < assignment->num_pmcs) {
		pfm_regmap_from_ctx(fd, &map);
		name = event_of(events, map, assignment->pmcs[failed].num);
	}
	if (err == -EPERM)
		say_error("'%s': counting kernel code takes CAP_PERFMON: run pfmon as root, or count user code only (--user-level, -u)",
			  name ? name : "events");
	else
		say_error("cannot set up '%s': %s", name ? name : "the events",
			  pfm_ctx_strerror(PFM_IOC_WRITE_PMCS, err));
	pfm_regmap_free(map);
}

int events_program(const struct events *events, int fd)
{
	const struct pfm_assignment *assignment = &events->assignment;
	unsigned int failed = 0;
	int err;

	err = pfm_ctx_write_pmcs(fd, assignment->pmcs, assignment->num_pmcs,
				 &failed);
	if (err) {
		tell_refused_pmc(events, fd, err, failed);
		return -1;
	}
	err = pfm_ctx_write_pmds(fd, assignment->pmds,
				 assignment->num_writable, &failed);
	if (!err)
		return 0;
	say_error("cannot set up PMD%u: %s",
		  failed < assignment->num_writable ?
		  assignment->pmds[failed].num : PFM_REG_NONE,
		  pfm_ctx_strerror(PFM_IOC_WRITE_PMDS, err));
	return -1;
}

bool events_need_nothing(const struct events *events)
{
	return !events->assignment.num_pmcs && !events->assignment.num_writable;
}

void events_free(struct events *events)
{
	size_t i;

	for (i = 0; i < events->count; i++)
		free(events->list[i].name);
	free(events->list);
	free(events->parsed);
	memset(events, 0, sizeof(*events));
}
