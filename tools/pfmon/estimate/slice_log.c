// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the log of time slices.
 *
 * Its time axis is the time of counting: the time slices of a lane follow each
 * other without gaps, whatever the tasks did in between.  The log lacks the time
 * slice that was going on at the end, and those that came when the buffer was
 * full.  They make the difference between the kernel's sums and those of the log.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "check/modules.h"
#include "estimate/slice_log.h"
#include "events/counts.h"
#include "events/event_list.h"

/*
 * Bytes of a lane: time slices of some seconds.  pfmon reads one part at a time.
 */
#define LANE_SIZE     (4U << 20)
#define LANE_SIZE_MIN (64U << 10)
#define PARTS	      4

/* Contexts that follow tasks have one lane for each CPU. */
#define LANE_SIZE_FOLLOW (1U << 20)

/* Assumed shortest length, in nanoseconds, of a time slice that triggers end. */
#define TRIGGERED_SLICE 20000

static const uint8_t uuid[PFM_UUID_LEN] = PFM_NWAY_UUID;

/* Index of the event's value among those in a log entry of its set. */
static unsigned int place_of(const struct pfm_pmd_attr *attr, uint16_t pmd)
{
	unsigned int i, place = 0;

	for (i = 0; i < pmd; i++)
		place += attr->smpl_pmds[i / 64] >> i % 64 & 1;
	return place;
}

static void describe_set(struct slice_log *log, unsigned int set)
{
	const struct event_set *es = &log->events->sets[set];
	struct pfm_pmd_attr *attr = &log->attrs[set];
	unsigned int i;
	uint16_t num;

	attr->num = PFM_REG_SET_ACTIVE;
	attr->set = set;
	for (i = 0; i < es->assignment.num_pmds; i++) {
		num = es->assignment.pmds[i].num;
		if (num < PFM_REG_TASK_BASE)
			attr->smpl_pmds[num / 64] |= 1ULL << num % 64;
	}
}

static void describe_triggers(struct slice_log *log, unsigned int set)
{
	const struct event_set *es = &log->events->sets[set];
	unsigned int i;

	for (i = 0; i < es->num_triggers; i++) {
		log->attrs[log->num_attrs].num =
			es->assignment.pmd[es->triggers[i].index];
		log->attrs[log->num_attrs++].set = set;
	}
}

static unsigned int count_attrs(const struct events *events)
{
	unsigned int set, count = events->num_sets;

	for (set = 0; set < events->num_sets; set++)
		count += events->sets[set].num_triggers;
	return count;
}

static struct slice_log *make_log(const struct events *events)
{
	struct slice_log *log = calloc(1, sizeof(*log));
	unsigned int set;
	size_t k, count;

	if (!log)
		return NULL;
	log->events = events;
	log->attrs = calloc(count_attrs(events), sizeof(*log->attrs));
	log->places = calloc(events->count, sizeof(*log->places));
	log->first_pairs =
		calloc(events->num_sets + 1, sizeof(*log->first_pairs));
	log->counts = counts_create(events);
	if (!log->attrs || !log->places || !log->first_pairs || !log->counts) {
		slice_log_free(log);
		return NULL;
	}
	for (set = 0; set < events->num_sets; set++) {
		describe_set(log, set);
		count = events->sets[set].count;
		log->first_pairs[set + 1] = log->first_pairs[set];
		if (count)
			log->first_pairs[set + 1] += count * (count - 1) / 2;
	}
	log->num_attrs = events->num_sets;
	for (set = 0; set < events->num_sets; set++)
		describe_triggers(log, set);
	for (k = 0; k < events->count; k++)
		if (!events->list[k].always)
			log->places[k] =
				place_of(&log->attrs[events->list[k].set],
					 events->list[k].pmd);
	return log;
}

/* Tries smaller buffers until the kernel grants one. */
static int create_context(struct slice_log *log, uint32_t flags)
{
	size_t size = flags & PFM_CTX_FOLLOW_ALL ? LANE_SIZE_FOLLOW : LANE_SIZE;
	PFM_OPTS(pfm_create_opts, opts, .flags = flags, .fmt_uuid = uuid,
		 .fmt_arg = &log->arg, .fmt_arg_size = sizeof(log->arg));
	int fd = -ENOBUFS;

	log->arg.parts = PARTS;
	log->arg.flags = PFM_NWAY_DROP;
	for (; fd == -ENOBUFS && size >= LANE_SIZE_MIN; size /= 2) {
		log->arg.part_size = size / PARTS;
		fd = pfm_ctx_create(&opts);
	}
	return fd;
}

int slice_log_create(struct slice_log **log, const struct events *events,
		     uint32_t flags)
{
	int fd;

	*log = make_log(events);
	if (!*log) {
		say_error("out of memory for the log of event sets");
		return -1;
	}
	fd = create_context(*log, flags);
	if (fd >= 0)
		return fd;
	slice_log_free(*log);
	*log = NULL;
	say_note(
		"counts are scaled without an error bound: %s",
		fd == -ENOENT
			? "there is no sampling format 'nway' to log the time slices of sets with (modprobe perfmon_nway)"
			: pfm_ctx_strerror(PFM_IOC_CREATE_CONTEXT, fd));
	return modules_create_context(flags);
}

static int tell_malformed(void)
{
	say_error(
		"the log of event sets is malformed; pfmon and the kernel modules are of different versions, compare 'pfmon --version' and 'modinfo perfmon'");
	return -1;
}

/* Within this interval at most one of the parts of a lane is filled. */
static void set_interval(struct slice_log *log)
{
	const struct events *events = log->events;
	uint64_t shortest = UINT64_MAX;
	unsigned int set, values = 0;
	size_t size;

	for (set = 0; set < events->num_sets; set++) {
		uint64_t time = events->sets[set].timeout;

		if (events->sets[set].assignment.num_pmds > values)
			values = events->sets[set].assignment.num_pmds;
		/* Triggers end these time slices: their length is not known in advance. */
		if (!time)
			time = TRIGGERED_SLICE;
		if (time < shortest)
			shortest = time;
	}
	size = sizeof(struct pfm_default_entry) + values * sizeof(uint64_t);
	log->interval = log->arg.part_size / size * shortest;
}

int slice_log_map(struct slice_log *log, int fd)
{
	unsigned int i;
	int err;

	err = pfm_sample_buffer_map(fd, &log->buffer);
	if (err) {
		say_error("cannot map the log of event sets: %s",
			  strerror(-err));
		return -1;
	}
	log->lanes = calloc(log->buffer.lanes, sizeof(*log->lanes));
	if (!log->lanes) {
		say_error("out of memory for the log of event sets");
		return -1;
	}
	for (i = 0; i < log->buffer.lanes; i++)
		if (pfm_sample_nway_begin(&log->lanes[i].parts,
					  pfm_sample_buffer_lane(&log->buffer,
								 i),
					  log->buffer.lane_size))
			return tell_malformed();
	set_interval(log);
	say_debug("log of event sets: %u lane%s of %zu bytes",
		  log->buffer.lanes, log->buffer.lanes == 1 ? "" : "s",
		  log->buffer.lane_size);
	return 0;
}

/* Prints set, start, length and values. */
static void debug_slice(const struct slice_log *log,
			const struct pfm_sample *sample)
{
	const struct pfm_default_entry *entry = sample->entry;
	const struct event_set *es = &log->events->sets[entry->set];
	char text[512];
	size_t i, at = 0;

	text[0] = '\0';
	for (i = 0; i < es->count && at < sizeof(text) - 32; i++)
		if (!log->events->list[es->events[i]].always)
			at += snprintf(
				text + at, sizeof(text) - at, " %llu",
				(unsigned long long)sample
					->vals[log->places[es->events[i]]]);
	say_debug("time slice %u %llu %llu%s", entry->set,
		  (unsigned long long)entry->ip,
		  (unsigned long long)entry->last_reset_val, text);
}

/* Sets up a lane that has its first time slice. */
static int begin_lane(const struct slice_log *log, struct log_lane *lane)
{
	const struct events *events = log->events;

	lane->estimators = calloc(events->count, sizeof(*lane->estimators));
	lane->changes = calloc(events->num_sets, sizeof(*lane->changes));
	lane->pairs = calloc(log->first_pairs[events->num_sets] + 1,
			     sizeof(*lane->pairs));
	if (lane->estimators && lane->changes && lane->pairs)
		return 0;
	say_error("out of memory for the log of event sets");
	return -1;
}

static void add_pairs(const struct slice_log *log, struct log_lane *lane,
		      unsigned int set)
{
	const struct event_set *es = &log->events->sets[set];
	struct estimate_pair *pair = &lane->pairs[log->first_pairs[set]];
	size_t a, b;

	for (a = 1; a < es->count; a++)
		for (b = 0; b < a; b++, pair++)
			estimate_pair_add(pair,
					  &lane->estimators[es->events[a]],
					  &lane->estimators[es->events[b]]);
}

static int take_slice(struct slice_log *log, struct log_lane *lane,
		      const struct pfm_sample *sample)
{
	const struct pfm_default_entry *entry = sample->entry;
	const struct events *events = log->events;
	const struct event_set *es = &events->sets[entry->set];
	uint64_t length = entry->last_reset_val;
	struct slice_change change = { 0 };
	size_t i, k;

	if (!lane->pairs && begin_lane(log, lane))
		return -1;
	if (message_level.debug)
		debug_slice(log, sample);
	for (i = 0; i < es->count; i++) {
		k = es->events[i];
		if (events->list[k].always)
			continue;
		estimator_add(&lane->estimators[k], &lane->steps, lane->time,
			      length, sample->vals[log->places[k]]);
		log->counts->events[k] += sample->vals[log->places[k]];
		slice_change_take(&change, &lane->estimators[k]);
	}
	if (length)
		set_changes_add(&lane->changes[entry->set], &change);
	add_pairs(log, lane, entry->set);
	lane->time += length;
	log->counts->sets[entry->set].active += length;
	log->counts->sets[entry->set].runs++;
	return 0;
}

static int read_lane(struct slice_log *log, struct log_lane *lane,
		     uint64_t last)
{
	struct pfm_sample sample;
	int ret;

	for (;;) {
		/* Refuses entries of other registers or sets. */
		ret = pfm_sample_nway_next(&lane->parts, last, log->attrs,
					   log->num_attrs, &sample);
		if (ret < 0)
			return tell_malformed();
		if (!ret)
			return 0;
		if (sample.entry->ovfl_pmd == PFM_REG_SET_ACTIVE &&
		    take_slice(log, lane, &sample))
			return -1;
	}
}

static uint64_t lost_in(const struct slice_log *log)
{
	const struct pfm_nway_hdr *hdr;
	uint64_t lost = 0;
	unsigned int i;

	for (i = 0; i < log->buffer.lanes; i++) {
		hdr = pfm_sample_buffer_lane(&log->buffer, i);
		lost += hdr->lost;
	}
	return lost;
}

int slice_log_read(struct slice_log *log, int fd, bool all)
{
	struct log_lane *lane;
	uint64_t last, done;
	unsigned int i;
	int err;

	for (i = 0; i < log->buffer.lanes; i++) {
		lane = &log->lanes[i];
		last = all ? UINT64_MAX : pfm_sample_parts_filled(&lane->parts);
		if (last < lane->parts.seq)
			continue;
		if (read_lane(log, lane, last))
			return -1;
		done = pfm_sample_parts_done(&lane->parts);
		if (!done || all)
			continue;
		/* The kernel refuses if monitoring has ended in the meantime. */
		err = pfm_ctx_restart(fd, i, done);
		if (err)
			say_debug("lane %u was not restarted: %s", i,
				  strerror(-err));
	}
	if (all)
		log->lost = lost_in(log);
	return 0;
}

uint64_t slice_log_slices(const struct slice_log *log)
{
	uint64_t slices = 0;
	size_t set;

	for (set = 0; set < log->counts->num_sets; set++)
		slices += log->counts->sets[set].runs;
	return slices;
}

void slice_log_free(struct slice_log *log)
{
	unsigned int i;

	if (!log)
		return;
	for (i = 0; log->lanes && i < log->buffer.lanes; i++) {
		free(log->lanes[i].estimators);
		free(log->lanes[i].changes);
		free(log->lanes[i].pairs);
	}
	free(log->lanes);
	pfm_sample_buffer_unmap(&log->buffer);
	free(log->attrs);
	free(log->places);
	free(log->first_pairs);
	free(log->counts);
	free(log);
}
