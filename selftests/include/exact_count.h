/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts that are known in advance: a loop whose number of instructions is known, and
 * whether this machine counts exactly.
 */
#ifndef _SELFTESTS_EXACT_COUNT_H
#define _SELFTESTS_EXACT_COUNT_H

#include "context.h"
#include "cpu.h"

static inline unsigned int digits(uint64_t n)
{
	unsigned int d = 1;

	while (n /= 10)
		d++;
	return d;
}

/*
 * Give the context a counter of the user's instructions.  Returns the number of
 * its data register, or -errno: -ENODATA when this machine has no such counter.
 */
static inline int instructions_setup(int fd, uint64_t value)
{
	int ret = pmc_write(fd, 0, USER | EVENT_INST_RETIRED);

	if (!ret)
		ret = pmd_write(fd, 0, value);
	return ret;
}

static inline int cycles_setup(int fd, uint64_t value)
{
	int ret = pmc_write(fd, CYCLES, CYCLES_AT(USER));

	if (!ret)
		ret = pmd_write(fd, CYCLES, value);
	return ret ? ret : CYCLES;
}

/* Number of counters, from 0 on, that count any event; at most most. */
static inline unsigned int general_counters(unsigned int most)
{
	unsigned int n = 0;

	while (n < most && has_register(n))
		n++;
	return n;
}

/*
 * Start the context, execute a loop of two instructions n times and stop the context,
 * all in one piece of assembly: the context counts SELF_COST(n) instructions.
 */
#define SELF_COST(n) (2 * (uint64_t)(n) + 6)
/* Bytes of the loop's first instruction. */
#ifdef __aarch64__
#define SELF_LOOP_FIRST 4
#else
#define SELF_LOOP_FIRST 3
#endif

static inline int self_loop(int fd, uint64_t n)
{
#ifdef __aarch64__
	register long x0 asm("x0") = fd;
	register long x1 asm("x1") = PFM_IOC_START;
	register long x2 asm("x2") = 0;
	register long x8 asm("x8") = 29; /* ioctl */

	asm volatile(
		"svc	#0\n"
		"	mov	x9, %[n]\n"
		"1:	subs	x9, x9, #1\n"
		"	b.ne	1b\n"
		"	mov	x0, %[fd]\n"
		"	mov	x1, %[stop]\n"
		"	mov	x2, #0\n"
		"	mov	x8, #29\n"
		"	svc	#0\n"
		: "+&r"(x0), "+&r"(x1), "+&r"(x2), "+&r"(x8)
		: [n] "r"(n), [fd] "r"((long)fd), [stop] "r"((long)PFM_IOC_STOP)
		: "x9", "cc", "memory");
	return x0;
#else
	register long rax asm("rax") = 16; /* ioctl */
	register long rdi asm("rdi") = fd;
	register long rsi asm("rsi") = PFM_IOC_START;
	register long rdx asm("rdx") = 0;

	asm volatile(
		"syscall\n"
		"	mov	%[n], %%r9\n"
		"1:	dec	%%r9\n"
		"	jne	1b\n"
		"	mov	%[fd], %%rdi\n"
		"	mov	%[stop], %%rsi\n"
		"	xor	%%edx, %%edx\n"
		"	mov	$16, %%eax\n"
		"	syscall\n"
		: "+&r"(rax), "+&r"(rdi), "+&r"(rsi), "+&r"(rdx)
		: [n] "r"(n), [fd] "r"((long)fd), [stop] "r"((long)PFM_IOC_STOP)
		: "rcx", "r9", "r11", "cc", "memory");
	return rax;
#endif
}

/*
 * Counts are exact on a guest with an emulated PMU that executes one instruction a
 * nanosecond: on arm64 on one processor, on x86 on several as well.  Returns NULL there,
 * otherwise the reason why counts are not exact.
 */
static inline const char *exact_missing(void)
{
#ifdef __aarch64__
	const uint64_t bit = 1ULL << EVENT_INST_RETIRED;
	struct pfm_event_info info = {};
	int fd;

	if (cpus_online() != 1)
		return "needs exactly one CPU, as QEMU counts for all at once";
	fd = context_open(0);
	if (fd < 0)
		return NULL; /* the test says why */
	if (vector(fd, PFM_IOC_GETINFO_EVENTS, &info, 1, NULL))
		info.known = 0;
	close(fd);
	/* A counter that stays at 0 although it has the event is a failure. */
	return info.known & ~info.implemented & bit
		       ? "needs QEMU's -icount: instructions do not count"
		       : NULL;
#else
	return has_register(0) ? NULL
			       : "needs an emulated PMU, which counts exactly";
#endif
}

/*
 * Whether the kernel has its checkers built in (lockdep, KASAN and others).  They
 * execute instructions of their own, so limits on what the kernel executes are for
 * kernels without them.
 */
static inline bool kernel_has_checkers(void)
{
	return !access("/proc/lockdep", F_OK);
}

#define NEED_EXACT()                                          \
	do {                                                  \
		const char *const missing_ = exact_missing(); \
                                                              \
		if (missing_)                                 \
			SKIP(return, "%s", missing_);         \
	} while (0)

#endif /* _SELFTESTS_EXACT_COUNT_H */
