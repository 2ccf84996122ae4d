/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A sample, of whatever sampling format.
 */
#ifndef PFMON_SAMPLING_SAMPLE_H
#define PFMON_SAMPLING_SAMPLE_H

#include <stddef.h>
#include <stdint.h>
#include <linux/perfmon.h>

struct pfm_format_record;

#define SAMPLE_CPU_NONE UINT16_MAX

/**
 * struct sample - one sample, in any format
 * @number: its number, from 0 in the order of reading
 * @count: samples that it stands for: 1, or more if stacks are aggregated
 * @weight: sum of their periods
 * @ip: interrupted instruction; 0 if not known
 * @tstamp: CLOCK_MONOTONIC ns
 * @pid: process id
 * @tid: thread id
 * @cpu: CPU; SAMPLE_CPU_NONE if it is not known
 * @set: event set
 * @pmd: register that overflowed
 * @index: index of its event among those that sample
 * @flags: PFM_CALLSTACK_*
 * @running: threads of the session that ran; 0 if that is not known
 * @nvals: elements of @vals
 * @nkernel: frames of the kernel's stack
 * @nuser: frames of the user's stack
 * @nbranches: elements of @branches
 * @vals: values that the sample carries
 * @entry: the whole entry, of the format "ibs" only; else NULL
 * @size: bytes of @entry
 * @record: the entry, of a format that describes itself only; else NULL
 * @frames: the frames of the kernel, then of the user, each innermost first;
 *	NULL without call stacks
 * @branches: branches that led to it, the last one first
 */
struct sample {
	uint64_t number;
	uint64_t count;
	uint64_t weight;
	uint64_t ip;
	uint64_t tstamp;
	uint32_t pid;
	uint32_t tid;
	uint16_t cpu;
	uint16_t set;
	uint16_t pmd;
	uint16_t flags;
	uint32_t index;
	uint16_t running;
	uint16_t nvals;
	uint16_t nkernel;
	uint16_t nuser;
	uint16_t nbranches;
	const uint64_t *vals;
	const uint64_t *frames;
	const struct pfm_branch *branches;
	const void *entry;
	size_t size;
	const struct pfm_format_record *record;
};

#endif
