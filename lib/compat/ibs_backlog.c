// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include "ibs_backlog.h"

#include <stdlib.h>
#include <string.h>

#define ROOM_MIN 1024

/* Make room behind the last sample. */
static bool make_room(struct pfmi_ibs_backlog *backlog)
{
	ibs_sample_t *samples = backlog->samples;
	const size_t room = backlog->room ? 2 * backlog->room : ROOM_MIN;

	if (backlog->first + backlog->count < backlog->room)
		return true;
	/* Samples move by no more places than were taken: a move for each sample. */
	if (backlog->first > backlog->count) {
		memmove(samples, samples + backlog->first,
			backlog->count * sizeof(*samples));
		backlog->first = 0;
		return true;
	}
	samples = reallocarray(samples, room, sizeof(*samples));
	if (!samples)
		return false;
	backlog->samples = samples;
	backlog->room = room;
	return true;
}

bool pfmi_ibs_backlog_add(struct pfmi_ibs_backlog *backlog,
			  const ibs_sample_t *sample, size_t limit)
{
	if (backlog->count >= limit || !make_room(backlog))
		return false;
	backlog->samples[backlog->first + backlog->count++] = *sample;
	return true;
}

bool pfmi_ibs_backlog_take(struct pfmi_ibs_backlog *backlog,
			   ibs_sample_t *sample)
{
	if (!backlog->count)
		return false;
	*sample = backlog->samples[backlog->first++];
	if (!--backlog->count)
		backlog->first = 0;
	return true;
}

void pfmi_ibs_backlog_free(struct pfmi_ibs_backlog *backlog)
{
	free(backlog->samples);
	memset(backlog, 0, sizeof(*backlog));
}
