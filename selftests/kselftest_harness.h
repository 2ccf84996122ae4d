/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kselftest's harness, with a time limit that only a test that hangs reaches.  The
 * harness' own 30 s are too short for an emulated machine that runs beside others, or
 * for a kernel with checkers.
 */
#ifndef _SELFTESTS_KSELFTEST_HARNESS_H
#define _SELFTESTS_KSELFTEST_HARNESS_H

#include_next <kselftest_harness.h>

#undef TEST_TIMEOUT_DEFAULT
#define TEST_TIMEOUT_DEFAULT 600

#endif /* _SELFTESTS_KSELFTEST_HARNESS_H */
