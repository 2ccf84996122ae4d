// SPDX-License-Identifier: GPL-2.0-only
/*
 * Adds up samples, see ibs_tally.h.  A file has millions of samples of some thousand
 * instructions, so each instruction is named once only.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/message.h"
#include "ibs/ibs_bits.h"
#include "ibs/ibs_file.h"
#include "ibs/ibs_tally.h"

static uint64_t key_of(const struct ibs_place *place)
{
	return place->kind == IBS_PLACE_CODE || place->kind == IBS_PLACE_DATA
		       ? place->offset
		       : place->address;
}

/* The spot of a place; a new one is named.  NULL without memory. */
static struct ibs_spot *find_spot(struct ibs_tally *tally,
				  struct ibs_places *places,
				  struct ibs_place *place, bool valid)
{
	uint64_t key = key_of(place);
	uint64_t hash = hash_mix(key, place->image);
	struct ibs_spot *spot;
	uint32_t number;

	for (number = hash_find(&tally->table, hash); number;
	     number = hash_next(&tally->table, number)) {
		spot = &tally->spots[number - 1];
		if (spot->key == key && spot->place.image == place->image &&
		    spot->place.kind == place->kind && spot->valid == valid)
			return spot;
	}
	if (array_reserve(&tally->spots, sizeof(*tally->spots), &tally->room,
			  tally->count + 1) ||
	    hash_add(&tally->table, hash))
		return NULL;
	spot = &tally->spots[tally->count++];
	*spot = (struct ibs_spot){ .valid = valid, .key = key };
	ibs_places_name(places, place);
	spot->place = *place;
	return spot;
}

/*
 * Files of perfmon have address 0 where the user was not allowed to see it.  No program
 * has code there, so it is the same in files of the toolkit.
 */
static bool has_address(const struct ibs_format *format,
			const struct ibs_sample *sample)
{
	return sample->address &&
	       (sample->kind != IBS_OP || !format->features.rip_invalid ||
		!ibs_field(sample->data, IBS_OP_RIP_INVALID));
}

static int add(struct ibs_tally *tally, const struct ibs_format *format,
	       struct ibs_places *places, const struct ibs_sample *sample)
{
	bool valid = has_address(format, sample);
	struct ibs_place place = { 0 };
	struct ibs_spot *spot;

	if (valid)
		ibs_places_locate(places, sample->pid, sample->tstamp,
				  sample->address, &place);
	spot = find_spot(tally, places, &place, valid);
	if (!spot) {
		say_error("out of memory for adding up the samples");
		return -1;
	}
	spot->count++;
	tally->samples++;
	tally->invalid += !valid;
	return 0;
}

/* Reads the file for one kind. */
static int read_kind(struct ibs_tally *tally, struct ibs_file *file,
		     const char *name, struct ibs_places *places)
{
	struct ibs_sample sample;
	int status = ibs_file_open(file, name);

	/* ibs_places_read() has told of notes that are not known. */
	file->quiet = true;
	while (!status && (status = ibs_file_next(file, &sample)) > 0) {
		status = 0;
		if (sample.kind == tally->kind)
			status = add(tally, &file->format, places, &sample);
		else
			tally->others++;
	}
	ibs_file_close(file);
	return status;
}

int ibs_tally_read(struct ibs_tally *tally, const char *name,
		   struct ibs_places *places, enum ibs_kind kind)
{
	struct ibs_file *file = malloc(sizeof(*file));
	int status;

	memset(tally, 0, sizeof(*tally));
	if (!file) {
		say_error("out of memory for reading '%s'", name);
		return -1;
	}
	tally->kind = kind == NUM_IBS_KINDS ? IBS_OP : kind;
	status = read_kind(tally, file, name, places);
	if (!status && kind == NUM_IBS_KINDS && !tally->samples &&
	    tally->others) {
		tally->kind = IBS_FETCH;
		tally->others = 0;
		status = read_kind(tally, file, name, places);
	}
	free(file);
	return status;
}

void ibs_tally_free(struct ibs_tally *tally)
{
	free(tally->spots);
	hash_free(&tally->table);
	memset(tally, 0, sizeof(*tally));
}
