// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Versions of the library and of libpfm4.
 */
#include <perfmon/perfmon.h>
#include <perfmon/pfmlib.h>

int pfm_lib_version(void)
{
	return PFM_LIB_VERSION;
}

int pfm_lib_tables_version(void)
{
	return pfm_get_version();
}
