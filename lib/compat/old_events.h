/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * The events of this machine with the descriptors that libpfm 3 gives them: indices of a table.
 */
#ifndef COMPAT_OLD_EVENTS_H
#define COMPAT_OLD_EVENTS_H

#include <stdint.h>

#include "old_machine.h"

/* A unit mask. */
struct pfmi_old_mask {
	char *name;
	char *desc;
	uint64_t code;
};

/**
 * struct pfmi_old_event - an event
 * @name: name without unit masks
 * @text: what pfm_event_parse() calls it: with the table's name, or a generic name
 * @desc: what it counts
 * @code: event code
 * @num_masks: number of elements of @masks
 * @masks: unit masks
 */
struct pfmi_old_event {
	char *name;
	char *text;
	char *desc;
	uint64_t code;
	unsigned int num_masks;
	struct pfmi_old_mask *masks;
};

/* The machine that pfm3_initialize() has found; map is NULL before. */
extern struct pfmi_old_machine pfmi_old_machine;

/* Returns NULL if there is no such event, or the library is not initialised; @err says which. */
const struct pfmi_old_event *pfmi_old_event(unsigned int event, int *err);
unsigned int pfmi_old_events(void);

/* Index of the event of that name, of which @length characters are compared; -1 without one. */
int pfmi_old_event_find(const char *name, size_t length);

/* Index of a unit mask, or -1. */
int pfmi_old_mask_find(const struct pfmi_old_event *event, const char *name,
		       size_t length);

/* Read machine and events: PFMLIB_SUCCESS or an error. */
int pfmi_old_events_read(void);

#endif
