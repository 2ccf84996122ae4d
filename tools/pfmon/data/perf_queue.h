/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Puts the records of perf in the order of their times.
 *
 * perf writes the buffer of one CPU after the other, in rounds.  A record of the next round may be older
 * than one of this round, but not than one of the round before it.
 */
#ifndef PFMON_DATA_PERF_QUEUE_H
#define PFMON_DATA_PERF_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct perf_waiting - a record that waits
 * @time: its time
 * @number: its place in the file: orders those of the same time
 * @where: where it is in the memory
 * @at: where it is in the file
 * @size: its bytes
 */
struct perf_waiting {
	uint64_t time;
	uint64_t number;
	size_t where;
	uint64_t at;
	size_t size;
};

/**
 * struct perf_queue - records that wait for earlier ones
 * @list: the records; from @next to @ready they are in order, and no earlier one will come
 * @count: elements of @list
 * @room: elements that fit in @list
 * @next: the first one that was not taken
 * @ready: the first one that has to wait
 * @bytes: their memory
 * @used: bytes of it
 * @bytes_room: its size
 * @numbered: records so far
 * @latest: the latest time so far
 * @before: the latest time before this round
 * @early: records had to be taken before their round was over, so that the order may be wrong
 */
struct perf_queue {
	struct perf_waiting *list;
	size_t count;
	size_t room;
	size_t next;
	size_t ready;
	uint8_t *bytes;
	size_t used;
	size_t bytes_room;
	uint64_t numbered;
	uint64_t latest;
	uint64_t before;
	bool early;
};

/* Adds a record.  Returns 0, or -1 without memory. */
int perf_queue_add(struct perf_queue *order, const uint8_t *record, size_t size,
		   uint64_t time, uint64_t at);

/* A round is over. */
void perf_queue_round(struct perf_queue *order);

/* There are no more records. */
void perf_queue_end(struct perf_queue *order);

/*
 * Takes the next record that no earlier one can precede.  Returns NULL if there is none; else it is valid until
 * the next perf_queue_add().  @bytes is set to it.
 */
const struct perf_waiting *perf_queue_take(struct perf_queue *order,
					   const uint8_t **bytes);

void perf_queue_free(struct perf_queue *order);

#endif
