// SPDX-License-Identifier: GPL-2.0-only
/*
 * An NMI that finds no overflow after a counter of AMD's has had one: it is taken for a late one of
 * the counters for 0.1 s, unless the chipset has sent it.  Needs root and the emulator with a
 * processor of AMD.
 */
#include "context.h"
#include "cpu.h"
#include "emulator.h"
#include "exact_count.h"
#include "module.h"
#include "outside.h"
#include "sampling.h"

#include "kselftest_harness.h"

#define PERIOD 10000

FIXTURE(late)
{
	int fd;
	bool loaded;
};

FIXTURE_SETUP(late)
{
	struct pfm_config cfg;

	self->fd = -1;
	self->loaded = false;
	pin_to(0);
	if (!emulator_present())
		SKIP(return, "needs the emulator with an x86 PMU");
	if (access("/sys/module/perfmon_amd", F_OK))
		SKIP(return, "needs a processor of AMD");
	LOAD_OR_SKIP("outside_test");
	self->loaded = true;
	self->fd = context_open(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, instructions_setup(self->fd, -PERIOD));
	ASSERT_EQ(0, sample_every(self->fd, 0, PERIOD, NULL, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, PERIOD));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	ASSERT_EQ(SELF_COST(PERIOD) / PERIOD, cfg.overflows);
}

FIXTURE_TEARDOWN(late)
{
	if (self->fd >= 0)
		close(self->fd);
	if (self->loaded && system("rmmod outside_test"))
		abort();
}

/* Overflows that were found together have several. */
TEST_F(late, several)
{
	TEST_PROVES(N7);
	outside_send("0");
	outside_send("0");
	EXPECT_EQ(0, outside_count("unknown"));
}

/* It may be late by what an SMI takes, or a host that runs something else. */
TEST_F(late, by_milliseconds)
{
	TEST_PROVES(N7);
	spin(LATE);
	outside_send("0");
	EXPECT_EQ(0, outside_count("unknown"));
}

TEST_F(late, too_late)
{
	TEST_PROVES(N7);
	spin(TOO_LATE);
	outside_send("0");
	EXPECT_EQ(1, outside_count("unknown"));
}

/* The chipset's never is. */
TEST_F(late, chipset)
{
	outside_send(SERR);
	EXPECT_EQ(1, outside_count("errors"));
	outside_send("0");
	EXPECT_EQ(1, outside_count("errors"));
	EXPECT_EQ(0, outside_count("unknown"));
}

/* A port that is absent does not say that the chipset has sent it. */
TEST_F(late, no_port)
{
	outside_send(NO_PORT);
	EXPECT_EQ(0, outside_count("errors"));
	EXPECT_EQ(0, outside_count("unknown"));
}

/* The chipset's is told of while the counters overflow all the time. */
TEST_F(late, chipset_while_sampling)
{
	ASSERT_EQ(0, context_start(self->fd, 0));
	spin(PERIOD);
	outside_send(SERR);
	spin(PERIOD);
	ASSERT_EQ(0, context_stop(self->fd));
	EXPECT_EQ(1, outside_count("errors"));
	EXPECT_EQ(0, outside_count("unknown"));
}

TEST_HARNESS_MAIN
