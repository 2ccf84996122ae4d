// SPDX-License-Identifier: GPL-2.0-only
/*
 * Properties of events.
 */
#include "events/event_list.h"

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

bool events_drop_samples(const struct event *event)
{
	const uint32_t all = PFM_PLM_USER | PFM_PLM_KERNEL;

	return event->unit && (event->plm & all) != all;
}

bool events_need_nothing(const struct events *events)
{
	const struct pfm_assignment *assignment =
		&events->sets[events->run].assignment;

	return !events->multiplexed && !assignment->num_pmcs &&
	       !assignment->num_writable;
}
