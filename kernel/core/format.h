/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Registry of sampling formats.
 */
#ifndef _PFM_FORMAT_H
#define _PFM_FORMAT_H

#include <perfmon/format.h>

const struct pfm_format *pfm_format_get(const u8 *uuid);
void pfm_format_put(const struct pfm_format *fmt);

extern struct pfm_format pfm_format_default;

#endif /* _PFM_FORMAT_H */
