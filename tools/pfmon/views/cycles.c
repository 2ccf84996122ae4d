// SPDX-License-Identifier: GPL-2.0-only
/*
 * Distributions of cycles, see cycles.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "views/cycles.h"

/* Buckets from one power of 2 to the next. */
#define STEPS 64

/**
 * struct cycles_bucket - latencies that are not told apart
 * @number: 0 to 127: the latency itself; then STEPS for each power of 2
 * @count: latencies in it
 */
struct cycles_bucket {
	uint32_t number;
	uint64_t count;
};

static uint32_t number_of(uint16_t latency)
{
	uint32_t shift = 0;

	while (latency >> shift >= 2 * STEPS)
		shift++;
	return shift * STEPS + (latency >> shift);
}

/* The longest latency of a bucket. */
static uint32_t longest_of(uint32_t number)
{
	uint32_t shift = number < 2 * STEPS ? 0 : number / STEPS - 1;

	return ((number - shift * STEPS + 1) << shift) - 1;
}

/* The index of the first bucket that is not before @number. */
static size_t find(const struct cycles *cycles, uint32_t number)
{
	size_t low = 0, high = cycles->used;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (cycles->buckets[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int cycles_add(struct cycles *cycles, uint16_t latency)
{
	const uint32_t number = number_of(latency);
	const size_t at = find(cycles, number);
	struct cycles_bucket *bucket;

	if (at == cycles->used || cycles->buckets[at].number != number) {
		if (array_reserve(&cycles->buckets, sizeof(*cycles->buckets),
				  &cycles->room, cycles->used + 1))
			return -1;
		bucket = &cycles->buckets[at];
		memmove(bucket + 1, bucket,
			(cycles->used - at) * sizeof(*bucket));
		*bucket = (struct cycles_bucket){ .number = number };
		cycles->used++;
	}
	cycles->buckets[at].count++;
	cycles->count++;
	cycles->sum += latency;
	if (latency > cycles->max)
		cycles->max = latency;
	return 0;
}

uint16_t cycles_percentile(const struct cycles *cycles, unsigned int percent)
{
	uint64_t rank = (cycles->count * percent + 99) / 100;
	uint32_t longest = 0;
	size_t i;

	for (i = 0; i < cycles->used; i++) {
		longest = longest_of(cycles->buckets[i].number);
		if (rank <= cycles->buckets[i].count)
			break;
		rank -= cycles->buckets[i].count;
	}
	return longest < cycles->max ? longest : cycles->max;
}

void cycles_free(struct cycles *cycles)
{
	free(cycles->buckets);
	memset(cycles, 0, sizeof(*cycles));
}
