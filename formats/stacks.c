// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stacks that were seen, counted: the aggregated parts of the format callstack.
 *
 * A part has records from its beginning up, and behind part_room an index: an
 * open-addressing hash table of offsets in units of 8 bytes, 0 for none, which
 * the header's place makes an offset of no record.  A stack is found by its hash
 * and compared in full, so no two are ever taken for one.
 *
 * Context: handler and restart of a lane, which exclude each other; and process
 * context beside them, for parts that are full.  The number of
 * places looked at is bounded, and with it the time in the interrupt, for stacks
 * that were made to collide as well; the hash has a random seed against those.
 */
#include "stacks.h"

#include <linux/build_bug.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "parts.h"

/* Places of the index that are looked at for a stack. */
#define PROBES_MAX 128

/*
 * Records kept free for PFM_CALLSTACK_OTHER: one for each register that may sample,
 * of all sets, and one for those that find no room.  At least so many, as the
 * registers may be others after the next load; at most a share of the part, see
 * others_of().
 */
#define OTHERS 64

/* Places of an index that are cleared in a go. */
#define CLEAR_BATCH 16384

/* What makes a stack: the record from its member start on. */
#define KEY_OFFS offsetof(struct pfm_callstack_record, start)

/**
 * stacks_slots - places of a part's index
 * @part_size: bytes of the part
 *
 * Return: a power of two.
 */
u32 stacks_slots(u64 part_size)
{
	return roundup_pow_of_two(part_size / 64);
}

/**
 * stacks_room - bytes of a part that its header and records may use
 * @part_size: bytes of the part, at least PFM_CALLSTACK_AGGR_MIN
 *
 * Return: a multiple of 8.
 */
u64 stacks_room(u64 part_size)
{
	BUILD_BUG_ON(sizeof(struct pfm_callstack_record) != 64);
	/* The smallest part holds the header, a record, and others. */
	BUILD_BUG_ON(PFM_CALLSTACK_AGGR_MIN * 7 / 8 <
		     sizeof(struct pfm_nway_part) + 2 * 8 * 127 +
			     (OTHERS + 1) *
				     sizeof(struct pfm_callstack_record));
	BUILD_BUG_ON(PFM_CALLSTACK_AGGR_MIN / 64 * 3 / 4 / 2 <= OTHERS);
	return part_size - stacks_slots(part_size) * sizeof(u32);
}

/**
 * stacks_record_size - bytes of a record
 * @record: the record
 *
 * Return: with its frames.
 */
u64 stacks_record_size(const struct pfm_callstack_record *record)
{
	return sizeof(*record) +
	       (record->nr_kernel + record->nr_user) * sizeof(u64);
}

/* Records that a part has, as the places of its index are not to be all in use. */
static u32 records_max(const struct pfm_callstack_hdr *hdr)
{
	return hdr->slots / 4 * 3;
}

/* Records to keep free for others: not more than half of the part. */
static u32 others_of(const struct pfm_callstack_hdr *hdr,
		     const struct pfm_nway_part *part, u32 events)
{
	const u64 room = part->size / 2 / sizeof(struct pfm_callstack_record);

	return min3(max(events + 1, (u32)OTHERS), (u32)room,
		    records_max(hdr) / 2);
}

/**
 * stacks_is_full - whether another stack might find no room
 * @hdr: header of the lane
 * @part: part of it
 * @max_size: bytes of the largest record
 * @events: registers that may sample
 *
 * Return: true when it might not.
 */
bool stacks_is_full(const struct pfm_callstack_hdr *hdr,
		    const struct pfm_nway_part *part, u64 max_size, u32 events)
{
	const u32 others = others_of(hdr, part, events);

	return parts_space(part) <
		       max_size +
			       others * sizeof(struct pfm_callstack_record) ||
	       part->count >= records_max(hdr) - others;
}

/**
 * stacks_may_other - whether there is room for an event's record of others
 * @hdr: header of the lane
 * @part: part of it
 *
 * Return: false when only that for all other events may be made.
 */
bool stacks_may_other(const struct pfm_callstack_hdr *hdr,
		      const struct pfm_nway_part *part)
{
	return parts_space(part) >= 2 * sizeof(struct pfm_callstack_record) &&
	       part->count + 1 < records_max(hdr);
}

static u32 *index_of(const struct pfm_callstack_hdr *hdr,
		     struct pfm_nway_part *part)
{
	return (void *)part + hdr->nway.part_room;
}

/*
 * The words of a stack, multiplied in one after the other.  The multiplier is
 * secret, and both halves of the product count: with one alone, words that differ
 * in the top bit would cancel out whatever the multiplier is.
 */
static u64 hash_of(const struct pfm_callstack_record *key, u64 size, u64 seed)
{
	const u64 *word = (const u64 *)&key->start;
	const u64 *end = (const void *)key + size;
	u64 hash = seed;

	do {
		const unsigned __int128 product =
			(unsigned __int128)(hash ^ *word++) * (seed | 1);

		hash = (u64)product ^ (u64)(product >> 64);
	} while (word < end);
	return hash;
}

static bool same(const struct pfm_callstack_record *a,
		 const struct pfm_callstack_record *b)
{
	return a->nr_kernel == b->nr_kernel && a->nr_user == b->nr_user &&
	       !memcmp(&a->start, &b->start, stacks_record_size(b) - KEY_OFFS);
}

/* Each number is whole for a reader who looks meanwhile. */
static void count(struct pfm_callstack_record *record,
		  const struct pfm_callstack_record *key)
{
	WRITE_ONCE(record->count, record->count + key->count);
	WRITE_ONCE(record->weight, record->weight + key->weight);
}

/**
 * stacks_count - count a sample
 * @hdr: header of the lane
 * @part: the part in use
 * @key: the sample, as a record of its own
 * @seed: of the hash, constant for a lane
 * @may_add: add the stack when the part does not have it
 * @added: out: it was added
 *
 * Return: whether it was counted; false when the part does not have the stack,
 * and it may not be added or there is no room.
 */
bool stacks_count(struct pfm_callstack_hdr *hdr, struct pfm_nway_part *part,
		  const struct pfm_callstack_record *key, u64 seed,
		  bool may_add, bool *added)
{
	u64 size = stacks_record_size(key);
	u32 *index = index_of(hdr, part);
	u32 mask = hdr->slots - 1;
	struct pfm_callstack_record *record;
	u32 slot, i;

	slot = hash_of(key, size, seed);
	for (i = 0; i < PROBES_MAX; i++) {
		/* Steps of 1, 2, 3 ... visit each place of a power of two. */
		slot = (slot + i) & mask;
		if (!index[slot])
			break;
		record = (void *)part + index[slot] * sizeof(u64);
		if (same(record, key)) {
			count(record, key);
			*added = false;
			return true;
		}
		hdr->collisions++;
	}
	if (i == PROBES_MAX || !may_add || parts_space(part) < size)
		return false;
	memcpy((void *)part + part->cur_offs, key, size);
	index[slot] = part->cur_offs / sizeof(u64);
	part->cur_offs += size;
	/* A reader that polls the header sees whole records only. */
	smp_store_release(&part->count, part->count + 1);
	*added = true;
	return true;
}

/**
 * stacks_clear - make a part ready for other stacks
 * @hdr: header of the lane
 * @seq: number of the part, which is full and was not released yet
 *
 * Context: process: an index may have megabytes.
 */
void stacks_clear(struct pfm_callstack_hdr *hdr, u64 seq)
{
	u32 *index = index_of(hdr, parts_at(&hdr->nway, seq));
	u32 i, n;

	for (i = 0; i < hdr->slots; i += n) {
		n = min_t(u32, hdr->slots - i, CLEAR_BATCH);
		memset(&index[i], 0, n * sizeof(*index));
		cond_resched();
	}
}
