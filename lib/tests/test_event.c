// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Event strings.  A libpfm4 that was built for another architecture has no table for
 * Arm, and then the names of that table are not tested.
 */
#include <errno.h>
#include <stdlib.h>

#include <perfmon/perfmon.h>

#include "machine.h"
#include "tap.h"

#define U PFM_PLM_USER
#define K PFM_PLM_KERNEL
#define H PFM_PLM_HYP

static void test_good(const struct pfm_reg_map *map)
{
	static const struct {
		const char *text;
		uint32_t dfl_plm;
		const char *name;
		uint64_t code;
		uint32_t plm;
	} cases[] = {
		{ "cycles", U, "cycles:u", 0x11, U },
		{ "CYCLES", U | K, "cycles:u:k", 0x11, U | K },
		{ "instructions", U, "instructions:u", 0x08, U },
		{ "Instructions:k", U, "instructions:k", 0x08, K },
		{ "instructions:uk", K, "instructions:u:k", 0x08, U | K },
		{ "instructions:u:k", H, "instructions:u:k", 0x08, U | K },
		{ "instructions:K:U", H, "instructions:u:k", 0x08, U | K },
		{ "cycles:h", U, "cycles:h", 0x11, H },
		{ "cycles:hv", U, "cycles:h", 0x11, H },
		{ "cycles:ukh", U, "cycles:u:k:h", 0x11, U | K | H },
		{ "cycles:u=0", U | K, "cycles:k", 0x11, K },
		{ "cycles:k=1:u=0", U, "cycles:k", 0x11, K },
		{ "cycles.u", K, "cycles:u", 0x11, U },
		{ "r1b", U, "r1b:u", 0x1b, U },
		{ "R1B:k", U, "r1b:k", 0x1b, K },
		{ "0x1b", U, "r1b:u", 0x1b, U },
		{ "0X8006:u", K, "r8006:u", 0x8006, U },
		{ "r0", U, "r0:u", 0, U },
		{ "rffff", U, "rffff:u", 0xffff, U },
		{ "armv8_pmuv3::INST_RETIRED", U, "armv8_pmuv3::INST_RETIRED:u",
		  0x08, U },
		{ "ARMV8_PMUV3::cpu_cycles:k", U, "armv8_pmuv3::CPU_CYCLES:k",
		  0x11, K },
		{ "armv8_pmuv3::STALL_BACKEND_MEM", U,
		  "armv8_pmuv3::STALL_BACKEND_MEM:u", 0x4005, U },
	};
	struct pfm_event event;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int ret = pfm_event_parse(map, cases[i].text, cases[i].dfl_plm,
					  &event);

		if (ok(!ret && event.kind == PFM_EVENT_HARDWARE &&
		       !strcmp(event.name, cases[i].name) &&
		       event.code == cases[i].code &&
		       event.plm == cases[i].plm &&
		       event.pmd == PFM_REG_NONE &&
		       !(event.flags & PFM_EVENTF_CYCLES) ==
				(event.code != 0x11),
		       "'%s'", cases[i].text))
			continue;
		printf("# %d name '%s' code 0x%llx plm 0x%x\n", ret, event.name,
		       (unsigned long long)event.code, event.plm);
	}
}

/* Whether the string names the levels, or the caller does. */
static void test_levels_named(const struct pfm_reg_map *map)
{
	static const struct {
		const char *text;
		bool named;
	} cases[] = {
		{ "cycles", false },
		{ "cycles:u", true },
		{ "cycles.uk", true },
		{ "cycles:k=0", false },
		{ "cycles:k=0:u", true },
		{ "r8", false },
		{ "r8:h", true },
		{ "armv8_pmuv3::INST_RETIRED", false },
		{ "task-clock", false },
	};
	struct pfm_event event;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int ret = pfm_event_parse(map, cases[i].text, U, &event);

		ok(!ret && !(event.flags & PFM_EVENTF_LEVELS) ==
				   !cases[i].named,
		   "'%s' names %slevels", cases[i].text,
		   cases[i].named ? "" : "no ");
	}
}

/* Names of Itanium's events, which old command lines have. */
static void test_old_names(const struct pfm_reg_map *map)
{
	static const struct {
		const char *text;
		uint64_t code;
		uint32_t plm;
	} cases[] = {
		{ "cpu_cycles", 0x11, U },
		{ "IA64_INST_RETIRED", 0x08, U },
		{ "ia64_inst_retired:k", 0x08, K },
		{ "branch_event.uk", 0x21, U | K },
		{ "l2_misses", 0x17, U },
		{ "l3_misses:u:k", 0x2a, U | K },
	};
	struct pfm_event event;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int ret = pfm_event_parse(map, cases[i].text, U, &event);

		ok(!ret && event.kind == PFM_EVENT_HARDWARE &&
			   event.code == cases[i].code &&
			   event.plm == cases[i].plm,
		   "'%s'", cases[i].text);
	}
	is_num(pfm_event_parse(map, "arm_ac57::l2_misses", U, &event), -ENOENT,
	       "no table has them");
}

/* A generic name that the processor has no event of is known all the same. */
static void test_generic_lacking(const struct pfm_reg_map *map)
{
	struct pfm_event event;
	char why[512];

	is_num(pfm_event_parse(map, "Slots", U, &event), -EOPNOTSUPP, "slots");
	ok(event.kind == PFM_EVENT_HARDWARE && event.plm == U &&
		   !event.flags && !event.code &&
		   !strcmp(event.name, "Slots:u"),
	   "its kind, levels and name");
	is_num(pfm_event_parse(map, "slots:uk", U, &event), -EOPNOTSUPP,
	       "with levels");
	ok(event.plm == (U | K) && event.flags == PFM_EVENTF_LEVELS,
	   "which it names");
	is_num(pfm_event_parse(map, "slots:u=0", U, &event), -EDOM, "none left");
	is_num(pfm_event_parse(map, "slots:c=1", U, &event), -ENOENT,
	       "what fields mean to it nobody knows");
	is_num(pfm_event_parse(map, "armv8_pmuv3::slots", U, &event), -ENOENT,
	       "no table has it");
	has_text(pfm_event_strerror(map, "slots", -EOPNOTSUPP, why,
				    sizeof(why)),
		 "event 'slots': this processor has no such event", "message");
}

/* Names of libpfm4's table, whose filter bits must not be used. */
static void test_table(const struct pfm_reg_map *map)
{
	static const struct {
		const char *text;
		const char *name;
		int err;
		uint64_t code;
		uint32_t plm;
	} cases[] = {
		{ "INST_RETIRED", "arm_ac57::INST_RETIRED:u", 0, 0x08, U },
		{ "inst_retired:k", "arm_ac57::INST_RETIRED:k", 0, 0x08, K },
		{ "INST_RETIRED.k", "arm_ac57::INST_RETIRED:k", 0, 0x08, K },
		{ "INST_RETIRED:k=1:u=0", "arm_ac57::INST_RETIRED:k", 0, 0x08, K },
		{ "CPU_CYCLES:u:k:hv", "arm_ac57::CPU_CYCLES:u:k:h", 0, 0x11,
		  U | K | H },
		{ "ARM_AC57::CPU_CYCLES", "arm_ac57::CPU_CYCLES:u", 0, 0x11, U },
		{ "STALL_SLOT", "armv8_pmuv3::STALL_SLOT:u", 0, 0x3f, U },
		{ "INST_RETIRED:ANY", NULL, -EINVAL, 0, 0 },
		{ "arm_n1::INST_RETIRED", NULL, -ENOENT, 0, 0 },
	};
	struct pfm_event event;
	size_t i;

	if (strcmp(pfm_event_table(map), "arm_ac57")) {
		ok(true, "libpfm4's table # SKIP libpfm4 has none for Arm");
		return;
	}
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int ret = pfm_event_parse(map, cases[i].text, U, &event);

		if (cases[i].err)
			is_num(ret, cases[i].err, cases[i].text);
		else
			ok(!ret && !strcmp(event.name, cases[i].name) &&
			   event.code == cases[i].code &&
			   event.plm == cases[i].plm, "'%s'", cases[i].text);
	}
}

static void test_virtual(const struct pfm_reg_map *map)
{
	static const struct {
		const char *text;
		const char *name;
		unsigned int pmd;
		uint32_t flags;
	} cases[] = {
		{ "CPU_TIME_NS", "CPU_TIME_NS", 256, 0 },
		{ "cpu_time_ns", "CPU_TIME_NS", 256, 0 },
		{ "task-clock", "CPU_TIME_NS", 256, 0 },
		{ "wall-clock", "WALL_TIME_NS", 320, 0 },
		{ "Context-Switches", "CONTEXT_SWITCHES", 321, 0 },
		{ "migrations", "MIGRATIONS", 322, 0 },
		{ "minor-faults", "MINOR_FAULTS", 323, 0 },
		{ "major-faults", "MAJOR_FAULTS", 324, 0 },
		{ "free-memory", "FREE_MEMORY_BYTES", 356,
		  PFM_EVENTF_GAUGE | PFM_EVENTF_READONLY },
	};
	struct pfm_event event;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ok(!pfm_event_parse(map, cases[i].text, U, &event) &&
		   event.kind == PFM_EVENT_VIRTUAL &&
		   !strcmp(event.name, cases[i].name) &&
		   event.pmd == cases[i].pmd && event.flags == cases[i].flags &&
		   !event.plm, "virtual '%s'", cases[i].text);
}

static void test_bad(const struct pfm_reg_map *map)
{
	static const struct {
		const char *text;
		uint32_t dfl_plm;
		int err;
	} cases[] = {
		{ "", U, EINVAL },
		{ ":u", U, EINVAL },
		{ "cycles:", U, EINVAL },
		{ "cycles::u", U, ENOENT },	/* table "cycles" */
		{ "::cycles", U, EINVAL },
		{ "cycles:u:", U, EINVAL },
		{ "cycles:x", U, EINVAL },
		{ "cycles:u=2", U, EINVAL },
		{ "cycles:c=1", U, EINVAL },
		{ "cy cles", U, EINVAL },
		{ " cycles", U, EINVAL },
		{ "cycles\n", U, EINVAL },
		{ "cycles,instructions", U, EINVAL },
		{ "r1b:ANY", U, EINVAL },
		{ "r10000", U, ERANGE },
		{ "0x10000000000000011", U, ERANGE },
		{ "rfffffffffffffffff", U, ERANGE },
		{ "r", U, ENOENT },
		{ "0x", U, ENOENT },
		{ "0x1g", U, ENOENT },
		{ "r-1", U, ENOENT },
		{ "cycels", U, ENOENT },
		{ "nosuch::cycles", U, ENOENT },
		{ "armv8_pmuv3::NO_SUCH", U, ENOENT },
		{ "armv8_pmuv3::INST_RETIRED:ANY", U, EINVAL },
		{ "perf::PERF_COUNT_HW_CPU_CYCLES", U, ENOENT },
		{ "PERF_COUNT_HW_CPU_CYCLES", U, ENOENT },
		{ "cycles", 0, EDOM },
		{ "cycles:u=0", U, EDOM },
		{ "cycles", U | 0x02, EDOM },
		{ "task-clock:u", U, EINVAL },
		{ "CPU_TIME_NS:x", U, EINVAL },
		{ "PMEVCNTR0_EL0", U, ENOENT },
		{ "cpu/event=8/", U, EINVAL },
		{ "cpu/event=8", U, EINVAL },
		{ "cpu/event=8/:", U, EINVAL },
	};
	struct pfm_event event;
	char buf[512];
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int ret = pfm_event_parse(map, cases[i].text, cases[i].dfl_plm,
					  &event);

		if (!ok(ret == -cases[i].err, "'%s' is refused",
			strcmp(cases[i].text, "cycles\n") ? cases[i].text :
							    "cycles\\n"))
			printf("# got %d, wanted %d\n", ret, -cases[i].err);
		pfm_event_strerror(map, cases[i].text, ret, buf, sizeof(buf));
		if (*cases[i].text)
			has_text(buf, cases[i].text, "its message names it");
	}
}

static void test_long(const struct pfm_reg_map *map)
{
	char text[PFM_EVENT_NAME_LEN * 2];
	struct pfm_event event;
	char buf[16];

	memset(text, 'a', sizeof(text));
	text[sizeof(text) - 1] = 0;
	is_num(pfm_event_parse(map, text, U, &event), -ENAMETOOLONG,
	       "name too long");
	text[PFM_EVENT_NAME_LEN - 1] = 0;
	is_num(pfm_event_parse(map, text, U, &event), -ENOENT,
	       "longest name that is looked up");
	memcpy(text, "cycles:u", 8);
	memset(text + 8, 'u', PFM_EVENT_NAME_LEN - 9);
	is_num(pfm_event_parse(map, text, U, &event), 0, "levels repeated");
	memset(buf, 'x', sizeof(buf));
	pfm_event_strerror(map, "nothing_like_it", -ENOENT, buf, 8);
	ok(strlen(buf) == 7 && buf[8] == 'x', "message is cut to the buffer");
}

static void test_no_pmu(void)
{
	struct pfm_reg_map *map = soft_machine();
	struct pfm_event event;
	char buf[512];

	is_num(pfm_event_parse(map, "cycles", U, &event), -ENODEV,
	       "no PMU: generic");
	has_text(pfm_event_strerror(map, "cycles", -ENODEV, buf, sizeof(buf)),
		 "needs a hardware PMU", "its message");
	is_num(pfm_event_parse(map, "r11", U, &event), -ENODEV, "no PMU: raw");
	is_num(pfm_event_parse(map, "cpu/event=1/", U, &event), -ENODEV,
	       "no PMU: an event in parts");
	is_num(pfm_event_parse(map, "armv8_pmuv3::CPU_CYCLES", U, &event), -ENOENT,
	       "no PMU: another machine's event");
	is_num(pfm_event_parse(map, "task-clock", U, &event), 0,
	       "no PMU: virtual registers work");
	is_text(pfm_event_table(map), "", "no PMU: no table");
	pfm_reg_map_free(map);
}

static void test_suggest(const struct pfm_reg_map *map)
{
	char names[20][PFM_EVENT_NAME_LEN];
	char buf[512];
	int count;

	count = pfm_event_suggest(map, "cycels", names, 3);
	ok(count > 0 && !strcmp(names[0], "cycles"), "cycels: cycles");
	count = pfm_event_suggest(map, "instrctions:u", names, 3);
	ok(count > 0 && !strcmp(names[0], "instructions"),
	   "levels are left aside");
	count = pfm_event_suggest(map, "cpu_time_n", names, 1);
	ok(count == 1 && !strcmp(names[0], "CPU_TIME_NS"), "virtual register");
	count = pfm_event_suggest(map, "context_switchs", names, 3);
	ok(count >= 2, "both names of a virtual register");
	count = pfm_event_suggest(map, "fault", names, 20);
	ok(count >= 4, "part of a name");
	is_num(pfm_event_suggest(map, "qqqqqqqqqqqq", names, 3), 0,
	       "nothing is close");
	is_num(pfm_event_suggest(map, "q", names, 3), 0, "one letter");
	is_num(pfm_event_suggest(map, "", names, 3), 0, "empty name");
	is_num(pfm_event_suggest(map, "cycels", names, 0), 0, "no room");
	has_text(pfm_event_strerror(map, "cycles:x:y", -EINVAL, buf, sizeof(buf)),
		 "cycles has no unit mask or modifier 'x'",
		 "message of a wrong unit mask");
	has_text(pfm_event_strerror(map, "cycels", -ENOENT, buf, sizeof(buf)),
		 "unknown event 'cycels'; closest: cycles", "message of it");
	has_text(pfm_event_strerror(map, "cpu/event=8/", -EINVAL, buf, sizeof(buf)),
		 "the PMU armv8_pmuv3 has no events in parts; codes are written r1b",
		 "message of an event in parts");
}

/**
 * struct seen - what a walk visited
 */
struct seen {
	unsigned int all, generic, virtual, hardware;
	bool parses, described;
	const struct pfm_reg_map *map;
};

static int see(const struct pfm_event_desc *desc, void *arg)
{
	struct seen *seen = arg;
	struct pfm_event event;
	char text[256];

	seen->all++;
	seen->generic += !!(desc->flags & PFM_EVENTF_GENERIC);
	seen->virtual += desc->kind == PFM_EVENT_VIRTUAL;
	seen->hardware += desc->kind == PFM_EVENT_HARDWARE;
	if (!*desc->desc)
		seen->described = false;
	if (*desc->pmu)
		snprintf(text, sizeof(text), "%s::%s", desc->pmu, desc->name);
	else
		snprintf(text, sizeof(text), "%s", desc->name);
	if (pfm_event_parse(seen->map, text, U, &event) ||
	    (desc->kind == PFM_EVENT_VIRTUAL ? event.pmd : event.code) !=
		    desc->code)
		seen->parses = false;
	return seen->all == 1000 ? 77 : 0;
}

static int stop(const struct pfm_event_desc *desc, void *arg)
{
	(void)desc;
	++*(int *)arg;
	return 5;
}

static void test_walk(const struct pfm_reg_map *map)
{
	struct seen seen = { .parses = true, .described = true, .map = map };
	int calls = 0;

	is_num(pfm_event_for_each(map, see, &seen), 0, "walk over all events");
	/* 10 names of perf and three others of them, 12 caches; registers; other names of these. */
	is_num(seen.generic, 25 + VIRTUALS + 4, "generic names and aliases");
	is_num(seen.virtual, 2 * VIRTUALS + 4, "virtual registers and aliases");
	ok(seen.hardware > 10, "hardware events");
	ok(seen.parses, "each of them can be parsed, and gives the same code");
	ok(seen.described, "each of them has a description");
	is_num(pfm_event_for_each(map, stop, &calls), 5, "a walk can be ended");
	is_num(calls, 1, "at once");
}

/**
 * struct named - the events that a string names
 * @count: number of events
 * @pmu: table of the first one
 * @name: its name
 * @code: its code
 */
struct named {
	unsigned int count;
	char pmu[64];
	char name[PFM_EVENT_NAME_LEN];
	uint64_t code;
};

static int take(const struct pfm_event_desc *desc, void *arg)
{
	struct named *named = arg;

	if (named->count++)
		return 0;
	snprintf(named->pmu, sizeof(named->pmu), "%s", desc->pmu);
	snprintf(named->name, sizeof(named->name), "%s", desc->name);
	named->code = desc->code;
	return 0;
}

/* pfm_event_describe() visits the event that pfm_event_parse() chooses. */
static void test_describe(const struct pfm_reg_map *map)
{
	static const struct {
		const char *text;
		int err;
		const char *name;
		uint64_t code;
	} cases[] = {
		{ "cycles", 0, "cycles", 0x11 },
		{ "Instructions:u:k", 0, "instructions", 0x08 },
		{ "task-clock", 0, "task-clock", 256 },
		{ "cpu_time_ns", 0, "CPU_TIME_NS", 256 },
		{ "armv8_pmuv3::stall_slot:u", 0, "STALL_SLOT", 0x3f },
		{ "STALL_SLOT", 0, "STALL_SLOT", 0x3f },
		{ "STALL_SLOT:NOSUCHMASK", 0, "STALL_SLOT", 0x3f },
		{ "r3f", 0, "STALL_SLOT", 0x3f },
		{ "0x03F:k", 0, "STALL_SLOT", 0x3f },
		{ "rfff0", 0, "rfff0", 0xfff0 },
		{ "r10000", -ERANGE, NULL, 0 },
		{ "NO_SUCH_EVENT", -ENOENT, NULL, 0 },
		{ "arm_n1::STALL_SLOT", -ENOENT, NULL, 0 },
		{ "a b", -EINVAL, NULL, 0 },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct named named = { 0 };
		struct pfm_event event;
		char text[256];
		int ret = pfm_event_describe(map, cases[i].text, take, &named);

		if (cases[i].err) {
			is_num(ret, cases[i].err, cases[i].text);
			continue;
		}
		snprintf(text, sizeof(text), "%s%s%s", named.pmu,
			 *named.pmu ? "::" : "", named.name);
		ok(!ret && named.count && !strcmp(named.name, cases[i].name) &&
		   named.code == cases[i].code &&
		   !pfm_event_parse(map, text, U, &event) &&
		   (event.kind == PFM_EVENT_VIRTUAL ? event.pmd : event.code) ==
			   named.code,
		   "'%s' is described as %s", cases[i].text, text);
	}
}

/* pfm_event_for_each() visits the names that pfm_event_parse() accepts. */
static int count_name(const struct pfm_event_desc *desc, void *arg)
{
	struct named *named = arg;

	named->count += !strcmp(desc->name, named->name);
	return 0;
}

static void test_listed(const struct pfm_reg_map *map)
{
	static const char *const names[] = { "SW_INCR", "BR_MIS_PRED",
		"MEM_ACCESS", "STALL_SLOT", "STALL_BACKEND_MEM" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct named named = { 0 };
		struct pfm_event event;

		snprintf(named.name, sizeof(named.name), "%s", names[i]);
		ok(!pfm_event_parse(map, names[i], U, &event) &&
		   !pfm_event_for_each(map, count_name, &named) &&
		   named.count == 1, "%s is listed once", names[i]);
	}
}

static void test_implemented(void)
{
	struct pfm_event_info info[2] = {
		{ .first = 0, .known = ~0ULL, .implemented = 0x20101 },
		{ .first = 0x4000, .known = 0xf0, .implemented = 0x20 },
	};
	struct pfm_reg_map *map = armv8_machine(6);
	static const struct {
		uint64_t code;
		int result;
	} cases[] = {
		{ 0x00, PFM_IMPLEMENTED_YES }, { 0x03, PFM_IMPLEMENTED_NO },
		{ 0x11, PFM_IMPLEMENTED_YES }, { 0x3f, PFM_IMPLEMENTED_NO },
		{ 0x40, PFM_IMPLEMENTED_UNKNOWN },
		{ 0x4000, PFM_IMPLEMENTED_UNKNOWN },
		{ 0x4005, PFM_IMPLEMENTED_YES }, { 0x4006, PFM_IMPLEMENTED_NO },
		{ 0x8000, PFM_IMPLEMENTED_UNKNOWN },
		{ 1ULL << 40, PFM_IMPLEMENTED_UNKNOWN },
	};
	size_t i;

	is_num(pfm_event_implemented(map, 0x03), PFM_IMPLEMENTED_UNKNOWN,
	       "nothing is known of a map made from arrays");
	is_num(pfm_event_implemented(NULL, 0x03), PFM_IMPLEMENTED_UNKNOWN,
	       "nor without a map");
	is_num(pfm_reg_map_set_events(map, info, 2), 0, "events are set");
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[32];

		snprintf(text, sizeof(text), "code 0x%llx",
			 (unsigned long long)cases[i].code);
		is_num(pfm_event_implemented(map, cases[i].code),
		       cases[i].result, text);
	}
	info[1].first = 0x4001;
	is_num(pfm_reg_map_set_events(map, info, 2), -EINVAL,
	       "a word begins at a multiple of 64");
	info[1].first = 0x4000;
	info[1].implemented = 1;
	is_num(pfm_reg_map_set_events(map, info, 2), -EINVAL,
	       "what is implemented is known");
	is_num(pfm_event_implemented(map, 0x4005), PFM_IMPLEMENTED_YES,
	       "a refusal changes nothing");
	is_num(pfm_reg_map_set_events(map, info, PFM_REGS_MAX + 1), -EINVAL,
	       "too many words");
	is_num(pfm_reg_map_set_events(map, NULL, 0), 0, "forgotten");
	is_num(pfm_event_implemented(map, 0x03), PFM_IMPLEMENTED_UNKNOWN,
	       "then nothing is known");
	pfm_reg_map_free(map);
}

int main(void)
{
	struct pfm_reg_map *map = armv8_machine(6);

	/* Select a table, the same on every Arm machine. */
	setenv("LIBPFM_FORCE_PMU", "arm_ac57", 1);
	test_good(map);
	test_levels_named(map);
	test_generic_lacking(map);
	test_old_names(map);
	test_table(map);
	test_virtual(map);
	test_bad(map);
	test_long(map);
	test_no_pmu();
	test_suggest(map);
	test_walk(map);
	test_describe(map);
	test_listed(map);
	test_implemented();
	pfm_reg_map_free(map);
	return tap_end();
}
