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

/*
 * In the body of a test: properties of Documentation/change/locking/ without which it fails,
 * as in TEST_PROVES(C3).  selftests/lib/properties_host_test.sh reads it.
 */
#define TEST_PROVES(...) _Static_assert(1, #__VA_ARGS__)

#endif /* _SELFTESTS_KSELFTEST_HARNESS_H */
