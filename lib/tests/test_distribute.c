// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * pfm_assign_sets(): the distribution of events over sets.
 */
#include <errno.h>
#include <stdlib.h>

#include <perfmon/perfmon.h>

#include "machine.h"
#include "tap.h"

static struct pfm_event events[PFM_ASSIGN_SETS_MAX];
static unsigned int groups[PFM_ASSIGN_SETS_MAX];
static uint16_t sets[PFM_ASSIGN_SETS_MAX];
static unsigned int count, failed;

/* Parse events, separated by blanks; events that are joined by "+" are a group. */
static int distribute(const struct pfm_reg_map *map, const char *list)
{
	char *text = strdup(list), *word, *rest, *name, *more;
	unsigned int group = 0;

	count = 0;
	for (word = strtok_r(text, " ", &rest); word;
	     word = strtok_r(NULL, " ", &rest), group++) {
		for (name = strtok_r(word, "+", &more); name;
		     name = strtok_r(NULL, "+", &more)) {
			groups[count] = group;
			if (pfm_event_parse(map, name, PFM_PLM_USER,
					    &events[count++])) {
				free(text);
				return -1000;
			}
		}
	}
	free(text);
	failed = UINT32_MAX;
	return pfm_assign_sets(map, events, groups, count, sets, &failed);
}

/* Each set must have an assignment, and each group one set. */
static bool valid(const struct pfm_reg_map *map, int num_sets)
{
	static struct pfm_event list[PFM_ASSIGN_SETS_MAX];
	static struct pfm_assignment out;
	unsigned int i, n;
	int set;

	for (i = 0; i < count; i++)
		if (sets[i] >= num_sets ||
		    (i && groups[i] == groups[i - 1] && sets[i] != sets[i - 1]))
			return false;
	for (set = 0; set < num_sets; set++) {
		n = 0;
		for (i = 0; i < count; i++)
			if (sets[i] == set)
				list[n++] = events[i];
		if (!n || pfm_assign_registers(map, list, n, &out))
			return false;
	}
	return true;
}

static void gives(const struct pfm_reg_map *map, const char *list, int wanted)
{
	int got = distribute(map, list);

	ok(got == wanted && valid(map, got), "%s: %d sets (got %d)", list,
	   wanted, got);
}

static void test_fewest(const struct pfm_reg_map *map)
{
	is_num(distribute(map, ""), 1, "no event: one set all the same");
	gives(map, "cycles instructions", 1);
	gives(map, "r1 r2 r3 r4 r5 r6 cycles", 1);
	gives(map, "r1 r2 r3 r4 r5 r6 r7", 2);
	gives(map, "r1 r1 r1 r1 r1 r1 r1 r1 r1 r1 r1 r1", 2);
	gives(map, "r1 r1 r1 r1 r1 r1 r1 r1 r1 r1 r1 r1 r1", 3);
	/* One event of each set can use the cycle counter. */
	gives(map, "r1 r2 r3 r4 r5 r6 r7 r8 r9 ra rb rc cycles:u cycles:k", 2);
	gives(map, "r1 r2 r3 r4 r5 r6 r7 r8 r9 ra rb rc cycles r11 cycles:k", 3);
	gives(map, "task-clock free-memory wall-clock", 1);
}

static void test_groups(const struct pfm_reg_map *map)
{
	gives(map, "r1+r2+r3+r4 r5+r6+r7+r8 r9+ra", 2);
	gives(map, "r1+r2+r3+r4 r5+r6+r7+r8 r9+ra+rb+rc", 3);
	/* First fit in the order of the list would need three sets. */
	gives(map, "r1+r2+r3 r4+r5 r6+r7+r8 r9+ra rb+rc", 2);
	gives(map, "r1+r2 r3+r4+r5 r6+r7+r8+r9 ra+rb+rc", 2);
	gives(map, "r1+cycles r2+cycles r3+cycles", 1);
	gives(map, "r1+r2+r3+r4+r5+cycles r6+r7+r8+r9+ra+cycles", 2);

	is_num(distribute(map, "r1 r2 r1+r2+r3+r4+r5+r6+r7 r8"), -ENOSPC,
	       "a group that no set holds");
	is_num(failed, 8, "the first event of it that does not fit");
	events[3].code = 0x10000;
	is_num(pfm_assign_sets(map, events, NULL, 4, sets, &failed), -EINVAL,
	       "an event that no counter takes");
	is_num(failed, 3, "which one");
	is_num(pfm_assign_sets(map, events, NULL, 4, sets, NULL), -EINVAL,
	       "failed may be NULL");
	is_num(pfm_assign_sets(map, events, NULL, PFM_ASSIGN_SETS_MAX + 1, sets,
			       NULL),
	       -E2BIG, "too many events");
}

static void test_order(const struct pfm_reg_map *map)
{
	is_num(distribute(map, "r1 r2+r3+r4+r5+r6+r7 r8"), 2, "two sets");
	ok(sets[0] == 0 && sets[1] == 1 && sets[7] == 0,
	   "numbered in the order of their first events");
}

/* A long list, with groups of all sizes, needs as few sets as the counters allow. */
static void test_many(const struct pfm_reg_map *map)
{
	unsigned int i;
	int got;

	count = PFM_ASSIGN_SETS_MAX;
	for (i = 0; i < count; i++) {
		pfm_event_parse(map, "r1", PFM_PLM_USER, &events[i]);
		groups[i] = i / 2;
	}
	got = pfm_assign_sets(map, events, groups, count, sets, &failed);
	is_num(got, (PFM_ASSIGN_SETS_MAX + 5) / 6, "pairs");
	ok(valid(map, got), "all of them fit");
	for (i = 0; i < count; i++)
		groups[i] = i / 4;
	got = pfm_assign_sets(map, events, groups, count, sets, &failed);
	is_num(got, PFM_ASSIGN_SETS_MAX / 4, "fours: two counters stay free");
	ok(valid(map, got), "all of them fit");
}

int main(void)
{
	struct pfm_reg_map *map = armv8_machine(6);

	test_fewest(map);
	test_groups(map);
	test_order(map);
	test_many(map);
	pfm_reg_map_free(map);
	return tap_end();
}
