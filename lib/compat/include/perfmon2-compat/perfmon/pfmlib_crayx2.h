/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * libpfm 3: crayx2.  perfmon has no module for these processors, so the header has no structures:
 * a program that uses them only behind a test of pfm_get_pmu_type() has to leave that part out.
 */
#ifndef PERFMON2_COMPAT_PFMLIB_CRAYX2_H
#define PERFMON2_COMPAT_PFMLIB_CRAYX2_H

#include "pfmlib.h"

#define PFM3_NO_CRAYX2	1

#endif /* PERFMON2_COMPAT_PFMLIB_CRAYX2_H */
