/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * A copy of the sampling buffer, in which samples have the old numbers of registers.
 */
#ifndef COMPAT_SAMPLE_COPY_H
#define COMPAT_SAMPLE_COPY_H

#include "known.h"

/* From now on the program sees a copy: a register that samples has an old number. */
void pfmi_sample_copy_begin(int fd, struct pfmi_known *known);

/* Bring the copy up to date, if there is one. */
void pfmi_sample_copy_update(struct pfmi_known *known);

#endif
