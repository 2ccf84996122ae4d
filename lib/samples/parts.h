/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Reading lanes in parts, of any format.
 */
#ifndef PERFMON_SAMPLES_PARTS_H
#define PERFMON_SAMPLES_PARTS_H

#include <stddef.h>
#include <stdint.h>

#include <perfmon/perfmon.h>

/**
 * struct pfmi_area - entries of a part
 * @part: the part
 * @end: offset of the end of its last entry
 */
struct pfmi_area {
	const void *part;
	size_t end;
};

/* Begin with part 1. */
void pfmi_parts_begin(struct pfm_sample_parts *parts, const void *lane,
		      size_t size);

/*
 * Check sizes in the header, which has @header bytes, before they are used.  Returns 0 or
 * -EBADMSG.
 */
int pfmi_parts_check(const struct pfm_sample_parts *parts, size_t header);

/*
 * Find the part that has the next entry.  Returns 1, 0 when there is no entry now, or
 * -EBADMSG.
 */
int pfmi_parts_find(struct pfm_sample_parts *parts, size_t header,
		    uint64_t last, struct pfmi_area *area);

#endif
