/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A context that monitors a CPU, for each test.
 */
#ifndef _SELFTESTS_SYSTEM_WIDE_H
#define _SELFTESTS_SYSTEM_WIDE_H

#include "context.h"
#include "cpu.h"
#include "exact_count.h"
#include "hotplug.h"

#define MS 1000000ULL

static inline int system_wide_open(void)
{
	return context_open(PFM_CTX_SYSTEM_WIDE);
}

FIXTURE(system_wide)
{
	int fd;
	int cycles;
};

FIXTURE_SETUP(system_wide)
{
	pin_to(0);
	self->fd = system_wide_open();
	ASSERT_LE(0, self->fd)
	{
		TH_LOG("no context: %s", strerror(-self->fd));
	}
	self->cycles = cycles_setup(self->fd, 0);
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, pmd_write(self->fd, WALL_TIME_NS, 0));
}

FIXTURE_TEARDOWN(system_wide)
{
	close(self->fd);
	if (!access(CPU1, W_OK))
		cpu1_online(true);
}

#endif /* _SELFTESTS_SYSTEM_WIDE_H */
