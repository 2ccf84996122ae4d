/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which set each event goes to, and which register counts it there.
 */
#ifndef PFMON_EVENTS_ALLOT_H
#define PFMON_EVENTS_ALLOT_H

struct events;
struct options;
struct pfm_regmap;

/* 0, or -1 after saying what is wrong. */
int allot_sets(struct events *events, const struct options *options,
	       const struct pfm_regmap *map);

#endif
