// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * libpfm 3: names, codes and descriptions of events and unit masks.
 */
#include "old_events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "include/perfmon2-compat/perfmon/pfmlib.h"

static int put(char *to, size_t size, const char *text)
{
	if (!to || !size)
		return PFMLIB_ERR_INVAL;
	if (strlen(text) >= size)
		return PFMLIB_ERR_FULL;
	strcpy(to, text);
	return PFMLIB_SUCCESS;
}

static int put_copy(char **to, const char *text)
{
	if (!to)
		return PFMLIB_ERR_INVAL;
	*to = strdup(text);
	return *to ? PFMLIB_SUCCESS : PFMLIB_ERR_NOMEM;
}

static int put_code(int *to, uint64_t code)
{
	if (!to)
		return PFMLIB_ERR_INVAL;
	*to = code;
	return PFMLIB_SUCCESS;
}

static const struct pfmi_old_mask *mask_of(unsigned int event,
					   unsigned int mask, int *err)
{
	const struct pfmi_old_event *found = pfmi_old_event(event, err);

	if (found && mask >= found->num_masks)
		*err = PFMLIB_ERR_UMASK;
	return *err ? NULL : &found->masks[mask];
}

int pfm_get_num_events(unsigned int *count)
{
	if (!pfmi_old_machine.map)
		return PFMLIB_ERR_NOINIT;
	if (!count)
		return PFMLIB_ERR_INVAL;
	*count = pfmi_old_events();
	return PFMLIB_SUCCESS;
}

/* With all unit masks that one event may have. */
int pfm_get_max_event_name_len(size_t *len)
{
	const struct pfmi_old_event *event;
	unsigned int i, k;
	size_t length;
	int ret;

	if (!pfmi_old_machine.map)
		return PFMLIB_ERR_NOINIT;
	if (!len)
		return PFMLIB_ERR_INVAL;
	for (i = 0, *len = 0; i < pfmi_old_events(); i++) {
		event = pfmi_old_event(i, &ret);
		length = strlen(event->name);
		for (k = 0; k < event->num_masks; k++)
			length += 1 + strlen(event->masks[k].name);
		if (length > *len)
			*len = length;
	}
	return PFMLIB_SUCCESS;
}

int pfm_get_event_name(unsigned int event, char *name, size_t maxlen)
{
	const struct pfmi_old_event *found;
	int ret;

	found = pfmi_old_event(event, &ret);
	return found ? put(name, maxlen, found->name) : ret;
}

int pfm_get_full_event_name(pfmlib_event_t *event, char *name, size_t maxlen)
{
	const struct pfmi_old_mask *mask;
	unsigned int i;
	size_t length;
	int ret;

	if (!event)
		return PFMLIB_ERR_INVAL;
	ret = pfm_get_event_name(event->event, name, maxlen);
	for (i = 0; !ret && i < event->num_masks; i++) {
		mask = mask_of(event->event, event->unit_masks[i], &ret);
		if (!mask)
			return ret;
		length = strlen(name);
		ret = put(name + length, maxlen - length, ":");
		if (!ret)
			ret = put(name + length + 1, maxlen - length - 1,
				  mask->name);
	}
	return ret;
}

int pfm_get_event_code(unsigned int event, int *code)
{
	const struct pfmi_old_event *found;
	int ret;

	found = pfmi_old_event(event, &ret);
	return found ? put_code(code, found->code) : ret;
}

/* No processor that perfmon knows has different codes for different counters. */
int pfm_get_event_code_counter(unsigned int event, unsigned int counter,
			       int *code)
{
	(void)counter;
	return pfm_get_event_code(event, code);
}

int pfm_get_event_description(unsigned int event, char **desc)
{
	const struct pfmi_old_event *found;
	int ret;

	found = pfmi_old_event(event, &ret);
	return found ? put_copy(desc, found->desc) : ret;
}

int pfm_get_num_event_masks(unsigned int event, unsigned int *count)
{
	const struct pfmi_old_event *found;
	int ret;

	found = pfmi_old_event(event, &ret);
	return found ? put_code((int *)count, found->num_masks) : ret;
}

int pfm_get_event_mask_name(unsigned int event, unsigned int mask, char *name,
			    size_t maxlen)
{
	const struct pfmi_old_mask *found;
	int ret;

	found = mask_of(event, mask, &ret);
	return found ? put(name, maxlen, found->name) : ret;
}

/* The unit mask as its field of the register has it: on x86 that is the second byte. */
int pfm_get_event_mask_code(unsigned int event, unsigned int mask,
			    unsigned int *code)
{
	const struct pfmi_old_mask *found;
	uint64_t bits;
	int ret;

	found = mask_of(event, mask, &ret);
	if (!found)
		return ret;
	bits = found->code;
	if (strcmp(pfm_reg_map_pmu(pfmi_old_machine.map), "armv8_pmuv3") &&
	    !(bits & 0xff))
		bits >>= 8;
	return put_code((int *)code, bits);
}

int pfm_get_event_mask_description(unsigned int event, unsigned int mask,
				   char **desc)
{
	const struct pfmi_old_mask *found;
	int ret;

	found = mask_of(event, mask, &ret);
	return found ? put_copy(desc, found->desc) : ret;
}
