// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events as users write them.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <perfmon/perfmon.h>

#include "check/remedies.h"
#include "events/event_names.h"
#include "events/evtsel.h"

static int explain(const struct pfm_reg_map *map, const char *text,
		   const char *translated, int err, char *why, size_t size)
{
	struct no_pmu no_pmu;
	char reason[512];

	pfm_event_strerror(map, translated, err, reason, sizeof(reason));
	if (err == -ENODEV && (!map || !*pfm_reg_map_pmu(map))) {
		no_pmu_explain(&no_pmu);
		snprintf(why, size,
			 "event '%s' needs the processor's PMU: %s; %s", text,
			 no_pmu.why, no_pmu.fix);
		return err;
	}
	if (strcmp(text, translated))
		snprintf(why, size, "'%s': %s", text, reason);
	else
		snprintf(why, size, "%s", reason);
	return err;
}

/* The first option without which the event would be accepted; -1 if none. */
static int mask_refused(const struct pfm_reg_map *map, const char *text,
			uint32_t plm, const struct evtsel_masks *masks)
{
	char translated[PFM_EVENT_NAME_LEN], reason[512];
	struct evtsel_masks others;
	struct pfm_event event;
	int i;

	for (i = 0; i < NUM_EVENT_MASKS; i++) {
		if (masks->value[i] < 0)
			continue;
		others = *masks;
		others.value[i] = -1;
		if (!evtsel_translate(text, evtsel_maker(pfm_reg_map_pmu(map)),
				      &others, translated, sizeof(translated),
				      reason, sizeof(reason)) &&
		    !pfm_event_parse(map, translated, plm, &event))
			return i;
	}
	return -1;
}

/* Virtual registers have none of the bits.  The first option that says so; -1 if none. */
static int mask_of_virtual(const struct pfm_reg_map *map, const char *text,
			   uint32_t plm, const struct evtsel_masks *masks,
			   struct pfm_event *event)
{
	int i;

	for (i = 0; i < NUM_EVENT_MASKS; i++)
		if (masks->value[i] >= 0)
			return !pfm_event_parse(map, text, plm, event) &&
					       event->kind == PFM_EVENT_VIRTUAL
				       ? i
				       : -1;
	return -1;
}

int event_string_parse(const struct pfm_reg_map *map, const char *text,
		       uint32_t plm, const struct evtsel_masks *masks,
		       struct pfm_event *event, char *why, size_t size)
{
	char translated[PFM_EVENT_NAME_LEN], reason[512];
	int mask = mask_of_virtual(map, text, plm, masks, event);
	int err;

	if (mask >= 0) {
		snprintf(
			why, size,
			"--%s: '%s' is kept by software and has no such bits; leave its place in the list empty",
			evtsel_option(mask), text);
		return -EINVAL;
	}
	if (evtsel_translate(text, evtsel_maker(pfm_reg_map_pmu(map)), masks,
			     translated, sizeof(translated), reason,
			     sizeof(reason))) {
		snprintf(why, size, "event '%s': %s", text, reason);
		return -EINVAL;
	}
	err = pfm_event_parse(map, translated, plm, event);
	if (!err)
		return 0;
	mask = mask_refused(map, text, plm, masks);
	if (mask < 0)
		return explain(map, text, translated, err, why, size);
	pfm_event_strerror(map, translated, err, reason, sizeof(reason));
	snprintf(
		why, size,
		"--%s: '%s' does not have it on this processor (%s); leave its place in the list empty",
		evtsel_option(mask), text, reason);
	return err;
}
