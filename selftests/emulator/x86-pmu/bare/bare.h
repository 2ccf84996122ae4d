/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The machine of the tests of the PMU's registers: one without a system, on which they can
 * execute privileged instructions and see each exception and NMI.
 */
#ifndef BARE_H
#define BARE_H

#include <stdbool.h>
#include <stdint.h>

#define BIT(n) (1ULL << (n))
#define MASK(first, number) \
	(((number) < 64 ? BIT(number) - 1 : ~0ULL) << (first))

/* Frame of an exception, as start.S leaves it */
struct frame {
	uint64_t r11, r10, r9, r8, rdi, rsi, rdx, rcx, rax;
	uint64_t vector, error;
	uint64_t rip, cs, rflags, rsp, ss;
};

/* machine.c */
void machine_init(void);
__attribute__((noreturn)) void machine_exit(int status);
void print(const char *format, ...); /* %s, %d and %x (64 bits each) */
extern uint64_t nmis; /* taken */
extern uint64_t nmi_rip; /* where the last one was taken */
extern uint64_t nmi_rdi; /* and the register there */
extern uint64_t faults; /* #GP that was recovered from */
extern void (*on_nmi)(void);
void in_user(void (*function)(uint64_t), uint64_t argument);

static inline void cpuid(uint32_t leaf, uint32_t subleaf, uint32_t *regs)
{
	asm volatile("cpuid"
		     : "=a"(regs[0]), "=b"(regs[1]), "=c"(regs[2]),
		       "=d"(regs[3])
		     : "a"(leaf), "c"(subleaf)
		     : "memory");
}

/* An instruction that may fault is behind its label in a table, see handle_exception(). */
#define RECOVER "1: " /* the instruction that may fault */
#define RECOVERED \
	"\n2:\n.pushsection .recover, \"a\"\n.quad 1b, 2b\n.popsection\n"

static inline uint64_t rdmsr(uint32_t msr)
{
	uint32_t low = 0, high = 0;

	asm volatile(RECOVER "rdmsr" RECOVERED
		     : "+a"(low), "+d"(high)
		     : "c"(msr)
		     : "memory");
	return low | (uint64_t)high << 32;
}

static inline void wrmsr(uint32_t msr, uint64_t value)
{
	asm volatile(RECOVER "wrmsr" RECOVERED
		     :
		     : "c"(msr), "a"((uint32_t)value),
		       "d"((uint32_t)(value >> 32))
		     : "memory");
}

static inline uint64_t rdpmc(uint32_t index)
{
	uint32_t low = 0, high = 0;

	asm volatile(RECOVER "rdpmc" RECOVERED
		     : "+a"(low), "+d"(high)
		     : "c"(index)
		     : "memory");
	return low | (uint64_t)high << 32;
}

/* Whether the access gets #GP */
bool write_faults(uint32_t msr, uint64_t value);
bool read_faults(uint32_t msr);
bool rdpmc_faults(uint32_t index);
/* Whether the MSR holds a value that was written */
bool holds(uint32_t msr, uint64_t value);

/* Executes exactly 2 n + 2 instructions between its first and last, n > 0. */
void loop(uint64_t n);
extern char loop_begin[], loop_end[];

/* LVTPC */
void lvt_write(uint32_t value);
uint32_t lvt_read(void);
#define LVT_NMI	   0x400u
#define LVT_MASKED 0x10000u

/* From user mode, too: the emulator's own totals */
struct totals {
	uint64_t user, kernel, overflows, pmis, delivered, masked, nmis,
		injected_nmis, injected_pmis, nmis_of_overflows, nmis_injected;
};
void totals_read(struct totals *totals);
/* The total of a counter, and how often it overflowed */
struct lifetime {
	uint64_t counted, wraps;
};
struct lifetime lifetime_read(int counter);

/* The emulator's faults on demand */
#define MSR_PMI_EVERY	0x4000f000
#define MSR_NMI_EVERY	0x4000f001
#define MSR_PMI_DELAY	0x4000f002
#define MSR_INJECT	0x4000f004
#define MSR_HAMMER	0x4000f005 /* from | to << 32 */
#define MSR_HAMMER_KIND 0x4000f006

/* Results */
void ok(bool passed, const char *name);
/* The same, and shows both numbers if they differ */
void equal(uint64_t got, uint64_t wanted, const char *name);
void finish(void) __attribute__((noreturn));

/* The PMU that the command line asks for */
struct expected {
	uint64_t version, general, fixed, width, unavailable;
	uint64_t lbr, mispredict; /* options pmu-lbr and pmu-lbr-mispredict */
};

void intel_test(const struct expected *expected);
void amd_test(const struct expected *expected);
void lbr_test(const struct expected *expected);
void shared_test(uint32_t counter, uint32_t control, uint64_t instructions);

#endif /* BARE_H */
