// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lanes of the four sampling formats that pfmon knows, and of those that describe themselves.
 *
 * Samples are taken out of a lane, or a part of it, when it is full: it does not
 * change any more then, and the kernel has already reported the tasks and
 * mappings up to that moment.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/message.h"
#include "check/modules.h"
#include "options/options.h"
#include "sampling/lanes.h"
#include "sampling/periods.h"

/*
 * Typical number of frames, for which the buffer is sized; longer stacks make
 * fewer fit.
 */
#define FRAMES_TYPICAL 24

static const uint8_t uuids[][PFM_UUID_LEN] = {
	[FORMAT_DEFAULT] = PFM_DEFAULT_UUID,
	[FORMAT_NWAY] = PFM_NWAY_UUID,
	[FORMAT_CALLSTACK] = PFM_CALLSTACK_UUID,
	[FORMAT_IBS] = PFM_IBS_UUID,
};

static const char *const names[] = {
	[FORMAT_DEFAULT] = "default",
	[FORMAT_NWAY] = "nway",
	[FORMAT_CALLSTACK] = "callstack",
	[FORMAT_IBS] = "ibs",
};

/* The module perfmon_ibs is that of the hardware. */
static const char *const modules[] = {
	[FORMAT_DEFAULT] = "perfmon_default",
	[FORMAT_NWAY] = "perfmon_nway",
	[FORMAT_CALLSTACK] = "perfmon_callstack",
	[FORMAT_IBS] = "perfmon_format_ibs",
};

static size_t round_up(size_t size, size_t to)
{
	return (size + to - 1) / to * to;
}

/*
 * True if counting goes on when a lane is full, because the lane has more than
 * one task.
 */
static bool goes_on(const struct options *options)
{
	return options->follow || options->scope.scope == SCOPE_SYSTEM;
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
	arg->flags = PFM_CALLSTACK_USER | PFM_CALLSTACK_KERNEL |
		     PFM_CALLSTACK_LR;
	if (goes_on(options))
		arg->flags |= PFM_CALLSTACK_DROP;
	if (smpl->aggregate_stacks) {
		arg->flags |= PFM_CALLSTACK_AGGREGATE;
		/* Add room for the index: at most an eighth of the whole. */
		size = entries *
			       (sizeof(struct pfm_callstack_record) + frames) *
			       8 / 7 +
		       largest + PFM_CALLSTACK_AGGR_MIN;
	} else {
		size = entries * (sizeof(struct pfm_callstack_entry) + values +
				  frames) +
		       largest + sizeof(struct pfm_nway_part) +
		       sizeof(struct pfm_callstack_entry);
	}
	arg->part_size = round_up(size, 4096);
}

static void set_ibs(struct pfm_ibs_arg *arg, const struct options *options,
		    uint64_t entries)
{
	arg->parts = options->smpl.parts;
	arg->part_size = sizeof(struct pfm_nway_part) +
			 entries * sizeof(struct pfm_ibs_op);
	arg->flags = goes_on(options) ? PFM_IBS_DROP : 0;
}

static int choose_described(struct lanes *lanes, const char *value)
{
	struct described *described = &lanes->described;

	lanes->format = FORMAT_DESCRIBED;
	if (described_open(described, value))
		return -1;
	lanes->name = described->info->name;
	lanes->arg_size = described->info->arg_size;
	lanes->layout = described->info->layout;
	lanes->weightless = !described_weighs(described);
	memcpy(lanes->uuid, described->info->uuid, PFM_UUID_LEN);
	return 0;
}

int lanes_choose(struct lanes *lanes, const struct options *options,
		 const struct periods *periods)
{
	const struct smpl_options *smpl = &options->smpl;
	size_t size = periods_entry_size(periods);
	uint64_t entries = smpl->entries / smpl->parts;

	memset(lanes, 0, sizeof(*lanes));
	lanes->periods = periods;
	entries = entries ? entries : 1;
	if (smpl->module == MODULE_FORMAT)
		return choose_described(lanes, smpl->format);
	if (smpl->module == MODULE_CALLSTACK) {
		lanes->format = FORMAT_CALLSTACK;
		lanes->arg_size = sizeof(lanes->arg.callstack);
		set_callstack(&lanes->arg.callstack, options, periods, entries);
	} else if (smpl->module == MODULE_IBS) {
		lanes->format = FORMAT_IBS;
		lanes->arg_size = sizeof(lanes->arg.ibs);
		set_ibs(&lanes->arg.ibs, options, entries);
	} else if (smpl->parts > 1) {
		lanes->format = FORMAT_NWAY;
		lanes->arg_size = sizeof(lanes->arg.nway);
		lanes->arg.nway.parts = smpl->parts;
		lanes->arg.nway.part_size =
			sizeof(struct pfm_nway_part) + entries * size;
		lanes->arg.nway.flags = goes_on(options) ? PFM_NWAY_DROP : 0;
	} else {
		lanes->arg_size = sizeof(lanes->arg.plain);
		lanes->arg.plain.buf_size =
			sizeof(struct pfm_default_hdr) + entries * size;
	}
	lanes->name = names[lanes->format];
	lanes->module = modules[lanes->format];
	lanes->layout = lanes->format == FORMAT_DEFAULT ? PFM_FORMAT_LINEAR
							: PFM_FORMAT_PARTS;
	memcpy(lanes->uuid, uuids[lanes->format], PFM_UUID_LEN);
	return 0;
}

/* How far parts of a lane were read. */
static struct pfm_sample_parts *parts_of(const struct lanes *lanes,
					 struct lane *lane)
{
	return lanes->format == FORMAT_DESCRIBED ? &lane->reader.parts
						 : &lane->parts;
}

/* True if a linear lane is full. */
static bool is_full(const struct lanes *lanes, const struct lane *lane)
{
	return lanes->format == FORMAT_DESCRIBED
		       ? pfm_format_full(&lane->reader)
		       : pfm_sample_default_full(&lane->plain) > 0;
}

static int begin_lane(struct lanes *lanes, struct lane *lane, size_t size)
{
	switch (lanes->format) {
	case FORMAT_CALLSTACK:
		return pfm_sample_callstack_begin(&lane->parts, lane->base,
						  size);
	case FORMAT_IBS:
		return pfm_sample_ibs_begin(&lane->parts, lane->base, size);
	case FORMAT_NWAY:
		return pfm_sample_nway_begin(&lane->parts, lane->base, size);
	case FORMAT_DESCRIBED:
		return pfm_format_begin(&lane->reader, lanes->described.format,
					lanes->described.arg,
					lanes->periods->attrs,
					lanes->periods->count, lane->base,
					size);
	default:
		return pfm_sample_default_begin(&lane->plain, lane->base, size);
	}
}

static int tell_malformed(void)
{
	say_error(
		"the sampling buffer is malformed; pfmon and the kernel modules are of different versions, compare 'pfmon --version' and 'modinfo perfmon'");
	return -1;
}

/* Makes room for one more buffer and its lanes. */
static int make_room(struct lanes *lanes, unsigned int more)
{
	if (array_reserve(&lanes->buffers, sizeof(*lanes->buffers),
			  &lanes->room_buffers, lanes->num_buffers + 1))
		return -1;
	return array_reserve(&lanes->list, sizeof(*lanes->list), &lanes->room,
			     (size_t)lanes->count + more);
}

static int add_lane(struct lanes *lanes, const struct pfm_sample_buffer *buffer,
		    unsigned int number, int fd)
{
	struct lane *lane = &lanes->list[lanes->count];

	memset(lane, 0, sizeof(*lane));
	lane->base = buffer->base ? pfm_sample_buffer_lane(buffer, number)
				  : NULL;
	lane->fd = fd;
	lane->number = number;
	lane->context = lanes->num_buffers;
	lane->weights = calloc(lanes->periods->count, sizeof(*lane->weights));
	if (!lane->weights) {
		say_error("out of memory for reading the sampling buffer");
		return -1;
	}
	lanes->count++;
	if (lane->base && begin_lane(lanes, lane, buffer->lane_size))
		return tell_malformed();
	return 0;
}

int lanes_create_context(const struct lanes *lanes, uint32_t flags,
			 bool *reported)
{
	PFM_OPTS(pfm_create_opts, opts, .flags = flags, .fmt_uuid = lanes->uuid,
		 .fmt_arg = &lanes->arg, .fmt_arg_size = lanes->arg_size);
	const bool described = lanes->format == FORMAT_DESCRIBED;
	int fd;

	if (described)
		opts.fmt_arg = lanes->described.arg;
	fd = pfm_ctx_create(&opts);
	if (fd == -EOPNOTSUPP && opts.flags & PFM_CTX_MAPS) {
		opts.flags &= ~PFM_CTX_MAPS;
		fd = pfm_ctx_create(&opts);
		if (fd >= 0)
			say_note(
				"symbols of short-lived processes may be missing: this kernel does not report mappings, so they come from /proc");
	}
	*reported = opts.flags & PFM_CTX_MAPS;
	if (fd >= 0)
		return fd;
	/* The device existed a moment ago, so the format is what is missing. */
	if (fd == -ENOENT && described)
		say_error("the sampling format '%s' was unloaded", lanes->name);
	else if (fd == -EINVAL && described)
		say_error(
			"the sampling format '%s' refuses its argument; 'pfmon formats %s' tells what it takes",
			lanes->name, lanes->name);
	else if (fd == -ENOENT)
		say_error(
			"there is no sampling format '%s': run 'sudo modprobe %s'",
			lanes->name, lanes->module);
	else if (fd == -EOPNOTSUPP)
		say_error(
			"--overflow-block: this kernel cannot block the command; more --smpl-entries make it rarer that a full buffer stops counting");
	else if (fd == -ENOBUFS)
		say_error("the sampling buffer is too large: %s; %s it smaller",
			  pfm_ctx_strerror(PFM_IOC_CREATE_CONTEXT, fd),
			  described ? "the argument of the format makes"
				    : "fewer --smpl-entries make");
	else
		modules_tell(fd);
	return -1;
}

int lanes_map(struct lanes *lanes, int fd)
{
	struct pfm_sample_buffer buffer;
	unsigned int i;
	int err;

	memset(&buffer, 0, sizeof(buffer));
	buffer.lanes = 1;
	/* Without entries a lane only stands for its context. */
	err = lanes->layout == PFM_FORMAT_NONE
		      ? 0
		      : pfm_sample_buffer_map(fd, &buffer);
	if (err) {
		say_error("cannot map the sampling buffer: %s", strerror(-err));
		return -1;
	}
	if (make_room(lanes, buffer.lanes)) {
		pfm_sample_buffer_unmap(&buffer);
		say_error("out of memory for reading the sampling buffer");
		return -1;
	}
	lanes->buffers[lanes->num_buffers] = buffer;
	for (i = 0; i < buffer.lanes && !err; i++)
		err = add_lane(lanes, &buffer, i, fd);
	lanes->num_buffers++;
	if (err)
		return -1;
	say_verbose("sampling format '%s', %u lane%s of %zu bytes", lanes->name,
		    buffer.lanes, buffer.lanes == 1 ? "" : "s",
		    buffer.lane_size);
	return 0;
}

bool lanes_find(struct lanes *lanes, bool all)
{
	bool found = false;
	unsigned int i;

	for (i = 0; i < lanes->count; i++) {
		struct lane *lane = &lanes->list[i];

		if (lanes->layout == PFM_FORMAT_LINEAR) {
			lane->ready = all || is_full(lanes, lane);
		} else if (lanes->layout == PFM_FORMAT_PARTS) {
			const struct pfm_sample_parts *parts =
				parts_of(lanes, lane);

			lane->last = all ? UINT64_MAX
					 : pfm_sample_parts_filled(parts);
			lane->ready = lane->last >= parts->seq;
		} else {
			/* An array changes until monitoring has ended. */
			lane->ready = all && lane->base;
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
	to->nbranches = entry->nr_branches;
	to->branches = pfm_sample_branches(from);
	return 1;
}

static int next_entry(struct lanes *lanes, struct lane *lane,
		      struct sample *sample)
{
	const struct periods *periods = lanes->periods;
	struct pfm_sample entry;
	int ret;

	if (lanes->format == FORMAT_DEFAULT)
		ret = pfm_sample_default_next(&lane->plain, periods->attrs,
					      periods->count, &entry);
	else
		ret = pfm_sample_nway_next(&lane->parts, lane->last,
					   periods->attrs, periods->count,
					   &entry);
	return ret == 1 ? convert_entry(&entry, sample) : ret;
}

static int next_stack(struct lane *lane, struct sample *sample)
{
	struct pfm_sample_stack stack;
	int ret;

	ret = pfm_sample_callstack_next(&lane->parts, lane->last, &stack);
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

static const struct period *period_of(const struct lanes *lanes, uint16_t pmd)
{
	int event = periods_event(lanes->periods, pmd);

	return event < 0
		       ? NULL
		       : &lanes->periods
				  ->list[periods_index(lanes->periods, event)];
}

/*
 * An entry of IBS does not tell from which value its register counted: the hardware may take
 * several rounds for a period, and a round may have several parts.  The events between two
 * samples are a period on average; with random numbers that is half of their mask more.
 */
static int next_ibs(struct lanes *lanes, struct lane *lane,
		    struct sample *sample)
{
	const struct pfm_ibs_entry *entry;
	const struct period *period;
	int size;

	size = pfm_sample_ibs_next(&lane->parts, lane->last, &entry);
	if (size <= 0)
		return size;
	memset(sample, 0, sizeof(*sample));
	sample->pmd = entry->kind == PFM_IBS_KIND_OP ? PFM_IBS_PMD_OP
						     : PFM_IBS_PMD_FETCH;
	period = period_of(lanes, sample->pmd);
	sample->count = 1;
	if (period)
		sample->weight = period->between + period->mask / 2;
	sample->tstamp = entry->tstamp;
	sample->pid = entry->pid;
	sample->tid = entry->tid;
	sample->cpu = entry->cpu;
	sample->set = entry->set;
	sample->entry = entry;
	sample->size = size;
	return 1;
}

/* Entries of which it is not known how many events they stand for are not added up. */
static int next_described(struct lanes *lanes, struct lane *lane,
			  struct sample *sample)
{
	int ret, event;
	bool known;

	ret = pfm_format_next(&lane->reader, lane->last, &lane->record);
	if (ret < 0)
		return tell_malformed();
	if (!ret)
		return 0;
	lane->samples++;
	known = described_convert(&lanes->described, &lane->record, sample);
	lane->time = sample->tstamp;
	if (!known)
		return 1;
	event = periods_event(lanes->periods, sample->pmd);
	if (event < 0)
		return 1;
	sample->index = periods_index(lanes->periods, event);
	lane->weights[sample->index] += sample->weight;
	return 1;
}

int lanes_next(struct lanes *lanes, unsigned int i, struct sample *sample)
{
	struct lane *lane = &lanes->list[i];
	const struct lane before = *lane;
	int ret, event;

	if (!lane->ready)
		return 0;
	if (lanes->format == FORMAT_DESCRIBED)
		return next_described(lanes, lane, sample);
	if (lanes->format == FORMAT_CALLSTACK)
		ret = next_stack(lane, sample);
	else if (lanes->format == FORMAT_IBS)
		ret = next_ibs(lanes, lane, sample);
	else
		ret = next_entry(lanes, lane, sample);
	if (ret < 0)
		return tell_malformed();
	if (!ret)
		return 0;
	if (lanes->until && sample->tstamp > lanes->until) {
		*lane = before;
		return 0;
	}
	event = periods_event(lanes->periods, sample->pmd);
	if (event < 0)
		return tell_malformed();
	sample->index = periods_index(lanes->periods, event);
	lane->time = sample->tstamp;
	lane->samples++;
	lane->weights[sample->index] += sample->weight;
	return 1;
}

bool lanes_masks(const struct lanes *lanes, unsigned int i)
{
	const struct lane *lane = &lanes->list[i];
	const struct pfm_nway_hdr *hdr = lane->base;

	if (lanes->layout == PFM_FORMAT_LINEAR)
		return is_full(lanes, lane);
	return lanes->layout == PFM_FORMAT_PARTS &&
	       !(hdr->flags & PFM_NWAY_DROP) &&
	       hdr->filled - hdr->released >= hdr->parts;
}

/*
 * A restart fails only if the session has ended in the meantime.  Then there is
 * no counting to resume, and the state of the lane stays as it is.
 */
bool lanes_restart(struct lanes *lanes, unsigned int i)
{
	struct lane *lane = &lanes->list[i];
	uint64_t part = 0;
	int err;

	if (!lane->ready)
		return false;
	lane->ready = false;
	if (lanes->layout == PFM_FORMAT_PARTS)
		part = pfm_sample_parts_done(parts_of(lanes, lane));
	else if (lanes->layout == PFM_FORMAT_LINEAR)
		part = is_full(lanes, lane);
	if (!part)
		return false;
	err = pfm_ctx_restart(lane->fd, lane->number,
			      lanes->layout == PFM_FORMAT_PARTS ? part : 0);
	if (err)
		say_debug("lane %u was not restarted: %s", i, strerror(-err));
	else if (lanes->format == FORMAT_DEFAULT)
		pfm_sample_default_restarted(&lane->plain);
	else if (lanes->layout == PFM_FORMAT_LINEAR)
		pfm_format_restarted(&lane->reader);
	return !err;
}

bool lanes_sum_one(const struct lanes *lanes, unsigned int lane, uint32_t kind,
		   uint64_t *sum)
{
	return lanes->format == FORMAT_DESCRIBED && lanes->list[lane].base &&
	       !pfm_format_sum(&lanes->list[lane].reader, kind, sum);
}

bool lanes_sum(const struct lanes *lanes, uint32_t kind, uint64_t *sum)
{
	uint64_t part;
	unsigned int i;

	*sum = 0;
	for (i = 0; i < lanes->count; i++) {
		if (!lanes_sum_one(lanes, i, kind, &part))
			return false;
		*sum += part;
	}
	return lanes->count;
}

uint64_t lanes_lost(const struct lanes *lanes)
{
	uint64_t lost = 0;
	unsigned int i;

	if (lanes->format == FORMAT_DESCRIBED)
		return lanes_sum(lanes, PFM_FORMAT_LOST, &lost) ? lost : 0;

	for (i = 0; i < lanes->count; i++) {
		const void *lane = lanes->list[i].base;

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

	for (i = 0; i < lanes->count; i++) {
		const void *lane = lanes->list[i].base;

		if (lanes->layout == PFM_FORMAT_LINEAR)
			fills += ((const struct pfm_default_hdr *)lane)
					 ->hdr_overflows;
		else if (lanes->layout == PFM_FORMAT_PARTS)
			fills += ((const struct pfm_nway_hdr *)lane)->filled;
	}
	return fills;
}

void lanes_free(struct lanes *lanes)
{
	unsigned int i;

	for (i = 0; i < lanes->count; i++)
		free(lanes->list[i].weights);
	for (i = 0; i < lanes->num_buffers; i++)
		pfm_sample_buffer_unmap(&lanes->buffers[i]);
	free(lanes->buffers);
	free(lanes->list);
	described_close(&lanes->described);
	lanes->buffers = NULL;
	lanes->list = NULL;
	lanes->count = 0;
	lanes->num_buffers = 0;
}
