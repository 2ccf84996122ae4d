/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers of registers that the tests name, and the events of arm64.
 */
#ifndef _SELFTESTS_REGISTERS_H
#define _SELFTESTS_REGISTERS_H

/* Registers that every machine has. */
#define CPU_TIME_NS	  256
#define WALL_TIME_NS	  320
#define CONTEXT_SWITCHES  321
#define MIGRATIONS	  322
#define MINOR_FAULTS	  323
#define MAJOR_FAULTS	  324
#define FREE_MEMORY_BYTES 356

/* arm64 */
#define CYCLES		   31
#define TYPE_P		   (1ULL << 31)
#define TYPE_U		   (1ULL << 30)
#define TYPE_NSH	   (1ULL << 27)
#define EVENT_INST_RETIRED 0x08
#define EVENT_CPU_CYCLES   0x11

#ifdef __aarch64__
#define HAVE_CYCLES 1
#else
#define HAVE_CYCLES 0
#endif

#endif /* _SELFTESTS_REGISTERS_H */
