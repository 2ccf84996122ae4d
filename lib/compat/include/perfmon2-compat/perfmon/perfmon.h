/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * The calls of perfmon2 under the old name of the header: for programs of perfmon v2.0 to v3
 * that are compiled as they are.
 *
 * The folder of this header comes first in the search path (pkg-config perfmon2-compat).  The
 * header defines no name of libperfmon and none of libpfm4.
 */
#ifndef PERFMON2_COMPAT_PERFMON_H
#define PERFMON2_COMPAT_PERFMON_H

#include "../../perfmon/perfmon2.h"

#endif /* PERFMON2_COMPAT_PERFMON_H */
