// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Distribution of events over event sets, when there are more events than counters.
 *
 * This is bin packing: groups of events are the items, and event sets are the bins,
 * except that a bin holds whatever pfm_assign_registers() finds counters for.  A search through
 * the packings, group by group, with the largest groups first, finds the smallest
 * number of sets.  If it takes too long, the result is the packing that puts each
 * group into the first set that takes it.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <perfmon/perfmon.h>

/* Assignments that are tried before the search is given up. */
#define TRIES_MAX	4000

/**
 * struct group - events that stay together
 * @first: index of its first event in packing.order
 * @count: number of its events
 * @hardware: number of its events that need a counter
 */
struct group {
	unsigned int first;
	unsigned int count;
	unsigned int hardware;
};

/**
 * struct packing - state of the search
 * @map: register map
 * @events: all events
 * @order: indices of the events, group by group
 * @groups: the groups, those with most hardware events first
 * @num_groups: number of elements of @groups
 * @set: for each group its set
 * @num_sets: number of sets that may be used
 * @tries: number of assignments tried
 * @list: the events of one set, for pfm_assign_registers()
 * @out: result of pfm_assign_registers()
 */
struct packing {
	const struct pfm_reg_map *map;
	const struct pfm_event *events;
	unsigned int *order;
	struct group *groups;
	unsigned int num_groups;
	unsigned int *set;
	unsigned int num_sets;
	unsigned int tries;
	struct pfm_event *list;
	struct pfm_assignment *out;
};

static unsigned int add_group(struct packing *packing, unsigned int group,
			      unsigned int count)
{
	const struct group *from = &packing->groups[group];
	unsigned int i;

	for (i = 0; i < from->count && count < PFM_ASSIGN_MAX; i++)
		packing->list[count++] =
			packing->events[packing->order[from->first + i]];
	return count;
}

/* Returns true if @set has room for @group beside the earlier groups that it holds. */
static bool takes(struct packing *packing, unsigned int group, unsigned int set)
{
	unsigned int i, count = 0, total = 0;

	for (i = 0; i < group; i++) {
		if (packing->set[i] != set)
			continue;
		total += packing->groups[i].count;
		count = add_group(packing, i, count);
	}
	total += packing->groups[group].count;
	count = add_group(packing, group, count);
	packing->tries++;
	return total == count &&
	       !pfm_assign_registers(packing->map, packing->list, count,
				     packing->out);
}

/* Put each group into the first set that takes it. */
static void pack_first_fit(struct packing *packing)
{
	unsigned int group, set;

	packing->num_sets = 1;
	for (group = 0; group < packing->num_groups; group++) {
		for (set = 0; set < packing->num_sets; set++)
			if (takes(packing, group, set))
				break;
		packing->set[group] = set;
		if (set == packing->num_sets)
			packing->num_sets++;
	}
}

/* Pack the groups from @group on; the sets from @used on are empty, hence alike. */
static bool pack(struct packing *packing, unsigned int group, unsigned int used)
{
	unsigned int set;

	if (group == packing->num_groups)
		return true;
	for (set = 0; set <= used && set < packing->num_sets; set++) {
		if (packing->tries >= TRIES_MAX)
			return false;
		if (!takes(packing, group, set))
			continue;
		packing->set[group] = set;
		if (pack(packing, group + 1, used + (set == used)))
			return true;
	}
	return false;
}

/* Try with one set less than before, as long as there is such a packing. */
static int pack_better(struct packing *packing)
{
	size_t size = packing->num_groups * sizeof(*packing->set);
	unsigned int *best = malloc(size ? size : 1);
	unsigned int sets = packing->num_sets, counters, hardware = 0, i;

	if (!best)
		return -ENOMEM;
	memcpy(best, packing->set, size);
	for (i = 0; i < packing->num_groups; i++)
		hardware += packing->groups[i].hardware;
	counters = pfm_reg_map_counters(packing->map, NULL);
	packing->tries = 0;
	while (sets > 1 && hardware <= (uint64_t)(sets - 1) * counters) {
		packing->num_sets = sets - 1;
		if (!pack(packing, 0, 0))
			break;
		memcpy(best, packing->set, size);
		sets--;
	}
	packing->num_sets = sets;
	memcpy(packing->set, best, size);
	free(best);
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	if (x->hardware != y->hardware)
		return x->hardware > y->hardware ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

/* @groups NULL: each event is a group. */
static void make_groups(struct packing *packing, const unsigned int *groups,
			unsigned int count)
{
	unsigned int i, k, at = 0;

	for (i = 0; i < count; i++) {
		struct group *group = &packing->groups[packing->num_groups];

		for (k = 0; groups && k < i && groups[k] != groups[i]; k++)
			;
		if (groups && k < i)
			continue;
		group->first = at;
		for (k = i; k < (groups ? count : i + 1); k++) {
			if (groups && groups[k] != groups[i])
				continue;
			packing->order[at++] = k;
			group->hardware +=
				packing->events[k].kind == PFM_EVENT_HARDWARE;
		}
		group->count = at - group->first;
		packing->num_groups++;
	}
	qsort(packing->groups, packing->num_groups, sizeof(*packing->groups),
	      compare);
}

/* A group that does not fit in an empty set fits in none. */
static int check_groups(struct packing *packing, unsigned int *failed)
{
	unsigned int group;
	int ret;

	for (group = 0; group < packing->num_groups; group++) {
		const struct group *from = &packing->groups[group];

		ret = -E2BIG;
		*failed = packing->order[from->first];
		if (from->count <= PFM_ASSIGN_MAX)
			ret = pfm_assign_registers(packing->map, packing->list,
						   add_group(packing, group, 0),
						   packing->out);
		if (!ret)
			continue;
		if (from->count <= PFM_ASSIGN_MAX)
			*failed = packing->order[from->first +
						 packing->out->failed];
		return ret;
	}
	return 0;
}

static void free_packing(struct packing *packing)
{
	free(packing->order);
	free(packing->groups);
	free(packing->set);
	free(packing->list);
	free(packing->out);
}

static int make_packing(struct packing *packing, const struct pfm_reg_map *map,
			const struct pfm_event *events,
			const unsigned int *groups, unsigned int count)
{
	size_t room = count ? count : 1;

	memset(packing, 0, sizeof(*packing));
	packing->map = map;
	packing->events = events;
	packing->order = calloc(room, sizeof(*packing->order));
	packing->groups = calloc(room, sizeof(*packing->groups));
	packing->set = calloc(room, sizeof(*packing->set));
	packing->list = calloc(PFM_ASSIGN_MAX, sizeof(*packing->list));
	packing->out = malloc(sizeof(*packing->out));
	if (!packing->order || !packing->groups || !packing->set ||
	    !packing->list || !packing->out)
		return -ENOMEM;
	make_groups(packing, groups, count);
	return 0;
}

/* Number the sets in the order of the first event of each. */
static void number_sets(const struct packing *packing, uint16_t *set,
			unsigned int count)
{
	unsigned int i, k, next = 0;

	for (i = 0; i < packing->num_groups; i++)
		for (k = 0; k < packing->groups[i].count; k++)
			set[packing->order[packing->groups[i].first + k]] =
				packing->set[i];
	/* New numbers begin at num_sets, so that they differ from the numbers in the packing. */
	for (i = 0; i < count; i++) {
		uint16_t old = set[i];

		if (old >= packing->num_sets)
			continue;
		for (k = i; k < count; k++)
			if (set[k] == old)
				set[k] = packing->num_sets + next;
		next++;
	}
	for (i = 0; i < count; i++)
		set[i] -= packing->num_sets;
}

int pfm_assign_sets(const struct pfm_reg_map *map,
		    const struct pfm_event *events, const unsigned int *groups,
		    unsigned int count, uint16_t *set, unsigned int *failed)
{
	struct packing packing;
	unsigned int dummy;
	int ret;

	if (count > PFM_ASSIGN_SETS_MAX)
		return -E2BIG;
	ret = make_packing(&packing, map, events, groups, count);
	if (!ret)
		ret = check_groups(&packing, failed ? failed : &dummy);
	if (!ret) {
		pack_first_fit(&packing);
		ret = pack_better(&packing);
	}
	if (!ret) {
		number_sets(&packing, set, count);
		ret = packing.num_sets;
	}
	free_packing(&packing);
	return ret;
}
