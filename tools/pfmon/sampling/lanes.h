/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The lanes (per-CPU buffers) of a session's sampling buffers, for any format.
 */
#ifndef PFMON_SAMPLING_LANES_H
#define PFMON_SAMPLING_LANES_H

#include <stdbool.h>
#include <stdint.h>
#include <perfmon/perfmon.h>

#include "sampling/described.h"
#include "sampling/sample.h"

struct options;
struct periods;

/**
 * enum lane_format - sampling format
 */
enum lane_format {
	FORMAT_DEFAULT,
	FORMAT_NWAY,
	FORMAT_CALLSTACK,
	FORMAT_IBS,
	FORMAT_DESCRIBED,
};

/**
 * union lane_arg - argument of the format
 */
union lane_arg {
	struct pfm_default_arg plain;
	struct pfm_nway_arg nway;
	struct pfm_callstack_arg callstack;
	struct pfm_ibs_arg ibs;
};

/**
 * struct lane - how far a lane has been read
 * @base: its first byte
 * @fd: its context
 * @number: its number in the context
 * @context: number of its context, in the order of lanes_map()
 * @samples: samples read
 * @weights: for each event that samples the sum of the periods of its samples
 * @plain: state of reading, of FORMAT_DEFAULT
 * @parts: the same of the other formats, but
 * @reader: that of FORMAT_DESCRIBED
 * @record: the last entry of FORMAT_DESCRIBED
 * @last: with parts: the last part to read now
 * @ready: there is something to read
 * @time: time of the last sample read
 */
struct lane {
	const void *base;
	int fd;
	unsigned int number;
	unsigned int context;
	uint64_t samples;
	uint64_t *weights;
	union {
		struct pfm_sample_consumer plain;
		struct pfm_sample_parts parts;
		struct pfm_format_reader reader;
	};
	struct pfm_format_record record;
	uint64_t last;
	bool ready;
	uint64_t time;
};

/**
 * struct lanes - the buffers of a session's contexts
 * @format: sampling format
 * @uuid: UUID of the format
 * @name: name of the format
 * @module: kernel module of the format; NULL if it was found already
 * @arg: argument of the format, but that of FORMAT_DESCRIBED
 * @arg_size: bytes of the argument
 * @layout: how lanes are read: PFM_FORMAT_*
 * @described: the format if it is FORMAT_DESCRIBED
 * @weightless: entries do not say how many events they stand for
 * @buffers: mappings, one for each context
 * @num_buffers: elements of @buffers
 * @room_buffers: elements that fit in @buffers
 * @list: the lanes
 * @count: elements of @list
 * @room: elements that fit in @list
 * @periods: how events sample
 * @until: samples after that time, CLOCK_MONOTONIC ns, are left for later; 0 if none are
 */
struct lanes {
	enum lane_format format;
	uint8_t uuid[PFM_UUID_LEN];
	const char *name;
	const char *module;
	union lane_arg arg;
	size_t arg_size;
	enum pfm_format_layout layout;
	struct described described;
	bool weightless;
	struct pfm_sample_buffer *buffers;
	unsigned int num_buffers;
	size_t room_buffers;
	struct lane *list;
	unsigned int count;
	size_t room;
	const struct periods *periods;
	uint64_t until;
};

/* Chooses the format and its argument.  Returns 0, or -1 after a message. */
int lanes_choose(struct lanes *lanes, const struct options *options,
		 const struct periods *periods);

/*
 * Creates a context with the format.  @reported tells whether the kernel reports
 * mappings (PFM_CTX_MAPS); if it cannot, the context is created without.  Returns
 * the descriptor, or -1 after a message.
 */
int lanes_create_context(const struct lanes *lanes, uint32_t flags,
			 bool *reported);

/*
 * Maps the buffer of context @fd and adds its lanes.  @fd has to stay open.
 * Returns 0, or -1 after a message.
 */
int lanes_map(struct lanes *lanes, int fd);

/*
 * Finds the lanes and parts to read: the full ones or, with @all, all of them.
 * Returns false if there are none.
 */
bool lanes_find(struct lanes *lanes, bool all);

/*
 * Reads the next sample of a lane that lanes_find() found.  Returns 1, 0 if there
 * are no more, -1 after a message.  The sample is valid until lanes_restart().
 */
int lanes_next(struct lanes *lanes, unsigned int lane, struct sample *sample);

/*
 * True if the lane is full, so that its context counts nothing until the lane is
 * restarted.  Contexts that follow tasks count all the same.
 */
bool lanes_masks(const struct lanes *lanes, unsigned int lane);

/* Lets the kernel fill a lane again that was full.  True if it does. */
bool lanes_restart(struct lanes *lanes, unsigned int lane);

/*
 * Samples lost because a lane was full, and number of times that a lane was full.
 */
uint64_t lanes_lost(const struct lanes *lanes);
uint64_t lanes_fills(const struct lanes *lanes);

/*
 * Sum of what the headers of all lanes say, of a format that describes itself.  False if they do
 * not say it.
 */
bool lanes_sum(const struct lanes *lanes, uint32_t kind, uint64_t *sum);

/* The same of one lane. */
bool lanes_sum_one(const struct lanes *lanes, unsigned int lane, uint32_t kind,
		   uint64_t *sum);

void lanes_free(struct lanes *lanes);

#endif
