/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * A CPU that libIBS's functions sample.  Functions that fail return -errno, with a text in
 * ibs_error.c.
 */
#ifndef PERFMON_COMPAT_IBS_CPU_H
#define PERFMON_COMPAT_IBS_CPU_H

#include "ibs_backlog.h"
#include "ibs_options.h"

#define PFMI_IBS_KINDS 2

/**
 * struct pfmi_ibs_cpu - a CPU that is enabled, or was
 * @cpu: its number
 * @fd: its context; -1: it is not enabled
 * @is_new: it was enabled by the call of ibs_enable_all() that goes on
 * @buffer: the buffer of the context
 * @parts: how far it was read
 * @taken: number of samples that were read from it
 * @limit: number of samples that a backlog may have
 * @backlogs: samples that have left the buffer, by kind: ops, fetches
 * @lost: samples that were lost, but for those that the buffer of @fd tells of
 * @paused: nanoseconds of pauses, but for those of @fd
 */
struct pfmi_ibs_cpu {
	int cpu;
	int fd;
	bool is_new;
	struct pfm_sample_buffer buffer;
	struct pfm_sample_parts parts;
	uint64_t taken;
	size_t limit;
	struct pfmi_ibs_backlog backlogs[PFMI_IBS_KINDS];
	uint64_t lost;
	uint64_t paused;
};

/**
 * struct pfmi_ibs_request - what a call of ibs_sample() asks for
 * @samples: out: the samples
 * @types: out: their kinds; may be NULL
 * @room: number of elements of @samples
 * @count: out: number of samples
 * @flags: kinds that are wanted, ibs_sample_type_t
 */
struct pfmi_ibs_request {
	ibs_sample_t *samples;
	ibs_sample_type_t *types;
	int room;
	int count;
	int flags;
};

/* Begin to take samples.  The CPU is not enabled. */
int pfmi_ibs_cpu_enable(struct pfmi_ibs_cpu *cpu,
			const struct pfmi_ibs_options *options);

/* Take no more samples; keep those that there are.  The CPU is enabled. */
int pfmi_ibs_cpu_disable(struct pfmi_ibs_cpu *cpu);

/* Free what the CPU has.  It is not enabled. */
void pfmi_ibs_cpu_free(struct pfmi_ibs_cpu *cpu);

/*
 * True if there are @enough samples of the kinds @flags, one if the CPU is not enabled.
 * Those in the buffer may be of the other kind.
 */
bool pfmi_ibs_cpu_ready(const struct pfmi_ibs_cpu *cpu, int flags,
			uint64_t enough);

/*
 * True if poll(2) reports the CPU, which is enabled: a part of the buffer is full, and was not
 * read to its end.
 */
bool pfmi_ibs_cpu_is_reported(const struct pfmi_ibs_cpu *cpu);

/* Take samples as long as there are any, and room. */
int pfmi_ibs_cpu_take(struct pfmi_ibs_cpu *cpu,
		      struct pfmi_ibs_request *request);

/*
 * Number of samples that a part of a CPU's buffer holds.  poll(2) reports a CPU no later than
 * when it has so many.
 */
unsigned int pfmi_ibs_cpu_entries(const struct pfmi_ibs_options *options);

/* Samples that were lost, and nanoseconds of pauses, up to now. */
void pfmi_ibs_cpu_losses(const struct pfmi_ibs_cpu *cpu, uint64_t *lost,
			 uint64_t *paused);

#endif
