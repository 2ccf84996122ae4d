/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Keeps the entries of a format that describes itself until the end: those of a histogram added
 * up, in memory, the others in a temporary file.
 */
#ifndef PFMON_SAMPLING_ENTRY_STORE_H
#define PFMON_SAMPLING_ENTRY_STORE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <perfmon/perfmon.h>

#include "base/hash.h"

struct described;

/**
 * struct stored_entry - an entry
 * @time: its time
 * @count: samples that it stands for
 * @type: number of its type
 * @size: bytes of the entry with its tails
 * @num_places: elements of places
 * @phase: number of the task's struct phase (task_history.h)
 * @elements: how many elements each tail has
 *
 * The bytes of the entry follow, then the places of its addresses, in the order of the fields
 * and tails.
 */
struct stored_entry {
	uint64_t time;
	uint64_t count;
	uint32_t type;
	uint32_t size;
	uint32_t num_places;
	uint32_t phase;
	uint32_t elements[PFM_FORMAT_TAILS_MAX];
};

/**
 * struct entry_store - the entries
 * @described: their format
 * @file: the temporary file; NULL before the first entry
 * @index: where each entry is
 * @count: elements of @index
 * @room: elements that fit in @index
 * @sums: finds entries of a histogram, which are the only ones it has; element n is that of
 *	@summed[n - 1]
 * @summed: indices of these entries
 * @summed_room: elements that fit in @summed
 * @buffer: memory of the entry that was read last
 * @buffer_room: its bytes
 */
struct entry_store {
	const struct described *described;
	FILE *file;
	struct entry_index *index;
	size_t count;
	size_t room;
	struct hash sums;
	size_t *summed;
	size_t summed_room;
	unsigned char *buffer;
	size_t buffer_room;
};

/* Returns 0, or -1 after a message. */
int entry_store_add(struct entry_store *store, const struct stored_entry *head,
		    const void *bytes, const uint32_t *places);

/* Sorts streams and tables by time, and histograms by count, the largest first. */
void entry_store_sort(struct entry_store *store);

/* Reads entry @i, which is valid until the next call.  NULL after a message. */
const struct stored_entry *entry_store_read(struct entry_store *store,
					    size_t i);

/* The bytes of an entry, and its places. */
const void *stored_entry_bytes(const struct stored_entry *entry);
const uint32_t *stored_entry_places(const struct stored_entry *entry);

void entry_store_close(struct entry_store *store);

#endif
