/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lanes in parts: what the formats nway, callstack and ibs share.  <linux/perfmon_nway.h>
 * says what a part is.
 *
 * The parts of a lane are a ring.  Only the handler advances @filled, and only the
 * restart callback advances @released; the core never runs both at the same time for
 * a lane.  All state is in the mapped header, which only the kernel can write.
 *
 * The consumer sees complete parts only: a part is complete, and the next part is
 * set up, before the store-release of @filled that hands the part over.  An entry of
 * the part that is being filled is complete before the store-release of @count that
 * adds it.
 */
#ifndef _FORMATS_PARTS_H
#define _FORMATS_PARTS_H

#include <linux/errno.h>
#include <linux/perfmon_nway.h>
#include <linux/string.h>
#include <perfmon/format.h>

static inline struct pfm_nway_part *parts_at(struct pfm_nway_hdr *hdr, u64 seq)
{
	return (void *)hdr + hdr->part_offs +
	       (seq - 1) % hdr->parts * hdr->part_size;
}

/* Bytes that are left in a part. */
static inline u64 parts_space(const struct pfm_nway_part *part)
{
	return part->size - part->cur_offs;
}

static inline bool parts_all_full(const struct pfm_nway_hdr *hdr)
{
	return hdr->filled - hdr->released >= hdr->parts;
}

/* Returns true if a free part can take over when the part in use is full. */
static inline bool parts_has_free(const struct pfm_nway_hdr *hdr)
{
	return hdr->filled + 1 - hdr->released < hdr->parts;
}

/* The part that is being filled, or NULL when all are full. */
static inline struct pfm_nway_part *parts_current(struct pfm_nway_hdr *hdr)
{
	return parts_all_full(hdr) ? NULL : parts_at(hdr, hdr->filled + 1);
}

static inline void parts_begin(struct pfm_nway_hdr *hdr, u64 seq)
{
	struct pfm_nway_part *part = parts_at(hdr, seq);

	part->count = 0;
	part->cur_offs = sizeof(*part);
	part->overflows = 0;
	part->size = hdr->part_room;
	part->version = hdr->version;
	part->flags = hdr->flags;
	part->min_space = 0;
	part->lost = hdr->lost - hdr->lost_told;
	hdr->lost_told = hdr->lost;
	/* A consumer that observes the number observes an empty part. */
	smp_store_release(&part->seq, seq);
}

/*
 * Set up a lane.  It is zero, except the fields of the header that the format has
 * set: version, flags, parts, part_offs, part_size, part_room.
 */
static inline void parts_init(struct pfm_nway_hdr *hdr)
{
	BUILD_BUG_ON(sizeof(struct pfm_nway_hdr) != 128);
	BUILD_BUG_ON(sizeof(struct pfm_nway_part) != 128);
	parts_begin(hdr, 1);
}

/* Hand over an entry, which was written, to the consumer. */
static inline void parts_commit(struct pfm_nway_hdr *hdr,
				struct pfm_nway_part *part, u64 size)
{
	hdr->samples++;
	part->cur_offs += size;
	/* A consumer that observes the new count observes the entry. */
	smp_store_release(&part->count, part->count + 1);
}

/* Hand over the part in use, which is full; go on with the next if it is free. */
static inline void parts_advance(struct pfm_nway_hdr *hdr)
{
	u64 seq = hdr->filled + 1;

	parts_at(hdr, seq)->overflows = 1;
	if (parts_has_free(hdr))
		parts_begin(hdr, seq + 1);
	else
		hdr->overflows++;
	/* Observing @filled implies observing the whole part, and the next one set up. */
	smp_store_release(&hdr->filled, seq);
}

/*
 * Return the part in use, with room for an entry of size bytes; or count the
 * overflow as lost and return NULL.  Although parts_full_ctrl() is called as soon as
 * another entry might not fit, the part may lack room here, because entries may have
 * become larger while the context was unloaded: then go on with the next part.
 */
static inline struct pfm_nway_part *parts_reserve(struct pfm_nway_hdr *hdr,
						  u64 size)
{
	struct pfm_nway_part *part = parts_current(hdr);

	if (part && parts_space(part) < size && part->count) {
		parts_advance(hdr);
		part = parts_current(hdr);
	}
	if (part) {
		part->min_space = size;
		if (parts_space(part) >= size)
			return part;
	}
	hdr->lost++;
	return NULL;
}

/* Not even one entry fits in a part, and there is no part to release. */
static inline bool parts_too_small(struct pfm_nway_hdr *hdr)
{
	const struct pfm_nway_part *part = parts_current(hdr);

	return part && hdr->filled == hdr->released && !part->count &&
	       parts_space(part) < part->min_space;
}

/*
 * Entries that are not released, at about this moment: the handler may be filling the part in
 * use, or going on with the next one.
 */
static inline u64 parts_available(struct pfm_nway_hdr *hdr)
{
	u64 seq, last, entries = 0;

	/* The parts that are full are there as a whole, and the next one is set up. */
	last = smp_load_acquire(&hdr->filled) + 1;
	for (seq = hdr->released + 1; seq <= last; seq++) {
		const struct pfm_nway_part *part = parts_at(hdr, seq);

		/* All parts are full: the place of the last one holds the oldest. */
		if (READ_ONCE(part->seq) == seq)
			entries += READ_ONCE(part->count);
	}
	return entries;
}

/* Number of the last part that a restart with @arg releases; it releases all before it. */
static inline int parts_released(const struct pfm_nway_hdr *hdr, u64 arg,
				 u64 *last)
{
	*last = arg ?: hdr->released + 1;
	if (*last > hdr->filled)
		return arg ? -EINVAL : -EBUSY;
	return *last > hdr->released ? 0 : -EBUSY;
}

static inline void parts_release(struct pfm_nway_hdr *hdr, u64 last)
{
	if (parts_all_full(hdr))
		parts_begin(hdr, hdr->filled + 1);
	/* Observing @released implies observing the part in use set up. */
	smp_store_release(&hdr->released, last);
}

/*
 * After a release: the consumer may not know of parts that have become full since,
 * so poll(2) reports them until they are released.
 */
static inline u32 parts_more_ctrl(const struct pfm_nway_hdr *hdr)
{
	return hdr->filled > hdr->released ? PFM_CTRL_NOTIFY : 0;
}

/*
 * Returns true if a lane loses samples when all its parts are full, instead of asking for
 * a mask.  A context that follows always loses them, because the core does not mask it:
 * a lane that asked would only notify at each overflow.
 */
static inline bool parts_drop(const struct pfm_lane *lane)
{
	const struct pfm_nway_hdr *hdr = lane->buf;

	return (hdr->flags & PFM_NWAY_DROP) ||
	       (lane->flags & PFM_CTX_FOLLOW_ALL);
}

/* Result of a handler that found no room for its sample. */
static inline int parts_lost_ctrl(const struct pfm_lane *lane)
{
	return parts_drop(lane) ? PFM_CTRL_RESET
				: PFM_CTRL_NOTIFY | PFM_CTRL_MASK;
}

/* Hand over the part in use, which is full.  Returns the result for the handler. */
static inline int parts_full_ctrl(const struct pfm_lane *lane)
{
	struct pfm_nway_hdr *hdr = lane->buf;

	parts_advance(hdr);
	if (parts_all_full(hdr) && !parts_drop(lane))
		return PFM_CTRL_NOTIFY | PFM_CTRL_MASK;
	return PFM_CTRL_NOTIFY | PFM_CTRL_RESET;
}

#endif /* _FORMATS_PARTS_H */
