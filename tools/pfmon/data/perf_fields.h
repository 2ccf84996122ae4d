/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The fields of a sample of perf, and those that end any other record of the kernel.
 */
#ifndef PFMON_DATA_PERF_FIELDS_H
#define PFMON_DATA_PERF_FIELDS_H

#include <stddef.h>
#include <stdint.h>

#include "data/perf_attrs.h"

/**
 * struct perf_fields - what a record says; 0 for what it does not
 * @attr: its event; NULL if no event has its number
 * @ip: address of the instruction
 * @pid: process
 * @tid: thread
 * @time: when, ns of the clock of the recording
 * @cpu: CPU
 * @period: how many events it stands for
 * @chain: addresses of the call chain, 8 bytes each
 * @length: number of these
 */
struct perf_fields {
	struct perf_attr *attr;
	uint64_t ip;
	uint32_t pid;
	uint32_t tid;
	uint64_t time;
	uint32_t cpu;
	uint64_t period;
	const uint8_t *chain;
	size_t length;
};

/* Reads a sample of @size bytes.  Returns 0, or -1 if it is malformed. */
int perf_fields_of_sample(struct perf_fields *fields,
			  const struct perf_attrs *attrs, const uint8_t *record,
			  size_t size);

/*
 * Reads what ends another record of the kernel: all but @ip, @period and the chain.  Returns its bytes; -1 if
 * the record is malformed.
 */
long perf_fields_of_end(struct perf_fields *fields,
			const struct perf_attrs *attrs, const uint8_t *record,
			size_t size);

#endif
