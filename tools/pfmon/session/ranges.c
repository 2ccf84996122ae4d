// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ranges of --irange, and what was counted in them.
 */
#include <stdlib.h>

#include "session/ranges.h"

const struct pfm_range_info *ranges_info(const struct ranges *ranges,
					 size_t range, size_t event)
{
	const struct pfm_range_info *info =
		&ranges->info[range * ranges->num_events + event];

	return info->num == PFM_REG_NONE ? NULL : info;
}

bool ranges_shown(const struct ranges *ranges)
{
	return ranges && !ranges->trigger;
}

void ranges_free(struct ranges *ranges)
{
	size_t i;

	if (!ranges)
		return;
	for (i = 0; i < ranges->count; i++) {
		free(ranges->list[i].name);
		free(ranges->list[i].file);
	}
	free(ranges->info);
	free(ranges->empty);
	free(ranges);
}
