// SPDX-License-Identifier: GPL-2.0-only
/*
 * Groups samples, see view.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "ibs/ibs_file.h"
#include "views/view.h"

const char *const view_names[] = {
	[VIEW_INSTRUCTIONS] = "instructions",
	[VIEW_DATA] = "data",
	[VIEW_ADDRESSES] = "addresses",
	[VIEW_LINES] = "lines",
};

int view_begin(struct view *view, enum view_kind kind, size_t max_rows,
	       const char *name)
{
	memset(view, 0, sizeof(*view));
	view->kind = kind;
	view->name = name;
	groups_init(&view->groups, max_rows);
	return ibs_places_read(&view->places, name);
}

static bool is_of_file(const struct ibs_place *place)
{
	return place->kind == IBS_PLACE_CODE || place->kind == IBS_PLACE_DATA;
}

/* Addresses of the kernel are the same in all processes. */
static uint32_t process_of(const struct ibs_sample *sample,
			   const struct ibs_place *place)
{
	return place->kind == IBS_PLACE_KERNEL ? 0 : sample->pid;
}

/* An instruction of a file is the same one in each process that has mapped the file. */
static void key_instruction(struct group_key *key,
			    const struct ibs_sample *sample,
			    struct ibs_place *place)
{
	key->image = place->image;
	key->address = place->address;
	if (!is_of_file(place))
		key->pid = process_of(sample, place);
}

/* A variable, or else what is mapped. */
static void key_data(struct group_key *key, const struct ibs_sample *sample,
		     struct ibs_place *place)
{
	key->image = place->image;
	key->kind = place->kind;
	if (place->symbol) {
		key->named = true;
		key->address = place->address - place->symbol_offset;
		place->address = key->address;
		place->symbol_offset = 0;
		return;
	}
	if (is_of_file(place))
		return;
	key->pid = process_of(sample, place);
	if (place->kind == IBS_PLACE_ANON)
		key->address = place->start;
}

static void key_address(struct group_key *key, const struct ibs_sample *sample,
			struct ibs_place *place)
{
	key->pid = process_of(sample, place);
	key->address = sample->dc_linad;
}

static void key_line(struct group_key *key, const struct ibs_sample *sample,
		     struct ibs_place *place)
{
	key->pid = process_of(sample, place);
	key->address = sample->dc_linad & -(uint64_t)LINE_BYTES;
}

typedef void make_key(struct group_key *key, const struct ibs_sample *sample,
		      struct ibs_place *place);

static make_key *const make_keys[] = {
	[VIEW_INSTRUCTIONS] = key_instruction,
	[VIEW_DATA] = key_data,
	[VIEW_ADDRESSES] = key_address,
	[VIEW_LINES] = key_line,
};

/* Finds the group of a sample; NULL if it has none. */
static int find_group(struct view *view, const struct ibs_sample *sample,
		      uint64_t address, struct group **group)
{
	struct group_key key = { 0 };
	struct ibs_place place;

	/* The line is named by what its first byte belongs to. */
	if (view->kind == VIEW_LINES)
		address &= -(uint64_t)LINE_BYTES;
	place_cache_find(&view->cache, &view->places, sample->pid,
			 sample->tstamp, address, &place);
	make_keys[view->kind](&key, sample, &place);
	return groups_find(&view->groups, &key, &place, group);
}

static int take(struct view *view, const struct ibs_format *format,
		const struct ibs_sample *sample)
{
	struct group *group = NULL;
	struct ibs_access access;
	struct misses *misses = &view->unknown;
	uint64_t address;

	if (sample->kind == IBS_FETCH) {
		view->fetches++;
		return 0;
	}
	ibs_access_read(&access, format, sample);
	if (view->kind != VIEW_INSTRUCTIONS && !access.load && !access.store) {
		view->no_access++;
		return 0;
	}
	address = view->kind == VIEW_INSTRUCTIONS
			  ? ibs_access_instruction(format, sample)
			  : access.address;
	if (address && find_group(view, sample, address, &group))
		return -1;
	if (address)
		misses = group ? &group->misses : &view->others;
	if (misses_add(misses, &access) || misses_add(&view->total, &access))
		return -1;
	if (!group || view->kind != VIEW_LINES)
		return 0;
	return sharers_add(&group->sharers, sample->pid, sample->tid, &access);
}

static int read_samples(struct view *view, struct ibs_file *file)
{
	struct ibs_sample sample;
	int status;

	while ((status = ibs_file_next(file, &sample)) > 0) {
		if (!take(view, &file->format, &sample))
			continue;
		say_error("out of memory for the rows of %s; allow fewer with "
			  "--max-rows",
			  view->name);
		return -1;
	}
	return status;
}

int view_read(struct view *view)
{
	struct ibs_file *file = malloc(sizeof(*file));
	size_t i;
	int err;

	if (!file) {
		say_error("out of memory for the samples of %s", view->name);
		return -1;
	}
	err = ibs_file_open(file, view->name);
	if (!err)
		err = read_samples(view, file);
	ibs_file_close(file);
	free(file);
	for (i = 0; i < view->groups.count; i++)
		view->groups.list[i].sharing =
			sharers_judge(&view->groups.list[i].sharers);
	return err;
}

void view_free(struct view *view)
{
	groups_free(&view->groups);
	misses_free(&view->total);
	misses_free(&view->unknown);
	misses_free(&view->others);
	place_cache_free(&view->cache);
	ibs_places_free(&view->places);
}
