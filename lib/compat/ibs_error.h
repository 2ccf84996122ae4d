/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * The text of the last failure of libIBS's functions.
 */
#ifndef PERFMON_COMPAT_IBS_ERROR_H
#define PERFMON_COMPAT_IBS_ERROR_H

/* Keep a text about a failure.  Returns -@err. */
__attribute__((format(printf, 2, 3))) int
pfmi_ibs_refuse(int err, const char *format, ...);

/* The text; "" when there is none. */
const char *pfmi_ibs_error(void);

#endif
