// SPDX-License-Identifier: GPL-2.0-only
/* The registers of AMD's processors. */

#include "bare.h"

#define LEGACY_CTL0 0xc0010000
#define LEGACY_CTR0 0xc0010004
#define CORE_CTL0   0xc0010200
#define CORE_CTR0   0xc0010201
#define STATUS	    0xc0000300
#define CTL	    0xc0000301
#define STATUS_CLR  0xc0000302
#define STATUS_SET  0xc0000303
#define EFER	    0xc0000080
#define SVME	    BIT(12)

#define OS	     BIT(17)
#define INT	     BIT(20)
#define EN	     BIT(22)
#define GUEST	     BIT(40)
#define HOST	     BIT(41)
#define INSTRUCTIONS 0x00c0

static uint64_t version, general;

static void leaves(const struct expected *expected)
{
	uint32_t regs[4];
	bool core;

	cpuid(0x80000001, 0, regs);
	core = regs[2] & BIT(23);
	cpuid(0x80000000, 0, regs);
	version = core;
	general = core ? 6 : 4;
	if (regs[0] >= 0x80000022) {
		cpuid(0x80000022, 0, regs);
		if (regs[0] & 1) {
			version = 2;
			general = regs[1] & 0xf;
		}
	}
	equal(version, expected->version,
	      "CPUID: core extension and PerfMonV2");
	equal(general, expected->general, "number of counters");
}

static uint32_t control(uint64_t i)
{
	return version ? CORE_CTL0 + 2 * i : LEGACY_CTL0 + i;
}

static uint32_t counter(uint64_t i)
{
	return version ? CORE_CTR0 + 2 * i : LEGACY_CTR0 + i;
}

static void registers(void)
{
	for (uint64_t i = 0; i < general; i++)
		ok(holds(counter(i), 0x123456789a + i),
		   "a counter holds its value");
	for (uint64_t i = 0; version && i < 4; i++)
		equal(rdmsr(LEGACY_CTR0 + i), 0x123456789a + i,
		      "the old address is the same one");
	wrmsr(counter(0), ~0ULL);
	equal(rdmsr(counter(0)), MASK(0, 48), "48 bits");
	wrmsr(counter(0), 0);
	wrmsr(control(0), ~0ULL & ~EN);
	equal(rdmsr(control(0)),
	      (MASK(0, 36) & ~(BIT(19) | BIT(21) | EN)) | GUEST | HOST,
	      "reserved bits of a control stay 0");
	wrmsr(control(0), 0);
	if (version)
		ok(holds(LEGACY_CTL0, 0x510076) && rdmsr(CORE_CTL0) == 0x510076,
		   "nor is the control another one");
	wrmsr(control(0), 0);
	if (!version)
		ok(read_faults(CORE_CTL0) && write_faults(CORE_CTR0, 0),
		   "#GP: core extension");
	ok(general == 6 || read_faults(CORE_CTL0 + 2 * general),
	   "#GP on a counter that is none");
	ok(read_faults(0x186) && read_faults(0xc1) && write_faults(0x38f, 0),
	   "#GP on Intel's");
	ok(rdpmc_faults(general), "#GP: RDPMC of a counter that is none");
	ok(!rdpmc_faults(general - 1), "RDPMC of the last one");
}

static void all_agree(void)
{
	bool same = true;
	uint64_t first;

	for (uint64_t i = 0; i < general; i++)
		wrmsr(counter(i), 0);
	for (uint64_t i = 0; i < general; i++)
		wrmsr(control(i), INSTRUCTIONS | OS | EN);
	loop(1000);
	for (uint64_t i = 0; i < general; i++)
		wrmsr(control(i), 0);
	first = rdpmc(0);
	/* They were started and stopped one after the other, the same time apart. */
	for (uint64_t i = 0; i < general; i++)
		same &= rdpmc(i) > 2000 && rdpmc(i) + 60 > first &&
			rdpmc(i) < first + 60;
	ok(same, "all counters count");
}

static uint64_t count(uint64_t event)
{
	wrmsr(counter(0), 0);
	wrmsr(control(0), event | EN);
	loop(1000);
	wrmsr(control(0), 0);
	return rdmsr(counter(0));
}

static void host_guest(void)
{
	uint64_t both = count(INSTRUCTIONS | OS), efer = rdmsr(EFER);

	equal(count(INSTRUCTIONS | OS | GUEST), both,
	      "without SVM GuestOnly means nothing");
	equal(count(INSTRUCTIONS | OS | HOST), both, "nor does HostOnly");
	wrmsr(EFER, efer | SVME);
	equal(rdmsr(EFER), efer | SVME, "SVM is turned on");
	equal(count(INSTRUCTIONS | OS | GUEST), 0, "there is no guest");
	equal(count(INSTRUCTIONS | OS | HOST), both, "this is the host");
	equal(count(INSTRUCTIONS | OS | GUEST | HOST), both, "both bits: both");
	wrmsr(EFER, efer);
	equal(count(INSTRUCTIONS | OS | GUEST), both,
	      "nothing when SVM is off again");
}

/* A virtual machine that executes a loop and goes back: see AMD's manual, appendix B. */
#define VM_HSAVE_PA    0xc0010117
#define VMEXIT_VMMCALL 0x81

struct segment {
	uint16_t selector, attributes;
	uint32_t limit;
	uint64_t base;
};

static struct __attribute__((packed, aligned(4096))) {
	uint8_t reserved1[0x0c];
	uint32_t intercepts[2];
	uint8_t reserved2[0x58 - 0x14];
	uint32_t asid;
	uint8_t reserved3[0x70 - 0x5c];
	uint64_t exit_code;
	uint8_t reserved4[0x400 - 0x78];
	struct segment es, cs, ss, ds, fs, gs, gdtr, ldtr, idtr, tr;
	uint8_t reserved5[0xd0 - 0xa0];
	uint64_t efer;
	uint8_t reserved6[0x148 - 0xd8];
	uint64_t cr4, cr3, cr0, dr7, dr6, rflags, rip;
	uint8_t reserved7[0x1d8 - 0x180];
	uint64_t rsp;
	uint8_t reserved8[0xc00 - 0x1e0];
} vmcb;

static uint8_t host_save[4096] __attribute__((aligned(4096)));

extern char guest_entry[], user_stack[];
asm(".globl guest_entry\n"
    "guest_entry: call loop\n"
    "vmmcall\n");

static void guest_prepare(void)
{
	vmcb.intercepts[1] = BIT(0) | BIT(1); /* VMRUN, VMMCALL */
	vmcb.asid = 1;
	vmcb.cs = (struct segment){ 0x08, 0x29b, 0xffffffff, 0 };
	vmcb.ds = vmcb.es = vmcb.ss =
		(struct segment){ 0x10, 0xc93, 0xffffffff, 0 };
	asm volatile("mov %%cr0, %0" : "=r"(vmcb.cr0));
	asm volatile("mov %%cr3, %0" : "=r"(vmcb.cr3));
	asm volatile("mov %%cr4, %0" : "=r"(vmcb.cr4));
	vmcb.efer = rdmsr(EFER);
	vmcb.rflags = 2;
	vmcb.dr6 = 0xffff0ff0;
	vmcb.dr7 = 0x400;
	wrmsr(VM_HSAVE_PA, (uintptr_t)host_save);
}

static uint64_t count_guest(uint64_t event, uint64_t rounds)
{
	vmcb.rip = (uintptr_t)guest_entry;
	vmcb.rsp = (uintptr_t)user_stack;
	wrmsr(counter(0), 0);
	wrmsr(control(0), event | EN);
	asm volatile("vmrun" : "+D"(rounds) : "a"(&vmcb) : "cc", "memory");
	wrmsr(control(0), 0);
	return rdmsr(counter(0));
}

static void virtual_machine(void)
{
	uint64_t efer = rdmsr(EFER), base;

	wrmsr(EFER, efer | SVME);
	guest_prepare();
	base = count_guest(INSTRUCTIONS | OS | GUEST, 1);
	equal(vmcb.exit_code, VMEXIT_VMMCALL, "a virtual machine runs");
	ok(base > 0, "GuestOnly counts it");
	equal(count_guest(INSTRUCTIONS | OS | GUEST, 1001) - base, 2000,
	      "exactly");
	base = count_guest(INSTRUCTIONS | OS | HOST, 1);
	equal(count_guest(INSTRUCTIONS | OS | HOST, 1001), base,
	      "HostOnly does not");
	base = count_guest(INSTRUCTIONS | OS, 1);
	equal(count_guest(INSTRUCTIONS | OS, 1001) - base, 2000,
	      "without both bits it counts");
	asm volatile("stgi"); /* interrupts wait since VMEXIT */
	wrmsr(EFER, efer);
}

static uint64_t seen_status;

static void stop_at_nmi(void)
{
	seen_status = rdmsr(STATUS);
	wrmsr(CTL, 0);
}

static void v2(void)
{
	if (version < 2) {
		ok(read_faults(STATUS) && write_faults(CTL, 0),
		   "#GP on the global registers");
		return;
	}
	equal(rdmsr(CTL), MASK(0, general),
	      "all counters are enabled after a reset");
	wrmsr(CTL, ~0ULL);
	equal(rdmsr(CTL), MASK(0, general), "one bit a counter");
	wrmsr(STATUS_SET, 1);
	ok(!write_faults(STATUS, 2) && rdmsr(STATUS) == 1,
	   "a write to the status is ignored");
	wrmsr(STATUS_CLR, ~0ULL);
	wrmsr(CTL, 0);
	wrmsr(STATUS_CLR, ~0ULL);
	equal(count(INSTRUCTIONS | OS), 0,
	      "the global control is off: nothing");
	for (int i = 0; i < 2; i++) {
		wrmsr(counter(i), -500);
		wrmsr(control(i), INSTRUCTIONS | OS | INT | EN);
	}
	lvt_write(LVT_NMI);
	nmis = 0;
	on_nmi = stop_at_nmi;
	wrmsr(CTL, 3);
	loop(1000);
	on_nmi = 0;
	equal(nmis, 1, "two counters overflow at once: one NMI");
	equal(seen_status, 3, "with two bits in the status");
	wrmsr(STATUS_CLR, 1);
	equal(rdmsr(STATUS), 2, "a bit that is cleared is gone");
	wrmsr(STATUS_SET, 4);
	equal(rdmsr(STATUS), 6, "and one that is set is there");
	wrmsr(STATUS_CLR, ~0ULL);
	wrmsr(control(0), 0);
	wrmsr(control(1), 0);
	wrmsr(CTL, MASK(0, general));
}

#define LARGE \
	0x010e /* 1.25 an instruction: option pmu-events of registers_test.sh */
#define MERGE 0xf000000ffULL

/* The next counter has the bits from 48 up: the pair overflows at 2^64. */
static void pair(void)
{
	struct lifetime begin, end;

	wrmsr(counter(0), -500);
	wrmsr(counter(1), 0);
	wrmsr(control(1), MERGE | EN);
	begin = lifetime_read(0);
	wrmsr(control(0), LARGE | OS | EN);
	loop(1000);
	wrmsr(control(0), 0);
	end = lifetime_read(0);
	equal(rdmsr(counter(1)), version ? 1 : 0,
	      "the merge event carries, from the core extension on");
	equal(end.wraps - begin.wraps, version ? 0 : 1, "which is no overflow");
	equal(rdmsr(counter(0)), end.counted - begin.counted - 500,
	      "the lower part goes on");
	wrmsr(counter(0), -500);
	wrmsr(counter(1), 0xffff);
	lvt_write(LVT_NMI);
	nmis = 0;
	begin = lifetime_read(0);
	wrmsr(control(0), LARGE | OS | INT | EN);
	loop(1000);
	wrmsr(control(0), 0);
	end = lifetime_read(0);
	equal(nmis, 1, "both are full: an overflow");
	equal(end.wraps - begin.wraps, 1, "one");
	equal(rdmsr(counter(1)), version ? 0 : 0xffff, "nothing is left above");
	wrmsr(control(1), 0);
	if (version >= 2)
		wrmsr(STATUS_CLR, ~0ULL);
}

static void not_masked(void)
{
	lvt_write(LVT_NMI);
	nmis = 0;
	for (int i = 0; i < 3; i++) {
		wrmsr(counter(0), -500);
		wrmsr(control(0), INSTRUCTIONS | OS | INT | EN);
		loop(1000);
		wrmsr(control(0), 0);
	}
	equal(nmis, 3, "LVTPC is not masked by a delivery");
	equal(lvt_read(), LVT_NMI, "it is as it was");
}

void amd_test(const struct expected *expected)
{
	leaves(expected);
	v2();
	registers();
	all_agree();
	shared_test(counter(0), control(0), INSTRUCTIONS);
	not_masked();
	pair();
	host_guest();
	virtual_machine();
}
