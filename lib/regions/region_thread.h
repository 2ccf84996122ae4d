/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Regions: what a thread counts, and in which regions it is.
 */
#ifndef PERFMON_REGIONS_REGION_THREAD_H
#define PERFMON_REGIONS_REGION_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "regions/region_setup.h"

/* Most regions of a process.  Number 0 is none. */
#define PFMI_REGION_MAX 1024

/**
 * struct pfmi_region_sum - counts of a register in a region
 * @sum: of the calls that returned
 * @min: least of a call
 * @max: most of a call
 * @rest: of the calls that did not return
 * @net_sum: as @sum, without the cost of this region and of those within
 * @net_min: least of these
 * @net_max: most of these
 */
struct pfmi_region_sum {
	uint64_t sum;
	uint64_t min;
	uint64_t max;
	uint64_t rest;
	int64_t net_sum;
	int64_t net_min;
	int64_t net_max;
};

/**
 * struct pfmi_region_row - what was counted in a region
 * @calls: all calls
 * @outer: calls that were not within another call of the region
 * @returned: of these, those that ended
 * @left: of these, those in which an outer region ended
 * @missed: calls that were not counted
 * @unmatched: ends without a begin
 * @open: calls of the thread that have not ended
 * @cost: number of the cost of the region's places
 * @sums: of each register
 */
struct pfmi_region_row {
	uint64_t calls;
	uint64_t outer;
	uint64_t returned;
	uint64_t left;
	uint64_t missed;
	uint64_t unmatched;
	uint32_t open;
	uint32_t cost;
	struct pfmi_region_sum sums[PFMI_REGION_REGS];
};

/**
 * struct pfmi_region_frame - a call that has not ended
 * @row: its region
 * @number: number of its region
 * @nested: it began within another one
 * @slow: then the read for @first used a system call, although most do not
 * @first: value of registers when it was about to begin; only if @nested
 * @start: when it began
 * @over: member over of the thread then
 */
struct pfmi_region_frame {
	struct pfmi_region_row *row;
	uint32_t number;
	bool nested;
	bool slow;
	uint64_t first[PFMI_REGION_REGS];
	uint64_t start[PFMI_REGION_REGS];
	uint64_t over[PFMI_REGION_REGS];
};

/**
 * struct pfmi_region_thread - a thread that has begun a region
 * @next: the next thread
 * @previous: the one before
 * @fd: its context
 * @busy: it is in a begin or an end
 * @again: result of a read that is repeated: 1 if most reads need no system call, else INT_MIN
 * @page: for reads
 * @end_page: for the first read of an end: @page, except while costs are measured
 * @depth: number of frames
 * @room: frames for which there is memory
 * @seq: odd while rows change
 * @frames: the calls that have not ended, the innermost last
 * @now: last read of an end, or first read of a begin
 * @after: last read of an end within a region
 * @over: what begins and ends within regions have counted
 * @rows: for each region, or NULL
 */
struct pfmi_region_thread {
	struct pfmi_region_thread *next;
	struct pfmi_region_thread *previous;
	int fd;
	volatile int busy;
	int again;
	struct pfm_user_page_map *page;
	struct pfm_user_page_map *end_page;
	unsigned int depth;
	unsigned int room;
	uint32_t seq;
	struct pfmi_region_frame *frames;
	uint64_t now[PFMI_REGION_REGS];
	uint64_t after[PFMI_REGION_REGS];
	uint64_t over[PFMI_REGION_REGS];
	struct pfmi_region_row *rows[PFMI_REGION_MAX];
};

/* The calling thread's; NULL: it has begun no region. */
extern __thread struct pfmi_region_thread *pfmi_region_self
	__attribute__((tls_model("initial-exec")));

/* Regions that were begun in the parent, and may end in this thread of a child of fork. */
extern __thread unsigned int pfmi_region_inherited
	__attribute__((tls_model("initial-exec")));

/* Begin to count in the calling thread.  Returns 0, or an error that was said. */
int pfmi_region_thread_create(void);

/* The row of a region in the calling thread; NULL: out of memory. */
struct pfmi_region_row *pfmi_region_row(struct pfmi_region_thread *thread,
					uint32_t number);

void pfmi_region_row_clear(struct pfmi_region_row *row);
void pfmi_region_row_add(struct pfmi_region_row *to,
			 const struct pfmi_region_row *from);

/* Rows change between these calls, by their own thread. */
void pfmi_region_change_begin(struct pfmi_region_thread *thread);
void pfmi_region_change_end(struct pfmi_region_thread *thread);

/*
 * Add what all threads have counted in a region so far.  The caller has the lock.
 */
void pfmi_region_sum_up(uint32_t number, struct pfmi_region_row *row);

/* Calls that the calling thread is in count up to now, as calls that have not returned. */
void pfmi_region_cut(void);

/* True in a child of fork. */
bool pfmi_region_is_child(void);

#endif
