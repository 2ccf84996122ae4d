// SPDX-License-Identifier: GPL-2.0-only
/*
 * An event that needs more events to its overflow than the processor's others do:
 * INST_RETIRED.PREC_DIST of Haswell and Broadwell needs 128, the others need 32.  The emulator's
 * option min-period has one number for all events, so this is a program of its own.  Needs root
 * and the emulator with an x86 PMU, on one CPU.
 */
#include "context.h"
#include "cpu.h"
#include "few_left.h"

/* INST_RETIRED.PREC_DIST */
#define PREC_DIST 0x1c0

TEST(few_left)
{
	int fd;

	if (!emulator_present())
		SKIP(return, "needs the emulator with an x86 PMU");
	pin_to(0);
	fd = context_open(0);
	ASSERT_LE(0, fd);
	check_few_left(_metadata, fd, PREC_DIST);
	close(fd);
}

TEST_HARNESS_MAIN
