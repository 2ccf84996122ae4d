/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The distribution of cycles: median, percentiles and maximum of latencies.
 *
 * Latencies of up to 127 cycles are kept exactly.  Longer ones share a bucket with those that
 * are at most 1/64 longer, so a percentile is never too small and at most 1/64 too large.
 */
#ifndef PFMON_VIEWS_CYCLES_H
#define PFMON_VIEWS_CYCLES_H

#include <stddef.h>
#include <stdint.h>

struct cycles_bucket;

/**
 * struct cycles - latencies, added up
 * @count: how many
 * @sum: their sum
 * @max: the longest one
 * @buckets: those that are not empty, in the order of latency; at most 704
 * @used: elements of @buckets
 * @room: elements that fit in it
 *
 * All zero bytes: none.
 */
struct cycles {
	uint64_t count;
	uint64_t sum;
	uint16_t max;
	struct cycles_bucket *buckets;
	size_t used;
	size_t room;
};

/**
 * cycles_add() - add a latency
 * @cycles: the latencies
 * @latency: the latency
 *
 * Return: 0, or -1 without memory, when nothing was added.
 */
int cycles_add(struct cycles *cycles, uint16_t latency);

/**
 * cycles_percentile() - get the latency that a share of all do not exceed
 * @cycles: the latencies
 * @percent: 1 to 100
 *
 * Return: the smallest such latency, as exact as the buckets are; 0 if there are none.
 */
uint16_t cycles_percentile(const struct cycles *cycles, unsigned int percent);

void cycles_free(struct cycles *cycles);

#endif
