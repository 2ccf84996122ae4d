/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PFMON_BASE_VERSION_H
#define PFMON_BASE_VERSION_H

#define PFMON_VERSION	"4.0.0"

/* Commit that was built; the Makefile defines it if it is known. */
#ifndef PFMON_COMMIT
#define PFMON_COMMIT	""
#endif

#endif
