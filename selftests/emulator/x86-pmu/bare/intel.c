// SPDX-License-Identifier: GPL-2.0-only
/* The registers of Intel's processors. */

#include "bare.h"

#define PMC0	     0xc1
#define EVTSEL0	     0x186
#define PEBS_ENABLE  0x3f1
#define OFFCORE0     0x1a6
#define DEBUGCTL     0x1d9
#define FIXED0	     0x309
#define METRICS	     0x329
#define CAPABILITIES 0x345
#define FIXED_CTRL   0x38d
#define STATUS	     0x38e
#define CTRL	     0x38f
#define STATUS_RESET 0x390
#define STATUS_SET   0x391
#define INUSE	     0x392
#define LOAD_LATENCY 0x3f6
#define FRONTEND     0x3f7
#define FULL0	     0x4c1

#define USR	     BIT(16)
#define OS	     BIT(17)
#define INT	     BIT(20)
#define ANY	     BIT(21)
#define EN	     BIT(22)
#define INSTRUCTIONS 0x00c0
#define FREEZE	     BIT(12)
#define FROZEN	     BIT(59)

static uint64_t version, general, fixed, width;
static bool any_deprecated;

static void leaf(const struct expected *expected)
{
	uint32_t regs[4];

	cpuid(0xa, 0, regs);
	version = regs[0] & 0xff;
	general = regs[0] >> 8 & 0xff;
	width = regs[0] >> 16 & 0xff;
	fixed = MASK(0, regs[3] & 0x1f) | (version >= 5 ? regs[2] : 0);
	any_deprecated = regs[3] >> 15 & 1;
	equal(version, expected->version, "CPUID: version");
	equal(general, expected->general, "CPUID: general counters");
	equal(fixed, expected->fixed, "CPUID: fixed counters");
	equal(width, expected->width, "CPUID: width");
	equal(regs[1], expected->unavailable, "CPUID: unavailable events");
	if (version >= 2)
		equal(regs[3] >> 5 & 0xff, width,
		      "CPUID: width of the fixed counters");
}

static bool full_width(void)
{
	uint32_t regs[4];

	cpuid(1, 0, regs);
	return (regs[2] & BIT(15)) && (rdmsr(CAPABILITIES) & BIT(13));
}

static bool has_metrics(void)
{
	uint32_t regs[4];

	cpuid(1, 0, regs);
	return (regs[2] & BIT(15)) && (rdmsr(CAPABILITIES) & BIT(15));
}

static void all_off(void)
{
	for (uint64_t i = 0; i < general; i++)
		wrmsr(EVTSEL0 + i, 0);
	if (version < 2)
		return;
	wrmsr(FIXED_CTRL, 0);
	wrmsr(CTRL, MASK(0, general) | fixed << 32);
	wrmsr(STATUS_RESET, MASK(0, general) | fixed << 32);
}

static void evtsel_bits(void)
{
	bool any = version >= 3 && !any_deprecated;

	ok(holds(EVTSEL0, MASK(0, 32) & ~(any ? 0 : ANY) & ~EN),
	   "all bits of an event selector");
	ok(write_faults(EVTSEL0, BIT(32)), "#GP on IN_TX without transactions");
	ok(write_faults(EVTSEL0, BIT(63)), "#GP on the last bit");
	equal(write_faults(EVTSEL0, ANY), !any,
	      "ANY from version 3 on, unless it is deprecated");
	wrmsr(EVTSEL0, 0);
	ok(read_faults(EVTSEL0 + general) || general == 8,
	   "#GP on a selector that is none");
	ok(read_faults(PMC0 + general) || general == 8,
	   "#GP on a counter that is none");
	ok(read_faults(0xc0010000) && write_faults(0xc0010200, 0),
	   "#GP on those of AMD");
}

static void counter_writes(void)
{
	wrmsr(PMC0, 0x80000000);
	equal(rdmsr(PMC0), 0xffffffff80000000ULL & MASK(0, width),
	      "a write extends the sign");
	wrmsr(PMC0, 0xffff7fffffffULL);
	equal(rdmsr(PMC0), 0x7fffffff, "and ignores the upper half");
	if (full_width()) {
		ok(holds(FULL0, BIT(width - 1) | 5), "full-width writes");
		equal(rdmsr(PMC0), BIT(width - 1) | 5,
		      "are to the same counter");
		ok(write_faults(FULL0, BIT(width)), "#GP above the width");
	} else {
		ok(write_faults(FULL0, 0) && read_faults(FULL0),
		   "#GP on full-width writes");
	}
	wrmsr(PMC0, 0);
}

static void old_version(void)
{
	ok(read_faults(STATUS) && write_faults(CTRL, 0),
	   "#GP on global registers");
	ok(read_faults(FIXED_CTRL) && read_faults(FIXED0),
	   "#GP on fixed counters");
}

static void global_bits(void)
{
	uint64_t counters = MASK(0, general) | fixed << 32;

	ok(holds(CTRL, 0) && holds(CTRL, counters),
	   "GLOBAL_CTRL has a bit for each counter");
	ok(write_faults(CTRL, BIT(general)) && write_faults(CTRL, BIT(36)),
	   "and #GP on others");
	ok(write_faults(STATUS, 0), "#GP on writing GLOBAL_STATUS");
	ok(write_faults(STATUS_RESET, BIT(general)),
	   "#GP on resetting what is none");
	equal(write_faults(STATUS_RESET, FROZEN), version < 4,
	      "CTR_FRZ from version 4 on");
	equal(write_faults(STATUS_RESET, BIT(61)), version < 3,
	      "Ovf_Uncore from version 3 on");
	equal(rdmsr(STATUS_RESET), 0, "the reset register reads as 0");
	for (int i = 0; i < 4; i++) {
		equal(read_faults(FIXED0 + i), !(fixed & BIT(i)),
		      "fixed counters that exist");
		equal(write_faults(FIXED_CTRL, BIT(4 * i)), !(fixed & BIT(i)),
		      "and their control fields");
		equal(write_faults(FIXED_CTRL, BIT(4 * i + 2)),
		      !(fixed & BIT(i)) || version < 3 || any_deprecated,
		      "with ANY");
	}
	wrmsr(FIXED_CTRL, 0);
	ok(holds(FIXED0, BIT(width) - 2) && write_faults(FIXED0, BIT(width)),
	   "a fixed counter is as wide as CPUID says");
	wrmsr(FIXED0, 0);
}

/* All counters of instructions, enabled together by GLOBAL_CTRL, agree. */
static void together(void)
{
	bool same = true;
	uint64_t first;

	wrmsr(CTRL, 0);
	for (uint64_t i = 0; i < general; i++) {
		wrmsr(PMC0 + i, 0);
		wrmsr(EVTSEL0 + i, INSTRUCTIONS | OS | EN);
	}
	wrmsr(FIXED0, 0);
	wrmsr(FIXED0 + 1, 0);
	wrmsr(FIXED_CTRL, 0x11);
	loop(1000);
	equal(rdmsr(PMC0), 0, "GLOBAL_CTRL is off: nothing");
	wrmsr(CTRL, MASK(0, general) | fixed << 32);
	loop(1000);
	wrmsr(CTRL, 0);
	first = rdmsr(PMC0);
	for (uint64_t i = 0; i < general; i++)
		same &= rdmsr(PMC0 + i) == first;
	ok(first > 2000 && first < 2030, "a loop of 1000 rounds");
	ok(same, "all general counters agree");
	equal(rdmsr(FIXED0), first, "so does fixed counter 0");
	equal(rdmsr(FIXED0 + 1), first, "and cycles, one each");
	equal(rdpmc(0), first, "RDPMC of a general counter");
	equal(rdpmc(BIT(30)), first, "RDPMC of a fixed counter");
	all_off();
}

static void rdpmc_user(uint64_t index)
{
	rdpmc(index);
}

static void rdpmc_rules(void)
{
	uint64_t cr4, before = faults;

	ok(rdpmc_faults(general), "#GP: RDPMC of a counter that is none");
	ok(rdpmc_faults(BIT(30) + 4), "#GP: nor is it a fixed one");
	equal(rdpmc_faults(BIT(29)), !has_metrics(), "RDPMC of the metrics");
	before = faults;
	in_user(rdpmc_user, 0);
	equal(faults, before + 1, "#GP: RDPMC in user mode");
	asm volatile("mov %%cr4, %0" : "=r"(cr4));
	asm volatile("mov %0, %%cr4" : : "r"(cr4 | BIT(8)));
	in_user(rdpmc_user, 0);
	equal(faults, before + 1, "RDPMC in user mode with CR4.PCE");
	asm volatile("mov %0, %%cr4" : : "r"(cr4));
}

static uint64_t seen_status;

static void stop_at_nmi(void)
{
	seen_status = rdmsr(STATUS);
	wrmsr(CTRL, 0);
}

/* Two counters overflow at the same instruction: one NMI, two bits. */
static void two_at_once(void)
{
	wrmsr(CTRL, 0);
	for (int i = 0; i < 2; i++) {
		wrmsr(PMC0 + i, -500);
		wrmsr(EVTSEL0 + i, INSTRUCTIONS | OS | INT | EN);
	}
	lvt_write(LVT_NMI);
	nmis = 0;
	on_nmi = stop_at_nmi;
	wrmsr(CTRL, 3);
	loop(1000);
	on_nmi = 0;
	equal(nmis, 1, "two counters overflow at once: one NMI");
	equal(seen_status, 3, "with two bits in GLOBAL_STATUS");
	ok(lvt_read() & LVT_MASKED, "LVTPC is masked by the delivery");
	wrmsr(STATUS_RESET, 1);
	equal(rdmsr(STATUS), 2,
	      "a bit that is reset is gone, the other is not");
	all_off();
	equal(rdmsr(STATUS), 0, "both are reset");
}

static void lost_while_masked(void)
{
	struct totals before, after;

	totals_read(&before);
	lvt_write(LVT_NMI);
	nmis = 0;
	wrmsr(EVTSEL0, 0);
	for (int i = 0; i < 3; i++) {
		wrmsr(PMC0, -500);
		wrmsr(EVTSEL0, INSTRUCTIONS | OS | INT | EN);
		loop(1000);
		wrmsr(EVTSEL0, 0);
	}
	totals_read(&after);
	equal(nmis, 1, "overflows while LVTPC is masked do not interrupt");
	equal(after.overflows - before.overflows, 3,
	      "the emulator saw three overflows");
	equal(after.pmis - before.pmis, 3, "each asked for an interrupt");
	equal(after.masked - before.masked, 2, "and two of these were lost");
	all_off();
}

static void silent_overflow(void)
{
	lvt_write(LVT_NMI);
	nmis = 0;
	wrmsr(PMC0, -500);
	wrmsr(EVTSEL0, INSTRUCTIONS | OS | EN);
	loop(1000);
	wrmsr(EVTSEL0, 0);
	equal(nmis, 0, "no INT, no NMI");
	equal(rdmsr(STATUS), 1, "but a bit in GLOBAL_STATUS");
	all_off();
}

static void fixed_overflow(void)
{
	wrmsr(CTRL, 0);
	wrmsr(FIXED0, -500 & MASK(0, width));
	wrmsr(FIXED_CTRL, 9);
	lvt_write(LVT_NMI);
	nmis = 0;
	on_nmi = stop_at_nmi;
	wrmsr(CTRL, BIT(32));
	loop(1000);
	on_nmi = 0;
	equal(nmis, 1, "a fixed counter interrupts");
	equal(seen_status, BIT(32), "with its bit in GLOBAL_STATUS");
	all_off();
}

/* A counter counts until the instruction that overflows, and no further. */
static void freeze(void)
{
	wrmsr(CTRL, 0);
	wrmsr(DEBUGCTL, FREEZE);
	wrmsr(PMC0, -500);
	wrmsr(PMC0 + 1, 0);
	wrmsr(EVTSEL0, INSTRUCTIONS | OS | INT | EN);
	wrmsr(EVTSEL0 + 1, INSTRUCTIONS | OS | EN);
	lvt_write(LVT_NMI);
	nmis = 0;
	wrmsr(CTRL, 3);
	loop(1000);
	equal(nmis, 1, "an NMI that freezes");
	equal(rdmsr(PMC0), 0, "the counter is still where it overflowed");
	equal(rdmsr(PMC0 + 1), 500, "and the other was frozen with it");
	if (version >= 4) {
		equal(rdmsr(STATUS), 1 | FROZEN, "GLOBAL_STATUS says so");
		equal(rdmsr(CTRL), 3, "GLOBAL_CTRL stays");
		wrmsr(STATUS_RESET, 1 | FROZEN);
		loop(10);
		ok(rdmsr(PMC0 + 1) > 500, "they go on when CTR_FRZ is reset");
		wrmsr(STATUS_SET, FROZEN);
		wrmsr(PMC0 + 1, 0);
		loop(10);
		equal(rdmsr(PMC0 + 1), 0, "and are frozen by STATUS_SET");
		wrmsr(STATUS_RESET, FROZEN);
	} else {
		equal(rdmsr(CTRL), 0, "GLOBAL_CTRL is cleared");
	}
	wrmsr(DEBUGCTL, 0);
	all_off();
}

static void version_4(void)
{
	if (version < 4) {
		ok(read_faults(STATUS_SET) && read_faults(INUSE),
		   "#GP on version 4's registers");
		return;
	}
	wrmsr(STATUS_SET, 5);
	equal(rdmsr(STATUS), 5, "STATUS_SET sets");
	ok(write_faults(STATUS_SET, BIT(general)), "#GP on what is none");
	wrmsr(STATUS_RESET, 5);
	wrmsr(CTRL, 0);
	equal(rdmsr(INUSE), 0, "nothing is in use");
	wrmsr(EVTSEL0 + 1, INSTRUCTIONS | INT);
	wrmsr(FIXED_CTRL, 0x20);
	equal(rdmsr(INUSE), 2 | BIT(33) | BIT(63),
	      "INUSE has what was programmed");
	ok(write_faults(INUSE, 0), "#GP on writing it");
	all_off();
}

static void metrics(void)
{
	const uint64_t enable = BIT(48) | BIT(35);
	uint64_t value, slots, sum = 0;

	if (!has_metrics()) {
		ok(read_faults(METRICS) && write_faults(CTRL, BIT(48)),
		   "#GP on PERF_METRICS");
		return;
	}
	wrmsr(CTRL, 0);
	wrmsr(FIXED0 + 3, 0);
	wrmsr(METRICS, 0);
	wrmsr(FIXED_CTRL, 0x1000);
	equal(rdmsr(METRICS), 0, "no slots, no metrics");
	wrmsr(FIXED0 + 1, 0);
	wrmsr(FIXED_CTRL, 0x1010);
	wrmsr(CTRL, enable | BIT(33));
	loop(1000);
	wrmsr(CTRL, 0);
	value = rdmsr(METRICS);
	slots = rdmsr(FIXED0 + 3);
	for (int i = 0; i < 4; i++)
		sum += value >> 8 * i & 0xff;
	ok(sum >= 253 && sum <= 257, "the first four fields add up to 255");
	ok(slots > 4 * 2000 && slots % rdmsr(FIXED0 + 1) == 0,
	   "several slots a cycle");
	equal(rdpmc(BIT(29)), value, "RDPMC reads the metrics");
	/* Restored as on a switch: slots first, then the fields. */
	wrmsr(FIXED0 + 3, 0);
	wrmsr(METRICS, 0);
	wrmsr(FIXED0 + 3, slots);
	wrmsr(METRICS, value);
	equal(rdmsr(METRICS), value, "what is restored is read");
	wrmsr(CTRL, enable);
	loop(1000);
	wrmsr(CTRL, 0);
	equal(rdmsr(METRICS), value, "and goes on with the same shares");
	all_off();
}

/* The rules of registers_test.sh are for a second register with bit 3. */
static void second_register(uint32_t msr, uint64_t event)
{
	uint64_t with, without;

	wrmsr(CTRL, 1);
	wrmsr(PMC0, 0);
	ok(holds(msr, BIT(3)), "the second register of an event");
	wrmsr(EVTSEL0, event | OS | EN);
	loop(1000);
	wrmsr(EVTSEL0, 0);
	with = rdmsr(PMC0);
	wrmsr(msr, BIT(4));
	wrmsr(PMC0, 0);
	wrmsr(EVTSEL0, event | OS | EN);
	loop(1000);
	wrmsr(EVTSEL0, 0);
	without = rdmsr(PMC0);
	ok(with > 1000 && with < 1030, "what it chose is counted");
	equal(without, 0, "and the rest is not");
	ok(write_faults(msr, BIT(62)), "#GP on its reserved bits");
	wrmsr(msr, 0);
	all_off();
}

/* It needs PEBS, which keeps the counter from telling of its overflow. */
static void load_latency(void)
{
	wrmsr(CTRL, 1);
	wrmsr(PMC0, 0);
	ok(holds(LOAD_LATENCY, BIT(3)), "the threshold of loads");
	wrmsr(EVTSEL0, 0x01cd | OS | EN);
	loop(1000);
	wrmsr(EVTSEL0, 0);
	equal(rdmsr(PMC0), 0, "without PEBS it counts nothing");
	wrmsr(PEBS_ENABLE, BIT(0));
	wrmsr(EVTSEL0, 0x01cd | OS | EN);
	loop(1000);
	wrmsr(EVTSEL0, 0);
	equal(rdmsr(PMC0), 0, "nor with PEBS for other events");
	wrmsr(PEBS_ENABLE, BIT(0) | BIT(32));
	second_register(LOAD_LATENCY, 0x01cd);
	wrmsr(PEBS_ENABLE, 0);
}

static void second_registers(void)
{
	if (version >= 3) {
		second_register(OFFCORE0, 0x01b7);
		load_latency();
	} else {
		ok(read_faults(LOAD_LATENCY), "#GP: the load latency");
	}
	if (version >= 4)
		second_register(FRONTEND, 0x01c6);
	else
		ok(read_faults(FRONTEND), "#GP: the front end's events");
}

void intel_test(const struct expected *expected)
{
	leaf(expected);
	all_off();
	evtsel_bits();
	counter_writes();
	shared_test(PMC0, EVTSEL0, INSTRUCTIONS);
	all_off();
	rdpmc_rules();
	if (version < 2) {
		old_version();
		return;
	}
	global_bits();
	all_off();
	together();
	two_at_once();
	lost_while_masked();
	silent_overflow();
	fixed_overflow();
	freeze();
	version_4();
	metrics();
	second_registers();
}
