// SPDX-License-Identifier: GPL-2.0-only
/*
 * The machine that bare.h describes: descriptor tables, exceptions, the serial port, the local
 * APIC, and the results.
 */

#include <stdarg.h>
#include "bare.h"

#define SERIAL	    0x3f8
#define DEBUG_EXIT  0xf4 /* isa-debug-exit */
#define LVTPC	    ((volatile uint32_t *)0xfee00340)
#define SPURIOUS    ((volatile uint32_t *)0xfee000f0)
#define TOTALS_LEAF 0x4000f000

enum { VECTOR_NMI = 2, VECTOR_BREAKPOINT = 3, VECTOR_GP = 13 };

uint64_t nmis, nmi_rip, nmi_rdi, faults;
void (*on_nmi)(void);
static int number, failed;

extern char vectors[], from_user[], exception_stack[], nmi_stack[];
extern const uint64_t recover_begin[], recover_end[];
extern uint64_t gdt[];

static struct __attribute__((packed)) {
	uint32_t reserved;
	uint64_t rsp[3], reserved2, stacks[7];
	uint32_t reserved3, reserved4, iomap;
} task_state;

static struct {
	uint16_t low, selector, flags, middle;
	uint32_t high, reserved;
} idt[32];

static inline void out(uint16_t port, uint8_t value)
{
	asm volatile("outb %0, %1" : : "a"(value), "d"(port));
}

static void put_number(uint64_t value, unsigned int base)
{
	char digits[24];
	int n = 0;

	do {
		digits[n++] = "0123456789abcdef"[value % base];
		value /= base;
	} while (value);
	while (n)
		out(SERIAL, digits[--n]);
}

void print(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	for (; *format; format++) {
		if (*format != '%') {
			out(SERIAL, *format);
			continue;
		}
		switch (*++format) {
		case 's':
			for (const char *s = va_arg(args, const char *); *s;
			     s++)
				out(SERIAL, *s);
			break;
		case 'd':
			put_number(va_arg(args, uint64_t), 10);
			break;
		case 'x':
			put_number(va_arg(args, uint64_t), 16);
			break;
		}
	}
	va_end(args);
}

void machine_exit(int status)
{
	for (;;)
		out(DEBUG_EXIT, status);
}

static bool recover(struct frame *frame)
{
	for (const uint64_t *entry = recover_begin; entry < recover_end;
	     entry += 2) {
		if (*entry == frame->rip) {
			frame->rip = entry[1];
			return true;
		}
	}
	return false;
}

static void to_kernel(struct frame *frame)
{
	frame->rip = (uintptr_t)from_user;
	frame->cs = 0x08;
	frame->ss = 0x10;
}

void handle_exception(struct frame *frame)
{
	switch (frame->vector) {
	case VECTOR_NMI:
		nmis++;
		nmi_rip = frame->rip;
		nmi_rdi = frame->rdi;
		if (on_nmi)
			on_nmi();
		return;
	case VECTOR_BREAKPOINT:
		to_kernel(frame);
		return;
	case VECTOR_GP:
		if (!recover(frame))
			break;
		faults++;
		return;
	}
	print("Bail out! exception %d at %x, error code %x\n", frame->vector,
	      frame->rip, frame->error);
	machine_exit(1);
}

void machine_init(void)
{
	struct __attribute__((packed)) {
		uint16_t limit;
		uint64_t base;
	} pointer = { sizeof(idt) - 1, (uintptr_t)idt };
	uint64_t base = (uintptr_t)&task_state;

	/* Exceptions in the kernel stay on its stack, but an NMI may come anywhere. */
	task_state.rsp[0] = (uintptr_t)exception_stack;
	task_state.stacks[0] = (uintptr_t)nmi_stack;
	gdt[5] = (sizeof(task_state) - 1) | (base & 0xffffff) << 16 |
		 0x89ULL << 40 | (base >> 24 & 0xff) << 56;
	gdt[6] = base >> 32;
	asm volatile("ltr %w0" : : "r"(0x28));
	for (int i = 0; i < 32; i++) {
		uint64_t at = (uintptr_t)vectors + 16 * i;

		idt[i].low = at;
		idt[i].selector = 0x08;
		idt[i].flags = 0xee00 | (i == VECTOR_NMI);
		idt[i].middle = at >> 16;
		idt[i].high = at >> 32;
	}
	asm volatile("lidt %0" : : "m"(pointer));
	*SPURIOUS = 0x1ff; /* turns the local APIC on */
}

void lvt_write(uint32_t value)
{
	*LVTPC = value;
}

uint32_t lvt_read(void)
{
	return *LVTPC;
}

asm(".globl loop, loop_begin, loop_end\n"
    "loop:\n"
    "loop_begin: dec %rdi\n"
    "jnz loop_begin\n"
    "loop_end: ret\n");

bool write_faults(uint32_t msr, uint64_t value)
{
	uint64_t before = faults;

	wrmsr(msr, value);
	return faults != before;
}

bool read_faults(uint32_t msr)
{
	uint64_t before = faults;

	rdmsr(msr);
	return faults != before;
}

bool rdpmc_faults(uint32_t index)
{
	uint64_t before = faults;

	rdpmc(index);
	return faults != before;
}

bool holds(uint32_t msr, uint64_t value)
{
	return !write_faults(msr, value) && rdmsr(msr) == value;
}

static void totals_pair(uint32_t subleaf, uint64_t *first, uint64_t *second)
{
	uint32_t regs[4];

	cpuid(TOTALS_LEAF, subleaf, regs);
	*first = regs[0] | (uint64_t)regs[1] << 32;
	*second = regs[2] | (uint64_t)regs[3] << 32;
}

void totals_read(struct totals *totals)
{
	uint64_t none;

	totals_pair(3, &totals->overflows, &totals->pmis);
	totals_pair(4, &totals->delivered, &totals->masked);
	totals_pair(5, &totals->nmis, &none);
	totals_pair(6, &totals->injected_nmis, &totals->injected_pmis);
	totals_pair(7, &totals->nmis_of_overflows, &totals->nmis_injected);
	totals_pair(1, &totals->user, &totals->kernel);
}

struct lifetime lifetime_read(int counter)
{
	struct lifetime lifetime;

	totals_pair(0x100 + counter, &lifetime.counted, &lifetime.wraps);
	return lifetime;
}

void ok(bool passed, const char *name)
{
	failed += !passed;
	print("%sok %d %s\n", passed ? "" : "not ", (uint64_t)++number, name);
}

void equal(uint64_t got, uint64_t wanted, const char *name)
{
	ok(got == wanted, name);
	if (got != wanted)
		print("# got 0x%x, %d; wanted 0x%x, %d\n", got, got, wanted,
		      wanted);
}

void finish(void)
{
	print("1..%d\n", (uint64_t)number);
	machine_exit(failed ? 1 : 0);
}

/* The words of the command line, all numbers, in the order of struct expected */
static uint64_t next_number(const char **at)
{
	uint64_t value = 0;

	while (**at == ' ')
		(*at)++;
	for (; **at >= '0' && **at <= '9'; (*at)++)
		value = 10 * value + **at - '0';
	return value;
}

struct start_info {
	uint32_t magic, version, flags, modules;
	uint64_t modlist, cmdline;
};

void main(const struct start_info *start)
{
	const char *at = (const char *)start->cmdline;
	struct expected expected;
	uint32_t regs[4];

	expected.version = next_number(&at);
	expected.general = next_number(&at);
	expected.fixed = next_number(&at);
	expected.width = next_number(&at);
	expected.unavailable = next_number(&at);
	expected.lbr = next_number(&at);
	expected.mispredict = next_number(&at);
	machine_init();
	cpuid(0, 0, regs);
	if (regs[1] == 0x68747541) /* "Auth" */
		amd_test(&expected);
	else
		intel_test(&expected);
	lbr_test(&expected);
	finish();
}
