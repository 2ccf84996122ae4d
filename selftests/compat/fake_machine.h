/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The processors of the made-up kernel, and its contexts.
 */
#ifndef COMPAT_FAKE_MACHINE_H
#define COMPAT_FAKE_MACHINE_H

#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/futex.h>
#include <linux/perfmon.h>
#include <linux/perfmon_default.h>
#include <linux/perfmon_ibs.h>

#define CONTEXTS 64
#define SETS	 4
#define REGS	 320
#define MSGS	 8
#define BUFFER	 (1U << 20)
#define CALL_NS	 250

struct set {
	bool there;
	struct pfm_set_desc desc;
	uint64_t pmc[REGS];
	uint64_t pmd[REGS];
	bool pmc_used[REGS];
	bool used[REGS];
	bool has_attr[REGS];
	struct pfm_pmd_attr attr[REGS];
	uint64_t left[REGS];
	uint64_t wrapped[5];
	uint64_t runs;
	uint64_t active_ns;
	uint64_t slice_ns;
};

struct context {
	int fd;
	uint32_t flags;
	bool loaded, started, masked;
	bool owed;
	bool signal;
	int file_flags;
	uint32_t target;
	uint16_t set;
	struct set sets[SETS];
	union pfm_msg msgs[MSGS];
	unsigned int first, num_msgs;
	bool ended;
	uint64_t buf_size;
	char buffer[BUFFER] __attribute__((aligned(4096)));
};

/* Shared with children. */
static struct {
	volatile int lock;
	unsigned int changes;
	uint64_t random;
	struct context contexts[CONTEXTS];
} * all;

static void lock(void)
{
	while (__atomic_exchange_n(&all->lock, 1, __ATOMIC_ACQUIRE))
		sched_yield();
}

static void unlock(void)
{
	__atomic_store_n(&all->lock, 0, __ATOMIC_RELEASE);
}

/* Somebody may wait for what has changed: a message, or a restart. */
static void changed(void)
{
	__atomic_add_fetch(&all->changes, 1, __ATOMIC_RELEASE);
	syscall(SYS_futex, &all->changes, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* With the lock, which is released meanwhile. */
static void wait_for_change(void)
{
	const unsigned int now =
		__atomic_load_n(&all->changes, __ATOMIC_ACQUIRE);

	unlock();
	syscall(SYS_futex, &all->changes, FUTEX_WAIT, now, NULL, NULL, 0);
	lock();
}

static bool machine(const char *name)
{
	const char *wanted = getenv("FAKE_MACHINE");

	return !strcmp(wanted ? wanted : "intel", name);
}

static bool has_counter(unsigned int num)
{
	if (machine("intel"))
		return num < 4 || (num >= 32 && num < 35);
	if (machine("amd"))
		return num < 4;
	return num < 6 || num == 31;
}

static bool is_ibs(unsigned int num)
{
	return machine("amd") &&
	       (num == PFM_IBS_PMD_FETCH || num == PFM_IBS_PMD_OP);
}

static bool is_ibs_data(unsigned int num)
{
	return machine("amd") && num >= PFM_IBS_PMD_FETCH_CTL &&
	       num <= PFM_IBS_PMD_OP_TSC;
}

static bool has_pmd(unsigned int num)
{
	return num < REGS &&
	       (has_counter(num) || is_ibs(num) || is_ibs_data(num));
}

static uint64_t reserved(unsigned int num)
{
	if (is_ibs(num))
		return ~(PFM_IBS_EXCLUDE_KERNEL | PFM_IBS_EXCLUDE_USER |
			 1ULL << 57 | 1ULL << 19);
	if (machine("armv8"))
		return ~0xc800ffffULL;
	return num >= 32 ? ~0x7ULL : ~0xffafffffULL;
}

static unsigned int events(const struct set *set, unsigned int num)
{
	const uint64_t pmc = set->pmc[num];
	const unsigned int code = pmc & 0xffff;

	if (is_ibs(num))
		return set->pmc_used[num] ? 50 : 0;
	if (machine("armv8")) {
		if (!set->pmc_used[num])
			return 0;
		return num == 31 || code == 0x11 ? CALL_NS
		       : code == 8		 ? 100
						 : 10;
	}
	if (num >= 32)
		return !(pmc & 3) ? 0 : num == 32 ? 100 : CALL_NS;
	if (!(pmc & 3 << 16))
		return 0;
	if (code == 0xc0)
		return 100;
	return code == (machine("intel") ? 0x3c : 0x76) ? CALL_NS : 10;
}

static struct context *find(int fd)
{
	for (int i = 0; fd >= 0 && i < CONTEXTS; i++)
		if (all->contexts[i].fd == fd)
			return &all->contexts[i];
	return NULL;
}

#endif
