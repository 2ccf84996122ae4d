// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lanes of the three formats that pfmon uses.
 *
 * Samples are taken out of lanes, or parts of them, when these are full: they
 * do not change then, and whatever the kernel tells of tasks and mappings up
 * to that moment has been told before.
 */
#include <stdlib.h>
#include <string.h>

#include "lanes.h"
#include "message.h"
#include "options.h"
#include "periods.h"

/* Frames that room is made for; longer stacks make fewer fit. */
#define FRAMES_TYPICAL	24

static const uint8_t uuids[][PFM_UUID_LEN] = {
	[FORMAT_DEFAULT] = PFM_DEFAULT_UUID,
	[FORMAT_NWAY] = PFM_NWAY_UUID,
	[FORMAT_CALLSTACK] = PFM_CALLSTACK_UUID,
};

static const char *const names[] = {
	[FORMAT_DEFAULT] = "default",
	[FORMAT_NWAY] = "nway",
	[FORMAT_CALLSTACK] = "callstack",
};

static size_t round_up(size_t size, size_t to)
{
	return (size + to - 1) / to * to;
}

static void set_callstack(struct pfm_callstack_arg *arg,
			  const struct options *options,
			  const struct periods *periods, uint64_t entries)
{
	const struct smpl_options *smpl = &options->smpl;
	size_t values = periods->num_carried * sizeof(uint64_t);
	size_t frames = FRAMES_TYPICAL * sizeof(uint64_t);
	size_t size, largest;

	largest = 2 * smpl->depth * sizeof(uint64_t) + values;
	arg->parts = smpl->parts;
	arg->depth = smpl->depth;
	arg->flags = PFM_CALLSTACK_USER | PFM_CALLSTACK_KERNEL;
	if (options->follow)
		arg->flags |= PFM_CALLSTACK_DROP;
	if (smpl->aggregate_stacks) {
		arg->flags |= PFM_CALLSTACK_AGGREGATE;
		/* With the index, that takes an eighth of it at most. */
		size = entries * (sizeof(struct pfm_callstack_record) +
				  frames) * 8 / 7 + largest +
		       PFM_CALLSTACK_AGGR_MIN;
	} else {
		size = entries * (sizeof(struct pfm_callstack_entry) + values +
				  frames) + largest +
		       sizeof(struct pfm_nway_part) +
		       sizeof(struct pfm_callstack_entry);
	}
	arg->part_size = round_up(size, 4096);
}

void lanes_choose(struct lanes *lanes, const struct options *options,
		  const struct periods *periods)
{
	const struct smpl_options *smpl = &options->smpl;
	size_t size = periods_entry_size(periods);
	uint64_t entries = smpl->entries / smpl->parts;

	memset(lanes, 0, sizeof(*lanes));
	lanes->periods = periods;
	entries = entries ? entries : 1;
	if (smpl->module == MODULE_CALLSTACK) {
		lanes->format = FORMAT_CALLSTACK;
		lanes->arg_size = sizeof(lanes->arg.callstack);
		set_callstack(&lanes->arg.callstack, options, periods, entries);
	} else if (smpl->parts > 1) {
		lanes->format = FORMAT_NWAY;
		lanes->arg_size = sizeof(lanes->arg.nway);
		lanes->arg.nway.parts = smpl->parts;
		lanes->arg.nway.part_size = sizeof(struct pfm_nway_part) +
					    entries * size;
		lanes->arg.nway.flags = options->follow ? PFM_NWAY_DROP : 0;
	} else {
		lanes->arg_size = sizeof(lanes->arg.plain);
		lanes->arg.plain.buf_size = sizeof(struct pfm_default_hdr) +
					    entries * size;
	}
	lanes->name = names[lanes->format];
	memcpy(lanes->uuid, uuids[lanes->format], PFM_UUID_LEN);
}

static int begin_lane(struct lanes *lanes, unsigned int i)
{
	const void *base = pfm_buffer_lane(&lanes->buffer, i);
	size_t size = lanes->buffer.lane_size;

	switch (lanes->format) {
	case FORMAT_CALLSTACK:
		return pfm_callstack_begin(&lanes->list[i].parts, base, size);
	case FORMAT_NWAY:
		return pfm_nway_begin(&lanes->list[i].parts, base, size);
	default:
		return pfm_default_begin(&lanes->list[i].plain, base, size);
	}
}

static int tell_malformed(void)
{
	say_error("the sampling buffer is malformed; pfmon and the kernel modules are of different versions, compare 'pfmon --version' and 'modinfo perfmon'");
	return -1;
}

int lanes_map(struct lanes *lanes, int fd)
{
	unsigned int i;
	int err;

	err = pfm_buffer_map(fd, &lanes->buffer);
	if (err) {
		say_error("cannot map the sampling buffer: %s",
			  strerror(-err));
		return -1;
	}
	lanes->list = calloc(lanes->buffer.lanes, sizeof(*lanes->list));
	if (!lanes->list) {
		say_error("out of memory for reading the sampling buffer");
		return -1;
	}
	for (i = 0; i < lanes->buffer.lanes; i++)
		if (begin_lane(lanes, i))
			return tell_malformed();
	say_verbose("sampling format '%s', %u lane%s of %zu bytes", lanes->name,
		    lanes->buffer.lanes, lanes->buffer.lanes == 1 ? "" : "s",
		    lanes->buffer.lane_size);
	return 0;
}

bool lanes_find(struct lanes *lanes, bool all)
{
	bool found = false;
	unsigned int i;

	for (i = 0; i < lanes->buffer.lanes; i++) {
		struct lane *lane = &lanes->list[i];

		if (lanes->format == FORMAT_DEFAULT) {
			lane->ready = all ||
				      pfm_default_full(&lane->plain) > 0;
		} else {
			lane->last = all ? UINT64_MAX :
					   pfm_parts_filled(&lane->parts);
			lane->ready = lane->last >= lane->parts.seq;
		}
		found |= lane->ready;
	}
	return found;
}

static int convert_entry(const struct pfm_sample *from, struct sample *to)
{
	const struct pfm_default_entry *entry = from->entry;

	memset(to, 0, sizeof(*to));
	to->count = 1;
	to->weight = -entry->last_reset_val;
	to->ip = entry->ip;
	to->tstamp = entry->tstamp;
	to->pid = entry->pid;
	to->tid = entry->tid;
	to->cpu = entry->cpu;
	to->set = entry->set;
	to->pmd = entry->ovfl_pmd;
	to->nvals = from->nvals;
	to->vals = from->vals;
	return 1;
}

static int next_entry(struct lanes *lanes, struct lane *lane,
		      struct sample *sample)
{
	const struct periods *periods = lanes->periods;
	struct pfm_sample entry;
	int ret;

	if (lanes->format == FORMAT_DEFAULT)
		ret = pfm_default_next(&lane->plain, periods->attrs,
				       periods->count, &entry);
	else
		ret = pfm_nway_next(&lane->parts, lane->last, periods->attrs,
				    periods->count, &entry);
	return ret == 1 ? convert_entry(&entry, sample) : ret;
}

static int next_stack(struct lane *lane, struct sample *sample)
{
	struct pfm_stack stack;
	int ret;

	ret = pfm_callstack_next(&lane->parts, lane->last, &stack);
	if (ret != 1)
		return ret;
	memset(sample, 0, sizeof(*sample));
	sample->count = stack.count;
	sample->weight = stack.weight;
	sample->ip = stack.ip;
	sample->tstamp = stack.tstamp;
	sample->pid = stack.pid;
	sample->tid = stack.tid;
	sample->cpu = stack.cpu;
	sample->set = stack.set;
	sample->pmd = stack.pmd;
	sample->flags = stack.flags;
	sample->nvals = stack.nvals;
	sample->vals = stack.vals;
	sample->nkernel = stack.nkernel;
	sample->nuser = stack.nuser;
	sample->frames = stack.frames;
	return 1;
}

int lanes_next(struct lanes *lanes, unsigned int i, struct sample *sample)
{
	struct lane *lane = &lanes->list[i];
	int ret, event;

	if (!lane->ready)
		return 0;
	if (lanes->format == FORMAT_CALLSTACK)
		ret = next_stack(lane, sample);
	else
		ret = next_entry(lanes, lane, sample);
	if (ret < 0)
		return tell_malformed();
	if (!ret)
		return 0;
	event = periods_event(lanes->periods, sample->pmd);
	if (event < 0)
		return tell_malformed();
	sample->index = periods_index(lanes->periods, event);
	lane->time = sample->tstamp;
	return 1;
}

/*
 * Errors are those of a session that has ended meanwhile: then there is nobody
 * to be restarted, and the lane's progress stays as it is.
 */
bool lanes_restart(struct lanes *lanes, unsigned int i, int fd)
{
	struct lane *lane = &lanes->list[i];
	uint64_t part = 0;
	int err;

	if (!lane->ready)
		return false;
	lane->ready = false;
	if (lanes->format != FORMAT_DEFAULT)
		part = pfm_parts_done(&lane->parts);
	else if (pfm_default_full(&lane->plain) <= 0)
		return false;
	if (lanes->format != FORMAT_DEFAULT && !part)
		return false;
	err = pfm_ctx_restart(fd, i, part);
	if (err)
		say_debug("lane %u was not restarted: %s", i, strerror(-err));
	else if (lanes->format == FORMAT_DEFAULT)
		pfm_default_restarted(&lane->plain);
	return !err;
}

uint64_t lanes_lost(const struct lanes *lanes)
{
	uint64_t lost = 0;
	unsigned int i;

	for (i = 0; i < lanes->buffer.lanes; i++) {
		const void *lane = pfm_buffer_lane(&lanes->buffer, i);

		if (lanes->format == FORMAT_DEFAULT)
			lost += ((const struct pfm_default_hdr *)lane)->hdr_lost;
		else
			lost += ((const struct pfm_nway_hdr *)lane)->lost;
	}
	return lost;
}

uint64_t lanes_fills(const struct lanes *lanes)
{
	uint64_t fills = 0;
	unsigned int i;

	for (i = 0; i < lanes->buffer.lanes; i++) {
		const void *lane = pfm_buffer_lane(&lanes->buffer, i);

		if (lanes->format == FORMAT_DEFAULT)
			fills += ((const struct pfm_default_hdr *)lane)
					 ->hdr_overflows;
		else
			fills += ((const struct pfm_nway_hdr *)lane)->filled;
	}
	return fills;
}

void lanes_free(struct lanes *lanes)
{
	pfm_buffer_unmap(&lanes->buffer);
	free(lanes->list);
	lanes->list = NULL;
}
