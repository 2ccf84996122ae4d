// SPDX-License-Identifier: GPL-2.0-only
/*
 * The order of a view's rows, see view.h.
 */
#include <stdlib.h>

#include "views/view.h"

const char *const view_sort_names[] = {
	[VIEW_SORT_LATENCY] = "latency", [VIEW_SORT_MISSES] = "misses",
	[VIEW_SORT_TLB] = "tlb",	 [VIEW_SORT_SAMPLES] = "samples",
	[VIEW_SORT_SHARING] = "sharing",
};

/* The larger one comes first. */
static int descend(uint64_t a, uint64_t b)
{
	return a > b ? -1 : a < b;
}

static int by_misses(const struct group *a, const struct group *b)
{
	return descend(misses_all(&a->misses), misses_all(&b->misses));
}

static int by_samples(const struct group *a, const struct group *b)
{
	return descend(a->misses.samples, b->misses.samples);
}

/* Groups that remain equal are told apart by their keys, so that the order is always the same. */
static int by_rest(const struct group *a, const struct group *b)
{
	int order = by_misses(a, b);

	if (!order)
		order = by_samples(a, b);
	if (!order)
		order = descend(b->key.address, a->key.address);
	if (!order)
		order = descend(b->key.image, a->key.image);
	return order ? order : descend(b->key.pid, a->key.pid);
}

static int compare_latency(const void *a, const void *b)
{
	const struct group *x = a, *y = b;
	int order = descend(x->misses.latency.sum, y->misses.latency.sum);

	return order ? order : by_rest(x, y);
}

static int compare_misses(const void *a, const void *b)
{
	return by_rest(a, b);
}

static int compare_tlb(const void *a, const void *b)
{
	const struct group *x = a, *y = b;
	int order = descend(x->misses.l1_tlb_misses, y->misses.l1_tlb_misses);

	if (!order)
		order = descend(x->misses.l2_tlb_misses,
				y->misses.l2_tlb_misses);
	return order ? order : by_rest(x, y);
}

static int compare_samples(const void *a, const void *b)
{
	int order = by_samples(a, b);

	return order ? order : by_rest(a, b);
}

static int compare_sharing(const void *a, const void *b)
{
	const struct group *x = a, *y = b;
	int order = descend(x->sharing, y->sharing);

	return order ? order : by_rest(x, y);
}

void view_sort(struct view *view, enum view_sort sort)
{
	static int (*const compare[])(const void *a, const void *b) = {
		[VIEW_SORT_LATENCY] = compare_latency,
		[VIEW_SORT_MISSES] = compare_misses,
		[VIEW_SORT_TLB] = compare_tlb,
		[VIEW_SORT_SAMPLES] = compare_samples,
		[VIEW_SORT_SHARING] = compare_sharing,
	};

	if (view->groups.count)
		qsort(view->groups.list, view->groups.count,
		      sizeof(*view->groups.list), compare[sort]);
}
