/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Notifications: waiting until an overflow masked a context or left a message.
 */
#ifndef _SELFTESTS_NOTIFICATION_H
#define _SELFTESTS_NOTIFICATION_H

#include <poll.h>

#include "context.h"
#include "cpu.h"

/* Limit for a wait, in ms: much longer than any wait on a machine that works. */
#define PATIENCE 20000

/* Waits until a condition holds; false when it never does. */
#define EVENTUALLY(condition)                                                \
	({                                                                   \
		/* Not a time: it passes while the host has stopped, too. */ \
		unsigned int polls_ = PATIENCE;                              \
                                                                             \
		while (!(condition) && polls_--)                             \
			usleep(1000);                                        \
		(condition);                                                 \
	})

/* Wait for at most ms.  Returns the events that poll(2) reports, or 0. */
static inline int readable(int fd, int ms)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };

	return poll(&pfd, 1, ms) == 1 ? pfd.revents : 0;
}

/* Use the CPU until the context is masked; false when that never happens. */
static inline bool burn_until_masked(int fd)
{
	const uint64_t begin = time_ns(CLOCK_MONOTONIC);

	while (state_of(fd) != PFM_STATE_MASKED) {
		burn(1000);
		if (time_ns(CLOCK_MONOTONIC) - begin > PATIENCE * 1000000ULL)
			return false;
	}
	return true;
}

#endif /* _SELFTESTS_NOTIFICATION_H */
