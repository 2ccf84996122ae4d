/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples of a file, added up by the instruction that was sampled.
 */
#ifndef PFMON_IBS_IBS_TALLY_H
#define PFMON_IBS_IBS_TALLY_H

#include "base/hash.h"
#include "ibs/ibs_places.h"
#include "ibs/ibs_sample.h"

/**
 * struct ibs_spot - an instruction that was sampled
 * @place: where it is
 * @valid: it has an address; false for samples without a valid one
 * @key: its offset in the file; its address if there is no file
 * @count: its samples
 */
struct ibs_spot {
	struct ibs_place place;
	bool valid;
	uint64_t key;
	uint64_t count;
};

/**
 * struct ibs_tally - all of them
 * @spots: in no order
 * @count: elements of @spots
 * @room: elements that fit in it
 * @table: finds them by image and address
 * @kind: what was added up
 * @samples: of @kind
 * @invalid: of these, samples without a valid address
 * @others: samples of the other kind, which were not added up
 */
struct ibs_tally {
	struct ibs_spot *spots;
	size_t count;
	size_t room;
	struct hash table;
	enum ibs_kind kind;
	uint64_t samples;
	uint64_t invalid;
	uint64_t others;
};

/**
 * ibs_tally_read() - add up the samples of a file
 * @tally: result; ibs_tally_free() has to be called in any case
 * @name: the file
 * @places: its places
 * @kind: what to add up; NUM_IBS_KINDS: ops, or fetches if there are no ops
 *
 * Return: 0, or -1 after a message.
 */
int ibs_tally_read(struct ibs_tally *tally, const char *name,
		   struct ibs_places *places, enum ibs_kind kind);

void ibs_tally_free(struct ibs_tally *tally);

#endif
