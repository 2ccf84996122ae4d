/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Software events of perf that count nothing, and whose ring buffers tell what the kernel
 * maps, forks and executes.
 */
#ifndef PFMON_SAMPLING_PERF_RINGS_H
#define PFMON_SAMPLING_PERF_RINGS_H

#include <linux/perf_event.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct perf_ring;

/**
 * struct perf_rings - the rings, one for each CPU
 * @list: the rings
 * @count: elements of @list
 * @size: bytes of data in a ring
 * @batch: copies of the records that were read together
 * @used: bytes of @batch that are in use
 * @room: bytes of @batch
 * @order: the records of @batch by time
 * @order_room: elements of @order
 * @lost: records for which a ring, or memory, had no room
 */
struct perf_rings {
	struct perf_ring *list;
	size_t count;
	size_t size;
	char *batch;
	size_t used;
	size_t room;
	struct perf_order *order;
	size_t order_room;
	uint64_t lost;
};

/**
 * struct perf_order - a record in a batch
 * @time: of the record, CLOCK_MONOTONIC ns
 * @offset: of the record in the batch
 */
struct perf_order {
	uint64_t time;
	size_t offset;
};

/* What is recorded beside executable mappings, forks and execs */
#define PERF_RINGS_DATA	    1 /* mappings that are not executable */
#define PERF_RINGS_SWITCHES 2 /* context switches */
#define PERF_RINGS_WAITS    4 /* context switches, with a sample of the stack when a thread leaves */

/* Every process on every CPU. */
#define PERF_RINGS_ALL (-1)

/*
 * Opens an event on each CPU, for @task and the tasks that it creates, or for
 * PERF_RINGS_ALL.  @what: PERF_RINGS_DATA and so on.  Returns 0 or -errno of perf_event_open(2) and
 * mmap(2); then nothing is open.
 */
int perf_rings_open(struct perf_rings *rings, pid_t task, unsigned int what);

/* Thread that a record is about, if the events tell of switches; not of PERF_RECORD_SAMPLE. */
void perf_rings_thread(const struct perf_event_header *record, uint32_t *pid,
		       uint32_t *tid);

/* Fills in as many elements as there are rings; they are ready when half full. */
void perf_rings_poll(const struct perf_rings *rings, struct pollfd *fds);

/* Calls @visit for each record that waits, in the order of time. */
void perf_rings_read(struct perf_rings *rings,
		     void (*visit)(void *arg, uint64_t time,
				   const struct perf_event_header *record),
		     void *arg);

void perf_rings_close(struct perf_rings *rings);

#endif
