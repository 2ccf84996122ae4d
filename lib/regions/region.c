// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Regions: begin and end.
 *
 * The last that a begin does, and the first that an end does, is to read the registers.  What lies
 * between the reads of an empty region is the same for all places that were compiled together,
 * and is measured once.  A begin or an end within another region also reads at its other side:
 * what was between its two reads is no count of the outer region, however long it took.
 */
#include <perfmon/region.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "regions/region_cost.h"
#include "regions/region_names.h"
#include "regions/region_setup.h"
#include "regions/region_thread.h"

/* Frames of a thread, at first. */
#define FIRST_ROOM 16

/* Reads by a system call that are repeated: the next one is fast. */
#define TRIES 4

/* A place is used for the first time. */
static __attribute__((noinline)) uint32_t
register_place(struct pfmi_region_thread *thread, struct pfm_region *region)
{
	uint64_t now[PFMI_REGION_REGS];
	uint32_t number, cost;

	__atomic_store_n(&region->on, &pfmi_region_on, __ATOMIC_RELAXED);
	memcpy(now, thread->now, sizeof(now));
	thread->busy = 0;
	cost = pfmi_region_cost_number(thread, region);
	thread->busy = 1;
	memcpy(thread->now, now, sizeof(now));
	number = pfmi_region_number(region->name);
	region->cost = cost;
	__atomic_store_n(&region->number, number, __ATOMIC_RELEASE);
	return number;
}

static uint32_t number_of(struct pfmi_region_thread *thread,
			  struct pfm_region *region)
{
	const uint32_t number =
		__atomic_load_n(&region->number, __ATOMIC_ACQUIRE);

	return number ? number : register_place(thread, region);
}

static bool make_room(struct pfmi_region_thread *thread)
{
	const unsigned int room = thread->room ? 2 * thread->room : FIRST_ROOM;
	struct pfmi_region_frame *frames;

	if (thread->depth < thread->room)
		return true;
	frames = realloc(thread->frames, room * sizeof(*frames));
	if (!frames)
		return false;
	thread->frames = frames;
	thread->room = room;
	return true;
}

static __attribute__((noinline)) struct pfmi_region_frame *
push(struct pfmi_region_thread *thread, struct pfm_region *region, int ret)
{
	const uint32_t number = number_of(thread, region);
	struct pfmi_region_frame *frame;
	struct pfmi_region_row *row;

	row = number ? pfmi_region_row(thread, number) : NULL;
	if (!row)
		return NULL;
	if (!make_room(thread)) {
		row->missed++;
		return NULL;
	}
	frame = &thread->frames[thread->depth];
	*frame = (struct pfmi_region_frame){
		.row = row,
		.number = number,
		.nested = thread->depth,
		.slow = ret == thread->again,
	};
	memcpy(frame->first, thread->now, sizeof(frame->first));
	memcpy(frame->over, thread->over, sizeof(frame->over));
	pfmi_region_change_begin(thread);
	row->calls++;
	row->outer += !row->open++;
	if (region->cost)
		row->cost = region->cost;
	pfmi_region_change_end(thread);
	thread->depth++;
	return frame;
}

/* The cost of a read in the middle of a region may depend on the way that it goes. */
static inline int read_fast(struct pfmi_region_thread *thread, uint64_t *vals)
{
	unsigned int tries = 0;
	int ret;

	do {
		ret = pfm_user_page_read(thread->page, vals);
	} while (ret == thread->again && ++tries < TRIES);
	return ret;
}

/* The registers could not be read. */
static __attribute__((noinline)) void drop(struct pfmi_region_thread *thread)
{
	struct pfmi_region_row *row = thread->frames[--thread->depth].row;

	pfmi_region_change_begin(thread);
	row->calls--;
	row->outer -= !--row->open;
	row->missed++;
	pfmi_region_change_end(thread);
}

/* The thread has not begun a region, or a signal has interrupted it in a begin or an end. */
static __attribute__((noinline)) int first_begin(struct pfm_region *region)
{
	struct pfmi_region_thread *thread = pfmi_region_self;
	uint32_t number;
	int ret;

	if (thread) {
		number = __atomic_load_n(&region->number, __ATOMIC_ACQUIRE);
		if (number && thread->rows[number])
			thread->rows[number]->missed++;
		return -EBUSY;
	}
	if (!pfmi_region_decide()) {
		__atomic_store_n(&region->on, &pfmi_region_on,
				 __ATOMIC_RELAXED);
		return -ENODATA;
	}
	ret = pfmi_region_thread_create();
	if (ret < 0)
		return -ENODATA;
	return pfm_region_begin(region);
}

int pfm_region_begin(struct pfm_region *region)
{
	struct pfmi_region_thread *thread = pfmi_region_self;
	struct pfmi_region_frame *frame;
	int ret = 0;

	if (!thread || thread->busy)
		return first_begin(region);
	thread->busy = 1;
	if (thread->depth)
		ret = pfm_user_page_read(thread->page, thread->now);
	frame = push(thread, region, ret);
	if (!frame) {
		thread->busy = 0;
		return -ENOMEM;
	}
	ret = read_fast(thread, frame->start);
	if (ret < 0)
		drop(thread);
	thread->busy = 0;
	return ret < 0 ? ret : 0;
}

/* The cost of the begin of a call counts in none of the regions that it is in. */
static void add_begin(struct pfmi_region_thread *thread,
		      const struct pfmi_region_frame *frame)
{
	const struct pfmi_region_cost *cost =
		pfmi_region_cost(frame->row->cost);
	unsigned int i;

	if (!frame->nested)
		return;
	for (i = 0; i < pfmi_region_setup.count; i++) {
		thread->over[i] += frame->start[i] - frame->first[i];
		if (frame->slow)
			thread->over[i] += cost->slow[i] - cost->empty[i];
	}
}

static void leave(struct pfmi_region_thread *thread,
		  const struct pfmi_region_frame *frame)
{
	struct pfmi_region_row *row = frame->row;
	unsigned int i;

	add_begin(thread, frame);
	if (--row->open)
		return;
	row->left++;
	for (i = 0; i < pfmi_region_setup.count; i++)
		row->sums[i].rest += thread->now[i] - frame->start[i];
}

static void count_call(struct pfmi_region_sum *sum, uint64_t count, int64_t net)
{
	sum->sum += count;
	sum->net_sum += net;
	if (count < sum->min)
		sum->min = count;
	if (count > sum->max)
		sum->max = count;
	if (net < sum->net_min)
		sum->net_min = net;
	if (net > sum->net_max)
		sum->net_max = net;
}

static void complete(struct pfmi_region_thread *thread,
		     const struct pfmi_region_frame *frame,
		     const struct pfm_region *region, int ret)
{
	const struct pfmi_region_cost *cost = pfmi_region_cost(region->cost);
	const bool slow = ret == thread->again;
	struct pfmi_region_row *row = frame->row;
	uint64_t count, over;
	unsigned int i;

	if (!--row->open && ret < 0) {
		row->left++;
	} else if (!row->open) {
		row->returned++;
		for (i = 0; i < pfmi_region_setup.count; i++) {
			count = thread->now[i] - frame->start[i];
			over = thread->over[i] - frame->over[i] +
			       (slow ? cost->slow[i] : cost->empty[i]);
			count_call(&row->sums[i], count, count - over);
		}
	}
	add_begin(thread, frame);
	if (!frame->nested)
		return;
	for (i = 0; i < pfmi_region_setup.count; i++)
		thread->over[i] += cost->nested[i] +
				   (slow ? cost->slow[i] - cost->empty[i] : 0);
}

/* An end without a begin; if there was none in the parent, either. */
static int unmatched(struct pfmi_region_thread *thread, uint32_t number)
{
	struct pfmi_region_row *row;

	if (pfmi_region_inherited) {
		pfmi_region_inherited--;
		return -ENOENT;
	}
	row = number ? pfmi_region_row(thread, number) : NULL;
	if (row)
		row->unmatched++;
	return -ENOENT;
}

static __attribute__((noinline)) int finish(struct pfmi_region_thread *thread,
					    struct pfm_region *region, int ret)
{
	const uint32_t number = number_of(thread, region);
	unsigned int at = thread->depth, i;

	while (at && thread->frames[at - 1].number != number)
		at--;
	if (!at)
		return unmatched(thread, number);
	pfmi_region_change_begin(thread);
	for (i = thread->depth; i > at; i--)
		leave(thread, &thread->frames[i - 1]);
	complete(thread, &thread->frames[at - 1], region, ret);
	pfmi_region_change_end(thread);
	thread->depth = at - 1;
	return 0;
}

static __attribute__((noinline)) int other_end(struct pfm_region *region)
{
	if (pfmi_region_self)
		return -EBUSY;
	if (pfmi_region_inherited)
		pfmi_region_inherited--;
	if (pfmi_region_decide())
		return -ENOENT;
	__atomic_store_n(&region->on, &pfmi_region_on, __ATOMIC_RELAXED);
	return -ENODATA;
}

int pfm_region_end(struct pfm_region *region)
{
	struct pfmi_region_thread *thread = pfmi_region_self;
	unsigned int i;
	int ret;

	if (!thread || thread->busy)
		return other_end(region);
	thread->busy = 1;
	ret = pfm_user_page_read(thread->end_page, thread->now);
	ret = finish(thread, region, ret);
	if (thread->depth) {
		read_fast(thread, thread->after);
		for (i = 0; i < pfmi_region_setup.count; i++)
			thread->over[i] += thread->after[i] - thread->now[i];
	}
	thread->busy = 0;
	return ret;
}
