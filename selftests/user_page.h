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

#ifdef __aarch64__

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

static sigjmp_buf trapped;

static inline void on_sigill(int sig)
{
	siglongjmp(trapped, 1);
}

/* True if this thread may read counters now. */
static inline bool may_read(void)
{
	signal(SIGILL, on_sigill);
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
#endif

#endif /* _SELFTESTS_USER_PAGE_H */
