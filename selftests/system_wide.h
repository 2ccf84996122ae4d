/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A context that monitors a CPU, for each test, and CPUs that are taken offline.
 */
#ifndef _SELFTESTS_SYSTEM_WIDE_H
#define _SELFTESTS_SYSTEM_WIDE_H

#include "context.h"
#include "cpu.h"
#include "exact_count.h"

#define CPU1 "/sys/devices/system/cpu/cpu1/online"

#define MS 1000000ULL

static inline int system_wide_open(void)
{
	return context_open(PFM_CTX_SYSTEM_WIDE);
}

static inline bool cpu1_online(bool online)
{
	const int fd = open(CPU1, O_WRONLY);
	int ret;

	if (fd < 0)
		return false;
	ret = write(fd, online ? "1" : "0", 1);
	close(fd);
	return ret == 1;
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

#define NEED_HOTPLUG()                                                      \
	do {                                                                \
		NEED_TWO_CPUS();                                            \
		if (access(CPU1, W_OK))                                     \
			SKIP(return, "CPU 1 cannot be taken offline here"); \
	} while (0)

#endif /* _SELFTESTS_SYSTEM_WIDE_H */
