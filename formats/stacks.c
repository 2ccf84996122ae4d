// SPDX-License-Identifier: GPL-2.0-only
/*
 * The aggregated parts of the format callstack: distinct stacks, counted.
 *
 * A part has records from its beginning on, and behind part_room an index: an
 * open-addressing hash table of record offsets in units of 8 bytes.  0 stands for no
 * record; it would be the offset of the header.  A stack is found by its hash and
 * compared in full, so two different stacks are never counted as one.
 *
 * Context: handler and restart of a lane, which never run at the same time; and for
 * parts that are full also process context, at the same time as these.  The number of
 * places that are looked at for a stack is bounded, and with it the time in the
 * interrupt, also for stacks that were made up to collide; against those the hash has
 * a random seed.
 */
#include "stacks.h"

#include <linux/build_bug.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "parts.h"

/* Most places of the index that are looked at for a stack. */
#define PROBES_MAX 128

/*
 * Fewest records that are kept free for PFM_CALLSTACK_OTHER.  One is needed for each
 * register that may sample, of all sets, and one for the events that find no room; at
 * least this many are kept, because other registers may sample after the next load.
 * others_of() has the upper limit.
 */
#define OTHERS 64

/* Places of an index that are cleared between two calls of cond_resched(). */
#define CLEAR_BATCH 16384

/* The key of a stack is its record from the member start on. */
#define KEY_OFFS offsetof(struct pfm_callstack_record, start)

/**
 * stacks_slots - number of places of a part's index
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
	/* The smallest part holds the header, a record, and records for PFM_CALLSTACK_OTHER. */
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
 * Return: the bytes, frames included.
 */
u64 stacks_record_size(const struct pfm_callstack_record *record)
{
	return sizeof(*record) +
	       (record->nr_kernel + record->nr_user) * sizeof(u64);
}

/* Most records of a part: a quarter of the places of its index stays free. */
static u32 records_max(const struct pfm_callstack_hdr *hdr)
{
	return hdr->slots / 4 * 3;
}

/* Records to keep free for PFM_CALLSTACK_OTHER: at most half of the part. */
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
 * Return: true when it might find none.
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
 * stacks_may_other - whether an event may get a PFM_CALLSTACK_OTHER record of its own
 * @hdr: header of the lane
 * @part: part of it
 *
 * Return: false when only the record that is for all events may be added.
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
 * Hash the words of a stack: multiply them in one after the other.  The multiplier is
 * secret.  Both halves of the product are used, because with one half alone,
 * words that differ in the top bit would cancel out whatever the multiplier is.
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

/* WRITE_ONCE(): the consumer may read the record at the same time. */
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
 * @added: out: the stack was added
 *
 * Return: true when the sample was counted; false when the part does not have the
 * stack, and the stack may not be added or there is no room for it.
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
		/*
		 * Steps of 1, 2, 3 ... visit each place of the index, because its size is
		 * a power of 2.
		 */
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
	/* A consumer that observes the new count observes the record. */
	smp_store_release(&part->count, part->count + 1);
	*added = true;
	return true;
}

/**
 * stacks_clear - clear the index of a part
 * @hdr: header of the lane
 * @seq: number of the part, which is full and was not released yet
 *
 * Context: process; may sleep, because an index may have megabytes.
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
