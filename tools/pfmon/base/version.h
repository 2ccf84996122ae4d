/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The version of pfmon, and the commit that was built.
 */
#ifndef PFMON_BASE_VERSION_H
#define PFMON_BASE_VERSION_H

#include <perfmon/release.h>

#define PFMON_VERSION	PFM_RELEASE

/* Commit that was built; the Makefile defines it if it is known. */
#ifndef PFMON_COMMIT
#define PFMON_COMMIT	""
#endif

#endif
