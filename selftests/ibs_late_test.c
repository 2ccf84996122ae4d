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

#include <fcntl.h>
#include <linux/perfmon_ibs.h>
#include <stdio.h>

#include "kselftest_harness.h"

/* In rounds of two instructions, of a nanosecond each: 10 ms, and longer than 0.1 s */
#define LATE	 5000000
#define TOO_LATE 60000000

#define SERR "0x80"

/* What an absent port reads as */
#define NO_PORT "0xff"

/* A parameter of outside_test, or its file */
static int parameter_open(const char *name, int flags)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/module/outside_test/parameters/%s",
		 name);
	return open(path, flags);
}

static long parameter(const char *name)
{
	const int fd = parameter_open(name, O_RDONLY);
	char text[32] = "";

	if (fd < 0 || read(fd, text, sizeof(text) - 1) < 0)
		abort();
	close(fd);
	return strtol(text, NULL, 0);
}

/* An NMI comes to this CPU, with a reason of the chipset or "0". */
static void send(const char *reason)
{
	const int fd = parameter_open("send", O_WRONLY);

	if (fd < 0 || write(fd, reason, strlen(reason)) < 0)
		abort();
	close(fd);
}

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
	send("0");
	EXPECT_EQ(0, parameter("unknown"));
	send("0");
	EXPECT_EQ(1, parameter("unknown"));
}

/* It may be late by what an SMI takes, or a host that runs something else. */
TEST_F(late, by_milliseconds)
{
	spin(LATE);
	send("0");
	EXPECT_EQ(0, parameter("unknown"));
}

TEST_F(late, too_late)
{
	spin(TOO_LATE);
	send("0");
	EXPECT_EQ(1, parameter("unknown"));
}

/* The chipset's never is, and leaves the engine its own. */
TEST_F(late, chipset)
{
	send(SERR);
	EXPECT_EQ(1, parameter("errors"));
	EXPECT_EQ(0, parameter("unknown"));
	send("0");
	EXPECT_EQ(0, parameter("unknown"));
	EXPECT_EQ(1, parameter("errors"));
}

/* A port that is absent does not say that the chipset has sent it. */
TEST_F(late, no_port)
{
	send(NO_PORT);
	EXPECT_EQ(0, parameter("errors"));
	EXPECT_EQ(0, parameter("unknown"));
	send("0");
	EXPECT_EQ(1, parameter("unknown"));
}

TEST_HARNESS_MAIN
