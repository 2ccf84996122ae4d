/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Contexts that count at the same time.  What one of them counts is compared with what it counts
 * without the other one, in the same code: system calls on a descriptor that is not open fail,
 * after as many instructions at user level as if they succeeded.
 */
#ifndef _SELFTESTS_SHARE_H
#define _SELFTESTS_SHARE_H

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>

#include "context.h"
#include "exact_count.h"
#include "sets.h"

/* A descriptor that is not open */
#define NOBODY (-1)

/* Counters that the context of the CPU uses; the context of the thread uses the next ones. */
#define SHARE_CPU    0
#define SHARE_THREAD 2
#define SHARE_EACH   2
/* Each has one more, which counts something fixed, where the machine has one. */
#define SHARE_ALL (SHARE_EACH + 1)

#ifdef __aarch64__
#define FIXED_OF_CPU	(PFM_REGS_MAX - 1) /* there is none */
#define FIXED_OF_THREAD CYCLES
#else
/* They have one control register for both. */
#define FIXED_OF_CPU	32
#define FIXED_OF_THREAD CYCLES
#endif

/* Executes the same instructions whether the system call succeeds or not, unlike the C library. */
static inline long raw_call(long nr, long a, long b, long c, long d)
{
#ifdef __aarch64__
	register long x0 asm("x0") = a;
	register long x1 asm("x1") = b;
	register long x2 asm("x2") = c;
	register long x3 asm("x3") = d;
	register long x8 asm("x8") = nr;

	asm volatile("svc #0"
		     : "+r"(x0)
		     : "r"(x1), "r"(x2), "r"(x3), "r"(x8)
		     : "memory");
	return x0;
#else
	register long r10 asm("r10") = d;
	long ret = nr;

	asm volatile("syscall"
		     : "+a"(ret)
		     : "D"(a), "S"(b), "d"(c), "r"(r10)
		     : "rcx", "r11", "memory");
	return ret;
#endif
}

static inline long raw_ioctl(int fd, unsigned long cmd, const void *arg)
{
	return raw_call(SYS_ioctl, fd, cmd, (long)arg, 0);
}

/* Number of counter n of a context whose first one is given. */
static inline uint16_t share_num(uint16_t first, unsigned int n)
{
	if (n < SHARE_EACH)
		return first + n;
	return first == SHARE_CPU ? FIXED_OF_CPU : FIXED_OF_THREAD;
}

/* Counters of instructions, or cycles, at user level */
static inline int share_setup(int fd, uint16_t first)
{
	int ret = 0;

	for (unsigned int n = 0; n < SHARE_ALL && !ret; n++) {
		const uint16_t num = share_num(first, n);

		if (n >= SHARE_EACH && !has_register(num))
			continue;
		ret = pmc_write(fd, num,
				n < SHARE_EACH ? USER | EVENT_INST_RETIRED
					       : CYCLES_AT(USER));
		if (!ret)
			ret = pmd_write(fd, num, 0);
	}
	return ret;
}

/* The count of such a counter; 0 if there is none */
static inline uint64_t share_count(int fd, uint16_t first, unsigned int n)
{
	const uint16_t num = share_num(first, n);

	return fd < 0 || !has_register(num) ? 0 : pmd_value(fd, num);
}

/* A context with such counters.  Returns its descriptor or -errno. */
static inline int share_open(uint32_t flags, uint16_t first)
{
	const int fd = context_open(flags);
	const int ret = fd < 0 ? fd : share_setup(fd, first);

	if (ret && fd >= 0)
		close(fd);
	return ret ? ret : fd;
}

/* A context with one counter of instructions at user level.  Returns its descriptor or -errno. */
static inline int share_open_one(uint32_t flags, uint16_t num)
{
	const int fd = context_open(flags);
	int ret = fd < 0 ? fd : pmc_write(fd, num, USER | EVENT_INST_RETIRED);

	if (!ret)
		ret = pmd_write(fd, num, 0);
	return ret ? ret : fd;
}

/*
 * Wait until no other task can run: then children wait for this process, and whoever reads its
 * output has taken all that was printed.  Both would be counted on the CPU.
 */
static inline void share_wait_quiet(void)
{
	unsigned int running;
	FILE *file;

	do {
		sched_yield();
		file = fopen("/proc/loadavg", "re");
		if (!file || fscanf(file, "%*f %*f %*f %u/", &running) != 1)
			abort();
		fclose(file);
	} while (running > 1);
}

#define NEED_SHARED_COUNTERS()                                            \
	do {                                                              \
		if (general_counters(SHARE_THREAD + SHARE_EACH) <         \
		    SHARE_THREAD + SHARE_EACH)                            \
			SKIP(return, "needs four counters of any event"); \
	} while (0)

#endif /* _SELFTESTS_SHARE_H */
