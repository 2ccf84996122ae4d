// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Regions: what their begin and end add to the counts.
 */
#include "regions/region_cost.h"

#include <stdlib.h>
#include <string.h>

#include "regions/region_names.h"
#include "user_page/user_page.h"

/* Objects of a program whose places have costs of their own.  Number 0 is the cost 0. */
#define COSTS 256

/* Empty regions, of which that counts which has counted the least. */
#define ROUNDS 50

/* Under the lock, except that an element that has a number does not change. */
static struct pfmi_region_cost costs[COSTS];
static void (*const *keys[COSTS])(void);
static uint32_t used = 1;

const struct pfmi_region_cost *pfmi_region_cost(uint32_t number)
{
	return &costs[number];
}

/* Execute empty regions, and store what they have counted. */
static void measure(struct pfmi_region_thread *thread, void (*function)(void),
		    uint64_t *least)
{
	const uint32_t number = pfmi_region_number(PFM_REGION_NAME_EMPTY);
	struct pfmi_region_row *row;
	unsigned int i;

	/* The first call registers the places, whose names the table then has. */
	function();
	row = number ? pfmi_region_row(thread, number) : NULL;
	if (!row)
		return;
	pfmi_region_row_clear(row);
	for (i = 0; i < ROUNDS; i++)
		function();
	if (row->returned != ROUNDS)
		return;
	for (i = 0; i < pfmi_region_setup.count; i++)
		least[i] = row->sums[i].net_min > 0 ? row->sums[i].net_min : 0;
}

/*
 * A read whose user page says that its time has passed goes the way that a read goes whose time
 * really has.
 */
static void measure_slow(struct pfmi_region_thread *thread,
			 void (*function)(void), uint64_t *least)
{
	const size_t size = sizeof(*thread->page) +
			    pfmi_region_setup.count * sizeof(struct pfm_reg);
	struct pfm_user_page_map *page = NULL;
	struct pfm_user_page *ctl = NULL;

	if (thread->again != 1 || !thread->page->ctl)
		return;
	page = malloc(size);
	ctl = malloc(sizeof(*ctl));
	if (page && ctl) {
		*ctl = *thread->page->ctl;
		ctl->until = 0;
		memcpy(page, thread->page, size);
		page->ctl = ctl;
		thread->end_page = page;
		measure(thread, function, least);
		thread->end_page = thread->page;
	}
	free(page);
	free(ctl);
}

static void measure_all(struct pfmi_region_thread *thread,
			void (*const *empty)(void),
			struct pfmi_region_cost *cost)
{
	uint64_t over[PFMI_REGION_REGS];
	unsigned int i;

	/* All of this is the cost of the begin or end that asks for it. */
	memcpy(over, thread->over, sizeof(over));
	measure(thread, empty[0], cost->empty);
	memcpy(cost->slow, cost->empty, sizeof(cost->slow));
	measure_slow(thread, empty[0], cost->slow);
	measure(thread, empty[1], cost->nested);
	for (i = 0; i < pfmi_region_setup.count; i++)
		cost->nested[i] -= cost->nested[i] < cost->empty[i]
					   ? cost->nested[i]
					   : cost->empty[i];
	memcpy(thread->over, over, sizeof(over));
}

static uint32_t find(void (*const *empty)(void))
{
	uint32_t number;

	for (number = 1; number < used; number++)
		if (keys[number] == empty)
			return number;
	return 0;
}

uint32_t pfmi_region_cost_number(struct pfmi_region_thread *thread,
				 const struct pfm_region *region)
{
	struct pfmi_region_cost cost = { 0 };
	uint32_t number;

	if (!region->empty)
		return 0;
	pthread_mutex_lock(&pfmi_region_lock);
	number = find(region->empty);
	pthread_mutex_unlock(&pfmi_region_lock);
	if (number)
		return number;
	measure_all(thread, region->empty, &cost);
	pthread_mutex_lock(&pfmi_region_lock);
	number = find(region->empty);
	if (!number && used < COSTS) {
		number = used++;
		keys[number] = region->empty;
		costs[number] = cost;
	}
	pthread_mutex_unlock(&pfmi_region_lock);
	return number;
}
