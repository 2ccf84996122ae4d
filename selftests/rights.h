/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processes that give up rights.
 */
#ifndef _SELFTESTS_RIGHTS_H
#define _SELFTESTS_RIGHTS_H

#include <grp.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#define NOBODY	1000

/*
 * From here on the process belongs to an unprivileged user, who may look into it:
 * losing rights makes a process undumpable otherwise.
 */
static inline void rights_drop(void)
{
	if (setgroups(0, NULL) || setresgid(NOBODY, NOBODY, NOBODY) ||
	    setresuid(NOBODY, NOBODY, NOBODY) || prctl(PR_SET_DUMPABLE, 1))
		abort();
}

#endif /* _SELFTESTS_RIGHTS_H */
