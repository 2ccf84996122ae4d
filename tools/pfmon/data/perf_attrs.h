/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events of a file of perf: their attributes, and which records are of which event.
 */
#ifndef PFMON_DATA_PERF_ATTRS_H
#define PFMON_DATA_PERF_ATTRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

/**
 * struct perf_attr - an event
 * @type: kind of the event, PERF_TYPE_*
 * @config: the event
 * @period: its period, or frequency
 * @sample_type: what a sample has, PERF_SAMPLE_*
 * @read_format: which counts a sample has, PERF_FORMAT_*
 * @flags: the bit field, as a number: PERF_ATTR_*
 * @name: as perf tells it; NULL if it does not
 * @samples: its samples that were read
 */
struct perf_attr {
	uint32_t type;
	uint64_t config;
	uint64_t period;
	uint64_t sample_type;
	uint64_t read_format;
	uint64_t flags;
	char *name;
	uint64_t samples;
};

/* Bits of @flags. */
#define PERF_ATTR_INHERIT	(1ULL << 1)
#define PERF_ATTR_FREQUENCY	(1ULL << 10)
#define PERF_ATTR_ON_EXEC	(1ULL << 12)
#define PERF_ATTR_SAMPLE_ID_ALL (1ULL << 18)

/**
 * struct perf_attr_id - the number that the kernel gave an event on a CPU or of a task
 * @id: the number
 * @attr: index of the event
 */
struct perf_attr_id {
	uint64_t id;
	uint32_t attr;
};

/**
 * struct perf_attrs - all events
 * @list: the events
 * @count: elements of @list
 * @room: elements that fit in @list
 * @ids: their numbers
 * @num_ids: elements of @ids
 * @ids_room: elements that fit in @ids
 * @table: finds them
 */
struct perf_attrs {
	struct perf_attr *list;
	size_t count;
	size_t room;
	struct perf_attr_id *ids;
	size_t num_ids;
	size_t ids_room;
	struct hash table;
};

/* More events than a recording can have. */
#define PERF_ATTRS_MAX 4096

/*
 * Adds an event: @size bytes of attributes, and @count numbers of 8 bytes each.  Returns NULL, or what is
 * wrong, to continue a sentence.
 */
const char *perf_attrs_add(struct perf_attrs *attrs, const uint8_t *bytes,
			   size_t size, const uint8_t *ids, size_t count);

/* The event of a number; NULL if there is none. */
struct perf_attr *perf_attrs_find(const struct perf_attrs *attrs, uint64_t id);

/*
 * Says what else keeps the records from being read: NULL, or to continue a sentence.  Has to be called when
 * all events are known.
 */
const char *perf_attrs_check(const struct perf_attrs *attrs);

/* The event's name, or one made of its kind and number, to @text, which has @size bytes. */
const char *perf_attr_name(const struct perf_attr *attr, char *text,
			   size_t size);

/* True if the event never samples: perf opens it for the other records. */
bool perf_attr_is_dummy(const struct perf_attr *attr);

void perf_attrs_free(struct perf_attrs *attrs);

#endif
