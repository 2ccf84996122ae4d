// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * The events of this machine with the descriptors that libpfm 3 gives them: the tables of libpfm4,
 * and names of libpfm 3 that they do not have.
 */
#include "old_events.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "include/perfmon2-compat/perfmon/pfmlib.h"

struct pfmi_old_machine pfmi_old_machine;

static struct pfmi_old_event *events;
static unsigned int num_events, room;

/*
 * Names that libpfm 3 had for what every processor counts.  Programs have them in their text; each
 * is added where the tables do not have it.
 */
static const struct {
	const char *name;
	const char *generic;
} names[] = {
	{ "UNHALTED_CORE_CYCLES", "cycles" },
	{ "CPU_CLK_UNHALTED", "cycles" },
	{ "CPU_CYCLES", "cycles" },
	{ "INSTRUCTIONS_RETIRED", "instructions" },
	{ "INSTRUCTION_RETIRED", "instructions" },
	{ "RETIRED_INSTRUCTIONS", "instructions" },
	{ "INST_RETIRED", "instructions" },
	{ "UNHALTED_REFERENCE_CYCLES", "ref-cycles" },
	{ "LAST_LEVEL_CACHE_REFERENCES", "cache-references" },
	{ "LAST_LEVEL_CACHE_MISSES", "cache-misses" },
	{ "BRANCH_INSTRUCTIONS_RETIRED", "branches" },
	{ "MISPREDICTED_BRANCH_RETIRED", "branch-misses" },
};

static struct pfmi_old_event *add_event(const char *pmu, const char *name,
					const char *text, const char *desc)
{
	struct pfmi_old_event *event;

	if (num_events == room) {
		room = room ? 2 * room : 256;
		event = realloc(events, room * sizeof(*events));
		if (!event)
			return NULL;
		events = event;
	}
	event = &events[num_events];
	memset(event, 0, sizeof(*event));
	event->name = strdup(name);
	event->desc = strdup(desc);
	if (asprintf(&event->text, "%s%s%s", pmu, *pmu ? "::" : "", text) < 0)
		event->text = NULL;
	if (!event->name || !event->desc || !event->text)
		return NULL;
	num_events++;
	return event;
}

static int add_masks(struct pfmi_old_event *event,
		     const struct pfm_event_desc *desc)
{
	struct pfmi_old_mask *mask;
	unsigned int i;

	event->masks = calloc(desc->num_umasks + 1, sizeof(*event->masks));
	if (!event->masks)
		return -ENOMEM;
	for (i = 0; i < desc->num_umasks; i++) {
		if (desc->umasks[i].is_modifier)
			continue;
		mask = &event->masks[event->num_masks++];
		mask->name = strdup(desc->umasks[i].name);
		mask->desc = strdup(desc->umasks[i].desc);
		mask->code = desc->umasks[i].code;
		if (!mask->name || !mask->desc)
			return -ENOMEM;
	}
	return 0;
}

static int add_known(const struct pfm_event_desc *desc, void *arg)
{
	struct pfmi_old_event *event;

	(void)arg;
	if (desc->kind != PFM_EVENT_HARDWARE || !desc->pmu[0])
		return 0;
	/* Tables that overlap: pfm_event_parse() takes the first one, too. */
	if (pfmi_old_event_find(desc->name, strlen(desc->name)) >= 0)
		return 0;
	event = add_event(desc->pmu, desc->name, desc->name, desc->desc);
	if (!event)
		return -ENOMEM;
	event->code = desc->code;
	return add_masks(event, desc);
}

static int add_names(void)
{
	struct pfmi_old_event *event;
	struct pfm_event known;
	unsigned int i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (pfmi_old_event_find(names[i].name, strlen(names[i].name)) >=
			    0 ||
		    pfm_event_parse(pfmi_old_machine.map, names[i].generic,
				    PFM_PLM_USER, &known))
			continue;
		event = add_event("", names[i].name, names[i].generic,
				  names[i].generic);
		if (!event)
			return -ENOMEM;
		event->code = known.code;
	}
	return 0;
}

int pfmi_old_events_read(void)
{
	int ret;

	if (pfmi_old_machine.map)
		return PFMLIB_SUCCESS;
	ret = pfmi_old_machine_read(&pfmi_old_machine);
	if (ret)
		return ret == -ENOMEM ? PFMLIB_ERR_NOMEM : PFMLIB_ERR_NOTSUPP;
	ret = pfm_event_for_each(pfmi_old_machine.map, add_known, NULL);
	if (!ret)
		ret = add_names();
	return ret ? PFMLIB_ERR_NOMEM : PFMLIB_SUCCESS;
}

unsigned int pfmi_old_events(void)
{
	return num_events;
}

const struct pfmi_old_event *pfmi_old_event(unsigned int event, int *err)
{
	*err = !pfmi_old_machine.map ? PFMLIB_ERR_NOINIT
	       : event >= num_events ? PFMLIB_ERR_INVAL
				     : PFMLIB_SUCCESS;
	return *err ? NULL : &events[event];
}

int pfmi_old_event_find(const char *name, size_t length)
{
	unsigned int i;

	for (i = 0; i < num_events; i++)
		if (!strncasecmp(events[i].name, name, length) &&
		    !events[i].name[length])
			return i;
	return -1;
}

int pfmi_old_mask_find(const struct pfmi_old_event *event, const char *name,
		       size_t length)
{
	unsigned int i;

	for (i = 0; i < event->num_masks; i++)
		if (!strncasecmp(event->masks[i].name, name, length) &&
		    !event->masks[i].name[length])
			return i;
	return -1;
}
