/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Options that set fields of the register that controls a counter of Intel and AMD,
 * PERFEVTSEL, and events that are written for that register.
 */
#ifndef PFMON_EVENTS_EVTSEL_H
#define PFMON_EVENTS_EVTSEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options/options.h"

/**
 * enum evtsel_maker - whose PERFEVTSEL it is
 */
enum evtsel_maker {
	EVTSEL_INTEL,
	EVTSEL_AMD,
	EVTSEL_OTHER, /* a PMU that has no such register */
};

/**
 * struct evtsel_masks - what the options --counter-mask and so on say of one event
 * @value: for each option what the event gets; -1 if the option says nothing
 */
struct evtsel_masks {
	int value[NUM_EVENT_MASKS];
};

/* The masks of an event of which no option says anything. */
extern const struct evtsel_masks evtsel_no_masks;

/* @pmu is the kernel's name of the PMU. */
enum evtsel_maker evtsel_maker(const char *pmu);

/* True if the event is written for these registers: cpu/.../ or raw:0x... */
bool evtsel_is_ours(const char *text);

/* Name of the option that sets one of the masks, without dashes. */
const char *evtsel_option(enum event_mask mask);

/* True if the register has what the option sets. */
bool evtsel_has(enum evtsel_maker maker, enum event_mask mask);

/* True if a code has the bit inv and no counter mask: the bit has no effect then. */
bool evtsel_inv_alone(enum evtsel_maker maker, uint64_t code);

/*
 * Adds modifiers for @masks to the event, except for what the event says itself.  Returns
 * 0, or -1 with the reason in @why.
 */
int evtsel_translate(const char *text, enum evtsel_maker maker,
		     const struct evtsel_masks *masks, char *event, size_t size,
		     char *why, size_t why_size);

#endif
