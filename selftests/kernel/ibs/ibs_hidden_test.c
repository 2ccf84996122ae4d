// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMD's instruction-based sampling where the firmware has hidden it: what the module perfmon_ibs
 * changes so that it can be used, and that it changes it back.  Needs root, and the emulator with
 * the option ibs-hidden.
 */
#include "context.h"
#include "cpu.h"
#include "emulator.h"
#include "hotplug.h"
#include "notification.h"

#include <linux/perfmon_ibs.h>

#include "kselftest_harness.h"

/* Bits of emulated.ibs_unhidden */
#define VISIBLE 0x3 /* CPUID's, and IBS's own */
#define USED	0xc /* the states of the core that are left out */

#define COUNT_OPS (1ULL << 19)

FIXTURE(hidden)
{
	int fd;
};

FIXTURE_SETUP(hidden)
{
	self->fd = -1;
	pin_to(0);
}

FIXTURE_TEARDOWN(hidden)
{
	if (self->fd >= 0)
		close(self->fd);
	if (!access(CPU1, W_OK))
		cpu1_online(true);
	if (system("modprobe -r perfmon_ibs >&2"))
		abort();
}

static bool is_first_zen(void)
{
	uint32_t a = 0;
#ifdef __x86_64__
	uint32_t b, c = 0, d;

	a = 1;
	__asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
#endif
	return emulator_present() && (a >> 8 & 0xfff0f) == 0x800f &&
	       !has_register(PFM_IBS_PMD_OP);
}

#define NEED_HIDDEN()                                           \
	do {                                                    \
		if (!is_first_zen())                            \
			SKIP(return, "IBS is not hidden here"); \
	} while (0)

static bool unhide(void)
{
	return !system("modprobe perfmon_ibs unhide=1 >&2");
}

static uint64_t changed_on(int cpu)
{
	struct emulated e;

	emulated_on(cpu, &e);
	return e.ibs_unhidden;
}

/* A context of this thread that counts ops. */
static int count_ops(void)
{
	const int fd = context_open(0);

	if (fd < 0 || pmc_write(fd, PFM_IBS_PMC_OP_CTL, COUNT_OPS) ||
	    pmd_write(fd, PFM_IBS_PMD_OP, 0) || context_load(fd, 0))
		return -1;
	return fd;
}

/* The module changes no register unless its parameter asks for it. */
TEST_F(hidden, unasked)
{
	NEED_HIDDEN();
	EXPECT_NE(0, system("modprobe perfmon_ibs 2>/dev/null"));
	EXPECT_EQ(0, changed_on(0));
	EXPECT_EQ(false, has_register(PFM_IBS_PMD_OP));
}

/* The bits that slow the CPU are changed only while contexts are loaded. */
TEST_F(hidden, counts)
{
	struct emulated before, after;
	uint64_t value;

	NEED_HIDDEN();
	for (int round = 0; round < 3; round++) {
		ASSERT_EQ(true, unhide());
		EXPECT_EQ(VISIBLE, changed_on(0));
		self->fd = count_ops();
		ASSERT_LE(0, self->fd);
		EXPECT_EQ(VISIBLE | USED, changed_on(0));
		emulated_here(&before);
		ASSERT_EQ(0, context_start(self->fd, 0));
		spin(1000000);
		ASSERT_EQ(0, context_stop(self->fd));
		emulated_here(&after);
		value = pmd_value(self->fd, PFM_IBS_PMD_OP);
		EXPECT_LE(1000000, value);
		EXPECT_GE(after.ops - before.ops, value);
		close(self->fd);
		self->fd = -1;
		EXPECT_EQ(true, EVENTUALLY(changed_on(0) == VISIBLE));
		ASSERT_EQ(0, system("modprobe -r perfmon_ibs >&2"));
		EXPECT_EQ(0, changed_on(0));
	}
}

/* A CPU is offline while others are changed, or changed back. */
TEST_F(hidden, hotplug)
{
	NEED_HIDDEN();
	NEED_HOTPLUG();
	ASSERT_EQ(true, cpu1_online(false));
	ASSERT_EQ(true, unhide());
	self->fd = count_ops();
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(true, cpu1_online(true));
	EXPECT_EQ(VISIBLE | USED, changed_on(1));
	ASSERT_EQ(true, cpu1_online(false));
	close(self->fd);
	self->fd = -1;
	EXPECT_EQ(true, EVENTUALLY(changed_on(0) == VISIBLE));
	ASSERT_EQ(true, cpu1_online(true));
	EXPECT_EQ(VISIBLE, changed_on(1));
	ASSERT_EQ(0, system("modprobe -r perfmon_ibs >&2"));
	EXPECT_EQ(0, changed_on(0));
	EXPECT_EQ(0, changed_on(1));
}

TEST_HARNESS_MAIN
