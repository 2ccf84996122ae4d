/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The lanes of a session's sampling buffer, whichever format fills them.
 */
#ifndef PFMON_SAMPLING_LANES_H
#define PFMON_SAMPLING_LANES_H

#include <stdbool.h>
#include <stdint.h>
#include <perfmon/perfmon.h>

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
};

/**
 * union lane_arg - argument of the format
 */
union lane_arg {
	struct pfm_default_arg plain;
	struct pfm_nway_arg nway;
	struct pfm_callstack_arg callstack;
};

/**
 * struct lane - how far a lane was read
 * @base: its first byte
 * @fd: its context
 * @number: its number in the context
 * @context: number of the context, in the order of lanes_map()
 * @samples: how many were read
 * @weights: sum of the periods of its samples, one an event that samples
 * @last: parts: the last one to read now
 * @ready: there is something to read
 * @time: of the last sample that was read
 */
struct lane {
	const void *base;
	int fd;
	unsigned int number;
	unsigned int context;
	uint64_t samples;
	uint64_t *weights;
	union {
		struct pfm_consumer plain;
		struct pfm_parts parts;
	};
	uint64_t last;
	bool ready;
	uint64_t time;
};

/**
 * struct lanes - the buffers of a session's contexts
 * @format: who fills it
 * @uuid: the format's
 * @name: the format's
 * @arg: its argument
 * @arg_size: bytes of @arg that it takes
 * @buffers: the mappings, one a context
 * @num_buffers: elements of @buffers
 * @list: one a lane
 * @count: elements of @list
 * @periods: how events sample
 */
struct lanes {
	enum lane_format format;
	uint8_t uuid[PFM_UUID_LEN];
	const char *name;
	union lane_arg arg;
	size_t arg_size;
	struct pfm_buffer *buffers;
	unsigned int num_buffers;
	struct lane *list;
	unsigned int count;
	const struct periods *periods;
};

/* Chooses the format and its argument. */
void lanes_choose(struct lanes *lanes, const struct options *options,
		  const struct periods *periods);

/*
 * A new context with that format.  @reported: whether the kernel reports mappings
 * as PFM_CTX_MAPS asks; if it cannot, do without.  -1 after saying what failed.
 */
int lanes_create_context(const struct lanes *lanes, uint32_t flags,
			 bool *reported);

/*
 * Adds the buffer of context @fd, which the lanes use until it is mapped no
 * more.  0, or -1 after saying what failed.
 */
int lanes_map(struct lanes *lanes, int fd);

/*
 * Finds what is to be read: what is full or, with @all, everything.  False when
 * there is nothing.
 */
bool lanes_find(struct lanes *lanes, bool all);

/*
 * The next sample of a lane that lanes_find() found: 1, 0 no more, -1 after
 * saying what is wrong.  Valid until lanes_restart().
 */
int lanes_next(struct lanes *lanes, unsigned int lane, struct sample *sample);

/*
 * Whether the context counts nothing until a lane is restarted, as it is full.
 * Contexts that follow go on all the same.
 */
bool lanes_masks(const struct lanes *lanes, unsigned int lane);

/* Has the kernel fill a lane again that was full.  Whether it does. */
bool lanes_restart(struct lanes *lanes, unsigned int lane);

/* Samples that the format had no room for; times that it was full. */
uint64_t lanes_lost(const struct lanes *lanes);
uint64_t lanes_fills(const struct lanes *lanes);

void lanes_free(struct lanes *lanes);

#endif
