/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters that a thread reads in user mode, by the user page.
 */
#ifndef _SELFTESTS_USER_PAGE_H
#define _SELFTESTS_USER_PAGE_H

#include <setjmp.h>
#include <signal.h>
#include <sys/syscall.h>

#include <perfmon/perfmon.h>

#include "context.h"

/*
 * arm64: the kernel lets a process that has a page mapped read counters, and no other.
 * x86: the administrator lets all processes.
 */
#ifdef __aarch64__
#define ACCESS_BY_PAGE 1
#define DENIED_SIGNAL  SIGILL
#else
#define ACCESS_BY_PAGE 0
#define DENIED_SIGNAL  SIGSEGV
#endif

#define NEED_ACCESS_BY_PAGE()                                            \
	do {                                                             \
		if (!ACCESS_BY_PAGE)                                     \
			SKIP(return, "all processes may read counters"); \
	} while (0)

#define RDPMC "/sys/bus/event_source/devices/cpu/rdpmc"

/* Writes who may use RDPMC in user mode.  Returns false when it cannot be written. */
static inline bool rdpmc_write(const char *text)
{
	const int fd = open(RDPMC, O_WRONLY | O_CLOEXEC);
	const bool done = fd >= 0 && write(fd, text, 1) == 1;

	close(fd);
	return done;
}

/*
 * Have the administrator let user mode read counters.  Returns NULL, or the reason why
 * this machine cannot do so.
 */
static inline const char *user_reads_missing(void)
{
	if (ACCESS_BY_PAGE)
		return NULL;
	if (!has_register(0))
		return "no hardware PMU here";
	return rdpmc_write("2") ? NULL : "needs root";
}

/* A register that counts cycles, beside the first event counters. */
static inline uint16_t cycles_register(void)
{
	return HAVE_CYCLES ? CYCLES : 3;
}

static inline int cycles_setup_beside(int fd, uint64_t value)
{
	const uint16_t num = cycles_register();
	const int ret = pmc_write(fd, num,
				  HAVE_CYCLES ? CYCLES_AT(USER)
					      : USER | EVENT_CPU_CYCLES);

	return ret ? ret : pmd_write(fd, num, value);
}

/* The first n event counters count the user's instructions, or cycles. */
static inline int counters_setup(int fd, unsigned int n, uint64_t event,
				 uint64_t value)
{
	uint16_t i;
	int ret = 0;

	for (i = 0; i < n && !ret; i++) {
		ret = pmc_write(fd, i, USER | event);
		if (!ret)
			ret = pmd_write(fd, i, value);
	}
	return ret;
}

static inline struct pfm_user_page_map *open_regs(int fd, unsigned int n)
{
	struct pfm_reg regs[PFM_REGS_MAX] = {};
	struct pfm_user_page_map *page;
	unsigned int i;

	for (i = 0; i < n; i++)
		regs[i].num = i;
	return pfm_user_page_open(fd, regs, n, &page) ? NULL : page;
}

#ifdef __aarch64__
static inline uint64_t counter(unsigned int n)
{
	uint64_t value = 0;

	switch (n) {
	case 0:
		__asm__ volatile("mrs %0, pmevcntr0_el0" : "=r"(value));
		break;
	case 1:
		__asm__ volatile("mrs %0, pmevcntr1_el0" : "=r"(value));
		break;
	case 2:
		__asm__ volatile("mrs %0, pmevcntr2_el0" : "=r"(value));
		break;
	case 3:
		__asm__ volatile("mrs %0, pmevcntr3_el0" : "=r"(value));
		break;
	default:
		__asm__ volatile("mrs %0, pmccntr_el0" : "=r"(value));
		break;
	}
	return value;
}
#else
static inline uint64_t counter(unsigned int n)
{
	uint32_t low, high;

	__asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(n));
	return low | (uint64_t)high << 32;
}
#endif

static sigjmp_buf trapped;

static inline void on_denied(int sig)
{
	siglongjmp(trapped, 1);
}

/* True if this thread may read counters now. */
static inline bool may_read(void)
{
	signal(DENIED_SIGNAL, on_denied);
	if (sigsetjmp(trapped, 1))
		return false;
	counter(0);
	return true;
}

/*
 * Read without a system call.  The contents of the user page are valid until the time in
 * its member until.  A busy host may take the CPU from the guest beyond that time between
 * any two instructions, and the read then uses the ioctl.  The kernel writes the page anew
 * when a thread has slept, so this sleeps and tries again.  Returns the result of the last
 * try, 0 for a read in user mode.
 */
static inline int read_direct(struct pfm_user_page_map *page, uint64_t *vals)
{
	int ret, tries = 100;

	while ((ret = pfm_user_page_read(page, vals)) && --tries)
		usleep(1000);
	return ret;
}

/* A context that counts this thread, and a handle to read its first registers. */
struct setup {
	int fd;
	struct pfm_user_page_map *page;
};

static inline int setup(struct setup *s, unsigned int n, uint64_t event,
			uint64_t value)
{
	int ret;

	s->fd = context_open(0);
	if (s->fd < 0)
		return s->fd;
	ret = counters_setup(s->fd, n, event, value);
	if (!ret)
		ret = context_load(s->fd, 0);
	if (!ret)
		ret = context_start(s->fd, 0);
	s->page = open_regs(s->fd, n);
	return s->page ? ret : -ENOMEM;
}

static inline void teardown(struct setup *s)
{
	pfm_user_page_close(s->page);
	close(s->fd);
}

/* True if a read lies between two READ_PMDS, and is not less than the previous one. */
static inline bool between(const struct setup *s, uint64_t *last,
			   unsigned int *calls)
{
	uint64_t before = pmd_value(s->fd, 0), after, vals[2];
	int ret = pfm_user_page_read(s->page, vals);

	after = pmd_value(s->fd, 0);
	if (ret < 0 || before < *last || vals[0] < before || after < vals[0]) {
		printf("# %d: %llx: %llx <= %llx <= %llx\n", ret,
		       (unsigned long long)*last, (unsigned long long)before,
		       (unsigned long long)vals[0], (unsigned long long)after);
		return false;
	}
	*last = after;
	*calls += ret;
	return true;
}

#endif /* _SELFTESTS_USER_PAGE_H */
