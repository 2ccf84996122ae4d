// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Reading lanes in parts: the formats nway, callstack and ibs.
 *
 * The kernel writes while this code reads.  Every value that leads to an address is
 * checked against the size of the lane after it was read, so that nothing outside of
 * the lane is read, whatever the buffer contains.
 */
#include "samples/parts.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include <perfmon/perfmon.h>

#include <linux/perfmon_callstack.h>
#include <linux/perfmon_ibs.h>
#include <linux/perfmon_nway.h>

static uint64_t acquire(const __u64 *from)
{
	return __atomic_load_n(from, __ATOMIC_ACQUIRE);
}

int pfmi_parts_check(const struct pfm_sample_parts *parts, size_t header)
{
	const struct pfm_nway_hdr *hdr = parts->lane;
	size_t rest;

	if (parts->size < header || header < sizeof(*hdr) || (uintptr_t)hdr % 8)
		return -EBADMSG;
	if (!hdr->parts || hdr->parts > PFM_NWAY_PARTS_MAX ||
	    hdr->part_offs < header || hdr->part_offs > parts->size ||
	    hdr->part_offs % 8 || hdr->part_size % 8)
		return -EBADMSG;
	rest = parts->size - hdr->part_offs;
	if (hdr->part_size > rest / hdr->parts ||
	    hdr->part_room > hdr->part_size ||
	    hdr->part_room < sizeof(struct pfm_nway_part))
		return -EBADMSG;
	return 0;
}

/* Check version and sizes of the header, before they are used. */
static int check_lane(const struct pfm_sample_parts *parts, size_t header)
{
	const struct pfm_nway_hdr *hdr = parts->lane;

	if (parts->size < header || (uintptr_t)hdr % 8)
		return -EBADMSG;
	if (hdr->version >> 16 != PFM_NWAY_VERSION >> 16)
		return -EPROTO;
	return pfmi_parts_check(parts, header);
}

void pfmi_parts_begin(struct pfm_sample_parts *parts, const void *lane,
		      size_t size)
{
	memset(parts, 0, sizeof(*parts));
	parts->lane = lane;
	parts->size = size;
	parts->seq = 1;
	parts->offset = sizeof(struct pfm_nway_part);
}

/* Begin with the first part that is not released. */
static int begin(struct pfm_sample_parts *parts, const void *lane, size_t size,
		 size_t header)
{
	int ret;

	pfmi_parts_begin(parts, lane, size);
	ret = check_lane(parts, header);
	if (!ret)
		parts->seq = ((const struct pfm_nway_hdr *)lane)->released + 1;
	return ret;
}

int pfmi_parts_find(struct pfm_sample_parts *parts, size_t header,
		    uint64_t last, struct pfmi_area *area)
{
	const struct pfm_nway_hdr *hdr = parts->lane;
	const struct pfm_nway_part *part;
	uint64_t filled, count;
	bool current;
	int ret;

	ret = pfmi_parts_check(parts, header);
	if (ret)
		return ret;
	for (;;) {
		filled = acquire(&hdr->filled);
		if (parts->seq > filled + 1)
			return -EBADMSG;
		current = parts->seq == filled + 1;
		if (parts->seq > last)
			return 0;
		part = (const void *)((const char *)hdr + hdr->part_offs +
				      (parts->seq - 1) % hdr->parts *
					      hdr->part_size);
		if (acquire(&part->seq) != parts->seq)
			return current ? 0 : -EBADMSG;
		count = acquire(&part->count);
		area->part = part;
		area->end = part->cur_offs;
		if (area->end > hdr->part_room || parts->done > count)
			return -EBADMSG;
		if (parts->done < count)
			return 1;
		if (current)
			return 0;
		parts->seq++;
		parts->offset = sizeof(*part);
		parts->done = 0;
	}
}

/* The same in a lane of a format whose version is known. */
static int find_entry(struct pfm_sample_parts *parts, size_t header,
		      uint64_t last, struct pfmi_area *area)
{
	int ret;

	ret = check_lane(parts, header);
	return ret ? ret : pfmi_parts_find(parts, header, last, area);
}

int pfm_sample_nway_begin(struct pfm_sample_parts *parts, const void *lane,
			  size_t size)
{
	return begin(parts, lane, size, sizeof(struct pfm_nway_hdr));
}

int pfm_sample_nway_next(struct pfm_sample_parts *parts, uint64_t last,
			 const struct pfm_pmd_attr *attrs, unsigned int count,
			 struct pfm_sample *sample)
{
	struct pfmi_area area;
	size_t offset;
	int ret;

	ret = find_entry(parts, sizeof(struct pfm_nway_hdr), last, &area);
	if (ret <= 0)
		return ret;
	offset = parts->offset;
	ret = pfm_sample_entry_next(area.part, area.end, &offset, attrs, count,
				    sample);
	if (ret < 0)
		return ret;
	parts->offset = offset;
	parts->done++;
	return 1;
}

uint64_t pfm_sample_parts_filled(const struct pfm_sample_parts *parts)
{
	return acquire(&((const struct pfm_nway_hdr *)parts->lane)->filled);
}

uint64_t pfm_sample_parts_done(const struct pfm_sample_parts *parts)
{
	const struct pfm_nway_hdr *hdr = parts->lane;
	uint64_t read = parts->seq - 1;

	return read > hdr->released ? read : 0;
}

uint64_t pfm_sample_parts_lost(const struct pfm_sample_parts *parts,
			       uint64_t *told)
{
	const struct pfm_nway_hdr *hdr = parts->lane;
	const uint64_t lost = __atomic_load_n(&hdr->lost, __ATOMIC_RELAXED);
	const uint64_t since = lost - *told;

	*told = lost;
	return since;
}

int pfm_sample_callstack_begin(struct pfm_sample_parts *parts, const void *lane,
			       size_t size)
{
	return begin(parts, lane, size, sizeof(struct pfm_callstack_hdr));
}

static int take_entry(const char *at, size_t rest,
		      struct pfm_sample_stack *stack)
{
	const struct pfm_callstack_entry *entry = (const void *)at;
	size_t words;

	if (rest < sizeof(*entry))
		return -EBADMSG;
	words = (size_t)entry->nr_vals + entry->nr_kernel + entry->nr_user;
	if ((rest - sizeof(*entry)) / sizeof(uint64_t) < words)
		return -EBADMSG;
	stack->count = 1;
	stack->weight = -entry->last_reset_val;
	stack->ip = entry->ip;
	stack->tstamp = entry->tstamp;
	stack->tid = entry->tid;
	stack->pid = entry->pid;
	stack->cpu = entry->cpu;
	stack->pmd = entry->ovfl_pmd;
	stack->set = entry->set;
	stack->flags = entry->flags;
	stack->vals = (const uint64_t *)(entry + 1);
	stack->nvals = entry->nr_vals;
	stack->frames = stack->vals + entry->nr_vals;
	stack->nkernel = entry->nr_kernel;
	stack->nuser = entry->nr_user;
	return sizeof(*entry) + words * sizeof(uint64_t);
}

static int take_record(const char *at, size_t rest,
		       struct pfm_sample_stack *stack)
{
	const struct pfm_callstack_record *record = (const void *)at;
	size_t words;

	if (rest < sizeof(*record))
		return -EBADMSG;
	words = (size_t)record->nr_kernel + record->nr_user;
	if ((rest - sizeof(*record)) / sizeof(uint64_t) < words)
		return -EBADMSG;
	stack->count = record->count;
	stack->weight = record->weight;
	stack->ip = words ? record->frames[0] : 0;
	stack->tstamp = record->first;
	stack->pid = record->pid;
	stack->tid = record->pid;
	stack->pmd = record->pmd;
	stack->set = record->set;
	stack->flags = record->flags;
	stack->exec = record->exec;
	stack->frames = (const uint64_t *)record->frames;
	stack->nkernel = record->nr_kernel;
	stack->nuser = record->nr_user;
	return sizeof(*record) + words * sizeof(uint64_t);
}

int pfm_sample_callstack_next(struct pfm_sample_parts *parts, uint64_t last,
			      struct pfm_sample_stack *stack)
{
	const struct pfm_nway_hdr *hdr = parts->lane;
	struct pfmi_area area;
	bool aggregated;
	const char *at;
	size_t rest;
	int ret;

	ret = find_entry(parts, sizeof(struct pfm_callstack_hdr), last, &area);
	if (ret <= 0)
		return ret;
	memset(stack, 0, sizeof(*stack));
	aggregated = hdr->flags & PFM_CALLSTACK_AGGREGATE;
	if (parts->offset > area.end || parts->offset % 8)
		return -EBADMSG;
	at = (const char *)area.part + parts->offset;
	rest = area.end - parts->offset;
	ret = aggregated ? take_record(at, rest, stack) :
			   take_entry(at, rest, stack);
	if (ret < 0)
		return ret;
	parts->offset += ret;
	parts->done++;
	return 1;
}

int pfm_sample_ibs_begin(struct pfm_sample_parts *parts, const void *lane,
			 size_t size)
{
	return begin(parts, lane, size, sizeof(struct pfm_nway_hdr));
}

/* Bytes of an entry; 0 if there is no such kind. */
static size_t ibs_size(const struct pfm_ibs_entry *entry)
{
	switch (entry->kind) {
	case PFM_IBS_KIND_FETCH:
		return sizeof(struct pfm_ibs_fetch);
	case PFM_IBS_KIND_OP:
		return sizeof(struct pfm_ibs_op);
	default:
		return 0;
	}
}

int pfm_sample_ibs_next(struct pfm_sample_parts *parts, uint64_t last,
			const struct pfm_ibs_entry **entry)
{
	struct pfmi_area area;
	size_t rest, size;
	int ret;

	ret = find_entry(parts, sizeof(struct pfm_nway_hdr), last, &area);
	if (ret <= 0)
		return ret;
	if (parts->offset > area.end || parts->offset % 8)
		return -EBADMSG;
	rest = area.end - parts->offset;
	if (rest < sizeof(**entry))
		return -EBADMSG;
	*entry = (const void *)((const char *)area.part + parts->offset);
	size = ibs_size(*entry);
	if (!size || size > rest)
		return -EBADMSG;
	parts->offset += size;
	parts->done++;
	return size;
}

int pfm_sample_ibs_skip(struct pfm_sample_parts *parts)
{
	const struct pfm_ibs_entry *entry;
	uint64_t current;
	int ret;

	ret = check_lane(parts, sizeof(struct pfm_nway_hdr));
	if (ret)
		return ret;
	current = pfm_sample_parts_filled(parts) + 1;
	if (parts->seq < current) {
		parts->seq = current;
		parts->offset = sizeof(struct pfm_nway_part);
		parts->done = 0;
	}
	do {
		ret = pfm_sample_ibs_next(parts, current, &entry);
	} while (ret > 0);
	return ret;
}
