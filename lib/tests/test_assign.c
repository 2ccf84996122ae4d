// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * pfm_assign_registers(): the choice of registers.
 */
#include <errno.h>

#include <perfmon/perfmon.h>

#include "machine.h"
#include "tap.h"

#define NO_USER		(1ULL << 30)
#define NO_KERNEL	(1ULL << 31)
#define HYP		(1ULL << 27)

static struct pfm_event events[PFM_ASSIGN_MAX + 1];
static struct pfm_assignment out;

/* Parse events, separated by blanks, and assign them. */
static int assign(const struct pfm_reg_map *map, const char *list)
{
	char text[512], *word, *rest;
	unsigned int count = 0;

	snprintf(text, sizeof(text), "%s", list);
	for (word = strtok_r(text, " ", &rest); word;
	     word = strtok_r(NULL, " ", &rest))
		if (pfm_event_parse(map, word, PFM_PLM_USER, &events[count++]))
			return -1000;
	return pfm_assign_registers(map, events, count, &out);
}

static uint64_t pmc_value(unsigned int num)
{
	unsigned int i;

	for (i = 0; i < out.num_pmcs; i++)
		if (out.pmcs[i].num == num)
			return out.pmcs[i].value;
	return ~0ULL;
}

static void test_fits(const struct pfm_reg_map *map)
{
	is_num(assign(map, "cycles instructions"), 0, "cycles and instructions");
	is_num(out.pmd[0], CYCLE_COUNTER, "cycles get the cycle counter");
	is_num(out.pmd[1], 0, "instructions get the first event counter");
	is_num(out.num_pmcs, 2, "two PMCs");
	is_num(pmc_value(CYCLE_COUNTER), NO_KERNEL, "cycle counter: filter only");
	is_num(pmc_value(0), NO_KERNEL | 0x08, "event counter: filter and event");
	is_num(out.num_pmds, 2, "two PMDs");
	is_num(out.num_writable, 2, "both writable");
	ok(out.pmds[out.index[1]].num == out.pmd[1] && !out.pmds[1].value,
	   "events find their PMD, which starts at zero");
	is_num(out.counters, 7, "seven counters");
	is_num(out.cycle_counters, 1, "one for cycles only");

	is_num(assign(map, "instructions:k cycles:uk r1b:h r1c:ukh"), 0, "levels");
	is_num(pmc_value(0), NO_USER | 0x08, "kernel");
	is_num(pmc_value(CYCLE_COUNTER), 0, "user and kernel");
	is_num(pmc_value(1), NO_USER | NO_KERNEL | HYP | 0x1b, "hypervisor");
	is_num(pmc_value(2), HYP | 0x1c, "all");

	is_num(assign(map, "r1 r2 r3 r4 r5 r6 cycles"), 0, "all counters");
	is_num(out.fit, 7, "seven fit");
	is_num(assign(map, ""), 0, "no event");
	is_num(out.num_pmds, 0, "no register");
}

static void test_cycles(const struct pfm_reg_map *map)
{
	struct pfm_reg_map *plain;

	is_num(assign(map, "cycles:u cycles:k r11"), 0, "cycles three times");
	is_num(out.pmd[0], CYCLE_COUNTER, "the first has the cycle counter");
	is_num(out.pmd[1], 0, "the second an event counter");
	is_num(pmc_value(0), NO_USER | 0x11, "programmed with the event");
	is_num(out.pmd[2], 1, "the raw code is the same event");

	plain = armv8_machine(0);
	is_num(assign(plain, "cycles"), 0, "cycle counter alone: cycles");
	is_num(assign(plain, "instructions"), -EINVAL,
	       "cycle counter alone: nothing else");
	is_num(out.error, PFM_ASSIGN_NO_COUNTER, "no counter for it");
	pfm_reg_map_free(plain);
}

static void test_too_many(const struct pfm_reg_map *map)
{
	char buf[512];

	is_num(assign(map, "r1 r2 task-clock r3 r4 r5 r6 r7 cycles r8"), -ENOSPC,
	       "too many events");
	is_num(out.error, PFM_ASSIGN_TOO_MANY, "reason");
	is_num(out.failed, 7, "the first one that does not fit");
	is_num(out.hardware, 9, "hardware events");
	is_num(out.fit, 7, "those that fit, cycles included");
	ok(!out.num_pmcs && !out.num_pmds, "no register is given");
	pfm_assign_strerror(&out, events, buf, sizeof(buf));
	is_text(buf, "event 'r7:u' does not fit: the PMU has 6 event counters "
		"and 1 for cycles only; 7 of the 9 hardware events fit",
		"message");
	is_num(assign(map, "r1 r1 r1 r1 r1 r1"), 0, "same event six times");
	ok(out.pmd[0] == 0 && out.pmd[5] == 5, "six counters, from 0 on");
	is_num(assign(map, "r1 r1 r1 r1 r1 r1 r1"), -ENOSPC, "seven times");
	is_num(out.failed, 6, "the seventh does not fit");
	is_num(pfm_assign_registers(map, events, PFM_ASSIGN_MAX + 1, &out),
	       -E2BIG, "more events than an assignment holds");
	has_text(pfm_assign_strerror(&out, events, buf, sizeof(buf)),
		 "more than 256", "its message");
}

static void test_virtual(const struct pfm_reg_map *map)
{
	struct pfm_event gone = { .kind = PFM_EVENT_VIRTUAL, .pmd = 400 };
	char buf[512];

	is_num(assign(map, "free-memory task-clock instructions CPU_TIME_NS"), 0,
	       "virtual registers");
	ok(out.pmd[0] == 356 && out.pmd[1] == 256 && out.pmd[2] == 0 &&
	   out.pmd[3] == 256, "each at its PMD");
	is_num(out.num_pmcs, 1, "they have no PMC");
	is_num(out.num_pmds, 3, "the same register comes once");
	is_num(out.num_writable, 2, "the gauge is not written");
	is_num(out.pmds[2].num, 356, "and comes last");
	ok(out.pmds[out.index[0]].num == 356 && out.index[1] == out.index[3],
	   "events find their PMD");
	strcpy(gone.name, "GONE");
	is_num(pfm_assign_registers(map, &gone, 1, &out), -ENODEV,
	       "no such register");
	has_text(pfm_assign_strerror(&out, &gone, buf, sizeof(buf)), "'GONE'",
		 "message names the event");
	gone.pmd = 0;
	is_num(pfm_assign_registers(map, &gone, 1, &out), -ENODEV,
	       "hardware register is not taken for a virtual one");
}

static void test_bad(const struct pfm_reg_map *map)
{
	struct pfm_event event = { .name = "X", .kind = PFM_EVENT_HARDWARE,
				   .plm = PFM_PLM_USER };
	struct pfm_reg_map *soft = soft_machine();
	char buf[512];

	is_num(pfm_assign_registers(soft, &event, 1, &out), -ENODEV, "no PMU");
	is_num(out.error, PFM_ASSIGN_NO_PMU, "reason");
	pfm_reg_map_free(soft);
	event.code = 0x10000;
	is_num(pfm_assign_registers(map, &event, 1, &out), -EINVAL,
	       "code too large");
	is_num(out.error, PFM_ASSIGN_CODE, "reason");
	event.code = 1;
	event.plm = 0;
	is_num(pfm_assign_registers(map, &event, 1, &out), -EINVAL, "no level");
	is_num(out.error, PFM_ASSIGN_LEVEL, "reason");
	event.plm = 0x02;
	is_num(pfm_assign_registers(map, &event, 1, &out), -EINVAL,
	       "unknown level");
	has_text(pfm_assign_strerror(&out, &event, buf, sizeof(buf)), "'X'",
		 "message names the event");
}

/* Reserved bits that are set by default stay set; an event that needs others is refused. */
static void test_reserved(void)
{
	struct pfm_reg_info pmc = { .dfl = 1 << 20, .rsvd = ~0xc80003ffULL };
	struct pfm_reg_info pmd = { .flags = PFM_REGI_COUNTER };
	struct pfm_reg_map *map;

	if (pfm_reg_map_from_info("armv8_pmuv3", &pmc, 1, &pmd, 1, &map)) {
		ok(false, "machine with 10-bit event numbers");
		return;
	}
	is_num(assign(map, "r1b"), 0, "code that the register takes");
	is_num(pmc_value(0), NO_KERNEL | 1 << 20 | 0x1b, "default bits stay");
	is_num(assign(map, "r4005"), -EINVAL, "code in reserved bits");
	is_num(out.error, PFM_ASSIGN_CODE, "reason");
	pfm_reg_map_free(map);
}

static void test_map(void)
{
	struct pfm_reg_info pmc = { .num = 3 };
	struct pfm_reg_info pmds[2] = {
		{ .num = 9, .ctl = PFM_REG_NONE, .name = "B" },
		{ .num = 4, .ctl = 3, .name = "A" },
	};
	struct pfm_reg_map *map;

	is_num(pfm_reg_map_from_info("x", &pmc, 1, pmds, 2, &map), 0, "map");
	is_num(pfm_reg_map_next_pmd(map, NULL)->num, 4, "rising order");
	ok(!pfm_reg_map_next_pmc(map, pfm_reg_map_next_pmc(map, NULL)), "end");
	ok(pfm_reg_map_find_pmd(map, "b") && !pfm_reg_map_find_pmd(map, "C"),
	   "by name");
	ok(pfm_reg_map_pmd(map, 9) && !pfm_reg_map_pmd(map, 8) &&
		   !pfm_reg_map_pmd(map, 100000),
	   "by number");
	pfm_reg_map_free(map);
	pfm_reg_map_free(NULL);
	pmds[0].num = 4;
	is_num(pfm_reg_map_from_info("x", &pmc, 1, pmds, 2, &map), -EINVAL,
	       "same number twice");
	pmds[0].num = PFM_REGS_MAX;
	is_num(pfm_reg_map_from_info("x", &pmc, 1, pmds, 2, &map), -EINVAL,
	       "number out of range");
	pmds[0].num = 5;
	pmds[0].ctl = 2;
	is_num(pfm_reg_map_from_info("x", &pmc, 1, pmds, 2, &map), -EINVAL,
	       "control register that does not exist");
	pmds[0].ctl = 3;
	memset(pmds[0].name, 'x', PFM_NAME_LEN);
	is_num(pfm_reg_map_from_info("x", &pmc, 1, pmds, 2, &map), -EINVAL,
	       "name without end");
	is_num(pfm_reg_map_from_info("a name of 32 bytes or even longer", &pmc,
				     1, NULL, 0, &map),
	       -EINVAL, "PMU name too long");
}

static void hold(struct pfm_held *held, unsigned int num)
{
	held->pmcs[num / 64] |= 1ULL << num % 64;
	held->pmds[num / 64] |= 1ULL << num % 64;
}

/* Counters that other contexts hold */
static void test_held(void)
{
	struct pfm_reg_map *map = armv8_machine(6);
	struct pfm_held held = { 0 };

	is_num(pfm_reg_map_leave_out(map, &held), 0, "none is held");
	hold(&held, 0);
	hold(&held, 2);
	hold(&held, CYCLE_COUNTER);
	is_num(pfm_reg_map_leave_out(map, &held), 3, "three are held");
	ok(!pfm_reg_map_pmc(map, 2) && !pfm_reg_map_pmd(map, 2) &&
		   pfm_reg_map_pmd(map, 1) && pfm_reg_map_pmd(map, 256),
	   "they are not in the map, others are");
	is_num(assign(map, "cycles instructions"), 0, "events beside them");
	is_num(out.pmd[0], 1, "the first counter that is free");
	is_num(out.pmd[1], 3, "and the next one");
	is_num(assign(map, "r1 r2 r3 r4 r5"), -ENOSPC, "too many for the rest");
	is_num(out.fit, 4, "four fit");
	memset(&held, 0, sizeof(held));
	held.pmcs[0] = 1 << 1;
	is_num(pfm_reg_map_leave_out(map, &held), 1,
	       "a counter goes with its control register");
	ok(!pfm_reg_map_pmd(map, 1), "it is not in the map");
	pfm_reg_map_free(map);
}

int main(void)
{
	struct pfm_reg_map *map = armv8_machine(6);

	test_fits(map);
	test_cycles(map);
	test_too_many(map);
	test_virtual(map);
	test_bad(map);
	test_reserved();
	test_map();
	test_held();
	pfm_reg_map_free(map);
	return tap_end();
}
