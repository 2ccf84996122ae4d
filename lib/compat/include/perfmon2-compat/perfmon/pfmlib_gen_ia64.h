/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * libpfm 3: gen_ia64.  perfmon has no module for these processors, so the header has no structures:
 * a program that uses them only behind a test of pfm_get_pmu_type() has to leave that part out.
 */
#ifndef PERFMON2_COMPAT_PFMLIB_GEN_IA64_H
#define PERFMON2_COMPAT_PFMLIB_GEN_IA64_H

#include "pfmlib.h"

#define PFM3_NO_GEN_IA64	1

#endif /* PERFMON2_COMPAT_PFMLIB_GEN_IA64_H */
