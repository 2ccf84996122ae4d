/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Taking a CPU offline, and online again.
 */
#ifndef _SELFTESTS_HOTPLUG_H
#define _SELFTESTS_HOTPLUG_H

#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

#include "cpu.h"

#define CPU1 "/sys/devices/system/cpu/cpu1/online"

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

#define NEED_HOTPLUG()                                                      \
	do {                                                                \
		NEED_TWO_CPUS();                                            \
		if (access(CPU1, W_OK))                                     \
			SKIP(return, "CPU 1 cannot be taken offline here"); \
	} while (0)

#endif /* _SELFTESTS_HOTPLUG_H */
