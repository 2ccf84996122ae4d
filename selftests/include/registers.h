/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers of registers that the tests name, and the events of arm64.
 */
#ifndef _SELFTESTS_REGISTERS_H
#define _SELFTESTS_REGISTERS_H

#include <stdbool.h>

/* Registers that every machine has. */
#define CPU_TIME_NS	  256
#define WALL_TIME_NS	  320
#define CONTEXT_SWITCHES  321
#define MIGRATIONS	  322
#define MINOR_FAULTS	  323
#define MAJOR_FAULTS	  324
#define PAGE_FAULTS	  325
#define FREE_MEMORY_BYTES 356

/*
 * Control registers of counters, by architecture: an event, and the levels at which it is
 * counted.  CYCLES is a counter that counts cycles and nothing else; CYCLES_AT() is the
 * value of its control register.
 */
#ifdef __aarch64__
#define TYPE_P		   (1ULL << 31)
#define TYPE_U		   (1ULL << 30)
#define TYPE_NSH	   (1ULL << 27)
#define USER		   TYPE_P
#define KERNEL		   TYPE_U
#define ALL_LEVELS	   0ULL
#define NO_LEVEL		   (TYPE_P | TYPE_U)
#define EVENT_INST_RETIRED 0x08
#define EVENT_CPU_CYCLES   0x11
#define CYCLES		   31
#define CYCLES_AT(level)   (level)
#define HAVE_CYCLES	   1
#else
#include <cpuid.h>

static inline bool is_amd(void)
{
	unsigned int max, b, c, d;

	/* "AuthenticAMD", "GenuineIntel" */
	return __get_cpuid(0, &max, &b, &c, &d) && b == signature_AMD_ebx;
}

#define USER		   (1ULL << 16)
#define KERNEL		   (1ULL << 17)
#define ALL_LEVELS	   (USER | KERNEL)
#define NO_LEVEL		   0ULL
#define EVENT_INST_RETIRED 0xc0
#define EVENT_CPU_CYCLES   (is_amd() ? 0x76 : 0x3c)
/* Intel's fixed counter 1: bit 0 of its control is the kernel, bit 1 the user. */
#define CYCLES		   33
#define CYCLES_AT(level) \
	(((level) & USER ? 2ULL : 0) | ((level) & KERNEL ? 1ULL : 0))
#define HAVE_CYCLES	   (has_register(CYCLES))
#endif

#endif /* _SELFTESTS_REGISTERS_H */
