// SPDX-License-Identifier: GPL-2.0-only
/*
 * An NMI that finds no sample after an engine of AMD's instruction-based sampling was stopped: it is
 * taken for the engine's own, which may be late, for 0.1 s, unless the chipset has sent it.
 * Needs root and the emulator with a processor of AMD.
 */
#include "context.h"
#include "cpu.h"
#include "emulator.h"
#include "module.h"
#include "outside.h"

#include <linux/perfmon_ibs.h>

#include "kselftest_harness.h"

FIXTURE(late)
{
	int fd;
	bool loaded;
};

FIXTURE_VARIANT(late)
{
	uint16_t num;
};

FIXTURE_VARIANT_ADD(late, op){
	.num = PFM_IBS_PMD_OP,
};

FIXTURE_VARIANT_ADD(late, fetch){
	.num = PFM_IBS_PMD_FETCH,
};

FIXTURE_SETUP(late)
{
	self->fd = -1;
	self->loaded = false;
	pin_to(0);
	if (!emulator_present())
		SKIP(return, "needs the emulator with an x86 PMU");
	if (!has_register(variant->num))
		SKIP(return, "no IBS here");
	LOAD_OR_SKIP("outside_test");
	self->loaded = true;
	self->fd = context_open(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, pmc_write(self->fd, variant->num, 0));
	ASSERT_EQ(0, pmd_write(self->fd, variant->num, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	/* An engine that stands still without a sample */
	ASSERT_EQ(0, context_stop(self->fd));
}

FIXTURE_TEARDOWN(late)
{
	if (self->fd >= 0)
		close(self->fd);
	if (self->loaded && system("rmmod outside_test"))
		abort();
}

/* One NMI is taken for the engine's. */
TEST_F(late, one)
{
	TEST_PROVES(N7);
	outside_send("0");
	EXPECT_EQ(0, outside_count("unknown"));
	outside_send("0");
	EXPECT_EQ(1, outside_count("unknown"));
}

/* It may be late by what an SMI takes, or a host that runs something else. */
TEST_F(late, by_milliseconds)
{
	spin(LATE);
	outside_send("0");
	EXPECT_EQ(0, outside_count("unknown"));
}

TEST_F(late, too_late)
{
	spin(TOO_LATE);
	outside_send("0");
	EXPECT_EQ(1, outside_count("unknown"));
}

/* The chipset's never is, and leaves the engine its own. */
TEST_F(late, chipset)
{
	outside_send(SERR);
	EXPECT_EQ(1, outside_count("errors"));
	EXPECT_EQ(0, outside_count("unknown"));
	outside_send("0");
	EXPECT_EQ(0, outside_count("unknown"));
	EXPECT_EQ(1, outside_count("errors"));
}

/* A port that is absent does not say that the chipset has sent it. */
TEST_F(late, no_port)
{
	outside_send(NO_PORT);
	EXPECT_EQ(0, outside_count("errors"));
	EXPECT_EQ(0, outside_count("unknown"));
	outside_send("0");
	EXPECT_EQ(1, outside_count("unknown"));
}

TEST_HARNESS_MAIN
