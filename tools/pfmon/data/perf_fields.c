// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which fields a record has, depends on the attributes of its event, and which event it is of is one of
 * the fields.  perf has all events put the number of the event in the same place.
 */
#include <linux/perf_event.h>
#include <string.h>

#include "data/data_format.h"
#include "data/perf_fields.h"
#include "data/perf_file.h"

/**
 * struct cursor - bytes that are read one field after the other
 * @at: the next one
 * @left: how many there are
 */
struct cursor {
	const uint8_t *at;
	size_t left;
};

/* Goes @count words further.  Returns where it was; NULL if there are fewer. */
static const uint8_t *take(struct cursor *cursor, uint64_t count)
{
	const uint8_t *at = cursor->at;

	if (count > cursor->left / 8)
		return NULL;
	cursor->at += 8 * count;
	cursor->left -= 8 * count;
	return at;
}

static int get(struct cursor *cursor, uint64_t *value)
{
	const uint8_t *at = take(cursor, 1);

	if (!at)
		return -1;
	*value = data_get64(at);
	return 0;
}

/* Bits that precede @bit of those in @mask, which all stand for a word. */
static unsigned int words_before(uint64_t type, uint64_t mask, uint64_t bit)
{
	return __builtin_popcountll(type & mask & (bit - 1));
}

#define BEFORE_ID \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR)

/* The event of a sample. */
static struct perf_attr *attr_of(const struct perf_attrs *attrs,
				 const struct cursor *body)
{
	uint64_t type = attrs->list[0].sample_type, words = 0;

	if (attrs->count == 1)
		return &attrs->list[0];
	if (!(type & PERF_SAMPLE_IDENTIFIER))
		words = words_before(type, BEFORE_ID, PERF_SAMPLE_ID);
	if (body->left / 8 <= words)
		return NULL;
	return perf_attrs_find(attrs, data_get64(body->at + 8 * words));
}

/* The counts that a sample has: one, or those of a group. */
static int skip_counts(struct cursor *cursor, uint64_t format)
{
	uint64_t times, values, count = 1;

	times = !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
		!!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	/* PERF_FORMAT_LOST is bit 4, which older headers do not have. */
	values = 1 + !!(format & PERF_FORMAT_ID) + !!(format & 1 << 4);
	if (format & PERF_FORMAT_GROUP && get(cursor, &count))
		return -1;
	if (count > cursor->left)
		return -1;
	return take(cursor, times + count * values) ? 0 : -1;
}

static int get_chain(struct perf_fields *fields, struct cursor *cursor)
{
	uint64_t count;

	if (get(cursor, &count))
		return -1;
	fields->chain = take(cursor, count);
	fields->length = count;
	return fields->chain ? 0 : -1;
}

static int get_two(struct cursor *cursor, uint32_t *first, uint32_t *second)
{
	const uint8_t *at = take(cursor, 1);

	if (!at)
		return -1;
	*first = data_get32(at);
	*second = data_get32(at + 4);
	return 0;
}

static int read_fields(struct perf_fields *fields, struct cursor *cursor)
{
	uint64_t type = fields->attr->sample_type;
	uint32_t unused;

	if (type & PERF_SAMPLE_IDENTIFIER && !take(cursor, 1))
		return -1;
	if (type & PERF_SAMPLE_IP && get(cursor, &fields->ip))
		return -1;
	if (type & PERF_SAMPLE_TID &&
	    get_two(cursor, &fields->pid, &fields->tid))
		return -1;
	if (type & PERF_SAMPLE_TIME && get(cursor, &fields->time))
		return -1;
	if (!take(cursor, !!(type & PERF_SAMPLE_ADDR) +
				  !!(type & PERF_SAMPLE_ID) +
				  !!(type & PERF_SAMPLE_STREAM_ID)))
		return -1;
	if (type & PERF_SAMPLE_CPU && get_two(cursor, &fields->cpu, &unused))
		return -1;
	if (type & PERF_SAMPLE_PERIOD && get(cursor, &fields->period))
		return -1;
	if (type & PERF_SAMPLE_READ &&
	    skip_counts(cursor, fields->attr->read_format))
		return -1;
	return type & PERF_SAMPLE_CALLCHAIN ? get_chain(fields, cursor) : 0;
}

int perf_fields_of_sample(struct perf_fields *fields,
			  const struct perf_attrs *attrs, const uint8_t *record,
			  size_t size)
{
	struct cursor body = { record + PERF_FILE_HEAD, size - PERF_FILE_HEAD };

	memset(fields, 0, sizeof(*fields));
	fields->attr = attr_of(attrs, &body);
	if (!fields->attr)
		return 0;
	/* Without a field for it, the period is that of the event, which is not a frequency. */
	fields->period = fields->attr->flags & PERF_ATTR_FREQUENCY
				 ? 1
				 : fields->attr->period;
	return read_fields(fields, &body);
}

#define END_FIELDS                                             \
	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | \
	 PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER)

/* The event of another record; the first one if it does not say. */
static struct perf_attr *attr_of_end(const struct perf_attrs *attrs,
				     const uint8_t *record, size_t size)
{
	struct perf_attr *first = &attrs->list[0], *found = NULL;

	if (attrs->count > 1 && first->sample_type & PERF_SAMPLE_IDENTIFIER &&
	    size >= PERF_FILE_HEAD + 8)
		found = perf_attrs_find(attrs, data_get64(record + size - 8));
	return found ? found : first;
}

long perf_fields_of_end(struct perf_fields *fields,
			const struct perf_attrs *attrs, const uint8_t *record,
			size_t size)
{
	struct cursor cursor;
	uint64_t type, bytes;
	uint32_t unused;

	memset(fields, 0, sizeof(*fields));
	fields->attr = attr_of_end(attrs, record, size);
	if (!(fields->attr->flags & PERF_ATTR_SAMPLE_ID_ALL))
		return 0;
	type = fields->attr->sample_type;
	bytes = 8 * (uint64_t)__builtin_popcountll(type & END_FIELDS);
	if (bytes > size - PERF_FILE_HEAD)
		return -1;
	cursor.at = record + size - bytes;
	cursor.left = bytes;
	if (type & PERF_SAMPLE_TID)
		get_two(&cursor, &fields->pid, &fields->tid);
	if (type & PERF_SAMPLE_TIME)
		get(&cursor, &fields->time);
	take(&cursor,
	     !!(type & PERF_SAMPLE_ID) + !!(type & PERF_SAMPLE_STREAM_ID));
	if (type & PERF_SAMPLE_CPU)
		get_two(&cursor, &fields->cpu, &unused);
	return bytes;
}
