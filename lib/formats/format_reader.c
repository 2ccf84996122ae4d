// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Reads lanes of any sampling format that describes itself.
 *
 * Neither the description nor the lane is believed where memory is concerned: each place is
 * compared with the size of the lane after it was computed.
 */
#include <errno.h>
#include <string.h>

#include "formats/format.h"
#include "samples/parts.h"

/**
 * struct space - entries that follow each other
 * @base: where offsets begin
 * @end: offset of their end
 */
struct space {
	const char *base;
	size_t end;
};

static const struct pfm_default_hdr *
linear_header(const struct pfm_format_reader *reader)
{
	return reader->parts.lane;
}

/* Check the header of a linear lane. */
static int check_linear(const struct pfm_format_reader *reader)
{
	const struct pfm_default_hdr *hdr = linear_header(reader);

	if (reader->parts.size < sizeof(*hdr) ||
	    hdr->hdr_buf_size > reader->parts.size)
		return -EBADMSG;
	return 0;
}

/* Bytes of the entries of an array that are in use. */
static int array_end(const struct pfm_format_reader *reader, size_t *end)
{
	const struct pfm_format *format = reader->format;
	const uint32_t hdr_size = format->info.hdr_size;
	const uint32_t size = format->entries[0].head.size;
	uint64_t entries = pfm_format_value(
		pfmi_format_kind(&format->hdr, PFM_FORMAT_ENTRIES),
		reader->parts.lane);

	if (entries > (reader->parts.size - hdr_size) / size)
		return -EBADMSG;
	*end = hdr_size + entries * size;
	return 0;
}

int pfm_format_begin(struct pfm_format_reader *reader,
		     const struct pfm_format *format, const void *arg,
		     const struct pfm_pmd_attr *attrs, unsigned int count,
		     const void *lane, size_t size)
{
	const uint32_t hdr_size = format->info.hdr_size;
	int ret = 0;

	memset(reader, 0, sizeof(*reader));
	reader->format = format;
	reader->arg = arg;
	reader->attrs = attrs;
	reader->count = count;
	pfmi_parts_begin(&reader->parts, lane, size);
	if (format->info.layout == PFM_FORMAT_NONE)
		return -EOPNOTSUPP;
	if ((uintptr_t)lane % 8 || size < hdr_size)
		return -EBADMSG;
	if (format->info.layout == PFM_FORMAT_PARTS) {
		ret = pfmi_parts_check(&reader->parts, hdr_size);
		if (!ret)
			reader->parts.seq =
				((const struct pfm_nway_hdr *)lane)->released +
				1;
		return ret;
	}
	reader->parts.offset = hdr_size;
	if (format->info.layout == PFM_FORMAT_LINEAR)
		ret = hdr_size < sizeof(struct pfm_default_hdr)
			      ? -EBADMSG
			      : check_linear(reader);
	return ret;
}

/* Entries of a linear lane.  Returns 1, 0 if there is no further one, or -EBADMSG. */
static int linear_space(struct pfm_format_reader *reader, struct space *space)
{
	const struct pfm_default_hdr *hdr = linear_header(reader);
	uint64_t entries;

	if (check_linear(reader))
		return -EBADMSG;
	/* The kernel raises the count after it has written an entry. */
	entries = __atomic_load_n(&hdr->hdr_count, __ATOMIC_ACQUIRE);
	space->base = reader->parts.lane;
	space->end = hdr->hdr_cur_offs;
	if (space->end > reader->parts.size || reader->parts.done > entries)
		return -EBADMSG;
	return reader->parts.done < entries;
}

static int array_space(struct pfm_format_reader *reader, struct space *space)
{
	space->base = reader->parts.lane;
	if (array_end(reader, &space->end))
		return -EBADMSG;
	return reader->parts.offset < space->end;
}

static int parts_space(struct pfm_format_reader *reader, uint64_t last,
		       struct space *space)
{
	struct pfmi_area area;
	int ret;

	ret = pfmi_parts_find(&reader->parts, reader->format->info.hdr_size,
			      last, &area);
	if (ret == 1) {
		space->base = area.part;
		space->end = area.end;
	}
	return ret;
}

/* True if an entry, of which @rest bytes are there, is of a type. */
static bool is_type(const struct pfm_format_reader *reader,
		    const struct pfmi_entry *entry, const char *at, size_t rest)
{
	const struct pfm_format_field *field;
	const struct pfm_format_arg *arg;
	uint64_t word;

	if (entry->with) {
		arg = pfmi_format_arg(reader->format, entry->with);
		word = pfmi_format_load((const char *)reader->arg + arg->offset,
					arg->size);
		return !!(word & arg->mask) == entry->is;
	}
	if (!entry->when)
		return true;
	field = pfmi_format_find(&entry->fields, entry->when);
	return field->offset + field->size <= rest &&
	       pfm_format_value(field, at) == entry->is;
}

/* Registers in smpl_pmds of the register that overflowed; -1 if it does not sample. */
static int count_values(const struct pfm_format_reader *reader,
			const struct pfmi_entry *entry, const char *at)
{
	const uint64_t pmd = pfm_format_value(
		pfmi_format_kind(&entry->fields, PFM_FORMAT_PMD), at);
	const uint64_t set = pfm_format_value(
		pfmi_format_kind(&entry->fields, PFM_FORMAT_SET), at);
	unsigned int i, w;
	int n = 0;

	for (i = 0; i < reader->count; i++) {
		const struct pfm_pmd_attr *attr = &reader->attrs[i];

		if (attr->num != pmd || attr->set != set)
			continue;
		for (w = 0; w < PFM_BV_WORDS; w++)
			n += __builtin_popcountll(attr->smpl_pmds[w]);
		return n;
	}
	return -1;
}

static int find_tails(const struct pfm_format_reader *reader,
		      const struct pfmi_entry *entry, size_t rest,
		      struct pfm_format_record *record)
{
	const char *at = record->at;
	unsigned int i;
	int64_t n;

	for (i = 0; i < entry->tails.count; i++) {
		const struct pfm_format_field *tail = &entry->tails.list[i];

		if (!strcmp(tail->count, PFMI_SMPL_PMDS))
			n = count_values(reader, entry, at);
		else
			n = pfm_format_value(pfmi_format_find(&entry->fields,
							      tail->count),
					     at);
		if (n < 0 || (uint64_t)n > (rest - record->size) / tail->size)
			return -EBADMSG;
		record->tails[i] = at + record->size;
		record->elements[i] = n;
		record->size += n * tail->size;
	}
	/* The next entry is aligned. */
	record->size = (record->size + 7) & ~(size_t)7;
	return record->size > rest ? -EBADMSG : 0;
}

static int take(const struct pfm_format_reader *reader, const char *at,
		size_t rest, struct pfm_format_record *record)
{
	const struct pfm_format *format = reader->format;
	unsigned int i;

	memset(record, 0, sizeof(*record));
	for (i = 0; i < format->info.entries; i++) {
		const struct pfmi_entry *entry = &format->entries[i];

		if (!is_type(reader, entry, at, rest))
			continue;
		if (entry->head.size > rest)
			return -EBADMSG;
		record->at = at;
		record->type = i;
		record->size = entry->head.size;
		return find_tails(reader, entry, rest, record);
	}
	return -EBADMSG;
}

int pfm_format_next(struct pfm_format_reader *reader, uint64_t last,
		    struct pfm_format_record *record)
{
	struct pfm_sample_parts *parts = &reader->parts;
	struct space space = { 0 };
	int ret;

	switch (reader->format->info.layout) {
	case PFM_FORMAT_LINEAR:
		ret = linear_space(reader, &space);
		break;
	case PFM_FORMAT_PARTS:
		ret = parts_space(reader, last, &space);
		break;
	default:
		ret = array_space(reader, &space);
	}
	if (ret <= 0)
		return ret;
	if (parts->offset > space.end || parts->offset % 8)
		return -EBADMSG;
	ret = take(reader, space.base + parts->offset,
		   space.end - parts->offset, record);
	if (ret)
		return ret;
	parts->offset += record->size;
	parts->done++;
	return 1;
}

int pfm_format_full(const struct pfm_format_reader *reader)
{
	const struct pfm_default_hdr *hdr = linear_header(reader);

	if (reader->format->info.layout != PFM_FORMAT_LINEAR ||
	    check_linear(reader) || hdr->hdr_cur_offs > hdr->hdr_buf_size)
		return 0;
	return __atomic_load_n(&hdr->hdr_count, __ATOMIC_ACQUIRE) &&
	       hdr->hdr_buf_size - hdr->hdr_cur_offs < hdr->hdr_min_buf_space;
}

void pfm_format_restarted(struct pfm_format_reader *reader)
{
	reader->parts.offset = reader->format->info.hdr_size;
	reader->parts.done = 0;
}

int pfm_format_sum(const struct pfm_format_reader *reader, uint32_t kind,
		   uint64_t *sum)
{
	const struct pfmi_fields *fields = &reader->format->hdr;
	unsigned int i;
	bool found = false;

	*sum = 0;
	for (i = 0; i < fields->count; i++) {
		if (fields->list[i].kind != kind)
			continue;
		*sum += pfm_format_value(&fields->list[i], reader->parts.lane);
		found = true;
	}
	return found ? 0 : -ENODATA;
}
