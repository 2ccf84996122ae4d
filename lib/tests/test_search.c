// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * The list of perf's event names, the search for events, and suggestions.
 */
#include <errno.h>

#include <perfmon/perfmon.h>

#include "pmu/generic.h"
#include "forced.h"
#include "machine.h"

#define U PFM_PLM_USER

struct listed {
	unsigned int all;
	unsigned int here;
	unsigned int perf_only;
	bool right;
	char is[8][PFM_EVENT_NAME_LEN];
	const struct pfm_reg_map *map;
};

static const char *const shown[] = {
	"L1-dcache-load-misses",   "LLC-loads",
	"stalled-cycles-frontend", "cycles",
	"branch-misses",	   "task-clock",
	"emulation-faults",
};

/* A name that this machine has can be parsed, as can its alias, and both are the same event. */
static int list_name(const struct pfm_event_name *name, void *arg)
{
	struct listed *listed = arg;
	struct pfm_event event, same, other;
	size_t i;
	int ret = pfm_event_parse(listed->map, name->name, U, &event);

	listed->all++;
	listed->here += name->flags & PFM_NAMEF_HERE;
	listed->perf_only += !!(name->flags & PFM_NAMEF_PERF_ONLY);
	if (!(name->flags & PFM_NAMEF_HERE) != !!ret)
		listed->right = false;
	if (!ret && (pfm_event_parse(listed->map, name->is, U, &same) ||
		     same.code != event.code || same.extra != event.extra ||
		     same.pmd != event.pmd))
		listed->right = false;
	if (!ret && name->alias &&
	    (pfm_event_parse(listed->map, name->alias, U, &other) ||
	     other.code != event.code || other.pmd != event.pmd))
		listed->right = false;
	if (ret && *name->is)
		listed->right = false;
	for (i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
		if (!strcmp(shown[i], name->name))
			snprintf(listed->is[i], sizeof(listed->is[i]), "%s",
				 name->is);
	return 0;
}

static void test_list(const struct pfm_reg_map *map)
{
	struct listed listed = { .right = true, .map = map };

	is_num(pfm_event_for_each_name(map, list_name, &listed), 0, "list");
	is_num(listed.all, PFMI_GENERICS + 12, "all names are listed");
	is_num(listed.here, 8 + 20 + 9, "those of this processor");
	is_num(listed.perf_only, 3, "those of perf");
	ok(listed.right, "each of them stands for what the list says");
	is_text(listed.is[0], "skl::L1D:REPLACEMENT", "L1-dcache-load-misses");
	is_text(listed.is[1], "r1b7:offcore_rsp=0x3fc0010001", "LLC-loads");
	is_text(listed.is[2], "", "stalled-cycles-frontend");
	is_text(listed.is[5], "CPU_TIME_NS", "task-clock");
	is_text(listed.is[6], "", "emulation-faults");
}

static int count_event(const struct pfm_event_desc *desc, void *arg)
{
	(void)desc;
	++*(unsigned int *)arg;
	return 0;
}

static int take_event(const struct pfm_event_desc *desc, void *arg)
{
	snprintf(arg, PFM_EVENT_NAME_LEN, "%s", desc->name);
	return 7;
}

static void test_search(const struct pfm_reg_map *map)
{
	char names[4][PFM_EVENT_NAME_LEN];
	unsigned int count = 0;

	is_num(pfm_event_search(map, "  ", count_event, &count), -EINVAL,
	       "no words");
	is_num(pfm_event_search(map, "no-such-word", count_event, &count), 0,
	       "a word that nothing has");
	is_num(count, 0, "finds nothing");
	is_num(pfm_event_search(map, "data MISSED  tlb", take_event, names[0]),
	       7, "words of a description, and the result of the visit");
	is_text(names[0], "dTLB-load-misses", "find an event");
	is_num(pfm_event_search(map, "stall_cycles uops", take_event, names[0]),
	       7, "words of an event and its unit mask");
	is_text(names[0], "UOPS_EXECUTED", "find it");

	is_num(pfm_event_suggest(map, "dcache-misses", names, 4) > 0, 1,
	       "words");
	is_text(names[0], "cache-misses", "suggest what is spelled alike");
	is_text(names[1], "L1-dcache-load-misses", "and what has them");
	is_num(pfm_event_suggest(map, "LLC-laods", names, 4) > 0, 1,
	       "spelling");
	is_text(names[0], "LLC-loads", "suggests a name");
	is_num(pfm_event_suggest(map, "mispredicted-executed", names, 4) > 0, 1,
	       "a description");
	is_text(names[0], "branch-misses", "suggests a name");
}

static void test_skylake(const char *table)
{
	struct pfm_reg_map *map = intel_machine(8, 4, INTEL_EXTRAS);

	(void)table;
	test_list(map);
	test_search(map);
	pfm_reg_map_free(map);
}

/* Without a PMU the names are listed, and nothing but the kernel's registers is here. */
static void test_soft(void)
{
	struct pfm_reg_map *map = soft_machine();
	struct listed listed = { .right = true, .map = map };

	is_num(pfm_event_for_each_name(map, list_name, &listed), 0, "list");
	is_num(listed.all, PFMI_GENERICS + 12, "all names are listed");
	is_num(listed.here, 9, "those of the kernel's registers");
	ok(listed.right, "each of them stands for what the list says");
	pfm_reg_map_free(map);
}

int main(void)
{
	if (has_x86_tables())
		with_table("skl", test_skylake);
	test_soft();
	return tap_end();
}
