/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * libpfm 3: montecito.  perfmon has no module for these processors, so the header has no structures:
 * a program that uses them only behind a test of pfm_get_pmu_type() has to leave that part out.
 */
#ifndef PERFMON2_COMPAT_PFMLIB_MONTECITO_H
#define PERFMON2_COMPAT_PFMLIB_MONTECITO_H

#include "pfmlib.h"

#define PFM3_NO_MONTECITO	1

#endif /* PERFMON2_COMPAT_PFMLIB_MONTECITO_H */
