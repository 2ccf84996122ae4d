// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters of both vendors: they count in the mode asked for, exactly, and interrupt after
 * the instruction that overflows. Each test takes the first counter and its control register,
 * whose fields are the same.
 */

#include "bare.h"

#define USR BIT(16)
#define OS  BIT(17)
#define INT BIT(20)
#define EN  BIT(22)

#define ROUNDS 1000
/* call, the loop, ret, and the instructions of WRMSR's operands depend on the compiler. */
#define LOOP (2 * ROUNDS)

static uint64_t count(uint32_t counter, uint32_t control, uint64_t event,
		      uint64_t rounds)
{
	wrmsr(control, 0);
	wrmsr(counter, 0);
	wrmsr(control, event | EN);
	loop(rounds);
	wrmsr(control, 0);
	return rdmsr(counter);
}

static void user_rounds(uint64_t rounds)
{
	loop(rounds);
}

static uint64_t count_user(uint32_t counter, uint32_t control, uint64_t event,
			   uint64_t rounds)
{
	wrmsr(control, 0);
	wrmsr(counter, 0);
	wrmsr(control, event | EN);
	in_user(user_rounds, rounds);
	wrmsr(control, 0);
	return rdmsr(counter);
}

static void modes(uint32_t counter, uint32_t control, uint64_t event)
{
	uint64_t base = count(counter, control, event | OS, 1);

	equal(count(counter, control, event | OS, 1 + ROUNDS) - base, LOOP,
	      "a loop in the kernel, counted there");
	equal(count(counter, control, event | USR, ROUNDS), 0,
	      "a loop in the kernel is not user");
	equal(count(counter, control, event, ROUNDS), 0,
	      "neither USR nor OS: nothing");
	base = count_user(counter, control, event | USR, 1);
	equal(count_user(counter, control, event | USR, 1 + ROUNDS) - base,
	      LOOP, "a loop in user mode, counted there");
	equal(count_user(counter, control, event | OS, 1 + ROUNDS),
	      count_user(counter, control, event | OS, 1),
	      "a loop in user mode is not kernel");
	base = count_user(counter, control, event | USR | OS, 1);
	equal(count_user(counter, control, event | USR | OS, 1 + ROUNDS) - base,
	      LOOP, "a loop in user mode, counted in both");
}

static uint32_t nmi_counter, nmi_control;
static uint64_t at_nmi;

static void read_at_nmi(void)
{
	wrmsr(nmi_control, 0);
	at_nmi = rdmsr(nmi_counter);
}

/* The loop is left to the NMI by an instruction of which the number is known. */
static void sample(uint32_t counter, uint32_t control, uint64_t event,
		   uint64_t period, uint64_t lvt)
{
	wrmsr(control, 0);
	wrmsr(counter, -period);
	lvt_write(lvt);
	nmis = nmi_rip = 0;
	nmi_counter = counter;
	nmi_control = control;
	on_nmi = read_at_nmi;
	wrmsr(control, event | OS | INT | EN);
	loop(ROUNDS);
	wrmsr(control, 0);
	on_nmi = 0;
}

static void interrupt(uint32_t counter, uint32_t control, uint64_t event)
{
	uint64_t rip;

	sample(counter, control, event, 500, LVT_NMI);
	rip = nmi_rip;
	equal(nmis, 1, "an overflow, an NMI");
	ok(rip >= (uintptr_t)loop_begin && rip < (uintptr_t)loop_end,
	   "in the loop");
	sample(counter, control, event, 501, LVT_NMI);
	equal(nmi_rip,
	      rip == (uintptr_t)loop_begin ? rip + 3 : (uintptr_t)loop_begin,
	      "the next instruction for a period longer by one");
	/* It comes at once: the handler's own instructions follow. */
	sample(counter, control, event, 502, LVT_NMI);
	equal(nmi_rip, rip, "and back for the one after that");
	sample(counter, control, event, 500, LVT_NMI | LVT_MASKED);
	equal(nmis, 0, "none with LVTPC masked");
}

static void late(uint32_t counter, uint32_t control, uint64_t event)
{
	uint64_t rip;

	wrmsr(MSR_PMI_DELAY, 100);
	sample(counter, control, event, 500, LVT_NMI);
	rip = nmi_rip;
	sample(counter, control, event, 502, LVT_NMI);
	equal(nmis, 1, "a late NMI comes");
	equal(nmi_rip, rip, "as late after each overflow");
	wrmsr(MSR_PMI_DELAY, 2 * ROUNDS + 500);
	sample(counter, control, event, 500, LVT_NMI);
	equal(nmis, 0,
	      "one that is later than the counter's stop is not there at the stop");
	loop(ROUNDS);
	equal(nmis, 1, "and comes after it");
	wrmsr(MSR_PMI_DELAY, 0);
}

static void injected(void)
{
	struct totals before, after;

	lvt_write(LVT_NMI);
	nmis = 0;
	totals_read(&before);
	wrmsr(MSR_INJECT, 1);
	loop(1);
	equal(nmis, 1, "an NMI that nothing asked for");
	wrmsr(MSR_INJECT, 2);
	loop(1);
	equal(nmis, 2, "an interrupt of the PMU without an overflow");
	lvt_write(LVT_NMI);
	wrmsr(MSR_NMI_EVERY, 100);
	loop(50000);
	wrmsr(MSR_NMI_EVERY, 0);
	totals_read(&after);
	ok(nmis > 500 && nmis < 2000, "NMIs at random instructions");
	equal(after.nmis - before.nmis, nmis,
	      "the emulator's number of NMIs is ours");
	/* One that comes in the handler waits for its end, and more than one are one. */
	ok(after.injected_nmis - before.injected_nmis >= nmis - 1,
	   "more were injected than can come at once");
	equal(after.injected_pmis - before.injected_pmis, 1, "and interrupts");
	lvt_write(LVT_MASKED);
	nmis = 0;
	wrmsr(MSR_INJECT, 1);
	loop(1);
	equal(nmis, 0, "none for a system that is not ready");
	ok(write_faults(MSR_INJECT, 3), "nothing else can be injected");
}

static uint64_t sum;

/* The counter is read and begins anew while it stands still. */
static void take(void)
{
	uint64_t event = rdmsr(nmi_control);

	wrmsr(nmi_control, 0);
	sum += rdmsr(nmi_counter);
	wrmsr(nmi_counter, 0);
	lvt_write(LVT_NMI);
	wrmsr(nmi_control, event);
}

/* NMIs that leave the loop so many instructions, while the counter is taken in each */
static void hammered(uint32_t counter, uint32_t control, uint64_t event,
		     uint64_t kind, uint64_t distance, const char *name)
{
	struct totals before, after;
	struct lifetime begin, end;

	lvt_write(LVT_NMI);
	nmis = sum = 0;
	nmi_counter = counter;
	nmi_control = control;
	on_nmi = take;
	wrmsr(control, 0);
	wrmsr(counter, 0);
	wrmsr(MSR_HAMMER_KIND, kind);
	totals_read(&before);
	begin = lifetime_read(0);
	wrmsr(control, event | USR | OS | EN);
	wrmsr(MSR_HAMMER, distance | distance << 32);
	loop(10 * ROUNDS);
	wrmsr(MSR_HAMMER, 0);
	on_nmi = 0;
	wrmsr(control, 0);
	end = lifetime_read(0);
	sum += rdmsr(counter);
	totals_read(&after);
	print("# %d NMIs\n", nmis);
	ok(nmis >= 10 * LOOP / distance && nmis <= 10 * LOOP / distance + 10,
	   name);
	equal(sum, end.counted - begin.counted,
	      "what was taken is what the counter counted");
	ok(sum > 10 * LOOP, "the loop and the handlers");
	equal(after.nmis - before.nmis, nmis, "the emulator's NMIs are ours");
	equal(after.nmis_injected - before.nmis_injected, nmis,
	      "all were injected");
	equal(after.nmis_of_overflows, before.nmis_of_overflows,
	      "none was an overflow's");
}

static void hammer(uint32_t counter, uint32_t control, uint64_t event)
{
	struct totals before, after;
	uint64_t seen;

	ok(write_faults(MSR_HAMMER, 5ULL << 32) &&
		   write_faults(MSR_HAMMER, 5 | 4ULL << 32) &&
		   write_faults(MSR_HAMMER_KIND, 0) &&
		   write_faults(MSR_HAMMER_KIND, 4),
	   "#GP: a hammer that would leave no instruction, or is of no kind");
	hammered(counter, control, event, 2, 10,
		 "ten instructions between two NMIs");
	hammered(counter, control, event, 2, 1, "one is enough");
	hammered(counter, control, event, 1, 10,
		 "the PMU's interrupts do the same");
	hammered(counter, control, event, 3, 50, "and both kinds");
	ok(holds(MSR_HAMMER, 100 | 200ULL << 32) && holds(MSR_HAMMER_KIND, 2),
	   "the hammer's registers hold their values");
	nmis = 0;
	loop(10 * ROUNDS);
	seen = nmis;
	wrmsr(MSR_HAMMER, 0);
	ok(seen > 10 * LOOP / 160 && seen < 10 * LOOP / 140,
	   "a random distance is the middle one on average");
	lvt_write(LVT_NMI);
	nmis = 0;
	loop(ROUNDS);
	equal(nmis, 0, "none when the hammer is off");
	totals_read(&before);
	sample(counter, control, event, 500, LVT_NMI);
	totals_read(&after);
	equal(after.nmis_of_overflows - before.nmis_of_overflows, 1,
	      "an overflow's NMI");
	equal(after.nmis_injected, before.nmis_injected, "was not injected");
}

static void pce(bool on)
{
	uint64_t cr4;

	asm volatile("mov %%cr4, %0" : "=r"(cr4));
	cr4 = on ? cr4 | BIT(8) : cr4 & ~BIT(8);
	asm volatile("mov %0, %%cr4" : : "r"(cr4));
}

static void rdpmc_user(uint64_t index)
{
	rdpmc(index);
}

/*
 * Wherever the counter's overflow is, the faulting RDPMC itself included: it happens once, and
 * what is counted in user mode is what was executed there.
 */
static void faulting_rdpmc(uint32_t counter, uint32_t control, uint64_t event)
{
	bool exact = true, once = true;
	uint64_t before = faults;

	pce(true);
	wrmsr(control, 0);
	for (uint64_t left = 1; left <= 30; left++) {
		struct lifetime begin = lifetime_read(0), end;
		struct totals first, last;
		uint64_t user;

		wrmsr(counter, -left);
		totals_read(&first);
		wrmsr(control, event | USR | EN);
		in_user(rdpmc_user, 0x55);
		wrmsr(control, 0);
		totals_read(&last);
		end = lifetime_read(0);
		user = last.user - first.user;
		exact &= end.counted - begin.counted == user;
		once &= end.wraps - begin.wraps == (user >= left);
	}
	pce(false);
	equal(faults - before, 30, "#GP: RDPMC of no counter in user mode");
	ok(exact, "it counts what was executed");
	ok(once, "and a counter overflows once there");
}

/* Counted with everything around it, which the totals' difference has as well */
static void conserved(uint32_t counter, uint32_t control, uint64_t event)
{
	struct totals before, after;
	uint64_t user, kernel;

	wrmsr(control, 0);
	wrmsr(counter, 0);
	wrmsr(control, event | USR | EN);
	totals_read(&before);
	in_user(user_rounds, ROUNDS);
	totals_read(&after);
	wrmsr(control, 0);
	user = rdmsr(counter);
	equal(user, after.user - before.user,
	      "user instructions are the emulator's total");
	wrmsr(counter, 0);
	wrmsr(control, event | OS | EN);
	totals_read(&before);
	in_user(user_rounds, ROUNDS);
	totals_read(&after);
	wrmsr(control, 0);
	kernel = rdmsr(counter);
	ok(kernel > after.kernel - before.kernel &&
		   kernel < after.kernel - before.kernel + 100,
	   "so are the kernel's, but for what is around reading them");
}

static void thresholds(uint32_t counter, uint32_t control)
{
	/* Option pmu-events of registers_test.sh: event 0x0e, umask 1, 1.25 a cycle */
	const uint64_t event = 0x010e | OS;
	uint64_t n = count(counter, control, 0x00c0 | OS, ROUNDS);

#define WITHIN(flags, expect, name)                                       \
	do {                                                              \
		uint64_t _got =                                           \
			count(counter, control, event | (flags), ROUNDS); \
		uint64_t _want = (expect);                                \
		ok(_got + 1 >= _want && _got <= _want + 1, name);         \
		if (_got + 1 < _want || _got > _want + 1)                 \
			print("# got %d, wanted %d\n", _got, _want);      \
	} while (0)

	WITHIN(0, n * 5 / 4, "a synthetic event");
	WITHIN(BIT(24), n, "CMASK 1: every cycle has one");
	WITHIN(2 * BIT(24), n / 4, "CMASK 2: one cycle in four has two");
	WITHIN(2 * BIT(24) | BIT(23), n - n / 4, "INV: the others");
	WITHIN(3 * BIT(24), 0, "CMASK 3: never");
	WITHIN(3 * BIT(24) | BIT(23), n, "INV: always");
	WITHIN(2 * BIT(24) | BIT(18), n / 4, "EDGE: each of them begins anew");
	WITHIN(BIT(24) | BIT(18), 0, "EDGE: what never ends never begins");
	WITHIN(BIT(23), n * 5 / 4, "INV without CMASK means nothing");
	equal(count(counter, control, 0x77ee | OS, ROUNDS), 0,
	      "an unknown event never happens");
	/* The others of registers_test.sh */
	WITHIN(BIT(24) | BIT(23), n * 3 / 10,
	       "a rule with CMASK and INV gives the final rate");
	equal(count(counter, control, 0x010f | OS, 100 * ROUNDS) / 10, 70,
	      "seven in two thousand cycles");
	ok(count(counter, control, 0x020f | OS, 100 * ROUNDS) <= 1,
	   "one in a million instructions");
}

void shared_test(uint32_t counter, uint32_t control, uint64_t instructions)
{
	modes(counter, control, instructions);
	interrupt(counter, control, instructions);
	late(counter, control, instructions);
	injected();
	hammer(counter, control, instructions);
	faulting_rdpmc(counter, control, instructions);
	conserved(counter, control, instructions);
	thresholds(counter, control);
}
