// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * libpfm 3: finds events and unit masks by name and by code.
 */
#include "old_events.h"

#include <string.h>

#include "include/perfmon2-compat/perfmon/pfmlib.h"

/* The name begins behind the name of a table; up to the first colon, it is the event's. */
static const char *name_of(const char *text, size_t *length)
{
	const char *table = strstr(text, "::");

	if (table)
		text = table + 2;
	*length = strcspn(text, ":");
	return text;
}

static int find(const char *text, unsigned int *desc)
{
	size_t length;
	int event;

	if (!pfmi_old_machine.map)
		return PFMLIB_ERR_NOINIT;
	if (!text || !desc)
		return PFMLIB_ERR_INVAL;
	text = name_of(text, &length);
	event = pfmi_old_event_find(text, length);
	if (event < 0)
		return PFMLIB_ERR_NOTFOUND;
	*desc = event;
	return PFMLIB_SUCCESS;
}

int pfm_find_event(const char *name, pfm3_event_arg_t desc)
{
	return find(name, desc.desc);
}

int pfm_find_full_event(const char *name, pfmlib_event_t *event)
{
	const struct pfmi_old_event *found;
	unsigned int desc;
	size_t length;
	int mask, ret;

	if (!event)
		return PFMLIB_ERR_INVAL;
	ret = find(name, &desc);
	if (ret)
		return ret;
	found = pfmi_old_event(desc, &ret);
	event->event = desc;
	event->num_masks = 0;
	name = name_of(name, &length);
	for (name += length; *name; name += length) {
		length = strcspn(++name, ":");
		mask = pfmi_old_mask_find(found, name, length);
		if (mask < 0 || event->num_masks == PFMLIB_MAX_MASKS_PER_EVENT)
			return PFMLIB_ERR_UMASK;
		event->unit_masks[event->num_masks++] = mask;
	}
	return PFMLIB_SUCCESS;
}

static int by_code(unsigned int from, int code, unsigned int *desc)
{
	unsigned int i;

	if (!pfmi_old_machine.map)
		return PFMLIB_ERR_NOINIT;
	if (!desc)
		return PFMLIB_ERR_INVAL;
	for (i = from; i < pfmi_old_events(); i++) {
		int ret;

		if (pfmi_old_event(i, &ret)->code !=
		    (uint64_t)(unsigned int)code)
			continue;
		*desc = i;
		return PFMLIB_SUCCESS;
	}
	return PFMLIB_ERR_NOTFOUND;
}

int pfm_find_event_bycode(int code, unsigned int *desc)
{
	return by_code(0, code, desc);
}

int pfm_find_event_bycode_next(unsigned int from, int code, unsigned int *desc)
{
	return by_code(from + 1, code, desc);
}

int pfm_find_event_mask(unsigned int event, const char *name,
			unsigned int *mask)
{
	const struct pfmi_old_event *found;
	int index, ret;

	found = pfmi_old_event(event, &ret);
	if (!found)
		return ret;
	if (!name || !mask)
		return PFMLIB_ERR_INVAL;
	index = pfmi_old_mask_find(found, name, strlen(name));
	if (index < 0)
		return PFMLIB_ERR_UMASK;
	*mask = index;
	return PFMLIB_SUCCESS;
}

/* The first of these names that is an event which needs no unit mask. */
static int find_first(const char *const *names, pfmlib_event_t *event)
{
	int ret = PFMLIB_ERR_NOTFOUND;

	if (!pfmi_old_machine.map)
		return PFMLIB_ERR_NOINIT;
	for (; *names && ret; names++)
		ret = pfm_find_full_event(*names, event);
	return ret;
}

int pfm_get_cycle_event(pfmlib_event_t *event)
{
	static const char *const names[] = { "UNHALTED_CORE_CYCLES",
					     "CPU_CYCLES", "CPU_CLK_UNHALTED",
					     NULL };

	return find_first(names, event);
}

int pfm_get_inst_retired_event(pfmlib_event_t *event)
{
	static const char *const names[] = { "INSTRUCTIONS_RETIRED",
					     "INSTRUCTION_RETIRED",
					     "RETIRED_INSTRUCTIONS",
					     "INST_RETIRED", NULL };

	return find_first(names, event);
}

int pfm_get_first_event(void)
{
	return pfmi_old_events() ? 0 : -1;
}

int pfm_get_next_event(int event)
{
	return event >= 0 && event + 1U < pfmi_old_events() ? event + 1 : -1;
}
