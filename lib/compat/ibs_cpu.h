/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * IBS on one CPU, for the functions of libIBS: a context for both kinds, and the samples of each
 * kind that were read from its buffer.
 */
#ifndef PERFMON_COMPAT_IBS_CPU_H
#define PERFMON_COMPAT_IBS_CPU_H

#include "../internal.h"

#include <perfmon/ibs-compat.h>

/* Bytes of the toolkit's buffers: each holds as many samples of its kind as fit. */
#define PFMI_IBS_BUFFER (1U << 20)

/* Kinds: the bits of ibs_sample_type_t, counted from 0 */
enum { PFMI_IBS_OPS, PFMI_IBS_FETCHES, PFMI_IBS_KINDS };

/**
 * struct pfmi_ibs_queue - samples of a kind, oldest first
 * @ring: room for @capacity of them; NULL: the kind is not sampled
 * @capacity: most that are kept
 * @first: index of the oldest one
 * @count: how many there are
 */
struct pfmi_ibs_queue {
	struct ibs_sample *ring;
	unsigned int capacity;
	unsigned int first;
	unsigned int count;
};

/**
 * struct pfmi_ibs_cpu - a CPU
 * @fd: its context; negative: it has none
 * @cpu: its number
 * @is_enabled: it samples
 * @buffer: the context's buffer
 * @parts: how far it was read
 * @taken: entries that were read
 * @dropped: of these, samples that found their queue full
 * @queues: samples that were read, by their kind
 */
struct pfmi_ibs_cpu {
	int fd;
	int cpu;
	bool is_enabled;
	struct pfm_buffer buffer;
	struct pfm_parts parts;
	uint64_t taken;
	uint64_t dropped;
	struct pfmi_ibs_queue queues[PFMI_IBS_KINDS];
};

/**
 * struct pfmi_ibs_plan - what the contexts of all CPUs have in common
 * @kinds: bit 1 << PFMI_IBS_*: kinds that are sampled
 * @period: ops or fetches between two samples
 * @enough: samples that a consumer waits for
 */
struct pfmi_ibs_plan {
	unsigned int kinds;
	uint64_t period;
	unsigned int enough;
};

/* Samples of a kind that the toolkit's buffer holds. */
unsigned int pfmi_ibs_capacity(unsigned int kind);

/*
 * Open a CPU: load its context, and map its buffer.  Returns 0 or -errno; then *@why is a phrase
 * that says what failed, and the CPU is closed.
 */
int pfmi_ibs_cpu_open(struct pfmi_ibs_cpu *at, int cpu,
		      const struct pfmi_ibs_plan *plan, const char **why);
void pfmi_ibs_cpu_close(struct pfmi_ibs_cpu *at);

/* Move samples from the buffer to the queues, as many as there are at the call. */
int pfmi_ibs_cpu_drain(struct pfmi_ibs_cpu *at);

/* Samples that found no room, in the buffer or in a queue. */
uint64_t pfmi_ibs_cpu_lost(const struct pfmi_ibs_cpu *at);

/* Take up to @max samples from a queue.  Returns their number. */
unsigned int pfmi_ibs_queue_take(struct pfmi_ibs_queue *queue,
				 struct ibs_sample *samples, unsigned int max);

#endif
