/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CPUs: how many there are, where to run, and work that keeps one busy.
 */
#ifndef _SELFTESTS_CPU_H
#define _SELFTESTS_CPU_H

#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static inline uint64_t time_ns(clockid_t clock)
{
	struct timespec ts;

	if (clock_gettime(clock, &ts))
		abort();
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

static inline int cpus_online(void)
{
	return sysconf(_SC_NPROCESSORS_ONLN);
}

#define NEED_TWO_CPUS()                                 \
	do {                                            \
		if (cpus_online() < 2)                  \
			SKIP(return, "needs two CPUs"); \
	} while (0)

static inline void pin_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		abort();
}

/* Two instructions in each iteration. */
static inline void spin(uint64_t n)
{
#ifdef __aarch64__
	__asm__ volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r"(n) : : "cc");
#else
	__asm__ volatile("1: dec %0\n\tjne 1b" : "+r"(n) : : "cc");
#endif
}

/* Time of this thread on a CPU, most of it in the system calls that read it. */
static inline void burn_ns(uint64_t cpu_ns)
{
	const uint64_t end = time_ns(CLOCK_THREAD_CPUTIME_ID) + cpu_ns;

	while (time_ns(CLOCK_THREAD_CPUTIME_ID) < end)
		;
}

/* Run a loop in user mode that the compiler does not remove. */
static inline void burn(unsigned int n)
{
	volatile unsigned int i;

	for (i = 0; i < n; i++)
		;
}

#endif /* _SELFTESTS_CPU_H */
