// SPDX-License-Identifier: GPL-2.0-only
/* The records of branches: the ring of Intel's processors, the architectural ones, and AMD's. */

#include "bare.h"

#define DEBUGCTL     0x1d9
#define SELECT	     0x1c8
#define TOS	     0x1c9
#define FROM	     0x680
#define TO	     0x6c0
#define INFO	     0xdc0
#define ARCH_INFO    0x1200
#define ARCH_CTL     0x14ce
#define ARCH_DEPTH   0x14cf
#define ARCH_FROM    0x1500
#define ARCH_TO	     0x1600
#define AMD_SELECT   0xc000010e
#define AMD_EXTN_CFG 0xc000010f
#define AMD_FROM     0xc0010300
#define CAPABILITIES 0x345
#define PMC0	     0xc1
#define EVTSEL0	     0x186
#define STATUS	     0x38e
#define CTRL	     0x38f
#define STATUS_RESET 0x390
#define AMD_CTL0     0xc0010200
#define AMD_CTR0     0xc0010201
#define AMD_STATUS   0xc0000300
#define AMD_CTRL     0xc0000301
#define AMD_CLEAR    0xc0000302
#define RECORDS	     15 /* subleaf of the emulator's totals */

#define FREEZE_LBR BIT(11)
#define LBR_FROZEN BIT(58)
#define OVERFLOW_EVENT \
	(BIT(17) | BIT(20) | BIT(22) | 0xc0) /* instructions, OS, INT, EN */

/* Formats, as IA32_PERF_CAPABILITIES has them; that of AMD is ours. */
enum { FLAGS = 3, FLAGS2 = 4, FULL = 5, ARCH = 63, AMD = 1 };

/* Kinds of branches, by their bit in the select registers */
enum kind { JCC = 2, CALL, CALL_INDIRECT, RETURN, JUMP_INDIRECT, JUMP, FAR };
#define ALL   MASK(JCC, 7)
#define CALLS (BIT(CALL) | BIT(CALL_INDIRECT) | BIT(RETURN))

enum { OS = 1, USER = 2 };

struct branch {
	const char *from, *to;
	enum kind kind;
	uint64_t cycles; /* since the one before */
};

struct record {
	uint64_t from, to, cycles, type;
	bool mispredicted, timed, valid;
};

static uint64_t format, depth, mispredict;
static uint32_t switch_msr; /* the bit of it turns recording on */
static uint64_t switch_bit, switch_others;

/*
 * void walk(uint32_t msr, uint64_t on, uint64_t off) writes on to the register, takes one branch
 * of each kind that is near, and writes off. walk_deep() writes off from two calls below.
 */
void walk(uint32_t msr, uint64_t on, uint64_t off);
void walk_deep(uint32_t msr, uint64_t on, uint64_t off);
void walk_fault(uint32_t msr, uint64_t on, uint64_t off);
void walk_loop(uint32_t msr, uint64_t on, uint64_t off, uint64_t rounds);
extern char walk_call[], walk_back[], walk_top[], walk_jcc[],
	walk_jump_indirect[], walk_on[], walk_call_indirect[], walk_back2[],
	walk_f[], walk_f2[], walk_g[], deep_call[], deep_a[], deep_call2[],
	deep_b[], loop_top[], loop_jcc[], fault_at[], fault_after[], vectors[];

#define SWITCH(register)                                    \
	"mov %" register ", %rax\n"                         \
			 "mov %" register ", %rdx\n"        \
					  "shr $32, %rdx\n" \
					  "wrmsr\n"
asm("walk:\n"
    "mov %rdx, %r8\n"
    "mov %edi, %ecx\n" SWITCH(
	    "rsi") "walk_call: call walk_f\n"
		   "walk_back: mov $2, %r9d\n"
		   "walk_top: dec %r9d\n"
		   "walk_jcc: jnz walk_top\n"
		   "lea walk_on, %rax\n"
		   "walk_jump_indirect: jmp *%rax\n"
		   "ud2\n"
		   "walk_on: lea walk_g, %rax\n"
		   "walk_call_indirect: call *%rax\n"
		   "walk_back2: " SWITCH(
			   "r8") "ret\n"
				 "walk_f: jmp walk_f2\n"
				 "ud2\n"
				 "walk_f2: ret\n"
				 "walk_g: ret\n"
				 "walk_deep:\n"
				 "mov %rdx, %r8\n"
				 "mov %edi, %ecx\n" SWITCH(
					 "rsi") "call walk_f2\n" /* a leaf, gone again */
						"deep_call: call deep_a\n"
						"ret\n"
						"deep_a: call 1f\n" /* to the next instruction, no call */
						"1: pop %rax\n"
						"deep_call2: call deep_b\n"
						"ret\n"
						"deep_b: call walk_f2\n" SWITCH(
							"r8") "ret\n"
							      "walk_fault:\n"
							      "mov %rdx, %r8\n"
							      "mov %edi, %ecx\n" SWITCH(
								      "rsi") "mov $0xff, %ecx\n"
									     "fault_at: rdpmc\n"
									     "fault_after:\n"
									     ".pushsection .recover, \"a\"\n"
									     ".quad fault_at, fault_after\n"
									     ".popsection\n"
									     "mov %edi, %ecx\n" SWITCH(
										     "r8") "ret\n"
											   "walk_loop:\n"
											   "mov %rdx, %r8\n"
											   "mov %rcx, %r9\n"
											   "mov %edi, %ecx\n" SWITCH(
												   "rsi") "loop_top: dec %r9\n"
													  "loop_jcc: jnz loop_top\n" SWITCH(
														  "r8") "ret\n");

static const struct branch walked[] = {
	{ walk_call, walk_f, CALL, 0 },
	{ walk_f, walk_f2, JUMP, 1 },
	{ walk_f2, walk_back, RETURN, 1 },
	{ walk_jcc, walk_top, JCC, 3 },
	{ walk_jump_indirect, walk_on, JUMP_INDIRECT, 4 },
	{ walk_call_indirect, walk_g, CALL_INDIRECT, 2 },
	{ walk_g, walk_back2, RETURN, 1 },
};

#define WALKED (sizeof(walked) / sizeof(*walked))

static const uint8_t arch_bit[] = {
	[JCC] = 16,	      [JUMP] = 17,   [JUMP_INDIRECT] = 18, [CALL] = 19,
	[CALL_INDIRECT] = 20, [RETURN] = 21, [FAR] = 22,
};

static const uint8_t arch_type[] = {
	[JCC] = 0,  [JUMP_INDIRECT] = 1, [JUMP] = 2, [CALL_INDIRECT] = 3,
	[CALL] = 4, [RETURN] = 5,	 [FAR] = 8,
};

static uint64_t on_value(void)
{
	return switch_others | switch_bit;
}

static uint32_t from_msr(unsigned int i)
{
	return format == AMD	? AMD_FROM + 2 * i
	       : format == ARCH ? ARCH_FROM + i
				: FROM + i;
}

static uint32_t to_msr(unsigned int i)
{
	return format == AMD	? AMD_FROM + 2 * i + 1
	       : format == ARCH ? ARCH_TO + i
				: TO + i;
}

static uint32_t info_msr(unsigned int i)
{
	return format == ARCH ? ARCH_INFO + i : INFO + i;
}

static void filter(uint64_t kinds, unsigned int levels, bool call_stack)
{
	uint64_t select = ~kinds & ALL;

	if (format == ARCH) {
		switch_others = levels << 1 | (call_stack ? BIT(3) : 0);
		for (int kind = JCC; kind <= FAR; kind++)
			if (kinds & BIT(kind))
				switch_others |= BIT(arch_bit[kind]);
		wrmsr(ARCH_CTL, switch_others);
		return;
	}
	select |= ~levels & 3;
	select |= call_stack ? BIT(9) : 0;
	wrmsr(format == AMD ? AMD_SELECT : SELECT, select);
}

static void clear(void)
{
	for (unsigned int i = 0; i < depth; i++) {
		wrmsr(from_msr(i), 0);
		wrmsr(to_msr(i), 0);
		if (format == FULL || format == ARCH)
			wrmsr(info_msr(i), 0);
	}
	if (format < FULL && format != AMD)
		wrmsr(TOS, 0);
}

/* The i-th record from the youngest */
static struct record read(unsigned int i)
{
	struct record r = { .timed = true, .valid = true };
	uint64_t info;

	if (format != ARCH && format != AMD)
		i = (rdmsr(TOS) - i) & (depth - 1);
	r.from = rdmsr(from_msr(i));
	r.to = rdmsr(to_msr(i));
	if (format == FULL || format == ARCH) {
		info = rdmsr(info_msr(i));
		r.mispredicted = info >> 63;
		r.cycles = info & 0xffff;
		r.type = info >> 56 & 15;
		if (format == ARCH)
			r.timed = info >> 60 & 1;
		return r;
	}
	r.mispredicted = r.from >> 63;
	r.from &= MASK(0, 63);
	if (format == AMD) {
		r.valid = r.to >> 63;
		r.to &= MASK(0, 61);
	}
	return r;
}

static void expect(unsigned int i, uint64_t from, uint64_t to, const char *name)
{
	struct record r = read(i);

	equal(r.from, from, name);
	equal(r.to, to, name);
}

static void expect_branch(unsigned int i, const struct branch *branch,
			  const char *name)
{
	struct record r = read(i);

	expect(i, (uintptr_t)branch->from, (uintptr_t)branch->to, name);
	if (format == ARCH)
		equal(r.type, arch_type[branch->kind], "its type");
	if (format == AMD)
		ok(r.valid, "it is valid");
	if (format == FULL || format == ARCH) {
		equal(r.cycles, branch->cycles, "its cycles");
		equal(r.timed, format == FULL || branch->cycles,
		      "they are known");
	}
}

static void no_more(unsigned int i, const char *name)
{
	struct record r = read(i);

	ok(!r.from && !r.to, name);
}

static void all_kinds(void)
{
	filter(ALL, OS | USER, false);
	clear();
	walk(switch_msr, on_value(), switch_others);
	for (unsigned int i = 0; i < WALKED; i++)
		expect_branch(i, &walked[WALKED - 1 - i],
			      "a branch of each kind");
	no_more(WALKED, "and nothing else");
	walk(switch_msr, switch_others, switch_others);
	expect_branch(0, &walked[WALKED - 1], "off: nothing is recorded");
	filter(ALL, USER, false);
	clear();
	walk(switch_msr, on_value(), switch_others);
	no_more(0, "nothing in the kernel if that is filtered");
}

static void one_kind(enum kind kind)
{
	unsigned int n = 0;

	filter(BIT(kind), OS | USER, false);
	clear();
	walk(switch_msr, on_value(), switch_others);
	for (unsigned int i = WALKED; i--;)
		if (walked[i].kind == kind)
			expect(n++, (uintptr_t)walked[i].from,
			       (uintptr_t)walked[i].to,
			       "a filter for one kind of branch");
	no_more(n, "lets no others through");
}

/* More branches than records, each of them mispredicted at times */
static void wrap(void)
{
	bool same = true, missed = true;

	filter(ALL, OS | USER, false);
	clear();
	walk_loop(switch_msr, on_value(), switch_others, 100);
	for (unsigned int i = 0; i < depth; i++) {
		struct record r = read(i);

		same &= r.from == (uintptr_t)loop_jcc &&
			r.to == (uintptr_t)loop_top;
		if (format == FULL || format == ARCH)
			same &= r.cycles == 2;
		/* The youngest is the 99-th. */
		missed &= r.mispredicted ==
			  (mispredict && (99 - i) % mispredict == 0);
	}
	ok(same, "the youngest branches of a loop");
	ok(missed, "mispredicted each n-th time");
}

static void call_stack(void)
{
	if (format < FLAGS2)
		return;
	filter(CALLS, OS | USER, true);
	clear();
	walk_deep(switch_msr, on_value(), switch_others);
	expect(0, (uintptr_t)deep_call2, (uintptr_t)deep_b,
	       "call stack: the innermost call");
	expect(1, (uintptr_t)deep_call, (uintptr_t)deep_a,
	       "call stack: the call around it");
	no_more(2, "call stack: and no more");
}

static void run_user(uint64_t rounds)
{
	loop(rounds);
}

/* IRET, a call, the loop, a return and INT3, seen from user mode only */
static void levels(void)
{
	struct record r;

	filter(BIT(FAR), USER, false);
	clear();
	wrmsr(switch_msr, on_value());
	in_user(run_user, 10);
	wrmsr(switch_msr, switch_others);
	if (format == ARCH) {
		r = read(0);
		ok(r.from && !r.to,
		   "a branch to the kernel, without its target");
		r = read(1);
		ok(!r.from && r.to,
		   "a branch from the kernel, without its source");
		no_more(2, "and no more far branches");
	} else {
		r = read(0);
		ok(r.from && r.to, "a branch that ends in user mode");
		no_more(1, "and none that ends in the kernel");
	}
	filter(BIT(JCC), USER, false);
	clear();
	wrmsr(switch_msr, on_value());
	in_user(run_user, 4);
	loop(5);
	wrmsr(switch_msr, switch_others);
	for (unsigned int i = 0; i < 3; i++)
		expect(i, (uintptr_t)loop_end - 2, (uintptr_t)loop_begin,
		       "the loop in user mode");
	no_more(3, "and not that in the kernel");
}

/* A fault is a far branch from the instruction that faults, IRET one to where it ends. */
static void exceptions(void)
{
	filter(BIT(FAR), OS | USER, false);
	clear();
	walk_fault(switch_msr, on_value(), switch_others);
	expect(1, (uintptr_t)fault_at, (uintptr_t)vectors + 16 * 13, "a fault");
	equal(read(0).to, (uintptr_t)fault_after,
	      "the return from its handler");
	no_more(2, "and no more");
}

static uint64_t records(void)
{
	uint32_t regs[4];

	cpuid(0x4000f000, RECORDS, regs);
	return regs[0] | (uint64_t)regs[1] << 32;
}

static uint64_t frozen_status;

static void stop_and_branch(void)
{
	frozen_status = rdmsr(format == AMD ? AMD_STATUS : STATUS);
	wrmsr(format == AMD ? AMD_CTRL : CTRL, 0);
	loop(10);
}

/* The records stop with the instruction by which the counter overflows. */
static void freezes(void)
{
	bool amd = format == AMD, old = format < FULL && !amd;
	uint32_t control = amd ? AMD_CTL0 : EVTSEL0;
	uint32_t ctrl = amd ? AMD_CTRL : CTRL;
	uint32_t reset = amd ? AMD_CLEAR : STATUS_RESET;
	uint64_t before, taken;

	filter(BIT(JCC), OS | USER, false);
	clear();
	if (switch_msr == DEBUGCTL)
		switch_others = FREEZE_LBR;
	else
		wrmsr(DEBUGCTL, FREEZE_LBR);
	wrmsr(ctrl, 0);
	wrmsr(amd ? AMD_CTR0 : PMC0, -500);
	wrmsr(control, OVERFLOW_EVENT);
	lvt_write(LVT_NMI);
	nmis = 0;
	on_nmi = stop_and_branch;
	wrmsr(switch_msr, on_value());
	before = records();
	wrmsr(ctrl, 1);
	loop(1000);
	on_nmi = 0;
	equal(nmis, 1, "an interrupt that freezes the records");
	taken = 1000 - nmi_rdi - (nmi_rip != (uintptr_t)loop_begin);
	equal(records() - before, taken, "the branches before it are recorded");
	expect(0, (uintptr_t)loop_end - 2, (uintptr_t)loop_begin,
	       "none behind it is");
	if (old) {
		equal(rdmsr(DEBUGCTL), FREEZE_LBR, "recording is off");
		wrmsr(DEBUGCTL, on_value());
	} else {
		equal(frozen_status, 1 | LBR_FROZEN, "the status says so");
		wrmsr(reset, 1 | LBR_FROZEN);
	}
	before = records();
	walk_loop(switch_msr, on_value(), switch_others, 5);
	ok(records() - before >= 4, "and goes on when that is reset");
	expect(0, (uintptr_t)loop_jcc, (uintptr_t)loop_top, "with these");
	wrmsr(control, 0);
	wrmsr(reset, 1);
	wrmsr(DEBUGCTL, 0);
	switch_others = 0;
	wrmsr(switch_msr, 0);
}

static void faults_of_registers(void)
{
	ok(write_faults(format == AMD	 ? AMD_SELECT
			: format == ARCH ? ARCH_CTL
					 : SELECT,
			BIT(12)),
	   "#GP on reserved bits of the filter");
	ok(read_faults(from_msr(depth)) || depth == 32,
	   "#GP beyond the last record");
	if (format == ARCH) {
		ok(holds(ARCH_DEPTH, 8) && holds(ARCH_DEPTH, 32), "depths");
		ok(write_faults(ARCH_DEPTH, 12) &&
			   write_faults(ARCH_DEPTH, 40) &&
			   write_faults(ARCH_DEPTH, 0),
		   "#GP on depths that are none");
		wrmsr(from_msr(0), 5);
		wrmsr(ARCH_DEPTH, depth);
		equal(rdmsr(from_msr(0)), 0,
		      "a write of the depth clears the records");
		ok(read_faults(SELECT) && read_faults(FROM),
		   "#GP on the older registers");
	} else if (format != AMD) {
		ok(write_faults(TOS, depth),
		   "#GP: the pointer is that of a record");
		ok(holds(TOS, depth - 1), "the pointer can be written");
		wrmsr(TOS, 0);
		equal(read_faults(INFO), format < FULL, "the third register");
		equal(write_faults(SELECT, BIT(9)), format < FLAGS2,
		      "call stacks");
		ok(read_faults(ARCH_CTL), "#GP on the architectural registers");
	}
	if (format == FLAGS2)
		ok(write_faults(from_msr(0), BIT(61)) &&
			   holds(from_msr(0), MASK(47, 17)),
		   "without transactions their bits extend the sign");
}

static void find(uint64_t expected)
{
	uint32_t regs[4];

	format = 0;
	cpuid(0, 0, regs);
	if (regs[1] == 0x68747541) { /* "Auth" */
		cpuid(0x80000000, 0, regs);
		if (regs[0] >= 0x80000022) {
			cpuid(0x80000022, 0, regs);
			format = regs[0] & BIT(1) ? AMD : 0;
			depth = regs[1] >> 4 & 0x3f;
		}
		switch_msr = AMD_EXTN_CFG;
		switch_bit = BIT(6);
	} else {
		cpuid(1, 0, regs);
		if (regs[2] & BIT(15))
			format = rdmsr(CAPABILITIES) & 0x3f;
		depth = format >= FULL ? 32 : 16;
		switch_msr = DEBUGCTL;
		switch_bit = BIT(0);
		cpuid(7, 0, regs);
		equal(regs[3] >> 19 & 1, format == ARCH,
		      "CPUID: architectural records");
	}
	if (format == ARCH) {
		cpuid(0x1c, 0, regs);
		equal(regs[0] & 0xff, MASK(0, depth / 8), "CPUID: depths");
		equal(regs[1], 7, "CPUID: filters and call stacks");
		switch_msr = ARCH_CTL;
	}
	equal(format, expected, "format of the records");
}

void lbr_test(const struct expected *expected)
{
	mispredict = expected->mispredict;
	find(expected->lbr);
	if (!format) {
		ok(read_faults(SELECT) && read_faults(FROM) &&
			   read_faults(ARCH_CTL) && read_faults(AMD_FROM),
		   "no records of branches");
		return;
	}
	all_kinds();
	for (int kind = JCC; kind < FAR; kind++)
		one_kind(kind);
	wrap();
	call_stack();
	levels();
	exceptions();
	freezes();
	faults_of_registers();
}
