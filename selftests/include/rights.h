/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processes that give up rights.
 */
#ifndef _SELFTESTS_RIGHTS_H
#define _SELFTESTS_RIGHTS_H

#include <grp.h>
#include <linux/capability.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NOBODY	1000

/*
 * Turn the process into one of an unprivileged user.  Losing rights makes a process
 * undumpable, so that its own user may not look into it; PR_SET_DUMPABLE undoes that.
 */
static inline void rights_drop(void)
{
	if (setgroups(0, NULL) || setresgid(NOBODY, NOBODY, NOBODY) ||
	    setresuid(NOBODY, NOBODY, NOBODY) || prctl(PR_SET_DUMPABLE, 1))
		abort();
}

/* The same, but the process keeps the capabilities whose bits are set in @caps. */
static inline void rights_keep(uint64_t caps)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	const struct __user_cap_data_struct data[2] = {
		{ .effective = caps, .permitted = caps },
		{ .effective = caps >> 32, .permitted = caps >> 32 },
	};

	if (prctl(PR_SET_KEEPCAPS, 1))
		abort();
	rights_drop();
	if (syscall(SYS_capset, &head, data) || prctl(PR_SET_DUMPABLE, 1))
		abort();
}

#endif /* _SELFTESTS_RIGHTS_H */
