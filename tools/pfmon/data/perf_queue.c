// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records wait in memory, of which a file without rounds would need as much as it has bytes: past a limit
 * half of them are taken as they are.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "data/perf_queue.h"

#define WAITING_MAX (512U << 20)

static int by_time(const void *a, const void *b)
{
	const struct perf_waiting *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* Forgets the records that were taken.  Those that wait are in order then. */
static void compact(struct perf_queue *order)
{
	struct perf_waiting *list = order->list;
	size_t i, used = 0;
	uint8_t *bytes;

	if (!order->next)
		return;
	order->count -= order->next;
	memmove(list, list + order->next, order->count * sizeof(*list));
	order->next = 0;
	order->ready = 0;
	if (!order->count) {
		order->used = 0;
		return;
	}
	/* Without memory the bytes that were taken stay, until nothing waits. */
	bytes = malloc(order->bytes_room);
	if (!bytes)
		return;
	for (i = 0; i < order->count; i++) {
		memcpy(bytes + used, order->bytes + list[i].where,
		       list[i].size);
		list[i].where = used;
		used += list[i].size;
	}
	free(order->bytes);
	order->bytes = bytes;
	order->used = used;
}

/* Those up to @time are ready. */
static void release(struct perf_queue *order, uint64_t time)
{
	size_t low = 0, high = order->count;

	compact(order);
	high = order->count;
	if (!high)
		return;
	qsort(order->list, order->count, sizeof(*order->list), by_time);
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (order->list[middle].time <= time)
			low = middle + 1;
		else
			high = middle;
	}
	order->ready = low;
}

int perf_queue_add(struct perf_queue *order, const uint8_t *record, size_t size,
		   uint64_t time, uint64_t at)
{
	struct perf_waiting *waiting;

	if (order->next)
		compact(order);
	if (array_reserve(&order->list, sizeof(*order->list), &order->room,
			  order->count + 1) ||
	    array_reserve(&order->bytes, 1, &order->bytes_room,
			  order->used + size))
		return -1;
	memcpy(order->bytes + order->used, record, size);
	waiting = &order->list[order->count++];
	waiting->time = time;
	waiting->number = order->numbered++;
	waiting->where = order->used;
	waiting->at = at;
	waiting->size = size;
	order->used += size;
	if (time > order->latest)
		order->latest = time;
	if (order->used < WAITING_MAX)
		return 0;
	order->early = true;
	qsort(order->list, order->count, sizeof(*order->list), by_time);
	order->ready = order->count / 2 + 1;
	return 0;
}

void perf_queue_round(struct perf_queue *order)
{
	release(order, order->before);
	order->before = order->latest;
}

void perf_queue_end(struct perf_queue *order)
{
	release(order, UINT64_MAX);
}

const struct perf_waiting *perf_queue_take(struct perf_queue *order,
					   const uint8_t **bytes)
{
	struct perf_waiting *waiting;

	if (order->next == order->ready)
		return NULL;
	waiting = &order->list[order->next++];
	*bytes = order->bytes + waiting->where;
	return waiting;
}

void perf_queue_free(struct perf_queue *order)
{
	free(order->list);
	free(order->bytes);
	memset(order, 0, sizeof(*order));
}
