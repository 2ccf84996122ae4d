/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * An entry of the sampling format "ibs" as a sample of libIBS.
 */
#ifndef PERFMON_COMPAT_IBS_ENTRY_H
#define PERFMON_COMPAT_IBS_ENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <perfmon/ibs-compat.h>
#include <perfmon/perfmon.h>

/* Convert an entry, as pfm_sample_ibs_next() returns it.  Returns the kind of the sample. */
ibs_sample_type_t pfmi_ibs_convert(const struct pfm_ibs_entry *entry,
				   ibs_sample_t *sample);

#endif
