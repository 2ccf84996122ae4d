// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the attributes of events, struct perf_event_attr of linux/perf_event.h, of any version of it:
 * each has all that is read here.
 */
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "data/data_format.h"
#include "data/perf_attrs.h"

/* The place of the event's id in a record has to be the same for all events. */
#define WHERE_ID                                                     \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | \
	 PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID |      \
	 PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU)

static int add_id(struct perf_attrs *attrs, uint64_t id)
{
	if (array_reserve(&attrs->ids, sizeof(*attrs->ids), &attrs->ids_room,
			  attrs->num_ids + 1) ||
	    hash_add(&attrs->table, hash_mix(0, id)))
		return -1;
	attrs->ids[attrs->num_ids].id = id;
	attrs->ids[attrs->num_ids++].attr = attrs->count - 1;
	return 0;
}

const char *perf_attrs_add(struct perf_attrs *attrs, const uint8_t *bytes,
			   size_t size, const uint8_t *ids, size_t count)
{
	struct perf_attr *attr;
	size_t i;

	if (size < PERF_ATTR_SIZE_VER0)
		return "the attributes of an event are too short";
	if (attrs->count == PERF_ATTRS_MAX)
		return "there are too many events";
	if (array_reserve(&attrs->list, sizeof(*attrs->list), &attrs->room,
			  attrs->count + 1))
		return "out of memory for the events";
	attr = &attrs->list[attrs->count++];
	memset(attr, 0, sizeof(*attr));
	attr->type = data_get32(bytes);
	attr->config = data_get64(bytes + 8);
	attr->period = data_get64(bytes + 16);
	attr->sample_type = data_get64(bytes + 24);
	attr->read_format = data_get64(bytes + 32);
	attr->flags = data_get64(bytes + 40);
	for (i = 0; i < count; i++)
		if (add_id(attrs, data_get64(ids + 8 * i)))
			return "out of memory for the events";
	return NULL;
}

struct perf_attr *perf_attrs_find(const struct perf_attrs *attrs, uint64_t id)
{
	uint32_t number;

	for (number = hash_find(&attrs->table, hash_mix(0, id)); number;
	     number = hash_next(&attrs->table, number))
		if (attrs->ids[number - 1].id == id)
			return &attrs->list[attrs->ids[number - 1].attr];
	return NULL;
}

const char *perf_attrs_check(const struct perf_attrs *attrs)
{
	uint64_t first, other;
	size_t i;

	if (!attrs->count)
		return "it has no events";
	first = attrs->list[0].sample_type;
	for (i = 1; i < attrs->count; i++) {
		other = attrs->list[i].sample_type;
		if (first & other & PERF_SAMPLE_IDENTIFIER)
			continue;
		if (!(first & other & PERF_SAMPLE_ID) ||
		    (first & WHERE_ID) != (other & WHERE_ID))
			return "it has several events, and its records do not say of which they are";
	}
	return NULL;
}

static const char *const hardware_names[] = {
	"cycles",
	"instructions",
	"cache-references",
	"cache-misses",
	"branches",
	"branch-misses",
	"bus-cycles",
	"stalled-cycles-frontend",
	"stalled-cycles-backend",
	"ref-cycles",
};

static const char *const software_names[] = {
	"cpu-clock",	    "task-clock",   "page-faults",  "context-switches",
	"cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
	"emulation-faults", "dummy",	    "bpf-output",   "cgroup-switches",
};

#define COUNT(list) (sizeof(list) / sizeof(*(list)))

const char *perf_attr_name(const struct perf_attr *attr, char *text,
			   size_t size)
{
	char *at;

	if (attr->name && *attr->name)
		snprintf(text, size, "%s", attr->name);
	else if (attr->type == PERF_TYPE_HARDWARE &&
		 attr->config < COUNT(hardware_names))
		snprintf(text, size, "%s", hardware_names[attr->config]);
	else if (attr->type == PERF_TYPE_SOFTWARE &&
		 attr->config < COUNT(software_names))
		snprintf(text, size, "%s", software_names[attr->config]);
	else if (attr->type == PERF_TYPE_RAW)
		snprintf(text, size, "r%" PRIx64, attr->config);
	else
		snprintf(text, size, "type-%u:0x%" PRIx64, attr->type,
			 attr->config);
	/* The name becomes part of a line of output. */
	for (at = text; *at; at++)
		if ((unsigned char)*at < 0x20 || *at == 0x7f)
			*at = '?';
	return text;
}

bool perf_attr_is_dummy(const struct perf_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE &&
	       attr->config == PERF_COUNT_SW_DUMMY;
}

void perf_attrs_free(struct perf_attrs *attrs)
{
	size_t i;

	for (i = 0; i < attrs->count; i++)
		free(attrs->list[i].name);
	free(attrs->list);
	free(attrs->ids);
	hash_free(&attrs->table);
	memset(attrs, 0, sizeof(*attrs));
}
