/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Modules that a test needs beside those of the PMUs.
 */
#ifndef _SELFTESTS_MODULE_H
#define _SELFTESTS_MODULE_H

#include <stdlib.h>

/* Skips a test whose module is not installed; a module that does not load is a failure. */
#define LOAD_OR_SKIP(name)                                      \
	do {                                                    \
		if (system("modinfo " name " >/dev/null 2>&1")) \
			SKIP(return, "no module " name);        \
		ASSERT_EQ(0, system("modprobe " name " >&2"));  \
	} while (0)

#endif /* _SELFTESTS_MODULE_H */
